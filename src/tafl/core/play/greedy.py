"""Playing with a trained network: values of moves, and whole games against random players."""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import legal_actions, random_action
from tafl.core.learn.policy import expected, look
from tafl.core.memory import Array, allocate
from tafl.core.random import below


@inline
def value_actions(game, net, td, work, rng, actions, values):
    """Write the legal actions of work.state, r + gamma V(s') or Q of each; return how many."""
    s = work.state
    p = game.player(s)
    net.encode(game, s, p, work.now)
    if not net.rates_actions():
        n = look(game, net, td, work, p, rng)
        for i in range(n):
            actions[i] = work.actions[i]
            nu = work.activations[i]
            values[i] = expected(game, net, td, work.state, work.afters[i], nu, p)
        return n
    n = legal_actions(game, s, actions.size, actions)
    for i in range(n):
        values[i] = net.squash(net.q_activation(work, p, actions[i]))
    return n


@kernel
def action_values(game, net, td, work, rng, actions, values):
    """Call `value_actions` from Python."""
    return value_actions(game, net, td, work, rng, actions, values)


@inline
def any_best(actions, values, n, rng):
    """Return one of the best of the first n actions, uniformly at random."""
    top, ties = -np.inf, 0
    for i in range(n):
        if values[i] > top:
            top, ties = values[i], 1
        elif values[i] == top:
            ties += 1
    left = below(rng, ties) if ties > 1 else 0
    for i in range(n):
        if values[i] == top:
            if left == 0:
                return actions[i]
            left -= 1
    return actions[0]


class Games(NamedTuple):
    """Games to be played in a row, and what happened in them; all moves stand in one array."""

    roles: Annotated[Array, "int64[games]"]  # which player is the greedy one
    rngs: Annotated[Array, "uint64[games, streams, 1]"]  # of chance, and of each player
    moves: Annotated[Array, "int32[room]"]
    ends: Annotated[Array, "int64[games]"]  # where the moves of a game end
    scores: Annotated[Array, "float64[games, players]"]
    actions: Annotated[Array, "int64[actions]"]  # scratch
    values: Annotated[Array, "float64[actions]"]  # scratch


def make_games(facts, roles: np.ndarray, rngs: np.ndarray, room: int) -> Games:
    """Return memory for games with at most this many moves in all."""
    sizes = vars(facts) | {"games": roles.size, "room": room}
    return allocate(Games, sizes, roles=roles, rngs=rngs)


@kernel
def play_random_players(game, net, td, work, games):
    """Play games of a greedy player against random ones, with the same moves as in Python.

    Returns how many games there was room for.
    """
    s, used = work.state, 0
    for g in range(games.roles.size):
        chance = games.rngs[g, 0]
        game.start(s)
        game.chance(s, chance)
        while not game.over(s):
            give_way(STOP)
            if used == games.moves.size:
                return g
            p = game.player(s)
            rng = games.rngs[g, 1 + p]
            if p == games.roles[g]:
                n = value_actions(game, net, td, work, rng, games.actions, games.values)
                action = any_best(games.actions, games.values, n, rng)
            else:
                action = random_action(game, s, games.actions, rng)
            games.moves[used] = action
            used += 1
            game.play(s, action)
            game.chance(s, chance)
        games.ends[g] = used
        for p in range(games.scores.shape[1]):
            games.scores[g, p] = game.score(s, p)
    return games.roles.size
