"""Perft: how many sequences of moves a game has, which shows whether its rules are right."""

import numpy as np

from tafl.core.compile import STOP, give_way, kernel
from tafl.core.games.states import copy_state


@kernel
def count_sequences(game, players, actions, stack, tried, counts):
    """Add to counts[d] the number of sequences of d + 1 plies that begin in the state stack[0].

    Depth-first: stack[d] is the state after d plies and tried[d] the next action to try there; the
    last row of the stack is for looking ahead. The plies at full depth are counted, not played.
    """
    depth = counts.size
    s_after = stack[depth]
    d, tried[0] = 0, 0
    while d >= 0:
        s, action = stack[d], tried[d]
        tried[d] += 1
        if action >= actions:
            d -= 1
            continue
        if not game.legal(s, action):
            continue
        counts[d] += 1
        if d + 1 == depth:
            continue
        give_way(STOP)
        copy_state(s, s_after)
        game.play(s_after, action)
        if game.over(s_after):
            continue
        d += 1
        # a player who is skipped has passed: a ply without a choice
        passes = (game.player(s_after) - game.player(s) - 1) % players
        while passes > 0 and d < depth:
            counts[d] += 1
            tried[d] = actions
            passes -= 1
            d += 1
        if d < depth:
            copy_state(s_after, stack[d])
            tried[d] = 0
        else:
            d -= 1


def perft(rules, facts, depth: int) -> list[int]:
    """Count the sequences of 1, 2, ..., depth plies from the start of a game without chance.

    As in the literature, a finished game is not continued and a pass is a ply.

    >>> from tafl.core.games.tictactoe import TicTacToe
    >>> perft(TicTacToe(), TicTacToe().facts(), 5)
    [9, 72, 504, 3024, 15120]
    """
    stack = np.zeros((depth + 1, facts.words), np.int64)
    rules.start(stack[0])
    tried, counts = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    count_sequences(rules, facts.players, facts.actions, stack, tried, counts)
    return counts.tolist()
