"""Brandubh: eight attackers hunt a king with four men, who has to reach a corner of 7x7 cells."""

from typing import NamedTuple

import numpy as np

from tafl.core.games.board import text_rows
from tafl.core.games.checks import check_whole
from tafl.core.games.grid import ORTHOGONAL, grid_neighbours, square_symmetries
from tafl.core.games.hnefatafl import (
    ATTACKER,
    ATTACKERS,
    CORNER,
    DEFENDERS,
    KING,
    LETTERS,
    MOVES,
    PLAYER,
    ROYAL,
    WINNER,
    WORDS,
    belongs,
    can_move,
    flip,
    line_table,
    list_from,
    make_move,
    may_stop,
    named,
    picture,
    place_table,
    setup_table,
    turned_actions,
    value,
)
from tafl.core.games.rules import Facts, Table, rules, sign_of_player

SIZE, LONGEST = 7, 10_000
SETUP = ("...x...", "...x...", "...o...", "xxoKoxx", "...o...", "...x...", "...x...")


def size_of(game):
    """Return the number of rows."""
    return game.lines.shape[2] + 1


@rules
class Brandubh(NamedTuple):
    """state = [attackers as bits, two words; defenders, two words; cell of the king, -1 captured;
    player to move; 1 + winner; moves]

    action = (4 * cell + direction) * 6 + distance - 1, direction 0 up, 1 left, 2 right, 3 down
    cell = 7 * row + column, row 0 at the top; values: 0 empty, 1 attacker, 2 defender, 3 king
    """

    limit: int = 100
    quiet = ("limit",)
    lines: Table = line_table(SIZE)
    places: Table = place_table(SIZE, corners=True)
    setup: Table = setup_table(SETUP)

    def start(self, state):
        state[:] = 0
        for cell in range(self.setup.size):
            if self.setup[cell] == ROYAL:
                state[KING] = cell
            elif self.setup[cell] > 0:
                flip(state, ATTACKERS if self.setup[cell] == ATTACKER else DEFENDERS, cell)

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        longest = self.lines.shape[2]
        cell, way = action // (4 * longest), action // longest % 4
        to = cell
        if not belongs(state, state[PLAYER], cell):
            return False
        for far in range(action % longest + 1):
            to = self.lines[cell, way, far]
            if to < 0 or value(state, to) != 0:
                return False
        return may_stop(self.places, value(state, cell), to)

    def moves(self, state, out):
        n = 0
        for cell in range(self.places.size):
            if belongs(state, state[PLAYER], cell):
                n = list_from(self.lines, self.places, state, cell, out, n)
        return n

    def play(self, state, action):
        make_move(self.lines, self.places, state, action)

    def over(self, state):
        return state[WINNER] > 0 or state[MOVES] == self.limit

    def score(self, state, player):
        return 0.0 if state[WINNER] == 0 else 1.0 if state[WINNER] == player + 1 else -1.0

    def cell(self, state, c):
        return value(state, c)

    def changed(self, before, after):
        mask = (before[0] ^ after[0]) | (before[2] ^ after[2])
        if before[KING] != after[KING]:
            for king in (before[KING], after[KING]):
                mask |= np.int64(1) << king if 0 <= king < 64 else 0
        return mask

    def facts(self):
        size = size_of(self)
        return Facts(
            players=2,
            actions=self.lines.size,
            cells=self.places.size,
            values=4,
            words=WORDS,
            symmetries=square_symmetries(size),
            action_symmetries=turned_actions(size),
            neighbours=grid_neighbours(size, size, ORTHOGONAL),
        )

    def validate(self):
        check_whole("limit", self.limit, 1, LONGEST)

    def position(self, state, cells, player):
        for c, piece in enumerate(cells):
            if piece not in (0, ROYAL):
                flip(state, ATTACKERS if piece == ATTACKER else DEFENDERS, c)
            if piece and not may_stop(self.places, piece, c):
                raise ValueError(f"only the king may stand on {named(size_of(self), c)}")
        kings = [c for c, piece in enumerate(cells) if piece == ROYAL]
        state[KING], state[PLAYER] = kings[0] if kings else -1, player
        free = kings and self.places[kings[0]] >= CORNER
        if len(kings) > 1 or (not kings and player == 0) or (free and player == 1):
            raise ValueError("there is one king; without him, or where he is free, the loser moves")
        stuck = not can_move(self.lines, self.places, state, player)
        state[WINNER] = 2 - player if not kings or free or stuck else 0

    def draw(self, state):
        size = size_of(self)
        rows = [f"{size - r} {row}" for r, row in enumerate(text_rows(self, state, size, ".xoK"))]
        return "\n".join([*rows, "  " + " ".join(LETTERS[:size])])

    def board(self):
        return picture(size_of(self), self.lines, self.places)

    def action_name(self, action):
        cell, way, far = np.unravel_index(action, self.lines.shape)
        size, to = size_of(self), self.lines[cell, way, far]
        return f"{named(size, cell)}-{named(size, to)}" if to >= 0 else "-"

    sign = sign_of_player
