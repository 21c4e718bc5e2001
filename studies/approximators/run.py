"""Train every network on every game, and measure it.

    python -m studies approximators run [--workers N] [--minutes M] [--into FILE]

What is stored is not trained again. Each worker trains one agent at a time; seconds are those of
its processor. After so many minutes no training begins any more. In games without solved positions
agents play against a reference, n-tuples with usual settings, which is trained first.
"""

import time
import traceback
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import tafl
from studies.approximators.plan import PART, REFERENCE_SEED, RESULTS, Subject, Trial, trials
from studies.approximators.positions import share_of_right_moves
from studies.best.trials import end_with_parent
from studies.records import Measurement, append, machine, read
from studies.right_moves.measure import right_moves
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.processes import cores
from tafl.settings.presets import compose, usual_episodes
from tafl.settings.tables import nested
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

BLOCK = 0.05  # seconds between two looks at the clock
WHOLE = 10**12  # stands for the whole time where rates and exploration fall with it


def main(options: list[str]) -> None:
    """Train and measure what is not stored."""
    parser = ArgumentParser(prog="python -m studies approximators run")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--into", type=Path, default=RESULTS)
    said = parser.parse_args(options)
    end, stored = time.monotonic() + 60 * said.minutes, read(said.into)
    waiting = [one for one in trials() if not any(map(one.is_of, stored))]
    with ProcessPoolExecutor(said.workers, get_context("spawn"), end_with_parent) as pool:
        needed = {one.subject for one in waiting if one.subject.measure == "reference"}
        references = {one: pool.submit(make_reference, one) for one in needed}
        running: dict[Future[list[Measurement]], Trial] = {}
        while waiting or running:
            while len(running) < said.workers and time.monotonic() < end:
                ready = next(able(waiting, stored, references), None)
                if ready is None:
                    break
                trial, episodes = ready
                waiting.remove(trial)
                running[pool.submit(measured, trial, episodes)] = trial
            if not running:
                if time.monotonic() > end or all(one.done() for one in references.values()):
                    break
                time.sleep(0.1)  # references are being trained
                continue
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                trial = running.pop(future)
                try:
                    found = future.result()
                except Exception:
                    traceback.print_exc()  # other trainings do not depend on it
                    continue
                append(said.into, found)
                stored += found
                print(trial.subject.name, trial.condition, trial.farl, found[0].value, flush=True)


def able(
    waiting: list[Trial], stored: list[Measurement], references: dict[Subject, Future[None]]
) -> Iterator[tuple[Trial, int | None]]:
    """Yield what may begin, and its episodes if they are those that n-tuples had."""
    for trial in waiting:
        if trial.subject in references and not references[trial.subject].done():
            continue
        if trial.equal == "time":
            yield trial, None
            continue
        first = replace(trial, network="n-tuples", equal="time")
        if found := next(filter(first.is_of, stored), None):
            yield trial, found.episodes


def measured(trial: Trial, episodes: int | None) -> list[Measurement]:
    """Train an agent and measure it."""
    game = tafl.game(trial.subject.name)
    learner, seconds = trained(trial, episodes)
    about = Measurement(
        study="approximators",
        game=trial.subject.name,
        metric="score",
        value=0.0,
        overrides=trial.overrides,
        seed=trial.seed,
        episodes=learner.episode,
        moves=learner.moves,
        seconds=round(seconds, 2),
        condition=trial.condition,
        **machine(),
    )
    agent = LearnedAgent(game, learner.net.plain(), learner.td, trial.seed)
    if trial.subject.measure != "solved":
        number, against = trial.subject.games, trial.subject.opponent
        starts = 2 if trial.subject.measure == "reference" else "start"
        mean = evaluate(agent, against, number, starts=starts, seed=trial.seed).mean
        return [replace(about, value=round(mean, 4), n=number, against=against)]
    share = right_moves(agent, game)
    solved = replace(about, metric="right_moves", value=round(share.share, 4), n=share.positions)
    if trial.subject.name != "connectfour":
        return [solved]
    fresh = {**trial.condition, "positions": "fresh"}
    value = round(share_of_right_moves(agent, game), 4)
    return [replace(solved, value=value, n=None, condition=fresh), solved]


def trained(trial: Trial, episodes: int | None) -> tuple[Learner, float]:
    """Return what has learned for the time, or these episodes, and the seconds it took."""
    game = tafl.game(trial.subject.name)
    length = {"episodes": episodes} if episodes else {}
    changes = nested({**trial.overrides, "seed": trial.seed, "algo": "td", **length})
    plan = make_plan(game, compose(game, overrides=changes))
    learner = Learner(game, plan.settings, plan.tuples)
    learner.compile()
    began = time.process_time()
    if episodes:
        learner.learn(episodes)
    else:
        learn_for(learner, trial.subject.seconds)
    assert np.isfinite(learner.net.weights).all()
    return learner, time.process_time() - began


def learn_for(learner: Learner, seconds: float) -> None:
    """Play episodes for a time; rates and exploration fall with the time that has passed."""
    work, rng, totals = learner.works[0], learner.rngs[0], learner.totals[0]
    count, began, passed = 1, time.process_time(), 0.0
    while passed < seconds:
        done = int(passed / seconds * WHOLE)
        agent = learner.net, learner.td, work
        learner.kernel(learner.game.rules, *agent, done, count, WHOLE, rng, totals)
        learner.episode += count
        before, passed = passed, time.process_time() - began
        count = max(1, min(2 * count, int(count * BLOCK / max(passed - before, 1e-4))))


def make_reference(subject: Subject) -> None:
    """Train the agent that others play against, unless it is there."""
    game = tafl.game(subject.name)
    if (subject.folder / "settings.toml").exists():
        tafl.resume(subject.folder)
    else:
        episodes = usual_episodes(game) // PART
        options: dict[str, Any] = {"evaluation": {"every": 0}, "algo": "td"}
        tafl.train(game, episodes=episodes, seed=REFERENCE_SEED, out=subject.folder, **options)
