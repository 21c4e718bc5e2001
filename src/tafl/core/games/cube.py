"""Rubik's cube, 2x2x2 or 3x3x3: turn faces until each of them has one colour."""

from typing import NamedTuple

import numpy as np

from tafl.core.games.checks import as_word, check_whole
from tafl.core.games.cube_pieces import (
    BITS,
    CORNERS,
    EDGES,
    MOVES,
    PIECE,
    SOLVED_CORNERS,
    SOLVED_EDGES,
    moved,
    shuffled,
    solved,
    turned,
)
from tafl.core.games.cube_tables import (
    NAMES,
    TURNS,
    around_table,
    colour_table,
    facelet_table,
    next_to,
    pair,
    picture,
    place_masks,
    turn_table,
    unfolded,
    words_of,
)
from tafl.core.games.rules import Facts, Table, rules, start_empty
from tafl.core.random import below

LONGEST = 10_000


@rules
class Cube(NamedTuple):
    """state = [corners, edges, moves]: five bits for each piece, which sticker's place its first
    sticker has (see cube_tables.py); 0 before chance has dealt a position

    action = 3 * face + 0, 1, 2 for a quarter, a half, three quarters, or where only quarter turns
    are moves 2 * face + 0, 1; faces up, right, front, down, left, back; the last three stay on
    the 2x2x2 cube. cell = facelet, face by face; value: 1 + the face of its colour; input: where
    the sticker is that belongs on the cell
    """

    size: int = 2
    quarter: bool = False
    limit: int = 50
    facelets: Table = np.array([facelet_table(2), facelet_table(3)])
    turns: Table = pair(turn_table)
    around: Table = pair(around_table)
    colours: Table = pair(colour_table)
    masks: Table = np.array([place_masks(2, 3), place_masks(3, 3), place_masks(3, 2)])
    quiet = ("limit",)

    start = start_empty

    def player(self, state):
        return 0

    def legal(self, state, action):
        return True

    def legal_mask(self, state):
        return (1 << (3 if self.size == 2 else 6) * (2 if self.quarter else 3)) - 1

    def play(self, state, action):
        turn = action + (action + 1) // 2 if self.quarter else action
        state[CORNERS] = turned(self.turns[0, turn], state[CORNERS], 8)
        if self.size == 3:
            state[EDGES] = turned(self.turns[1, turn], state[EDGES], 12)
        state[MOVES] += 1

    def chance(self, state, rng):
        while state[CORNERS] == 0 or (state[MOVES] == 0 and solved(state, self.size)):
            corners, odd = shuffled(SOLVED_CORNERS, 7 if self.size == 2 else 8, 3, rng)
            state[CORNERS] = corners
            if self.size == 3:
                edges, odd_too = shuffled(SOLVED_EDGES, 12, 2, rng)
                both = (edges ^ (edges >> BITS)) & PIECE if odd != odd_too else 0
                state[EDGES] = edges ^ both ^ (both << BITS)  # two edges exchanged

    def scramble(self, state, moves, rng):
        state[CORNERS], state[EDGES] = SOLVED_CORNERS, SOLVED_EDGES if self.size == 3 else 0
        ways, faces, last = 2 if self.quarter else 3, 3 if self.size == 2 else 6, -1
        for _ in range(moves):
            action = below(rng, ways * faces)
            # no turn takes back the one before; in half turns neither follows it on its face
            while last >= 0 and (action ^ 1 == last if self.quarter else action // 3 == last // 3):
                action = below(rng, ways * faces)
            self.play(state, action)
            last = action
        state[MOVES] = 0

    def over(self, state):
        return solved(state, self.size) or state[MOVES] == self.limit

    def score(self, state, player):
        return -state[MOVES] / self.limit

    def cell(self, state, c):
        facelet = self.facelets[self.size - 2, c]
        word, place = facelet[1], facelet[2]
        if word == 2:
            return 1 + facelet[0]
        for i in range(12 if word == 1 else 8):
            at = (state[word] >> BITS * i) & PIECE
            for k in range(3 - word):
                if self.around[word, k, at] == place:
                    return 1 + self.colours[word, (3 - word) * i + k]
        return 0

    def input(self, state, c):
        facelet = self.facelets[self.size - 2, c]
        word, bit, k = facelet[1], facelet[3], facelet[4]
        return self.around[word, k, (state[word] >> bit) & PIECE] if word < 2 else 0

    def changed(self, before, after):
        if before[CORNERS] == 0:
            return -1
        near = self.masks[self.size - 2]
        mask = moved(near, before[CORNERS], after[CORNERS], 8, 3)
        if self.size == 3:
            mask |= moved(self.masks[2], before[EDGES], after[EDGES], 12, 2)
        return mask

    def facts(self):
        cells = 6 * self.size**2
        return Facts(
            players=1,
            actions=self.legal_mask(None).bit_length(),
            cells=cells,
            values=7,
            words=3,
            score_range=(-1, 0),
            score_unit=1 / self.limit,
            input_values=24,
            neighbours=next_to(self.size),
        )

    def validate(self):
        check_whole("size", self.size, 2, 3)
        check_whole("limit", self.limit, 1, LONGEST)

    def position(self, state, cells, player):
        words = words_of(self.size, cells)
        state[CORNERS], state[EDGES] = map(as_word, words)

    def draw(self, state):
        return unfolded(self.size, [self.cell(state, c) for c in range(6 * self.size**2)])

    def board(self):
        return picture(self.size, self.facts().actions)

    def action_name(self, action):
        ways = TURNS[::2] if self.quarter else TURNS
        return NAMES[action // len(ways)] + ways[action % len(ways)]
