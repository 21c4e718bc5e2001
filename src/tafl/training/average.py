"""The mean of the weights over the last part of training (Polyak's average).

Steps that do not shrink keep a network moving around what it has learned; the mean of many such
networks is nearer to it. Weights are looked at after fixed episodes, whatever blocks they are
learned in, so the same seed gives the same mean.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

SAMPLES = 50
CHUNK = 2**20


def sample_points(share: float, begin: int, end: int) -> list[int]:
    """The episodes of a stage after which weights are looked at; the last of them is its end.

    >>> sample_points(0.5, 0, 1000)[:3], len(sample_points(0.5, 0, 1000))
    ([510, 520, 530], 50)
    """
    length = int(share * (end - begin))
    return sorted({end - length * left // SAMPLES for left in range(SAMPLES)})


class Average:
    """A mean in the making: at the end of a stage the weights become what it is."""

    def __init__(self, share: float, ends: Sequence[int], weights: int):
        stages = pairwise([0, *ends])
        self.points = {
            point: (number, point == end)
            for begin, end in stages
            for number, point in enumerate(sample_points(share, begin, end), start=1)
        }
        self.mean = np.zeros(weights, np.float32)

    def episodes(self, episode: int, most: int) -> int:
        """How many episodes may be learned before the weights are looked at again."""
        return min([most, *(point - episode for point in self.points if point > episode)])

    def look(self, episode: int, weights: np.ndarray) -> None:
        """Takes the weights in, if this is an episode for that; `weights` is a view of them."""
        if episode not in self.points:
            return
        number, last = self.points[episode]
        for i in range(0, weights.size, CHUNK):
            now, mean = weights[i : i + CHUNK], self.mean[i : i + CHUNK]
            mean += (now - mean) / np.float32(number)
            if last:
                now[:], mean[:] = mean, 0
