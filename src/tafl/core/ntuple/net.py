"""n-tuple networks as kernels see them.

    V(s) = sigma( sum over n-tuples i and symmetric boards q of  w_i[Ind_i(q)] )            (Eq. 2)

An index is linear in the cells, Ind_i(q) = sum_j q[t_j] * values^j, so each of the K = m * N_S
indices of a state is base[k] + sum_c cell(c) * strides[c, k], and after a move only the cells that
changed have to be added: the way accumulators work in chess engines. Indices count from the start
of one output of one player, k = symmetry * m + tuple; positions count from the start of `weights`.

Long n-tuples are hashed (`tables.py`).

With temporal coherence a weight and its two sums lie side by side, [w, N, A], in one cache line.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.approximators.contract import ABILITIES, approximator
from tafl.core.approximators.sigma import slope_at, squashed
from tafl.core.ntuple.tables import lay_out, ragged, rows_of_bytes
from tafl.core.ntuple.update import change, distinct, seen_slots
from tafl.core.ntuple.value import (
    LARGE,
    ZERO,
    activation,
    fetch,
    index_candidate,
    index_change,
    index_seen,
    index_state,
    offset,
    q_activation,
    q_positions,
)

RATES = 8  # coefficients of the polynomial that is the transfer function of temporal coherence


class Scratch(NamedTuple):
    """Scratch memory of updates."""

    sums: np.ndarray  # float32[2, K]: of `change`
    seen: np.ndarray  # uint32[slots]: of `distinct`, none for few boards


@approximator(learns_by=ABILITIES)
class Net(NamedTuple):
    """The tables of all players and how to index them.

    The code of a state is its K indices; one that is kept is K positions.
    """

    weights: np.ndarray  # float32[players * outputs * size]
    strides: np.ndarray  # int32[cells, K]
    base: np.ndarray  # uint32[K]
    rows: np.ndarray  # uint32[8 * 256 * K]: what each byte of packed cells adds, or none
    size: int  # floats per player and output
    outputs: int  # per player: 1, or one for each action
    by_action: bool  # the outputs are Q(s, a), else V(s')
    turned: np.ndarray  # int32[N_S, actions]: the action on a symmetric board
    tuples: int  # m
    symmetries: int  # N_S
    width: int  # floats per weight: 1, or 3 with temporal coherence
    tanh: bool  # sigma is tanh, else the identity
    rate: np.ndarray  # float32[8]: polynomial of the transfer function g of temporal coherence
    exponential: bool  # g is that polynomial, else the identity
    accumulate_error: bool  # N and A sum up delta, else the recommended weight change delta * e
    # where one network serves all players: a value of a cell, and the cell, as if p were player 0
    seats: np.ndarray  # int32[players, cells, values], or none
    places: np.ndarray  # int32[players, cells], or none

    def code_size(self) -> int:
        """Return K."""
        return int(self.base.size)

    def make_memory(self) -> Scratch:
        """Return scratch memory of updates."""
        sums = np.zeros((2, self.base.size), np.float32)
        return Scratch(sums, np.zeros(seen_slots(self), np.uint32))

    def encode(self, game, s, p, code):
        """Write the indices of a state, in a game that hides of what player p sees."""
        if game.hides(s):
            index_seen(game, self, s, p, code)
        else:
            index_state(game, self, s, p, code)

    def encode_candidates(self, game, work, p, first, end):
        """Write the indices of candidates; prefetch the weights of large tables."""
        o = offset(self, p, 0)
        for i in range(first, end):
            if game.hides(work.state):
                index_seen(game, self, work.afters[i], p, work.codes[i])
            else:
                index_candidate(game, self, work, p, i, first)
            if self.weights.size > LARGE:
                fetch(self, o, work.codes[i])

    def encode_next(self, game, work, i):
        """Write the indices of the next state; candidates of packed cells do without them."""
        s = work.state
        if game.hides(s):
            index_seen(game, self, s, game.player(s), work.now)
        elif game.rotates(s) and self.seats.size > 0:  # another player sees it in another way
            index_state(game, self, s, game.player(s), work.now)
        elif self.rows.size == 0:
            index_change(game, self, work.afters[i], s, 0, work.codes[i], work.now)

    def activate(self, work, p, first, end):
        """Write the activations of candidates."""
        for i in range(first, end):
            work.activations[i] = activation(self, offset(self, p, 0), work.codes[i])

    def activation(self, work, p, where):
        """Return nu, the sum of the weights at these positions."""
        return activation(self, ZERO, where)

    def keep_code(self, p, code, out):
        """Write the positions of a state."""
        o = offset(self, p, 0)
        for k in range(code.size):
            out[k] = o + code[k]

    def recall(self, work, p, k, where, rng):
        """Return nu of an earlier state, whose distinct positions become trace k."""
        nu = activation(self, ZERO, where)
        work.counts[p, k] = distinct(self, where, work.memory.seen, work.trace[p, k])
        return nu

    def change(self, work, p, k, alpha, delta, e):
        """Change the weights of trace k."""
        n = work.counts[p, k]
        change(self, work.trace[p, k], n, alpha, delta, e, work.memory.sums)

    def squash(self, nu):
        """Return sigma(nu)."""
        return squashed(not self.tanh, nu)

    def slope(self, v):
        """Return sigma'(nu) where sigma(nu) = v."""
        return slope_at(not self.tanh, v)

    def looks_ahead(self):
        """Return whether candidates are made before the update, to overlap memory access.

        That pays for large tables. Candidates of packed cells do without `work.now`.
        """
        return self.rows.size > 0 and self.weights.size > LARGE

    def rates_actions(self):
        """Return whether the outputs are Q(s, a)."""
        return self.by_action

    def q_activation(self, work, p, a):
        """Return the activation of Q(s, a | p) in the state work.now."""
        return q_activation(self, work.now, p, a)

    def keep_choice(self, p, a, now, out):
        """Write the positions of Q(s, a | p)."""
        q_positions(self, p, a, now, out)

    def explain(self, work, p, a, out):
        """Write the weights whose sum is an activation: out[symmetry * m + n-tuple]."""
        m = self.tuples
        for q in range(self.symmetries):
            o = offset(self, p, self.turned[q, a]) if self.by_action else offset(self, p, 0)
            for k in range(q * m, q * m + m):
                out[k] = self.weights[o + (work.now[k] if self.by_action else work.codes[0, k])]

    def plain(self) -> "Net":
        """Return the network without the sums of temporal coherence, which only learning needs."""
        if self.width == 1:
            return self
        return self._replace(
            weights=self.weights[:: self.width].copy(),
            strides=self.strides // self.width,
            base=self.base // np.uint32(self.width),
            rows=self.rows // np.uint32(self.width),
            size=self.size // self.width,
            width=1,
        )


class Coherence(NamedTuple):
    """Temporal coherence: how a weight's two sums become its own learning rate."""

    transfer: str = "off"  # g: off, id or exp
    beta: float = 2.7  # of exp
    init: float = 1e-4  # what N and A start with
    accumulate: str = "change"  # what they sum up: change or error


def make_net(
    facts,
    tuples: list[list[int]],
    *,
    by_action: bool = False,
    symmetries: bool = True,
    tanh: bool = True,
    coherence: Coherence = Coherence(),
    hash_bits: int = 0,
    tables: bool = True,
    shared: bool = False,
) -> Net:
    """Return a network of zeros: one output for V(s'), or one per action for Q(s, a).

    Without `tables` it has no weights, only how to index them. A shared network serves all players.
    """
    width = 1 if coherence.transfer == "off" else 3
    outputs = facts.actions if by_action else 1
    boards = facts.symmetries if symmetries else facts.symmetries[:1]
    m = len(tuples)
    strides = np.zeros((facts.cells, len(boards) * m), np.int32)
    offsets = np.zeros(len(boards) * m, np.int64)
    how = np.array(boards), facts.input_values, hash_bits, width
    size = lay_out(*ragged(tuples), *how, strides, offsets)
    base = offsets.astype(np.uint32)
    networks = 1 if shared else facts.players
    weights = np.zeros(networks * outputs * size if tables else 0, np.float32)
    seats, places = seat_tables(facts, shared)
    if width == 3:
        sums = weights.reshape(-1, 3)
        sums[:, 1:] = coherence.init
    return Net(
        weights=weights,
        strides=strides,
        base=base,
        rows=np.zeros(0, np.uint32) if shared else rows_of_bytes(facts, strides, base),
        size=size,
        outputs=outputs,
        by_action=by_action,
        turned=np.array(facts.action_symmetries[: len(boards)], np.int32),
        tuples=m,
        symmetries=len(boards),
        width=width,
        tanh=tanh,
        rate=transfer_polynomial(coherence.beta),
        exponential=coherence.transfer == "exp",
        accumulate_error=coherence.accumulate == "error",
        seats=seats,
        places=places,
    )


def seat_tables(facts, shared: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return how each player sees values and cells: after as many rotations as make it player 0."""
    if not shared:
        return np.zeros((0, 0, 0), np.int32), np.zeros((0, 0), np.int32)
    seats = np.zeros((facts.players, facts.cells, facts.input_values), np.int32)
    places = np.zeros((facts.players, facts.cells), np.int32)
    seats[0], places[0] = np.arange(facts.input_values), np.arange(facts.cells)
    values, cells = np.array(facts.seats.values), np.array(facts.seats.cells or places[0])
    for p in range(facts.players - 1, 0, -1):
        after = (p + 1) % facts.players  # one rotation more than player p + 1
        seats[p], places[p] = values[seats[after]], cells[places[after]]
        for c in facts.seats.fixed:
            seats[p, c] = np.arange(facts.input_values)
    return seats, places


def floats(facts, net: Net) -> int:
    """Return the number of floats in the tables of all players."""
    networks = 1 if net.seats.size > 0 else facts.players
    return int(networks * net.outputs * net.size)


def transfer_polynomial(beta: float, degree: int = RATES - 1) -> np.ndarray:
    """Return coefficients of g(x) = exp(beta (x - 1)) on 0 <= x <= 1, lowest first (Eq. 5)."""
    x = 0.5 - 0.5 * np.cos(np.pi * (np.arange(64) + 0.5) / 64)
    fit = np.polynomial.Chebyshev.fit(x, np.exp(beta * (x - 1.0)), degree, domain=[0, 1])
    return fit.convert(kind=np.polynomial.Polynomial).coef.astype(np.float32)
