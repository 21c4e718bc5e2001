"""docs/science/hidden.md from stored results."""

from pathlib import Path

import numpy as np

import tafl
from studies.hidden.subjects import (
    BLACKJACK,
    DUELS,
    RESULTS,
    SEEDS,
    SUBJECTS,
    WITHOUT_FARL,
    Subject,
    Way,
)
from studies.pages import DOCS, write_page
from studies.records import Measurement, read, where
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error

WORDS = Path(__file__).with_name("page.md")
COMMAND = "python -m studies hidden report"
NAMES = {WITHOUT_FARL: "the agents trained without FARL"}

Records = list[Measurement]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    records = read(RESULTS)
    measured = [one for one in SUBJECTS if is_complete(one, one.ways[:2], records)]
    columns = ["game", "episodes", "seconds", "moves/s", "with FARL", "worst seed", "without FARL"]
    values = {
        "farl": markdown_table(columns, [farl_line(one, records) for one in measured]),
        "tuples": markdown_table(
            ["game", "information states", "n-tuples", "NashConv", "seconds"],
            [line for one in measured if one.tuples for line in tuples_lines(one, records)],
        ),
        "duels": markdown_table(
            ["game", "players", "episodes", "against", "games", "points per game"],
            [line for one in DUELS for line in duel_lines(one, records)],
        ),
        "blackjack": blackjack_line(records),
        "seeds": str(len(SEEDS)),
        "machine": " and ".join(sorted({one.processor for one in records})),
    }
    return [write_page(docs / "science" / "hidden.md", WORDS, COMMAND, values)]


def of(subject: Subject, way: Way, records: Records, against: str = "") -> Records:
    """Return the measurements of a game and a way to learn it."""
    found = where(records, game=subject.game, against=against, episodes=subject.episodes)
    return [one for one in found if one.overrides == way]


def is_complete(subject: Subject, ways: list[Way], records: Records) -> bool:
    """Return whether all seeds of some ways to learn a game are stored."""
    return all(len(of(subject, way, records)) == len(SEEDS) for way in ways)


def farl_line(subject: Subject, records: Records) -> list[str]:
    """Return a row of the table of FARL."""
    exact, without = (of(subject, way, records) for way in subject.ways[:2])
    worst = max(one.value for one in exact)
    speed = float(np.mean([(one.moves or 0) / (one.seconds or 1) for one in exact]))
    return [
        subject.title,
        f"{subject.episodes:,}",
        f"{np.mean([one.seconds for one in exact]):.1f}",
        f"{round(speed, -5):,.0f}",
        mean(exact),
        f"{worst:.4f}",
        mean(without),
    ]


def tuples_lines(subject: Subject, records: Records) -> list[list[str]]:
    """Return the rows of a game in the table of n-tuples."""
    names = ["none: exact states", *(one.named(subject.cells) for one in subject.tuples)]
    lines = []
    for name, way in zip(names, [subject.ways[0], *subject.ways[2:]], strict=True):
        if is_complete(subject, [way], records):
            found = of(subject, way, records)
            seconds = np.mean([one.seconds for one in found])
            lines.append([subject.title, f"{found[0].n:,}", name, mean(found), f"{seconds:.1f}"])
    return lines


def duel_lines(subject: Subject, records: Records) -> list[list[str]]:
    """Return the rows of a game in the table of games."""
    lines = []
    for against in subject.opponents:
        found = of(subject, subject.ways[0], records, against)
        if len(found) == len(SEEDS):
            players = tafl.game(subject.game).facts.players
            name = NAMES.get(against, f"`{against}`")
            games = f"{sum(one.n or 0 for one in found):,}"
            first = [subject.title, str(players), f"{subject.episodes:,}"]
            lines.append([*first, name, games, mean(found, ".3f")])
    return lines


def blackjack_line(records: Records) -> str:
    """Return what agents of Blackjack lose against basic strategy, with its error and episodes."""
    found = where(records, game=BLACKJACK.game, metric="loss")
    if len(found) < len(SEEDS):
        return "has not been measured"
    seconds = np.mean([one.seconds for one in found])
    return (
        f"is {mean(found, '.4f')} points a game after {BLACKJACK.episodes:,} episodes "
        f"({seconds:.0f} seconds)"
    )


def mean(found: Records, form: str = ".4f") -> str:
    """Return the mean of several seeds, with its standard error."""
    values = [one.value for one in found]
    return with_error(float(np.mean(values)), standard_error(values), form)
