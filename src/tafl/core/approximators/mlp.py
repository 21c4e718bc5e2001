"""A small neural network: one-hot cells -> hidden units -> one output for each player.

    V(s) = sigma( b2 + sum_h w2[h] f( b1[h] + sum over cells c that are not 0 of w1[c, s[c], h] ) )

f(x) = max(x, 0.1 x). The code of a state is the values of its cells. The hidden sums of the state
to move in are added up once a move, for its weights have just changed; those of a candidate differ
by the cells that changed, as in a network of n-tuples. An afterstate learns on a symmetric board
that is drawn at random, by stochastic gradient descent. `weights[p]` has a row for each value of
each cell (those of value 0 are not used), then b1, w2, and a row that begins with b2.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.approximators.contract import approximator, copy_code
from tafl.core.approximators.sigma import slope_at, squashed
from tafl.core.compile import inline, trailing_zeros, vector
from tafl.core.random import below

LEAK = np.float32(0.1)  # slope of f below 0
BITS = 64  # cells that a mask has room for
EIGHT = 8  # cells that are compared at a time
AFTER = 3  # rows of weights after those of cells: b1, w2, b2


class Hidden(NamedTuple):
    """Scratch memory, one number for each hidden unit."""

    now: np.ndarray  # sums of the state to move in
    sums: np.ndarray  # of a candidate, or of the state that learns
    slopes: np.ndarray  # d nu / d sums


@approximator
class Mlp(NamedTuple):
    """The weights of all players."""

    weights: np.ndarray  # float32[players, rows, units]
    boards: np.ndarray  # int64[symmetries, cells]
    values: int  # of a cell
    identity: bool  # sigma is the identity, else tanh

    def code_size(self) -> int:
        """Return the number of cells."""
        return int(self.boards.shape[1])

    def make_memory(self) -> Hidden:
        """Return scratch memory for hidden units."""
        units = self.weights.shape[2]
        return Hidden(*(np.zeros(units, np.float32) for _ in Hidden._fields))

    def encode_candidates(self, game, work, p, first, end):
        """Write the cells of candidates."""
        for i in range(first, end):
            if game.hides(work.state):
                self.encode(game, work.afters[i], p, work.codes[i])
            else:
                encode_change(game, work.state, work.afters[i], work.now, work.codes[i])

    def encode_next(self, game, work, i):
        """Write the cells of the next state."""
        s = work.state
        if game.hides(s):
            self.encode(game, s, game.player(s), work.now)
        else:
            encode_change(game, work.afters[i], s, work.codes[i], work.now)

    def activate(self, work, p, first, end):
        """Write the activations of candidates, each from the hidden sums of the state."""
        m = work.memory
        add_up(self, p, work.now, m.now)
        for i in range(first, end):
            copy_sums(m.now, m.sums)
            add_changes(self, p, work.now, work.codes[i], m.sums)
            work.activations[i] = output(self, p, m.sums)

    def activation(self, work, p, code):
        """Return nu of a state."""
        add_up(self, p, code, work.memory.sums)
        return output(self, p, work.memory.sums)

    def recall(self, work, p, k, code, rng):
        """Return nu of an earlier state on a symmetric board, which becomes trace k."""
        board, trace = below(rng, self.boards.shape[0]), work.trace[p, k]
        for c in range(code.size):
            trace[c] = code[self.boards[board, c]]
        work.counts[p, k] = code.size
        return self.activation(work, p, trace)

    def change(self, work, p, k, alpha, delta, e):
        """Descend along the gradient of the state that was just recalled."""
        descend(self, work, p, work.trace[p, k], np.float32(alpha * delta * e))

    def squash(self, nu):
        """Return sigma(nu)."""
        return squashed(self.identity, nu)

    def slope(self, v):
        """Return sigma'(nu) where sigma(nu) = v."""
        return slope_at(self.identity, v)

    def explain(self, work, p, a, out):
        """Write what nu of candidate 0 would lose if a cell were empty, for each cell."""
        code, m = work.codes[0], work.memory
        add_up(self, p, code, m.now)
        nu = output(self, p, m.now)
        for c in range(code.size):
            copy_sums(m.now, m.sums)
            if code[c] != 0:
                add_row(self, p, c, code[c], np.float32(-1), m.sums)
            out[c] = nu - output(self, p, m.sums)


@inline
def encode_change(game, before, after, code, out):
    """Write the cells of `after` from those of `before`."""
    copy_code(code, out)
    mask = game.changed(before, after)
    first = 0 if mask == -1 else BITS
    while mask != 0 and mask != -1:
        c = trailing_zeros(mask)
        out[c] = game.input(after, c)
        mask &= mask - 1
    for c in range(first, code.size):
        out[c] = game.input(after, c)


@vector
def copy_sums(sums, out):
    """Copy hidden sums."""
    for h in range(sums.size):
        out[h] = sums[h]


@vector
def add_row(net, p, c, v, times, sums):
    """Add the row of a cell's value, a number of times."""
    row = net.weights[p, c * net.values + np.int64(v)]
    for h in range(sums.size):
        sums[h] += times * row[h]


@vector
def add_up(net, p, code, sums):
    """Write the hidden sums of a state."""
    b1 = net.weights[p, code.size * net.values]
    for h in range(sums.size):
        sums[h] = b1[h]
    for c in range(code.size):
        if code[c] != 0:
            add_row(net, p, c, code[c], np.float32(1), sums)


@vector
def add_changes(net, p, now, code, sums):
    """Make the hidden sums of one state those of another; most cells are equal."""
    whole = code.size // EIGHT * EIGHT
    for first in range(0, whole, EIGHT):
        differs = np.uint32(0)
        for c in range(first, first + EIGHT):
            differs |= now[c] ^ code[c]
        if differs != 0:
            for c in range(first, first + EIGHT):
                add_change(net, p, c, now[c], code[c], sums)
    for c in range(whole, code.size):
        add_change(net, p, c, now[c], code[c], sums)


@vector
def add_change(net, p, c, before, after, sums):
    """Take the row of one value of a cell out, and that of another in."""
    if before != after:
        if before != 0:
            add_row(net, p, c, before, np.float32(-1), sums)
        if after != 0:
            add_row(net, p, c, after, np.float32(1), sums)


@vector
def output(net, p, sums):
    """Return nu."""
    first = net.weights.shape[1] - AFTER
    w2, nu = net.weights[p, first + 1], net.weights[p, first + 2, 0]
    for h in range(sums.size):
        nu += w2[h] * max(sums[h], LEAK * sums[h])
    return nu


@vector
def descend(net, work, p, code, step):
    """Change the weights of one state, whose hidden sums are known."""
    sums, slopes = work.memory.sums, work.memory.slopes
    first = net.weights.shape[1] - AFTER
    b1, w2 = net.weights[p, first], net.weights[p, first + 1]
    for h in range(sums.size):
        x = sums[h]
        slopes[h] = step * w2[h] * (np.float32(1) if x > 0 else LEAK)
        w2[h] += step * max(x, LEAK * x)
        b1[h] += slopes[h]
    net.weights[p, first + 2, 0] += step
    for c in range(code.size):
        if code[c] != 0:
            row = net.weights[p, c * net.values + np.int64(code[c])]
            for h in range(slopes.size):
                row[h] += slopes[h]


def make_mlp(facts, units: int, seed: int, *, tanh: bool = True, weights: bool = True) -> Mlp:
    """Return a network with random weights: no two units are equal, and V is near 0.

    Without `weights` there is only room for them.
    """
    players, rows = facts.players, facts.cells * facts.input_values
    made = np.zeros((players, rows + AFTER, units), np.float32)
    if weights:
        draw = np.random.default_rng(seed)
        scale = (facts.cells / 2) ** -0.5
        made[:, :rows] = draw.uniform(-scale, scale, (players, rows, units))
        made[:, : rows : facts.input_values] = 0
        made[:, rows + 1] = draw.uniform(-1, 1, (players, units)) * units**-0.5
    boards = np.array(facts.symmetries, np.int64)
    return Mlp(made, boards, values=facts.input_values, identity=not tanh)
