"""How strong agents of games are that no computation can judge: as-run, `best`, with search."""

from collections.abc import Iterable

from tafl.boards import load_game
from tafl.reproduction.cells import NOTHING
from tafl.reproduction.played import alike, seeds, time_of
from tafl.reproduction.searched import GAMES, Measured, cell, mean_of, recommended
from tafl.reproduction.searched import time_of as time_of_move
from tafl.settings.presets import compose
from tafl.settings.tables import Fields

PRESETS = ("as-run", "best")
COLUMNS = ["game", "measured", *(f"`{preset}`" for preset in PRESETS), "with search"]
SAME = ("episodes", "evaluation.every", "checkpoint.every_seconds")  # what learning is not
ERRORS = ("0.1", "0.2", "0.3")  # of perfect play that can be beaten

# What is measured, as searches call it, and as trials do ("": only searches have it).
MEASURES = {
    "connectfour": {
        "first against ab-dl: wins": "first",
        **{f"second against ab-dl(error={e}): wins": f"second, error {e}" for e in ERRORS},
        "right moves": "right",
    },
    "hex": {"win rate against mcts(iterations=10000)": "win rate", "right moves": "right"},
    "othello": {
        "win rate against bench(own=not-next)": "win rate",
        "win rate against gtp-rhino, level 1": "win rate, against gtp-rhino, level 1",
        "win rate against gtp-rhino, level 3": "",
        "right moves": "right",
    },
    "2048": {"points": "score"},
}


def strength_table(
    lines: Iterable[Fields], searches: list[Fields], fresh: range
) -> tuple[list[str], list[list[str]]]:
    """The presets side by side, and the search that is recommended: columns and rows."""
    stored = [line for line in lines if line["seed"] in fresh]
    rows = []
    for game in GAMES:
        runs = [runs_of(stored, game.name, preset) for preset in PRESETS]
        if any(runs):
            rows += _rows(game, runs, recommended(searches, game))
    return COLUMNS, rows


def runs_of(lines: Iterable[Fields], name: str, preset: str) -> list[Fields]:
    """The runs of a preset as it is today; of several devices those of the one with the most."""
    episodes = compose(load_game(name), preset).episodes
    runs = [run for run in lines if (run["game"], run["episodes"]) == (name, episodes)]
    found = [run for run in runs if preset_of(run["trial"]) == preset]
    return max(alike(found), key=len, default=[])


def preset_of(trial: str) -> str:
    """The preset that a trial is, if it changes nothing that is learned.

    >>> preset_of("best evaluation.every=0"), preset_of("episodes=9"), preset_of("td.alpha=1")
    ('best', 'as-run', '')
    """
    words = trial.split()
    preset, changes = ("best", words[1:]) if words[:1] == ["best"] else ("as-run", words)
    return preset if all(change.partition("=")[0] in SAME for change in changes) else ""


def _rows(game: Measured, runs: list[list[Fields]], search: Fields | None) -> list[list[str]]:
    """A line for each measure, and what the numbers are of."""
    measured = search["measures"] if search else {}
    found = [
        [
            *(_mean(name, [run[key] for run in some if key in run]) for some in runs),
            cell(name, measured[name]) if name in measured else NOTHING,
        ]
        for name, key in MEASURES[game.name].items()
    ]
    about = [_training(some) for some in runs]
    how = f"`{search['agent']}`, {time_of_move(search)} a move" if search else NOTHING
    table = [*zip(MEASURES[game.name], found, strict=True), ("training, search", [*about, how])]
    return [[game.title if k == 0 else "", name, *cells] for k, (name, cells) in enumerate(table)]


def _training(runs: list[Fields]) -> str:
    """How long, and which seeds."""
    if not runs:
        return NOTHING
    return f"{runs[0]['episodes']:,} episodes, {time_of(runs)}; seeds {seeds(runs)}"


def _mean(name: str, values: list[float]) -> str:
    """The mean over seeds with its standard error."""
    return cell(name, mean_of(values)) if values else NOTHING
