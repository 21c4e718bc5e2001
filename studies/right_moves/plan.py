"""The games of the study, as plan.toml has them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FARL_OFF = {"td.farl_others": False, "td.farl_terminal": False}


@dataclass(frozen=True)
class Measure:
    """A number of an agent: its record, and its row on the page."""

    metric: str
    text: str
    ideal: str
    states: str | None = None
    paper: str = ""


@dataclass(frozen=True)
class Plan:
    """The trainings of one game."""

    name: str
    preset: str
    episodes: int
    seeds: int
    every: int
    measures: list[Measure]


@cache
def plans() -> dict[str, Plan]:
    """Return all games by their names."""
    tables = tomllib.loads(Path(__file__).with_name("plan.toml").read_text("utf-8"))["game"]
    return {table["name"]: _plan(**table) for table in tables}


def _plan(measure: list[dict[str, str]], **fields: Any) -> Plan:
    return Plan(**fields, measures=[Measure(**one) for one in measure])
