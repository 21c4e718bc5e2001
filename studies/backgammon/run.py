"""Train agents and let them play against a hand-written player.

    python -m studies backgammon run [PROCESSES]  what is not stored
    python -m studies backgammon run search       search around the agent with the longest training

Runs are kept in runs/backgammon. Seconds are those of the processor, without the compiler.
"""

import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import tafl
from studies.backgammon.duel import LINEAR, PUBEVAL, duel
from studies.backgammon.plan import FEW, SEARCHED, SEARCHES, STORE, TRIALS, Trial
from studies.opponents import Linear
from studies.pool import Job, measure, processes_of
from studies.records import Measurement, append, machine, read, settings_of
from tafl.agents import Agent
from tafl.arena.statistics import standard_error
from tafl.boards import State
from tafl.runs.run import Run
from tafl.settings.tables import nested
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

RUNS = Path(__file__).resolve().parents[2] / "runs" / "backgammon"
GAMES_SEED = 7
OPPONENTS = [LINEAR, PUBEVAL]


def main(options: list[str]) -> None:
    """Carry out what is not stored."""
    if options == ["search"]:
        search()
        return
    processes = processes_of(options, "python -m studies backgammon run [PROCESSES | search]")
    stored = [one for one in read(STORE) if one.agent == "A"]
    jobs: list[Job] = [
        (judged, (trial, OPPONENTS))
        for trial in TRIALS
        if not any(is_of(trial, one) for one in stored)
    ]
    measure(STORE, jobs, processes)


def about(trial: Trial) -> Measurement:
    """Return the fields that all measurements of a training share."""
    return Measurement(
        study="backgammon",
        game=trial.game,
        overrides=trial.overrides,
        seed=trial.seed,
        episodes=trial.episodes,
        metric="score",
        value=0.0,
        against=LINEAR,
        condition={"tuples": trial.name} if trial.name else {},
        **machine(),
    )


def is_of(trial: Trial, one: Measurement) -> bool:
    """Say whether a measurement is of this training."""
    return one.training == about(trial).training


def judged(trial: Trial, opponents: list[str]) -> list[Measurement]:
    """Train an agent; return its win rate and its points in games against each opponent."""
    run, seconds = trained(trial)
    found = []
    for against in opponents:
        points = duel(run.agent, FEW, GAMES_SEED, against)
        base = replace(about(trial), n=FEW, moves=run.summary()["moves"], seconds=seconds)
        base = replace(base, against=against)
        rate = float((points > 0).mean())
        found += [
            replace(base, metric="win_rate", value=rate, error=standard_error(points > 0)),
            replace(base, value=float(points.mean()), error=standard_error(points)),
        ]
    return found


def trained(trial: Trial) -> tuple[Run, float]:
    """Return the run of a trial, trained if it is not there, and its seconds."""
    game, one = tafl.game(trial.game), about(trial)
    name = f"{trial.game} {trial.name} {settings_of(one).episodes} {trial.seed}"
    path = RUNS / re.sub(r"\W+", "-", name)
    if (path / "settings.toml").exists():  # trained before, but not judged
        run = tafl.resume(path)
        return run, round(run.summary()["seconds"], 2)
    settings = settings_of(one)
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    learner.compile()
    del learner
    said = {"seed": trial.seed, "evaluation.every": 0, "episodes": settings.episodes}
    given: dict[str, Any] = nested(said | trial.overrides)
    began = time.process_time()
    run = tafl.train(trial.game, out=path, **given)
    return run, round(time.process_time() - began, 2)


@dataclass
class Timed:
    """An agent and the processor time of its moves."""

    agent: Agent
    seconds: list[float] = field(default_factory=list)

    def act(self, state: State) -> int:
        """Return the agent's action."""
        began = time.process_time()
        action = self.agent.act(state)
        self.seconds.append(time.process_time() - began)
        return action

    def values(self, state: State) -> dict[int, float]:
        """Return the agent's values."""
        return self.agent.values(state)


def search() -> None:
    """Measure searches around the agent of Backgammon with the longest training."""
    runs = [run for path in RUNS.glob("backgammon-*") if (run := Run.open(path)).finished]
    runs = [run for run in runs if run.game.name == "backgammon"]
    run = max(runs, key=lambda run: run.settings.episodes)
    trial = next(one for one in TRIALS if settings_of(about(one)).episodes == run.settings.episodes)
    for text in SEARCHES:
        made = tafl.agent(text.replace("(A,", f"('run:{run.path}',"), run.game)
        made.act(run.game.start())  # compiles
        agent = Timed(made)
        result = tafl.match(run.game, [agent, Linear()], games=SEARCHED, seed=GAMES_SEED)
        base = replace(about(trial), agent=text, n=SEARCHED)
        columns = {
            "win_rate": result.wins[:, 0],
            "score": result.scores[:, 0],
            "milliseconds": 1e3 * np.array(agent.seconds),
        }
        found = [
            replace(base, metric=name, value=float(np.mean(of)), error=standard_error(of))
            for name, of in columns.items()
        ]
        append(STORE, found)
        print(text, *(f"{one.metric} {one.value:.3f}" for one in found), flush=True)
