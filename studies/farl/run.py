"""Train and judge the runs of the study, and sample what their games' rules say.

python -m studies farl run [--rows GAME,...] [--learners LEARNER,...] [--seeds N]
"""

import time
from argparse import ArgumentParser
from pathlib import Path
from statistics import mean

import numpy as np

from studies.farl.known import known
from studies.farl.last_mover import last_movers
from studies.farl.naive import make_naive, play_naive_players
from studies.farl.numbers import learner_of
from studies.farl.stored import (
    RESULTS,
    Stored,
    known_records,
    last_mover_records,
    run_record,
    store_predictions,
    trait_records,
)
from studies.farl.subjects import SEEDS, UNTRAINED, Subject, Trial, trials
from studies.farl.traits import traits
from studies.records import Measurement, append
from tafl.boards import load_game
from tafl.core.learn.work import make_work
from tafl.errors import InputError
from tafl.reproduction.rows import table_rows
from tafl.settings.build import make_tuples
from tafl.settings.seeds import EVALUATION, stream
from tafl.training.learner import Learner
from tafl.training.progress import Progress, progress_for_person

MOST_SEEDS = 10_000


def main(arguments: list[str], results: Path = RESULTS) -> None:
    """Make everything that is not stored."""
    parser = ArgumentParser(prog="python -m studies farl run")
    parser.add_argument("--rows", type=_names, help="games, for example nim,sim")
    parser.add_argument("--learners", type=_names, help="for example td-farl,td-no-farl")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"of each (default: {SEEDS})")
    options = parser.parse_args(arguments)
    if not 1 <= options.seeds <= MOST_SEEDS:
        raise InputError(f"--seeds must be 1 to {MOST_SEEDS:,}, not {options.seeds}")
    wanted = trials(options.rows, options.learners, options.seeds)
    chosen = list({trial.subject.name: trial.subject for trial in wanted}.values())
    progress = progress_for_person("runs")
    sample_rules(chosen, results)
    if options.rows is None:
        count_last_movers(results)
    # first the games that the rule comes from; what it says of new ones is stored before they learn
    make_missing([trial for trial in wanted if not trial.subject.new], results, progress)
    stored = Stored(results)
    store_predictions(results, stored.runs, stored.known, chosen)
    make_missing([trial for trial in wanted if trial.subject.new], results, progress)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def make_missing(wanted: list[Trial], results: Path, progress: Progress) -> None:
    """Train and judge what is not stored; each run is stored as it ends."""
    done = {(one.game, learner_of(one), one.seed) for one in Stored(results).runs}
    missing = [trial for trial in wanted if trial.key not in done]
    progress.say(f"{len(wanted) - len(missing)} of {len(wanted)} runs are already stored")
    for trial in missing:
        found = outcome(trial)
        append(results, [found])
        name = f"{found.game}, {learner_of(found)}, seed {found.seed}"
        progress.say(f"{name}: {found.value:.4f}")


def outcome(trial: Trial) -> Measurement:
    """Train a run and judge its agent."""
    subject, way = trial.subject, trial.way
    settings = subject.settings(way, trial.seed)
    learner = Learner(subject.game, settings, make_tuples(subject.game, settings))
    learner.compile()
    began = time.perf_counter()
    if way not in UNTRAINED.values():
        learner.learn(settings.episodes)
    seconds = time.perf_counter() - began
    roles = scores_by_role(learner, subject.games, stream(trial.seed, EVALUATION))
    return run_record(
        subject.name,
        way.name,
        float(f"{mean(roles):.6g}"),
        seed=trial.seed,
        episodes=learner.episode,
        moves=learner.moves,
        seconds=round(seconds, 4),
    )


def scores_by_role(learner: Learner, games: int, rng: np.ndarray) -> list[float]:
    """Return the mean score of an agent in each role against naive players, in points."""
    game = learner.game
    facts, rounds = game.facts, max(1, games // game.facts.players)
    totals, work = np.zeros(facts.players), make_work(facts, learner.net)
    play_naive_players(
        game.rules, learner.net, learner.td, work, make_naive(facts), rounds, rng, totals
    )
    return [game.points(total / rounds) for total in totals]


def sample_rules(subjects: list[Subject], results: Path) -> None:
    """Store the traits of games and what can be known without FARL, where that is missing."""
    stored = Stored(results)
    for subject in subjects:
        if subject.name not in stored.traits:
            append(results, trait_records(subject.name, traits(subject.game)))
        for algo in ("td", "q") if subject.game.facts.players > 1 else ("td",):
            if (subject.name, algo) not in stored.known:
                found = known(subject.game, algo, subject.episodes)
                append(results, known_records(subject.name, algo, found))


def count_last_movers(results: Path) -> None:
    """Play the random games of Table 1's rows with several players, unless that is stored."""
    stored = Stored(results).last_movers
    for row in table_rows():
        game = load_game(row.game)
        if row.game not in stored and game.facts.players > 1:
            append(results, last_mover_records(row.game, last_movers(game)))
