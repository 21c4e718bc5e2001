"""A game played from a list of moves, with everything that its rules say on the way."""

from typing import Annotated, NamedTuple

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state
from tafl.core.memory import Array, allocate


class Trace(NamedTuple):
    """Facts about each position of a game; row 0 is the start.

    Compiled code knows the methods of rules on every named tuple, so no field has the name of one.
    """

    words: Annotated[Array, "int64[plies, words]"]
    afters: Annotated[Array, "int64[plies, words]"]  # what chance made the position from
    players: Annotated[Array, "int64[plies]"]
    overs: Annotated[Array, "int64[plies]"]
    legals: Annotated[Array, "int64[plies, actions]"]  # 1 where an action is legal
    lists: Annotated[Array, "int64[plies, actions]"]  # the legal actions, if the rules list them
    scores: Annotated[Array, "float64[plies, players]"]
    cells: Annotated[Array, "int64[plies, cells]"]
    changes: Annotated[Array, "int64[plies]"]  # since the position before


def make_trace(facts, moves: int) -> Trace:
    """Return an empty trace for a number of moves."""
    return allocate(Trace, vars(facts) | {"plies": moves + 1})


class Views(NamedTuple):
    """Each position of a game as each player sees it, and a redeal for that player."""

    seen: Annotated[Array, "int64[plies, players, cells]"]
    others: Annotated[Array, "int64[plies, players, words]"]


def make_views(facts, plies: int) -> Views:
    """Return empty views of a number of positions."""
    return allocate(Views, vars(facts) | {"plies": plies})


@inline
def write_down(game, trace, i):
    """Fill in what the rules say of position i."""
    s = trace.words[i]
    over = game.over(s)
    trace.overs[i] = 1 if over else 0
    for p in range(trace.scores.shape[1]):
        trace.scores[i, p] = game.score(s, p)
    for c in range(trace.cells.shape[1]):
        trace.cells[i, c] = game.cell(s, c)
    if not over:
        trace.players[i] = game.player(s)
        for action in range(trace.legals.shape[1]):
            trace.legals[i, action] = 1 if game.legal(s, action) else 0
        game.list_moves(s, trace.lists[i])


@kernel
def replay(game, moves, rng, trace):
    """Play moves from the start and write down what the rules say."""
    game.start(trace.words[0])
    game.chance(trace.words[0], rng)
    write_down(game, trace, 0)
    for i in range(moves.size):
        s, s_after, s_next = trace.words[i], trace.afters[i + 1], trace.words[i + 1]
        copy_state(s, s_after)
        game.play(s_after, moves[i])
        copy_state(s_after, s_next)
        game.chance(s_next, rng)
        trace.changes[i + 1] = game.changed(s, s_next)
        write_down(game, trace, i + 1)


@kernel
def look_around(game, words, rng, views):
    """Write down what each player sees of each position, and deal again what it does not know."""
    for i in range(words.shape[0]):
        for p in range(views.seen.shape[1]):
            for c in range(views.seen.shape[2]):
                views.seen[i, p, c] = game.sees(words[i], p, c)
            copy_state(words[i], views.others[i, p])
            if not game.over(words[i]):
                game.redeal(views.others[i, p], p, rng)


@kernel
def play_again(game, s, moves, rng):
    """Make s the state after these moves, with the same chance events."""
    game.start(s)
    game.chance(s, rng)
    for i in range(moves.size):
        give_way(STOP)
        game.play(s, moves[i])
        game.chance(s, rng)
