"""How strong is an agent? Games in every role against players of one kind.

Against `random` all games begin at the start position. Against everyone else they begin there and
after every first move, each position in each role equally often, so that two deterministic players
do not repeat one game.
"""

from typing import Any

import numpy as np

from tafl.agents import Agent, make_agent
from tafl.agents.learned import LearnedAgent
from tafl.core.play.greedy import contest_random
from tafl.games.game import Game
from tafl.games.state import State


def first_positions(game: Game, seed: int = 0) -> list[State]:
    """The start position and all positions one move later."""
    start = game.start(seed=seed)
    positions = [start]
    for action in start.legal_actions:
        after = start.copy()
        after.play(action)
        positions.append(after)
    return [position for position in positions if not position.over]


def play_game(seats: list[Agent], state: State) -> list[float]:
    """Plays on from a position, one agent a seat; the final scores."""
    state = state.copy()
    while not state.over:
        state.play(seats[state.player].act(state))
    return list(state.scores)


def evaluate(game: Game, agent: Agent, opponent: str, games: int, seed: int = 0) -> dict[str, Any]:
    """Mean score of an agent in all roles against players of one kind, at least `games` games.

    The result has `mean`, `standard_error`, `games`, `roles` (the mean in each role) and, where a
    score is -1, 0 or 1, `win_rate`, with a draw as one half.
    """
    players = game.facts.players
    if isinstance(agent, LearnedAgent) and (opponent == "random" or players == 1):
        each = -(-games // players)
        by_role = [_against_random(game, agent, role, each, seed) for role in range(players)]
    else:
        by_role = _against(game, agent, opponent, games, seed)
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


def _against(game: Game, agent: Agent, opponent: str, games: int, seed: int) -> list[np.ndarray]:
    players = game.facts.players
    positions = first_positions(game, seed)
    rounds = max(1, -(-games // (len(positions) * players)))
    others = [make_agent(opponent, game, seed + 1 + seat) for seat in range(players - 1)]
    by_role: list[np.ndarray] = []
    for role in range(players):
        seats = [*others[:role], agent, *others[role:]]
        played = [play_game(seats, position) for _ in range(rounds) for position in positions]
        by_role.append(np.array([scores[role] for scores in played]))
    return by_role
