"""How strong is an agent? Games in every role against players of one kind.

Where games begin can be chosen (see starts.py); each position is played in each role equally
often. If it is not, games against `random` begin at the start, and those against everyone else
after the first moves, so that two deterministic players do not repeat one game.
"""

from typing import Any, Literal

import numpy as np

from tafl.agents import Agent, make_agent
from tafl.agents.learned import LearnedAgent
from tafl.arena.contest import play_on
from tafl.arena.starts import start_positions
from tafl.core.play.greedy import contest_random
from tafl.games.game import Game

Roles = Literal["all", "first"]


def evaluate(
    game: Game,
    agent: Agent,
    opponent: str,
    games: int,
    seed: int = 0,
    starts: str | int | None = None,
    roles: Roles = "all",
) -> dict[str, Any]:
    """Mean score of an agent against players of one kind, at least `games` games in all.

    It plays all roles equally often, or, with roles="first", only moves first.

    The result has `mean`, `standard_error`, `games`, `roles` (the mean in each role) and, where a
    score is -1, 0 or 1, `win_rate`, with a draw as one half; and `starts`, if they were chosen.
    """
    players = game.facts.players
    seats = 1 if roles == "first" else players
    each = -(-games // seats)
    at_random = opponent == "random" or players == 1
    if isinstance(agent, LearnedAgent) and at_random and starts in (None, "start"):
        by_role = [_against_random(game, agent, role, each, seed) for role in range(seats)]
    else:
        by_role = _against(game, agent, opponent, each, seed, starts, seats)
    scores = np.concatenate(by_role)
    mean = float(scores.mean())
    result: dict[str, Any] = {
        "opponent": opponent if players > 1 else "alone",
        "games": len(scores),
        "mean": mean,
        "standard_error": _standard_error(scores),
        "roles": [float(s.mean()) for s in by_role],
    }
    if players == 2 and game.facts.score_range == (-1.0, 1.0):
        result["win_rate"] = (mean + 1) / 2
    if starts is not None:
        result["starts"] = starts
    return result


def _standard_error(scores: np.ndarray) -> float:
    return float(scores.std(ddof=1) / np.sqrt(len(scores))) if len(scores) > 1 else 0.0


def _against_random(
    game: Game, agent: LearnedAgent, role: int, games: int, seed: int
) -> np.ndarray:
    scores = np.zeros(games)
    rng = np.array([(seed + 1) * 1_000_003 + role], np.uint64)
    contest_random(game.rules, agent.net, agent.td, agent.work, role, games, rng, scores)
    return scores


def _against(
    game: Game,
    agent: Agent,
    opponent: str,
    each: int,
    seed: int,
    starts: str | int | None,
    roles: int,
) -> list[np.ndarray]:
    players = game.facts.players
    chosen = "first-moves" if starts is None else starts
    positions = start_positions(game, chosen, each, seed)
    rounds = max(1, -(-each // len(positions)))
    # every round has a future of its own where there is chance
    for k in range(1, rounds):
        positions += start_positions(game, chosen, each, seed + k)
    others = [make_agent(opponent, game, seed + 1 + seat) for seat in range(players - 1)]
    by_role: list[np.ndarray] = []
    for role in range(roles):
        seats = [*others[:role], agent, *others[role:]]
        ends = [play_on(seats, position)[1] for position in positions]
        by_role.append(np.array([end.scores[role] for end in ends]))
    return by_role
