"""Shared parts of games: stones and turns of several players, and the value of a win.

The stones of three players are the first three words of a state, a bit for each cell.
"""

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.rules import Seats


@inline
def taken(state):
    """Return the cells with a stone on them."""
    return state[0] | state[1] | state[2]


def free_cell(self, state, action):
    """Return whether a cell has no stone: one may be placed there."""
    return ((taken(state) >> action) & 1) == 0


@inline
def owner(state, cell):
    """Return the value of a cell: 0 without a stone, 1 ... 3 with a player's."""
    return ((state[0] >> cell) & 1) + 2 * ((state[1] >> cell) & 1) + 3 * ((state[2] >> cell) & 1)


@inline
def other_stones(before, after):
    """Return the cells where two states have different stones."""
    return (before[0] ^ after[0]) | (before[1] ^ after[1]) | (before[2] ^ after[2])


def rotated_seats(players, more=()):
    """Return the seats of a game whose cells are 0 or 1 + a player, or have one of more values.

    >>> rotated_seats(3, [4]).values
    [0, 2, 3, 1, 4]
    """
    return Seats([0, *range(2, players + 1), 1, *more])


def rotate_words(state, first, count):
    """Give each player the words of the one before: some of `count` words, the first at `first`."""
    state[first : first + count] = np.roll(state[first : first + count], 1)


def rotate_bits(bits, players):
    """Return bits of players with each one moved on to the next player."""
    return ((bits << 1) | (bits >> (players - 1))) & ((1 << players) - 1)


@inline
def next_player(player, players):
    """Return the player whose turn is next, if no player is out."""
    return player + 1 if player + 1 < players else 0


@inline
def next_left(player, out, players):
    """Return the next player who is not out; `out` has a bit for each player who is."""
    player = next_player(player, players)
    while (out >> player) & 1:
        player = next_player(player, players)
    return player


@inline
def score_of_win(won, to_move, player):
    """Return the score of one of two players where the one who moved last may have won."""
    if won == 0:
        return 0.0
    return -1.0 if player == to_move else 1.0


@inline
def shared_win(won, winners, players):
    """Return a player's score when `winners` players have won; all scores add up to 0.

    A single winner gets 1, which the others lose in equal parts; several winners share.

    >>> shared_win(True, 1, 2), shared_win(False, 1, 3), shared_win(True, 2, 3)
    (1.0, -0.5, 0.25)
    """
    loss = -1.0 / (players - 1)
    return (1.0 + (winners - 1) * loss) / winners if won else loss
