"""n-tuple sets that are drawn at random; the same seed draws the same set."""

import numpy as np

from tafl.core.games.rules import Facts
from tafl.errors import InputError


def random_walk(facts: Facts, number: int, length: int, seed: int) -> list[list[int]]:
    """Return n-tuples of connected cells, each grown from a random cell.

    Not a path: the next cell is a neighbour of any cell that is already there. Where the board has
    parts that do not touch, such as a die beside it, a walk that has used up its own goes on in
    another.

    >>> line = [[1], [0, 2], [1]]
    >>> board = Facts(players=1, actions=1, cells=3, values=2, words=1, neighbours=line)
    >>> [sorted(cells) for cells in random_walk(board, number=2, length=3, seed=1)]
    [[0, 1, 2], [0, 1, 2]]
    """
    _check(facts, number, length)
    if length > 1 and not any(facts.neighbours):
        raise InputError("this game has no neighbours for a random walk; use random points")
    rng = np.random.Generator(np.random.PCG64(seed))
    return [_grow(facts, length, rng) for _ in range(number)]


def random_points(facts: Facts, number: int, length: int, seed: int) -> list[list[int]]:
    """Return n-tuples of any distinct cells.

    >>> board = Facts(players=1, actions=1, cells=3, values=2, words=1)
    >>> sorted(random_points(board, number=1, length=3, seed=1)[0])
    [0, 1, 2]
    """
    _check(facts, number, length)
    rng = np.random.Generator(np.random.PCG64(seed))
    return [rng.choice(facts.cells, length, replace=False).tolist() for _ in range(number)]


def _grow(facts: Facts, length: int, rng: np.random.Generator) -> list[int]:
    cells = [int(rng.integers(facts.cells))]
    while len(cells) < length:
        if not any(c not in cells for one in cells for c in facts.neighbours[one]):
            new = [c for c in range(facts.cells) if c not in cells]
        else:
            around = facts.neighbours[cells[rng.integers(len(cells))]]
            new = [c for c in around if c not in cells]
        if new:
            cells.append(new[rng.integers(len(new))])
    return cells


def _check(facts: Facts, number: int, length: int) -> None:
    if number < 1:
        raise InputError(f"the number of n-tuples must be at least 1, not {number}")
    if not 1 <= length <= facts.cells:
        raise InputError(
            f"the length of n-tuples must be 1 to {facts.cells}, the cells of the game, "
            f"not {length}"
        )
