"""Measures searches around trained agents.

    python -m studies search run GAME [AGENT ...]     strength and time of a move
    python -m studies search run openings             first mistakes of ConnectFour's champion
    python -m studies search run traps                lost positions of ConnectFour

GAME and AGENT are those of plan.toml; without AGENT each that is not stored is measured. Games are
played by the agent in runs/long/GAME if there is one, else by the champion. Othello needs
gtp-rhino. Openings and traps replace what was stored of them.
"""

import tomllib
from pathlib import Path

from studies.records import append, read, results, rewrite
from studies.search.openings import measure_openings
from studies.search.searches import of_agent, searches_in
from studies.search.strength import agent_of, measure
from studies.search.traps import measure_traps
from tafl.errors import InputError

STORE = results("search")
PLAN: dict[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("plan.toml").read_text(encoding="utf-8")
)
PARTS = {"openings": measure_openings, "traps": measure_traps}


def main(options: list[str], store: Path = STORE) -> None:
    """Carry out one command line."""
    match options:
        case [part] if part in PARTS:
            found = PARTS[part]()
            others = [one for one in read(store) if one.condition["part"] != part]
            rewrite(store, [*others, *found])
        case [game, *agents] if game in PLAN and set(agents) <= set(PLAN[game]):
            measure_missing(game, agents or PLAN[game], store)
        case _:
            known = ", ".join([*PLAN, *PARTS])
            raise InputError(f"name one of {known}, after a game also searches of plan.toml")


def measure_missing(game: str, agents: list[str], store: Path) -> None:
    """Measure the searches that are not stored."""
    trained = agent_of(game)
    for pattern in agents:
        stored = of_agent(searches_in(read(store)), game, trained.command)
        if trained.named(pattern) not in {one.agent for one in stored}:
            found = measure(trained, pattern)
            append(store, found)
            print(*((one.metric, one.value) for one in found), flush=True)
