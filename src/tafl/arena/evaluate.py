"""How strong is an agent? Games in every role against players of one kind.

Where games begin can be chosen: at the start position, there and after every first move, or after
a number of random plies; each position is played in each role equally often. If it is not, games
against `random` begin at the start, and those against everyone else after the first moves, so that
two deterministic players do not repeat one game.
"""

from typing import Any

import numpy as np

from tafl.agents import Agent, make_agent
from tafl.agents.learned import LearnedAgent
from tafl.core.play.greedy import contest_random
from tafl.errors import InputError
from tafl.games.game import Game
from tafl.games.state import State

MOST_DRAWS = 1000


def first_positions(game: Game, seed: int = 0) -> list[State]:
    """The start position and all positions one move later."""
    start = game.start(seed=seed)
    positions = [start]
    for action in start.legal_actions:
        after = start.copy()
        after.play(action)
        positions.append(after)
    return [position for position in positions if not position.over]


def start_positions(game: Game, starts: str | int, number: int, seed: int = 0) -> list[State]:
    """Where games begin: `start`, `first-moves`, or `number` positions after random plies.

    >>> import tafl
    >>> [str(s.words[:9].tolist()) for s in start_positions(tafl.game("tictactoe"), "start", 5)]
    ['[0, 0, 0, 0, 0, 0, 0, 0, 0]']
    """
    if starts == "start":
        return [game.start(seed=seed)]
    if starts == "first-moves":
        return first_positions(game, seed)
    if not isinstance(starts, int) or starts < 0:
        raise InputError(
            f"games cannot start at {starts!r}; there are: start, first-moves, a number of plies"
        )
    agent = make_agent("random", game, seed)
    return [_after_plies(game, agent, starts, seed + k) for k in range(number)]


def _after_plies(game: Game, agent: Agent, plies: int, seed: int) -> State:
    """A position after random plies; one where the game would be over is drawn anew."""
    for _ in range(MOST_DRAWS):
        state = game.start(seed=seed)
        for _ in range(plies):
            state.play(agent.act(state))
            if state.over:
                break
        else:
            return state
    raise InputError(f"{game.name} is over after {plies} random plies; let games start after fewer")


def play_game(seats: list[Agent], state: State) -> list[float]:
    """Plays on from a position, one agent a seat; the final scores."""
    state = state.copy()
    while not state.over:
        state.play(seats[state.player].act(state))
    return list(state.scores)


def evaluate(
    game: Game,
    agent: Agent,
    opponent: str,
    games: int,
    seed: int = 0,
    starts: str | int | None = None,
) -> dict[str, Any]:
    """Mean score of an agent in all roles against players of one kind, at least `games` games.

    The result has `mean`, `standard_error`, `games`, `roles` (the mean in each role) and, where a
    score is -1, 0 or 1, `win_rate`, with a draw as one half; and `starts`, if they were chosen.
    """
    players = game.facts.players
    at_random = opponent == "random" or players == 1
    if isinstance(agent, LearnedAgent) and at_random and starts in (None, "start"):
        each = -(-games // players)
        by_role = [_against_random(game, agent, role, each, seed) for role in range(players)]
    else:
        by_role = _against(game, agent, opponent, games, seed, starts)
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
    game: Game, agent: Agent, opponent: str, games: int, seed: int, starts: str | int | None
) -> list[np.ndarray]:
    players = game.facts.players
    each = -(-games // players)
    chosen = "first-moves" if starts is None else starts
    positions = start_positions(game, chosen, each, seed)
    rounds = max(1, -(-each // len(positions)))
    # every round has a future of its own where there is chance
    for k in range(1, rounds):
        positions += start_positions(game, chosen, each, seed + k)
    others = [make_agent(opponent, game, seed + 1 + seat) for seat in range(players - 1)]
    by_role: list[np.ndarray] = []
    for role in range(players):
        seats = [*others[:role], agent, *others[role:]]
        played = [play_game(seats, position) for position in positions]
        by_role.append(np.array([scores[role] for scores in played]))
    return by_role
