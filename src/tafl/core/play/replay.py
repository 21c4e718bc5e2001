"""A game played from a list of moves, with everything that its rules say on the way."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, kernel


class Record(NamedTuple):
    """What the rules say of each position of a game; row 0 is the start.

    Compiled code knows the methods of rules on every named tuple, so no field has the name of one.
    """

    words: np.ndarray  # int64[plies, words]
    afters: np.ndarray  # int64[plies, words]: the afterstate that chance made the position from
    players: np.ndarray  # int64[plies]
    overs: np.ndarray  # int64[plies]
    legals: np.ndarray  # int64[plies, actions]
    scores: np.ndarray  # float64[plies, players]
    cells: np.ndarray  # int64[plies, cells]
    changes: np.ndarray  # int64[plies]: since the position before


def make_record(facts, moves: int) -> Record:
    """An empty record for a number of moves."""
    plies = moves + 1
    return Record(
        words=np.zeros((plies, facts.words), np.int64),
        afters=np.zeros((plies, facts.words), np.int64),
        players=np.zeros(plies, np.int64),
        overs=np.zeros(plies, np.int64),
        legals=np.zeros((plies, facts.actions), np.int64),
        scores=np.zeros((plies, facts.players), np.float64),
        cells=np.zeros((plies, facts.cells), np.int64),
        changes=np.zeros(plies, np.int64),
    )


@inline
def write_down(game, record, i):
    """Fills in what the rules say of position i."""
    s = record.words[i]
    over = game.over(s)
    record.overs[i] = 1 if over else 0
    for p in range(record.scores.shape[1]):
        record.scores[i, p] = game.score(s, p)
    for c in range(record.cells.shape[1]):
        record.cells[i, c] = game.cell(s, c)
    if not over:
        record.players[i] = game.player(s)
        for action in range(record.legals.shape[1]):
            record.legals[i, action] = 1 if game.legal(s, action) else 0


@kernel
def replay(game, moves, rng, record):
    """Plays moves from the start and writes down what the rules say."""
    game.start(record.words[0])
    game.chance(record.words[0], rng)
    write_down(game, record, 0)
    for i in range(moves.size):
        s, s_after, s_next = record.words[i], record.afters[i + 1], record.words[i + 1]
        for j in range(s.size):
            s_after[j] = s[j]
        game.play(s_after, moves[i])
        for j in range(s.size):
            s_next[j] = s_after[j]
        game.chance(s_next, rng)
        record.changes[i + 1] = game.changed(s, s_next)
        write_down(game, record, i + 1)
