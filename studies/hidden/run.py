"""Train and judge all seeds of all ways that are not stored, in several processes.

python -m studies hidden run [PROCESSES]
"""

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tafl
from studies.hidden.blackjack import basic, expected, of_agent
from studies.hidden.subjects import (
    BLACKJACK,
    DUELS,
    RESULTS,
    SEEDS,
    SUBJECTS,
    WITHOUT_FARL,
    Subject,
    Way,
    trials,
)
from studies.pool import Job, measure, processes_of
from studies.records import Measurement, machine, read
from tafl.agents import Agent
from tafl.agents.regret import RegretAgent
from tafl.arena.statistics import standard_error
from tafl.settings.presets import compose
from tafl.settings.tables import nested
from tafl.training.plan import make_plan
from tafl.training.regret_learner import RegretLearner

ROUNDS = 100  # games of a match, for each role of the agent


def main(arguments: list[str]) -> None:
    """Measure what is not stored yet."""
    processes = processes_of(arguments, "python -m studies hidden run [PROCESSES]")
    measure(RESULTS, missing(), processes)


def missing() -> list[Job]:
    """Return what is not stored, first what takes longest or matters most."""
    stored = {(one.game, str(one.overrides), one.seed, one.against) for one in read(RESULTS)}
    duels: list[Job] = [
        (played, (subject, seed))
        for subject in DUELS
        for seed in SEEDS
        if (subject.game, str(subject.ways[0]), seed, subject.opponents[-1]) not in stored
    ]
    judged: list[Job] = [
        (measured, (subject, way, seed))
        for subject, way, seed in trials()
        if (subject.game, str(way), seed, "") not in stored
    ]
    hands: list[Job] = [
        (lost, (BLACKJACK, seed))
        for seed in SEEDS
        if not any(one.game == BLACKJACK.game and one.seed == seed for one in read(RESULTS))
    ]
    jobs = hands + judged + duels
    first = {SUBJECTS[0].title: 0, DUELS[-1].title: 1, DUELS[0].title: 2}
    return sorted(jobs, key=lambda job: first.get(job[1][0].title, 3))


def lost(subject: Subject, seed: int) -> list[Measurement]:
    """Train an agent with TD; return what it loses a game against basic strategy."""
    with TemporaryDirectory() as folder:
        options: dict[str, Any] = {"seed": seed, "episodes": subject.episodes}
        began = time.process_time()
        evaluation = {"every": 0}
        run = tafl.train(subject.game, out=Path(folder) / "run", evaluation=evaluation, **options)
        seconds = round(time.process_time() - began, 3)
        moves, agent = run.summary()["moves"], run.agent
    value = expected(basic) - expected(of_agent(agent))
    said = {"moves": moves, "seconds": seconds, **machine()}
    base = Measurement(study="hidden", game=subject.game, metric="loss", value=value)
    return [replace(base, against="basic strategy", **options, **said)]


def trained(subject: Subject, way: Way, seed: int) -> tuple[RegretAgent, Measurement]:
    """Train an agent; return it, and the fields that all its measurements share."""
    options = nested(way | {"seed": seed, "episodes": subject.episodes})
    plan = make_plan(game := tafl.game(subject.game), compose(game, overrides=options))
    learner = RegretLearner(game, plan.settings, plan.tuples)
    learner.compile()
    began = time.process_time()
    learner.learn(subject.episodes)
    seconds = round(time.process_time() - began, 3)
    base = Measurement(
        study="hidden",
        game=subject.game,
        metric="nash_conv",
        value=0.0,
        overrides=way,
        seed=seed,
        episodes=subject.episodes,
        moves=learner.moves,
        seconds=seconds,
        **machine(),
    )
    return learner.player(learner.net, seed), base


def measured(subject: Subject, way: Way, seed: int) -> list[Measurement]:
    """Train an agent and return its NashConv."""
    agent, base = trained(subject, way, seed)
    found = tafl.exploitability(agent)
    value = float(f"{found.nash_conv:.5g}")
    return [replace(base, value=value, n=found.information_states)]


def played(subject: Subject, seed: int) -> list[Measurement]:
    """Train an agent with FARL and one without, and return the points of games against others."""
    agent, base = trained(subject, subject.ways[0], seed)
    found = []
    for against in subject.opponents:
        opponent: str | Agent = against
        if against == WITHOUT_FARL:
            opponent = trained(subject, subject.ways[1], seed)[0]
        others = [opponent] * (agent.game.facts.players - 1)
        games = ROUNDS * agent.game.facts.players
        points = tafl.match(agent.game, [agent, *others], games=games, seed=seed).scores[:, 0]
        one = replace(base, metric="score", n=games, against=against)
        found.append(replace(one, value=float(points.mean()), error=standard_error(points)))
    return found
