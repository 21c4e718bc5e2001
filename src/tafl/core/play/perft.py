"""Perft: how many sequences of moves a game has, which shows whether its rules are right."""

import numpy as np

from tafl.core.compile import STOP, give_way, kernel
from tafl.core.games.states import copy_state, legal_actions


@kernel
def count_sequences(game, players, stack, listed, left, counts):
    """Add to counts[d] the number of sequences of d + 1 plies that begin in the state stack[0].

    Depth-first: stack[d] is the state after d plies, listed[d] has its actions, and left[d] of them
    are still to be tried; the last row of the stack is for looking ahead. The plies at full depth
    are counted, not played.
    """
    depth, actions = counts.size, listed.shape[1]
    s_after = stack[depth]
    d, left[0] = 0, legal_actions(game, stack[0], actions, listed[0])
    while d >= 0:
        if d + 1 == depth:
            counts[d] += left[d]
            left[d] = 0
        if left[d] == 0:
            d -= 1
            continue
        left[d] -= 1
        s, action = stack[d], listed[d, left[d]]
        counts[d] += 1
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
            left[d] = 0
            passes -= 1
            d += 1
        if d < depth:
            copy_state(s_after, stack[d])
            left[d] = legal_actions(game, s_after, actions, listed[d])
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
    listed = np.zeros((depth, facts.actions), np.int64)
    left, counts = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    count_sequences(rules, facts.players, stack, listed, left, counts)
    return counts.tolist()
