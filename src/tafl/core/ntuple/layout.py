"""Tables side by side: two n-tuples that have all cells but one in common share their cache lines.

Such n-tuples, on some symmetric board, are indexed by the same cells but for the last. If their
weights take turns in one table, indexed by that cell last, both are often found in one cache line.
Only positions differ, not one sum. A file has one table after the other, whatever the layout.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tafl.core.ntuple.net import Net
from tafl.core.ntuple.tables import GAP, MOST, entries, patterns, rows_of_bytes, step

PIECE = 4  # cells of what is copied at a time: what a cache holds


class Pair(NamedTuple):
    """Two n-tuples, their cells on boards where all but one are the same, and these cells."""

    numbers: tuple[int, int]
    cells: tuple[list[int], list[int]]
    shared: list[int]


def find_pairs(tuples: Sequence[list[int]], boards: Sequence[Sequence[int]]) -> list[Pair]:
    """Return pairs of n-tuples that differ in one cell on some board, each in one pair at most."""
    pairs: list[Pair] = []
    for i, mine in enumerate(tuples):
        for j in range(i + 1, len(tuples)):
            taken = {number for pair in pairs for number in pair.numbers}
            for board in boards:
                other = [board[c] for c in tuples[j]]
                shared = [c for c in mine if c in other]
                simple = len(set(mine)) == len(mine) == len(other) == len(set(other))
                if simple and len(shared) == len(mine) - 1 and not taken & {i, j}:
                    pairs.append(Pair((i, j), (mine, other), shared))
                    break
    return pairs


class Layout:
    """The places of a network's weights: pairs first, then all other tables."""

    def __init__(self, facts, tuples: list[list[int]], net: Net, hash_bits: int = 0):
        self.facts, self.tuples, self.net, self.hash_bits = facts, tuples, net, hash_bits
        self.boards = facts.symmetries[: net.symmetries]
        pairs = find_pairs(tuples, self.boards)
        most = 2**hash_bits if hash_bits else MOST
        self.pairs = [p for p in pairs if patterns(facts.input_values, len(p.shared) + 1) <= most]
        single = set(range(net.tuples)) - {i for pair in self.pairs for i in pair.numbers}
        self.begins = dict(zip(range(net.tuples), net.base.tolist(), strict=False))
        self.offsets: dict[int, int] = {}  # of tables where they are now
        end = 0
        for numbers in [pair.numbers for pair in self.pairs] + [(i,) for i in sorted(single)]:
            for place, i in enumerate(numbers):
                self.offsets[i] = end + place * net.width
            end += sum(self.entries(i) + GAP for i in numbers) * net.width

    def entries(self, i: int) -> int:
        """Return how many weights the i-th table has."""
        return int(entries(self.facts.input_values, len(self.tuples[i]), self.hash_bits))

    def side_by_side(self) -> Net:
        """Return the network with this layout; its weights must be those it was made with."""
        net, values = self.net, self.facts.input_values
        lengths = [len(cells) for cells in self.tuples]
        steps = [
            [net.width * step(values, n, j, self.hash_bits) for j in range(n)] for n in lengths
        ]
        for pair in self.pairs:
            for i, cells in zip(pair.numbers, pair.cells, strict=True):
                places = [pair.shared.index(c) + 1 if c in pair.shared else 0 for c in cells]
                steps[i] = [2 * net.width * values**place for place in places]
        strides = np.zeros_like(net.strides)
        for s, board in enumerate(self.boards):
            for i, cells in enumerate(self.tuples):
                for c, added in zip(cells, steps[i], strict=True):
                    strides[board[c], s * net.tuples + i] += added
        offsets = [self.offsets[i] for i in range(net.tuples)]
        base = np.tile(offsets, len(self.boards)).astype(np.uint32)
        rows = rows_of_bytes(self.facts, strides, base)
        return net._replace(strides=strides, base=base, rows=rows)

    def apart(self, weights: np.ndarray) -> np.ndarray:
        """Return a copy of weights of this layout with one table after the other."""
        copy = np.empty_like(weights)
        for here, there in self._tables(weights, copy):
            there[:] = here
        return copy

    def put(self, apart: np.ndarray, weights: np.ndarray) -> None:
        """Fill weights of this layout from tables one after the other."""
        for here, there in self._tables(weights, apart):
            here[:] = there

    def _tables(self, weights, apart) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield a view of both for every table and every gap."""
        net = self.net
        weight = np.dtype((np.void, net.width * net.weights.itemsize))
        for here, there in zip(*(a.reshape(-1, net.size) for a in (weights, apart)), strict=True):
            mine, file = here.view(weight), there.view(weight)
            for pair in self.pairs:
                yield from self._pair(pair, mine, file)
            for i in set(range(net.tuples)) - {i for pair in self.pairs for i in pair.numbers}:
                (a, b), n = self._begins(i), self.entries(i) + GAP
                yield mine[a : a + n], file[b : b + n]

    def _pair(self, pair: Pair, mine, file) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        n, values = len(pair.shared) + 1, self.facts.input_values
        for place, (i, cells) in enumerate(zip(pair.numbers, pair.cells, strict=True)):
            (a, b), size = self._begins(i), self.entries(i)
            # axes of a table, the last cell first; in memory the cell that differs comes last
            order = [c for c in cells if c not in pair.shared] + pair.shared
            axes = [n - 1 - cells.index(c) for c in reversed(order)]
            here = mine[a : a + 2 * size : 2].reshape([values] * n)
            there = file[b : b + size].reshape([values] * n).transpose(axes)
            for piece in np.ndindex(*[values] * max(0, n - PIECE)):
                yield here[piece], there[piece]
            gap = a - place + 2 * size + place * GAP
            yield mine[gap : gap + GAP], file[b + size : b + size + GAP]

    def _begins(self, i: int) -> tuple[int, int]:
        """Return where a table begins in memory and in a file, in weights."""
        return self.offsets[i] // self.net.width, self.begins[i] // self.net.width
