"""Train and judge all seeds of all ways that are not stored, in several processes.

python -m studies hidden run [PROCESSES]
"""

import time
from dataclasses import replace

import tafl
from studies.hidden.subjects import (
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
GAMES_SEED = 7


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
    jobs = judged + duels
    first = {SUBJECTS[0].title: 0, DUELS[0].title: 1}
    return sorted(jobs, key=lambda job: first.get(job[1][0].title, 2))


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
    other = trained(subject, subject.ways[1], seed)[0]
    found = []
    for against in subject.opponents:
        opponent: str | Agent = other if against == WITHOUT_FARL else against
        others = [opponent] * (agent.game.facts.players - 1)
        games = ROUNDS * agent.game.facts.players
        points = tafl.match(agent.game, [agent, *others], games=games, seed=GAMES_SEED).scores[:, 0]
        one = replace(base, metric="score", n=games, against=against)
        found.append(replace(one, value=float(points.mean()), error=standard_error(points)))
    return found
