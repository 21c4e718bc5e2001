"""A game move by move, for a page in a browser, which cannot call Python."""

from typing import Annotated, NamedTuple

from tafl.core.compile import inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.learn.policy import candidate
from tafl.core.memory import Array, allocate
from tafl.core.ntuple.tables import lay_out
from tafl.core.random import below


class View(NamedTuple):
    """Facts about a position, in numbers that every language has."""

    turn: Annotated[Array, "int32[3]"]  # the player to move; 1 if the game is over; legal actions
    legals: Annotated[Array, "int64[actions]"]  # the legal actions, as many as there are
    cells: Annotated[Array, "int32[cells]"]
    scores: Annotated[Array, "float64[players]"]


def make_view(facts) -> View:
    """Return an empty view."""
    return allocate(View, vars(facts))


@inline
def describe(game, s, view):
    """Write down what the rules say of a state."""
    over = game.over(s)
    view.turn[0] = game.player(s)
    view.turn[1] = 1 if over else 0
    view.turn[2] = 0 if over else legal_actions(game, s, view.legals.size, view.legals)
    for c in range(view.cells.size):
        view.cells[c] = game.cell(s, c)
    for p in range(view.scores.size):
        view.scores[p] = game.score(s, p)


@kernel
def begin_game(game, s, rng, view):
    """Write the start position."""
    game.start(s)
    game.chance(s, rng)
    describe(game, s, view)


@kernel
def look_at(game, s, view):
    """Describe a position."""
    describe(game, s, view)


@kernel
def play_action(game, s, action, rng, s_after, view):
    """Play a move, then chance; leave the afterstate in s_after."""
    game.play(s, action)
    copy_state(s, s_after)
    game.chance(s, rng)
    describe(game, s, view)


@kernel
def draw_below(game, rng, n):
    """Return a random whole number from 0 to n - 1."""
    return below(rng, n)


@kernel
def contributions(game, net, td, work, s, action, rng, out):
    """Write the parts of an action's activation, as `explain` of the network does."""
    p = game.player(s)
    copy_state(s, work.state)
    net.encode(game, s, p, work.now)
    if not net.rates_actions():
        candidate(game, net, td, work, 0, action, rng)
    net.explain(work, p, action, out)


@kernel
def index_tuples(game, tuples, lengths, boards, n, hash_bits, strides, base):
    """Write strides and base of n-tuples for cells with n values; return the tables' size."""
    return lay_out(tuples, lengths, boards, n, hash_bits, 1, strides, base)
