"""Cells of a game from the observations of another library, which are arrays of numbers.

Observations are often planes, such as one per kind of piece: shape (planes, rows, columns). Planes
that together have few patterns become one cell per square; which patterns there are is found in
observations of random games. Any other plane becomes cells with its numbers, in MOST steps at most.
A plane that is the same everywhere becomes one cell.
"""

import numpy as np

MOST = 16  # patterns, or steps of a number


class Encoding:
    """Turns observations into cells: groups of planes, each with its numbers or patterns."""

    def __init__(self, seen: np.ndarray, planes: int | None):
        self._axis = planes
        arrays = np.stack([self._planes(one) for one in seen])  # [observation, plane, square]
        numbers, squares = arrays.shape[1:]
        same = [
            squares > 1 and bool((arrays[:, p] == arrays[:, p, :1]).all()) for p in range(numbers)
        ]
        varies = [bool((arrays[:, p] != arrays[0, p, 0]).any()) for p in range(numbers)]
        self._flat = [p for p in range(numbers) if same[p] and varies[p]]
        self._steps = {p: steps(arrays[:, p]) for p in range(numbers)}
        self._groups, self._patterns = self._grouped(
            arrays, [p for p in range(numbers) if not same[p]]
        )
        self.cells = len(self._flat) + len(self._groups) * squares
        most = [len(self._steps[p]) for p in (*self._flat, *(g[0] for g in self._groups))]
        self.values = max([1, *most, *(len(known) for known in self._patterns)]) + 1
        self.neighbours = self._neighbours(seen[0].shape)

    def cells_of(self, observation: np.ndarray) -> np.ndarray:
        """Return the value of each cell; 0 is a pattern that the random games did not have."""
        planes = self._planes(observation)
        values = [self._step(planes, p)[:1] for p in self._flat]
        for group, known in zip(self._groups, self._patterns, strict=True):
            if len(group) == 1:
                values.append(self._step(planes, group[0]))
            else:
                codes = self._codes(planes, group)
                place = np.minimum(np.searchsorted(known, codes), len(known) - 1)
                values.append(np.where(known[place] == codes, place + 1, 0))
        return np.concatenate(values) if values else np.zeros(0, np.int64)

    def _step(self, planes: np.ndarray, p: int) -> np.ndarray:
        """Return the steps of the numbers in a plane."""
        return np.searchsorted(self._steps[p], planes[..., p, :], side="right")

    def _codes(self, planes: np.ndarray, group: list[int]) -> np.ndarray:
        """Return a number for the pattern of planes on each square."""
        codes = np.zeros(planes[..., 0, :].shape, np.int64)
        for p in group:
            codes = (len(self._steps[p]) + 1) * codes + self._step(planes, p)
        return codes

    def _grouped(
        self, arrays: np.ndarray, planes: list[int]
    ) -> tuple[list[list[int]], list[np.ndarray]]:
        """Return the planes in groups, in their order, and the patterns of each group."""
        groups: list[list[int]] = []
        patterns: list[np.ndarray] = []
        for p in planes:
            if groups:
                known = np.unique(self._codes(arrays, [*groups[-1], p]))
                if len(known) <= MOST:
                    groups[-1].append(p)
                    patterns[-1] = known
                    continue
            groups.append([p])
            patterns.append(np.unique(self._codes(arrays, [p])))
        return groups, patterns

    def _planes(self, observation: np.ndarray) -> np.ndarray:
        """Return an observation as [plane, square]."""
        if self._axis is None or observation.ndim < 2:
            return observation.reshape(1, -1)
        moved = np.moveaxis(observation, self._axis, 0)
        return moved.reshape(len(moved), -1)

    def _neighbours(self, shape: tuple[int, ...]) -> list[list[int]]:
        """Return the neighbours of each cell, if the squares are a board of rows and columns."""
        if self._axis is None or len(shape) != 3 or not self._groups:
            return []
        rows, columns = (size for axis, size in enumerate(shape) if axis != self._axis % 3)
        board = [around(r, c, rows, columns) for r in range(rows) for c in range(columns)]
        found: list[list[int]] = [[] for _ in self._flat]
        for _ in self._groups:
            first = len(found)
            found += [[first + r * columns + c for r, c in near] for near in board]
        return found


def around(row: int, column: int, rows: int, columns: int) -> list[tuple[int, int]]:
    """Return the squares beside a square, also diagonally.

    >>> around(0, 0, 2, 3)
    [(0, 1), (1, 0), (1, 1)]
    """
    near = [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    return [
        (r, c) for r, c in near if 0 <= r < rows and 0 <= c < columns and (r, c) != (row, column)
    ]


def steps(numbers: np.ndarray) -> np.ndarray:
    """Return at most MOST lower ends of steps for these numbers.

    >>> steps(np.array([0, 1, 1, 0])).tolist(), len(steps(np.arange(1000)))
    ([0, 1], 16)
    """
    known = np.unique(numbers)
    if len(known) <= MOST:
        return known
    return np.unique(known[np.linspace(0, len(known) - 1, MOST).astype(int)])
