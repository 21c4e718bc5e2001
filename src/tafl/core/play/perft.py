"""Perft: how many sequences of moves a game has, the proof that rules are right."""

import numpy as np

from tafl.core.compile import kernel


@kernel
def count_sequences(game, actions, stack, tried, counts):
    """Adds to counts[d] the number of sequences of d + 1 moves that begin in the state stack[0].

    Depth-first: stack[d] is the state after d moves, tried[d] the action to try there next. The
    sequences of full length are counted without being played.
    """
    depth = counts.size
    d = 0
    tried[0] = actions if game.over(stack[0]) else 0
    while d >= 0:
        s, action = stack[d], tried[d]
        if action == actions:
            d -= 1
            continue
        tried[d] += 1
        if not game.legal(s, action):
            continue
        counts[d] += 1
        if d + 1 < depth:
            s_after = stack[d + 1]
            for j in range(s.size):
                s_after[j] = s[j]
            game.play(s_after, action)
            if not game.over(s_after):
                d += 1
                tried[d] = 0


def perft(rules, facts, depth: int) -> list[int]:
    """The number of sequences of 1, 2, ..., depth moves from the start of a game without chance.

    A finished game is not continued, and a pass that the rules make by themselves is no move.

    >>> from tafl.core.games.tictactoe import TicTacToe
    >>> perft(TicTacToe(), TicTacToe().facts(), 5)
    [9, 72, 504, 3024, 15120]
    """
    stack = np.zeros((depth, facts.words), np.int64)
    rules.start(stack[0])
    counts = np.zeros(depth, np.int64)
    count_sequences(rules, facts.actions, stack, np.zeros(depth, np.int64), counts)
    return counts.tolist()
