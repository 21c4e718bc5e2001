"""docs/science/puzzles.md from stored results."""

import math
from pathlib import Path
from statistics import mean

from studies.pages import DOCS, write_page
from studies.puzzles.run import GAMES, POSITIONS, RESULTS, WIDTHS, text
from studies.records import Measurement, read
from tafl.arena.statistics import standard_error
from tafl.boards import load_game
from tafl.reproduction.cells import markdown_table, with_error

WORDS = Path(__file__).with_name("page.md")
COLUMNS = [
    "training",
    "seeds",
    "seconds",
    "beam",
    "solved",
    "moves",
    "beyond the shortest",
    "ms",
    "ms, worst",
]
FAR = ["quarter turns", "beam width", "positions", "solved", "moves", "seconds"]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    stored = read(RESULTS)
    small = [row(stored, name, width) for name in GAMES for width in WIDTHS]
    large = [one for one in stored if "twists" in one.condition]
    values = {
        "small": markdown_table(COLUMNS, small),
        "large": markdown_table(FAR, far_rows(large)),
        "positions": str(POSITIONS),
        "training": trained(large),
    }
    command = "python -m studies puzzles report"
    return [write_page(docs / "science" / "puzzles.md", WORDS, command, values)]


def row(stored: list[Measurement], name: str, width: int) -> list[str]:
    """Return what a beam reaches in the 2x2x2 cube, over all seeds."""
    game = load_game(name).name
    mine = [one for one in stored if (one.game, one.agent) == (game, text(width))]

    def over_seeds(metric: str, form: str, factor: float = 1) -> str:
        values = [factor * one.value for one in mine if one.metric == metric]
        error = standard_error(values) if len(values) > 1 else math.nan
        return with_error(mean(values), error, form)

    worst = max(one.value for one in mine if one.metric == "milliseconds_worst")
    seconds = f"{mean(one.seconds or 0.0 for one in mine):.1f}"
    line = f"`tafl train {name}`" if "(" not in name else f'`tafl train "{name}"`'
    solved, longer = (
        over_seeds("solved", ".1f", 100) + " %",
        over_seeds("excess", ".1f", 100) + " %",
    )
    moves, times = over_seeds("score", ".2f", -1), over_seeds("milliseconds", ".0f")
    seeds = str(len({one.seed for one in mine}))
    return [line, seeds, seconds, str(width), solved, moves, longer, times, f"{worst:.0f}"]


def far_rows(large: list[Measurement]) -> list[list[str]]:
    """Return what beams reach in the 3x3x3 cube, by distance and width."""
    rows, found = [], {}
    for one in large:
        found[one.condition["twists"], one.condition["width"], one.metric] = one
    for twists, width in sorted({key[:2] for key in found}):
        solved, moves, times = (
            found[twists, width, metric] for metric in ("solved", "score", "milliseconds")
        )
        share = with_error(100 * solved.value, 100 * (solved.error or 0.0), ".0f") + " %"
        length, seconds = f"{-moves.value:.1f}", f"{times.value / 1000:.1f}"
        rows.append([str(twists), f"{width:,}", str(solved.n), share, length, seconds])
    return rows


def trained(large: list[Measurement]) -> str:
    """Say how the agent of 3x3x3 was trained."""
    one = large[0]
    return f"{one.episodes or 0:,} positions in {one.seconds or 0.0:.0f} seconds of one H200"
