"""Checks of a user's own approximator: does it learn, and the same compiled as in plain Python?"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tafl.boards import load_game
from tafl.boards.check import Findings
from tafl.core.learn.adapt import adapt
from tafl.errors import GameError, message, place, raised_at
from tafl.runs.checkpoint import all_finite
from tafl.settings.own_networks import own_network
from tafl.settings.presets import compose
from tafl.settings.tables import Fields
from tafl.training.learner import Learner
from tafl.training.plan import Plan, make_plan
from tafl.training.progress import Progress
from tafl.training.training import start

GAME, OTHERS = "tictactoe", ("nim3p", "kuhn")  # for three, and with hidden cards
EPISODES = 30
CLOSE = 1e-4  # of the largest weight: sums of machine code may have another order
RANDOM = {"epsilon": 1.0, "epsilon_final": 1.0}  # both twins play the same moves


def check_approximator(kind: str) -> Findings:
    """Train with an approximator's file, and report what is wrong with it."""
    findings = Findings(kind)
    try:
        for name in (*OTHERS, GAME):
            plain = learner(planned(kind, name))
            plain.kernel = plain.kernel.python
            with np.errstate(all="ignore"):
                plain.learn(EPISODES)
            findings.games += EPISODES
            findings.moves += plain.moves
    except Exception as error:
        findings.add("python", _where(kind, error))
        return findings
    _check_learning(plain, findings)
    if not findings.faults:
        _check_compiled(kind, plain, findings)
    return findings


def planned(kind: str, name: str) -> Plan:
    """Return the plan of a short training with random moves."""
    changes: Fields = {"network": {"kind": kind}, "td": RANDOM, "evaluation": {"every": 0}}
    changes |= {"algo": "td", "seed": 1, "episodes": EPISODES}
    game = load_game(name)
    return make_plan(game, compose(game, overrides=changes))


def learner(plan: Plan) -> Learner:
    """Return what learns by a plan."""
    return Learner(plan.game, plan.settings, plan.tuples)


def _check_learning(plain: Learner, findings: Findings) -> None:
    """Check that weights change, stay finite, and that a step brings V nearer to its target."""
    before = learner(planned(findings.game, GAME)).net.weights
    if np.array_equal(before, plain.net.weights):
        findings.add("nothing", "change() leaves the weights as they are: nothing is learned")
    elif not all_finite(plain.net.weights):
        findings.add("finite", "weights become infinite: use smaller steps, such as td.alpha=0.001")
    else:
        error, left = step_errors(plain)
        if not left < error:
            findings.add(
                "step",
                f"one step of change() does not reduce the error: it was {error:.4g} and is "
                f"{left:.4g}; is the sign right, and is the step small enough?",
            )


def step_errors(plain: Learner) -> tuple[float, float]:
    """Return the error of V at the start of a game, before and after one step towards a target."""
    net, work, rng = plain.net, plain.works[0], plain.rngs[0]
    code, trials = np.zeros_like(work.now), list[tuple[float, float]]()
    state = plain.game.start().words
    net.encode(plain.game.rules, state, 0, work.now)
    net.keep_code(0, work.now, code)
    alpha = plain.td.alpha_final
    for _ in range(2):
        v = float(net.squash(net.activation(work, 0, code)))
        target = v + 0.1 if not trials else trials[0][0]
        trials.append((target, abs(target - v)))
        adapt(net, plain.td, work, 0, code, target, alpha, rng)
    return trials[0][1], trials[1][1]


def _check_compiled(kind: str, plain: Learner, findings: Findings) -> None:
    """Check that machine code learns the same, and that a run stores what it has learned."""
    plan = planned(kind, GAME)
    compiled = learner(plan)
    twin = learner(plan)
    twin.kernel = twin.kernel.python
    try:
        compiled.learn(EPISODES)
    except Exception as error:
        findings.add("compiled", _where(kind, error))
        return
    with np.errstate(all="ignore"):
        twin.learn(EPISODES)
    here, there = twin.net.weights, compiled.net.weights
    if not np.abs(here - there).max() <= CLOSE * max(1.0, float(np.abs(here).max())):
        findings.add(
            "twins",
            "compiled and plain Python learn different weights from the same games: does a method "
            "read memory that it has not written, or divide whole numbers?",
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        run = start(plan, Path(folder) / "run", Progress())
        stored: Any = run.agent.net  # type: ignore[union-attr]
        if not np.array_equal(stored.weights, there):
            findings.add("stored", "a stored run has other weights than were learned")


def _where(kind: str, error: Exception) -> str:
    """Return an error in one line, with the line of the user's file."""
    if isinstance(error, GameError):
        return str(error)
    file, line = raised_at(error, [Path(own_network(kind).make.__code__.co_filename).resolve()])
    text = " ".join(message(error).split())
    return f"{place(file, line)}: {text}" if file else text
