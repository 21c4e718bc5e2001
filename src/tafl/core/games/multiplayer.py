"""What games for up to three or more have in common: stones, turns, and what a win is worth.

The stones of three players are the first three words of a state, a bit for each cell.
"""

from tafl.core.compile import inline


@inline
def taken(state):
    """The cells with a stone on them."""
    return state[0] | state[1] | state[2]


def free_cell(self, state, action):
    """A stone may be placed on any cell without one."""
    return ((taken(state) >> action) & 1) == 0


@inline
def owner(state, cell):
    """Whose stone is on a cell, as its value: 0 nobody's, 1 ... 3 a player's."""
    return ((state[0] >> cell) & 1) + 2 * ((state[1] >> cell) & 1) + 3 * ((state[2] >> cell) & 1)


@inline
def other_stones(before, after):
    """The cells where two states have different stones."""
    return (before[0] ^ after[0]) | (before[1] ^ after[1]) | (before[2] ^ after[2])


@inline
def next_player(player, players):
    """Whose turn is next, if nobody is out."""
    return player + 1 if player + 1 < players else 0


@inline
def next_left(player, out, players):
    """Whose turn is next, where those with a bit in `out` are out and somebody is not."""
    player = next_player(player, players)
    while (out >> player) & 1:
        player = next_player(player, players)
    return player


@inline
def shared_win(won, winners, players):
    """The score of a player where so many have won together; all scores add up to 0.

    Who wins alone gets 1, and the others lose the same; who wins together shares what is won.

    >>> shared_win(True, 1, 2), shared_win(False, 1, 3), shared_win(True, 2, 3)
    (1.0, -0.5, 0.25)
    """
    loss = -1.0 / (players - 1)
    return (1.0 + (winners - 1) * loss) / winners if won else loss
