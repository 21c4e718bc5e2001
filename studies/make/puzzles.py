"""Makes the puzzles of the front page: positions with exactly one winning move.

    python -m studies.make.puzzles

Positions come from games in which both players are half strong and half random. An exact player
rates all legal moves: the solver of ConnectFour, and for other games alpha-beta to the end. A
position is a puzzle if one move wins and no other does, if that move is neither the last one nor
the only one that stops the opponent from winning at once. The file has them in random order, from
easy to hard mixed, so that a new one each day needs no more than the date.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import tafl
from tafl.agents.agent import Agent
from tafl.core.games.connectfour import CELLS
from tafl.files import replacing, to_json
from tafl.page.puzzles import FILE

SEED = 1


class Source(NamedTuple):
    """Where the puzzles of a game come from: who rates moves, and how many stones lie then."""

    solver: str  # tells wins, draws and losses
    counter: str  # also tells how fast a win is; none where games end when the board is full
    stones: range
    longest: int  # moves of the winner to the end
    wanted: int


SOURCES = {
    "connectfour": Source("ab", "ab-dl", range(18, 31), 6, 366),
    "hex": Source("alphabeta(depth=40)", "", range(24, 29), 0, 61),
    "othello": Source("alphabeta(depth=40)", "", range(52, 56), 0, 61),
}


def main() -> None:
    found = {}
    for name, source in SOURCES.items():
        puzzles: dict[str, dict[str, Any]] = {}
        for puzzle in candidates(name, source):
            puzzles.setdefault(str(sorted(puzzle["cells"])) + str(puzzle["cells"]), puzzle)
            if len(puzzles) == source.wanted:
                break
        found[name] = [
            {key: value for key, value in puzzle.items() if key != "cells"}
            for puzzle in puzzles.values()
        ]
        print(name, len(puzzles), flush=True)
        with replacing(FILE) as file:
            file.write(to_json(found))


def candidates(name: str, source: Source) -> Iterator[dict[str, Any]]:
    """Yield puzzles of random games, at most one of each game."""
    game, rng = tafl.game(name), random.Random(SEED)
    counter = tafl.agent(source.counter, game) if source.counter else None
    solvers = tafl.agent(source.solver, game), counter
    strong = tafl.agent("champion", game)
    while True:
        state, at = game.start(), rng.choice(source.stones)
        while not state.over and len(state.history) < at:
            half = rng.random() < 0.5
            state.play(strong.act(state) if half else rng.choice(state.legal_actions))
        if not state.over and (puzzle := puzzle_of(state, *solvers, source.longest)):
            yield puzzle


def puzzle_of(
    state: tafl.State, solver: Agent, counter: Agent | None, longest: int
) -> dict[str, Any] | None:
    """Return the position as a puzzle, if it is one."""
    if len(state.legal_actions) < 4:
        return None
    values = solver.values(state)
    winning = [action for action, value in values.items() if value > 0]
    if len(winning) != 1 or ends(state, winning[0]):
        return None
    others = [action for action in values if action != winning[0]]
    if all(loses_at_once(state, action) for action in others):
        return None
    left = None
    if counter:
        left = moves_to_win(state, counter.values(state)[winning[0]])
        if left > longest:
            return None
    return {
        "moves": state.history,
        "answer": winning[0],
        "wins_in": left,
        "draws": [action for action, value in values.items() if value == 0],
        "cells": state.cells,
    }


def ends(state: tafl.State, action: int) -> bool:
    """Tell whether the game is over after an action."""
    after = state.copy()
    after.play(action)
    return after.over


def loses_at_once(state: tafl.State, action: int) -> bool:
    """Tell whether the opponent wins with the next move."""
    after, player = state.copy(), state.player
    after.play(action)
    for reply in [] if after.over else after.legal_actions:
        last = after.copy()
        last.play(reply)
        if last.over and last.scores[player] < 0:
            return True
    return False


def moves_to_win(state: tafl.State, value: float) -> int:
    """Return how many moves the winner needs in ConnectFour.

    A value of k says: with the k-th last of 21 stones (`ab-dl`).
    """
    own = sum(cell == state.player + 1 for cell in state.cells)
    return CELLS // 2 + 1 - int(value) - own


if __name__ == "__main__":
    main()
