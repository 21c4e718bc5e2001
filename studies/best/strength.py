"""Strength in games that are too large to compute: as-run, `best`, with search."""

from collections.abc import Iterable

from studies.best.played import alike, seeds, time_of
from studies.opponents import ERRORS, gtp_rhino
from studies.records import Measurement, by_training, where
from studies.search.searches import GAMES, Kind, Search, SearchedGame, recommended
from studies.search.tables import cell, mean_of
from tafl.boards import load_game
from tafl.reproduction.cells import NOTHING
from tafl.settings.presets import compose

PRESETS = ("as-run", "best")
COLUMNS = ["game", "measured", *(f"`{preset}`" for preset in PRESETS), "with search"]
SAME = ("episodes", "evaluation.every", "checkpoint.every_seconds")  # do not affect learning

MEASURES = {
    "connectfour": [
        Kind("wins", "ab-dl", role="first"),
        *(Kind("wins", f"ab-dl(error={error})", role="second") for error in ERRORS),
        Kind("right_moves"),
    ],
    "hex": [Kind("win_rate", "mcts(iterations=10000)"), Kind("right_moves")],
    "othello": [
        Kind("win_rate", "bench(own=not-next)"),
        *(Kind("win_rate", gtp_rhino(level)) for level in (1, 3)),
        Kind("right_moves"),
    ],
    "2048": [Kind("score")],
}


def strength_table(
    found: Iterable[Measurement], searches: list[Search], fresh: range
) -> tuple[list[str], list[list[str]]]:
    """Return the presets side by side, and the recommended search: columns and rows."""
    stored = [one for one in found if one.seed in fresh]
    rows = []
    for game in GAMES:
        runs = [runs_of(stored, game.name, preset) for preset in PRESETS]
        if any(runs):
            rows += _rows(game, runs, recommended(searches, game))
    return COLUMNS, rows


def runs_of(found: Iterable[Measurement], name: str, preset: str) -> list[Measurement]:
    """Return the runs of a preset of today; of several devices those of the one with the most."""
    episodes = compose(load_game(name), preset).episodes
    runs = [
        one
        for one in where(found, game=name, episodes=episodes, preset=preset)
        if set(one.overrides) <= set(SAME)  # nothing that is learned is changed
    ]
    return max(alike(runs), key=lambda some: len(by_training(some)), default=[])


def _rows(
    game: SearchedGame, runs: list[list[Measurement]], search: Search | None
) -> list[list[str]]:
    """Return a row for each measure, and what the numbers are of."""
    measured = search.measures if search else {}
    table = [
        [
            kind.label,
            *(_mean(kind, some) for some in runs),
            cell(measured[kind]) if kind in measured else NOTHING,
        ]
        for kind in MEASURES[game.name]
    ]
    how = f"`{search.shown}`, {search.time} a move" if search else NOTHING
    table.append(["training, search", *map(_training, runs), how])
    return [[game.title if k == 0 else "", *cells] for k, cells in enumerate(table)]


def _training(runs: list[Measurement]) -> str:
    """Return the length of training and its seeds."""
    if not runs:
        return NOTHING
    return f"{runs[0].episodes:,} episodes, {time_of(runs)}; seeds {seeds(runs)}"


def _mean(kind: Kind, found: list[Measurement]) -> str:
    """Return the mean over seeds with its standard error."""
    some = [one for one in found if Kind.of(one) == kind]
    return cell(mean_of(some)) if some else NOTHING
