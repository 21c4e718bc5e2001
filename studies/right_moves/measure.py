"""The share of right moves in positions that are solved: one measure for all games that have such.

A right move keeps the outcome: it wins a won position, and draws a drawn one. A position is
critical if not every move does. ConnectFour has positions of all lengths, Hex 6x6 those that the
mover wins, Othello the last 4 to 14 cells; none of them was computed by tafl.
"""

import gzip
import json
from collections.abc import Callable
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tafl.agents import Agent
from tafl.agents.learned import LearnedAgent
from tafl.boards import Game, State

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"


class Position(NamedTuple):
    """A solved position."""

    state: State
    good: set[int]  # the moves that keep the outcome
    stones: int  # on the board


class RightMoves(NamedTuple):
    """The share of right moves of an agent."""

    share: float
    error: float  # standard error
    positions: int
    by_stones: dict[tuple[int, int], float]  # the fewest and the most stones on the board

    def fields(self) -> list[dict[str, Any]]:
        """Return the fields of measurements: the share in all positions, then by stones."""
        whole: dict[str, Any] = {"value": self.share, "error": self.error, "n": self.positions}
        parts = [
            {"value": share, "condition": {"stones": list(stones)}}
            for stones, share in self.by_stones.items()
        ]
        return [{"metric": "right_moves", **one} for one in (whole, *parts)]


def _connectfour(game: Game, line: dict[str, Any]) -> Position:
    state = _after(game, [int(column) - 1 for column in line["moves"]])
    return Position(state, set(line["best_outcome"]), line["ply"])


def _hex(game: Game, line: dict[str, Any]) -> Position:
    state = _after(game, line["moves"])
    good = line["winning_moves"] or state.legal_actions  # where all is lost, any move
    return Position(state, set(good), line["ply"])


def _othello(game: Game, line: dict[str, Any]) -> Position:
    cells = ["-XO".index(mark) for mark in line["board"]]
    signs = {int(a): np.sign(discs) for a, discs in line["scores"].items()}
    best = {a for a, sign in signs.items() if sign == np.sign(line["value"])}
    state = game.position(cells, player="XO".index(line["to_move"]))
    return Position(state, best, 64 - line["empties"])


def _after(game: Game, moves: list[int]) -> State:
    state = game.start()
    for move in moves:
        state.play(move)
    return state


# game: its file in tests/data, and what makes a position of a line
SOLVED: dict[str, tuple[str, Callable[[Game, dict[str, Any]], Position]]] = {
    "connectfour": ("c4_positions.jsonl.gz", _connectfour),
    "hex(size=6)": ("hex6_positions.jsonl.gz", _hex),
    "othello": ("othello_endgames.jsonl", _othello),
}


@cache
def critical_positions(game: Game) -> list[Position]:
    """Return the solved positions of a game where not every move keeps the outcome."""
    name, position = SOLVED[game.name]
    raw = (DATA / name).read_bytes()
    lines = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode().splitlines()
    found = [position(game, json.loads(line)) for line in lines]
    return [one for one in found if one.good != set(one.state.legal_actions)]


def best(values: dict[int, float]) -> list[int]:
    """Return the actions with the highest value."""
    return [a for a, value in values.items() if value == max(values.values())]


def right(values: dict[int, float], good: set[int]) -> float:
    """Return the probability that a greedy player with these values picks a good action."""
    return sum(a in good for a in best(values)) / len(best(values))


def chance(agent: Agent, position: Position) -> float:
    """Return the probability that the agent's move is right."""
    if isinstance(agent, LearnedAgent):
        return right(agent.values(position.state), position.good)
    return float(agent.act(position.state) in position.good)  # a search may not play its best value


def right_moves(agent: Agent, game: Game) -> RightMoves:
    """Return the share of right moves with its error, in all, and by the number of stones."""
    every, parts = [], dict[tuple[int, int], list[float]]()
    for position in critical_positions(game):
        share, low = chance(agent, position), position.stones // 10 * 10
        every.append(share)
        parts.setdefault((low, low + 9), []).append(share)
    error = float(np.std(every, ddof=1)) / sqrt(len(every))
    means = {stones: float(np.mean(parts[stones])) for stones in sorted(parts)}
    return RightMoves(float(np.mean(every)), error, len(every), means)
