"""One record of a measurement: the only format in which studies store numbers.

A study's results.jsonl has one measurement per line, sealed with a checksum. `metric` is a name
from METRICS. Whatever else the number depends on has a field of its own, so that nothing has to be
parsed back from prose.
"""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from tafl.errors import InputError
from tafl.files import checksum, sealed, to_json
from tafl.runs.folder import environment

HOME = Path(__file__).resolve().parent

METRICS = {
    "win_rate": "share of games won, draws count half",
    "wins": "share of games won",
    "draws": "share of games drawn",
    "score": "mean score in points",
    "right_moves": "share of right moves in solved positions",
    "solved": "share of puzzles solved",
    "milliseconds": "processor time of a move",
    "training_seconds": "processor time of a training",
    "choices": "mean number of legal actions",
    "never_learned": "number of afterstates that no update has reached",
    "knows_reply": "1 if the right reply has the highest value, else 0",
    "position_value": "value of a position in a player's table",
    "known": "share of the gain by true values that is left without FARL",
    "known_to_table": "the same for a table of all positions",
    "known_to_network": "the same for a network, in positions that never come up again",
    "repeated_positions": "share of positions that came up before",
    "last_mover_wins": "share of games where the last mover wins",
    "last_mover_draws": "share of games where the last mover draws",
    "last_mover_loses": "share of games where the last mover loses",
    "early_rewards": "share of games with rewards before the end",
    "repeated_turns": "share of games where a player moves twice in a row",
    "ends_by_chance": "share of games that chance ends",
    "predicted_kept": "share of what FARL learns that a rule predicts without it",
    "rule_intercept": "of a straight line",
    "rule_slope": "of a straight line",
    "rule_spread": "root of the mean square of the distances from a straight line",
    "rule_mean": "mean of the values that a straight line was fitted to",
}


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """One number, what it was measured on, and how."""

    study: str
    game: str  # with its parameters: hex(size=4)
    metric: str  # a name from METRICS
    value: float
    error: float | None = None  # standard error
    n: int | None = None  # games, positions or moves behind the value
    preset: str = ""  # "": the settings that any game gets
    overrides: dict[str, Any] = field(default_factory=dict)  # setting: value, as with --set
    seed: int | None = None
    device: str = "cpu"
    episodes: int | None = None  # of the training
    moves: int | None = None
    seconds: float | None = None
    agent: str = "A"  # A is the trained agent; puct(A,iterations=100) searches around it
    against: str = ""  # the opponent, an agent string
    condition: dict[str, Any] = field(default_factory=dict)  # {"role": "first", "starts": "4-ply"}
    processor: str = ""
    commit: str = ""  # of tafl; "": stored before this was noted
    history: bool = False  # its settings no longer exist: kept, not repeatable


def append(path: Path, measurements: Iterable[Measurement]) -> None:
    """Add measurements to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for one in measurements:
            file.write(line(one))


def line(one: Measurement) -> str:
    """Return a measurement as a sealed line of JSON; fields with their default are left out."""
    _check(one)
    defaults = asdict(Measurement(study="", game="", metric="", value=0.0))
    kept = {name: value for name, value in asdict(one).items() if value != defaults[name]}
    kept["value"] = one.value
    return to_json(sealed(json.loads(to_json(kept)))) + "\n"


def read(path: Path) -> list[Measurement]:
    """Return all measurements of a file; a damaged line is refused."""
    if not path.exists():
        return []
    known = {one.name for one in fields(Measurement)}
    found = []
    for number, text in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
        try:
            values: dict[str, Any] = json.loads(text)
            if values.pop("check") != checksum(values) or not values.keys() <= known:
                raise ValueError
            one = Measurement(**values)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(f"{path}, line {number} is damaged: delete it") from None
        _check(one)
        found.append(one)
    return found


def _check(one: Measurement) -> None:
    """Refuse a metric that is not in the list."""
    if one.metric not in METRICS:
        raise InputError(f"unknown metric {one.metric}; available: {', '.join(METRICS)}")


@cache
def machine() -> dict[str, str]:
    """Return where a measurement is made: the processor and the commit, for its record."""
    said = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=HOME, capture_output=True, text=True
    )
    return {"processor": environment()["processor"], "commit": said.stdout.strip()}
