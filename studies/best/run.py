"""Trains and judges agents of the presets `best`, and of trials for them.

    python -m studies best run [--rows GAME,...] [--seeds N]
    python -m studies best run trial hex 1 network.number=50
    python -m studies best run trial connectfour 101-110 best --device cuda
    python -m studies best run trial 2048 1 best game.fold=8192 episodes=60000

The first trains what plan.toml has and is not stored. A trial is one run of as-run with changes and
a seed; after `best` it is one of that preset. Changes of `game.` are parameters of the game.
"""

import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from dataclasses import replace
from pathlib import Path

from studies.best.computed import best_table
from studies.best.plan import attempts, goals
from studies.best.trials import GAMES, trials
from studies.records import Measurement, append, assignments, machine, read, results, settings_of
from tafl.agents.learned import LearnedAgent
from tafl.boards import load_game
from tafl.cli.output import print_table
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

STORE = results("best")


def main(options: list[str], store: Path = STORE) -> None:
    """Carry out one command line."""
    if options[:1] == ["trial"]:
        asked = trial_parser().parse_args(options[1:])
        low, _, high = asked.seeds.partition("-")
        seeds = range(int(low), int(high or low) + 1)
        trials(asked.game, seeds, asked.changes, asked.device, asked.threads or None, store)
        return
    asked = parser().parse_args(options)
    make_missing(attempts(asked.rows.split(",") if asked.rows else None, asked.seeds), store)
    columns, rows = best_table(read(store))
    print_table(columns, [[cell.replace("`", "") for cell in row] for row in rows])


def parser() -> ArgumentParser:
    """Return the options of computed games."""
    found = ArgumentParser(
        "python -m studies best run",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    found.add_argument("--rows", help=f"only these games, of {', '.join(goals())}")
    found.add_argument("--seeds", type=int, help="number of runs per trial")
    return found


def trial_parser() -> ArgumentParser:
    """Return the options of a trial."""
    found = ArgumentParser("python -m studies best run trial")
    found.add_argument("game", choices=GAMES)
    found.add_argument("seeds", help="a number, or FIRST-LAST")
    found.add_argument("changes", nargs="*", default=[], help="NAME=VALUE ..., or best")
    found.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    found.add_argument("--threads", type=int, default=0, help="games at a time on a GPU")
    return found


def make_missing(wanted: list[Measurement], store: Path) -> None:
    """Train and judge what is not stored; store each run as it ends."""
    done = {key(one) for one in read(store)}
    missing = [one for one in wanted if key(one) not in done]
    print(f"{len(wanted) - len(missing)} of {len(wanted)} runs are already stored")
    for one in missing:
        measured = outcome(one)
        append(store, [measured])
        changes = " ".join(assignments(one.overrides))
        print(f"{one.game}, {one.preset} {changes}, seed {one.seed}: {measured.value:.4f}")


def key(one: Measurement) -> tuple[str, str, str, int | None]:
    """Return what a run of a computed game is stored under."""
    return one.game, one.preset, " ".join(assignments(one.overrides)), one.seed


def outcome(one: Measurement) -> Measurement:
    """Train a run and judge its agent."""
    settings, game = settings_of(one), load_game(one.game)
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    learner.compile()
    began = time.perf_counter()
    learner.learn(settings.episodes)
    seconds = time.perf_counter() - began
    agent = LearnedAgent(game, learner.net, learner.td, settings.seed)
    return replace(
        one,
        value=goals()[one.game].judged(agent),
        episodes=settings.episodes,
        moves=learner.moves,
        seconds=round(seconds, 2),
        **machine(),
    )
