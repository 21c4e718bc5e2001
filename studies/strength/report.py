"""Writes docs/science/search_speed.md from the stored measurements."""

from collections.abc import Iterator
from math import hypot
from pathlib import Path

from studies.pages import DOCS, write_page
from studies.records import Measurement, read, results, where
from tafl.reproduction.cells import markdown_table

ENGINES = ["level", "win rate", "games", "games/s"]
SPEED = ["game", "`mcts`", "OpenSpiel", "ratio"]
GAIN = ["game", "episodes", "seed", "agent", "mean", "equal agents", "gain", "games"]
SOLVER = ["stones", "`ab`: mean", "worst", "`ab-dl`: mean", "worst"]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    found = read(results("strength"))
    (maxn,) = where(found, part="speed", agent="maxn")
    page = write_page(
        docs / "science" / "search_speed.md",
        Path(__file__).with_name("page.md"),
        "python -m studies strength report",
        {
            "machines": ", ".join(sorted({one.processor for one in found})),
            "maxn": f"{maxn.value:.1f}",
            "engines": markdown_table(ENGINES, engine_lines(where(found, part="engines"))),
            "search": markdown_table(SPEED, speed_lines(where(found, part="speed"))),
            "gain": markdown_table(GAIN, gain_lines(where(found, part="gain"))),
            "solver": markdown_table(SOLVER, solver_lines(where(found, part="solver"))),
        },
    )
    return [page]


def engine_lines(found: list[Measurement]) -> Iterator[list[str]]:
    """Yield a row for each level of the engine, from 1 on."""
    rates = where(found, metric="win_rate")
    for level, one in enumerate(rates, start=1):
        (games,) = where(found, metric="games_per_second", agent=one.agent)
        rate = f"{one.value:.3f} ± {one.error:.3f}"
        yield [str(level), rate, str(one.n), f"{games.value:.2g}"]


def speed_lines(found: list[Measurement]) -> Iterator[list[str]]:
    """Yield a row for each game: simulations per second, and those of OpenSpiel."""
    for ours in where(found, agent="mcts"):
        theirs = where(found, agent="openspiel-mcts", game=ours.game)
        shown = [cell for one in theirs for cell in (f"{one.value:,}", _ratio(ours, one))]
        yield [ours.game, f"{ours.value:,}", *(shown or ["", ""])]


def _ratio(ours: Measurement, theirs: Measurement) -> str:
    return f"{ours.value / theirs.value:.1f}"


def gain_lines(found: list[Measurement]) -> Iterator[list[str]]:
    """Yield a row for each agent: its score beside that of equal agents."""
    for one in where(found, metric="score"):
        same = {"game": one.game, "seed": one.seed, "agent": one.agent}
        (equal,) = where(found, metric="equal_score", **same)
        digits = ",.0f" if one.game == "2048" else ".3f"
        bare = one.agent == "A"
        error = hypot(one.error or 0.0, equal.error or 0.0)
        agent = "no search" if bare else f"`{one.agent.replace('(A,', '(')}`"
        yield [
            one.game,
            f"{one.episodes:,}",
            str(one.seed),
            agent,
            f"{one.value:{digits}} ± {one.error:{digits}}",
            f"{equal.value:{digits}}",
            "" if bare else f"{(one.value - equal.value) / error:+.1f}",
            f"{one.n:,}",
        ]


def solver_lines(found: list[Measurement]) -> Iterator[list[str]]:
    """Yield a row for each number of stones: milliseconds of both solvers."""
    for stones in dict.fromkeys(one.condition["stones"] for one in found):
        yield [str(stones), *(f"{one.value:.1f}" for one in where(found, stones=stones))]
