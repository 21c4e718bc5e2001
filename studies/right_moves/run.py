"""Trains agents with FARL and without, and measures what they can do.

tests/test_learning.py asserts the same measures.
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import tafl
from studies.records import Measurement, append, machine, read, results, settings_of, where
from studies.right_moves.measure import best, right, right_moves
from studies.right_moves.plan import FARL_OFF, Plan, plans
from tafl.agents import Agent
from tafl.agents.exact import ExactAgent
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.boards import Game
from tafl.errors import InputError
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

STORE = results("right_moves")


def main(options: list[str], store: Path = STORE) -> None:
    """Train the missing runs, of all games or of those named; store each as it ends."""
    if unknown := set(options) - set(plans()):
        raise InputError(f"unknown game {min(unknown)}; available: {', '.join(plans())}")
    for plan in plans().values():
        for overrides in ({}, FARL_OFF):
            for seed in range(plan.seeds if plan.name in options or not options else 0):
                about = {"game": plan.name, "overrides": overrides, "seed": seed}
                if not where(read(store), **about):
                    found = train_and_measure(plan, overrides, seed)
                    append(store, found)
                    last = [(one.metric, one.value) for one in found[-3:]]
                    print(plan.name, "no FARL" if overrides else "FARL", seed, last, flush=True)


def train_and_measure(plan: Plan, overrides: dict[str, Any], seed: int) -> list[Measurement]:
    """Train one agent and measure it at equal distances."""
    game = tafl.game(plan.name)
    about = Measurement(
        study="right_moves",
        game=plan.name,
        preset=plan.preset,
        overrides=overrides,
        seed=seed,
        episodes=plan.episodes,
        metric="score",
        value=0.0,
        **machine(),
    )
    settings = settings_of(about)
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    learner.compile()
    found, seconds = list[Measurement](), 0.0
    for episode in range(plan.every, plan.episodes + 1, plan.every):
        began = time.perf_counter()
        learner.learn(plan.every)
        seconds += time.perf_counter() - began
        measured = measures(game, LearnedAgent(game, learner.net, learner.td, seed))
        if episode == plan.episodes:
            measured.append({"metric": "active_weights", "value": learner.active})
        for fields in measured:
            condition = {**fields.pop("condition", {}), "episode": episode}
            found.append(replace(about, **fields, condition=condition))
    return [replace(one, moves=learner.moves, seconds=round(seconds, 2)) for one in found]


def measures(game: Game, agent: Agent) -> list[dict[str, Any]]:
    """Return the fields of the measurements that count for a game."""
    kind = game.name.partition("(")[0]
    if kind == "tictactoe":
        rate = evaluate(agent, "exact", 100).win_rate
        return [{"metric": "win_rate", "value": rate, "n": 100, "against": "exact"}]
    if kind == "nim":
        return [
            {
                "metric": "winning_moves",
                "value": share_of_winning_moves(game, agent, follow),
                "condition": {"states": f"{follow} play"},
            }
            for follow in ("own", "winning")
        ]
    if kind == "nim3p":
        mean = evaluate(agent, "exact", 480).mean
        return [{"metric": "score", "value": mean, "n": 480, "against": "exact"}]
    return right_moves(agent, game).fields()[:1]


def share_of_winning_moves(game: Game, agent: Agent, follow: str) -> float:
    """Return how often an agent picks a winning move in the winning states that it can meet.

    The other player does anything; the agent itself plays as it does (follow = "own"), or has
    played winning moves so far, any of them (follow = "winning").
    """
    exact, shares = ExactAgent(game), list[float]()
    for role in range(2):
        seen, stack = set(), [game.start()]
        while stack:
            state = stack.pop()
            if state.over or state.words.tobytes() in seen:
                continue
            seen.add(state.words.tobytes())
            moves = state.legal_actions
            if state.player == role:
                winning = [a for a, value in exact.values(state).items() if value == 1]
                if winning:
                    shares.append(right(agent.values(state), set(winning)))
                moves = best(agent.values(state)) if follow == "own" else winning or moves
            stack += [state.afterstate(a) for a in moves]
    return float(np.mean(shares))
