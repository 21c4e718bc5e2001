"""FactorNet: a weight for each value of each cell, and products of all pairs of cells.

    nu = sum over cells c of w[c, s[c]]  +  sum over h of (sum over cells c of u[c, s[c], h])^2

Change it into your own approximator, then run `tafl check` on this file. The methods activation()
and change() are compiled: they compute with numbers and arrays, and create none.
"""

from typing import NamedTuple

import numpy as np

from tafl.approximator import approximator


@approximator(learning={"alpha": 0.01, "alpha_final": 0.001})  # its usual steps
class FactorNet(NamedTuple):
    """A row of numbers for each player, cell and value: w, then u for each factor h."""

    weights: np.ndarray  # float32[players, cells, values, 1 + factors]: all that it learns

    @staticmethod
    def make(facts, rng, factors: int = 8):  # parameters: `mynet.py(factors=16)`
        shape = facts.players, facts.cells, facts.input_values, 1 + factors
        return FactorNet(rng.uniform(-0.1, 0.1, shape).astype(np.float32))

    def code_size(self):  # a state is kept as the values of its cells
        return self.weights.shape[1]

    def make_memory(self):  # scratch memory, `work.memory`
        return np.zeros(self.weights.shape[3], np.float32)

    def activation(self, work, p, code):  # nu of a state, for player p
        sums = work.memory
        sums[:] = 0
        for c in range(code.size):
            row = self.weights[p, c, code[c]]
            for h in range(sums.size):
                sums[h] += row[h]
        nu = sums[0]
        for h in range(1, sums.size):
            nu += sums[h] * sums[h]
        return nu

    def change(self, work, p, k, alpha, delta, slope):  # one step for the state of `activation`
        code, sums = work.trace[p, k], work.memory
        step = np.float32(alpha * delta * slope)
        for c in range(code.size):
            row = self.weights[p, c, code[c]]
            row[0] += step
            for h in range(1, sums.size):
                row[h] += step * 2 * sums[h]
