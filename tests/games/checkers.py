"""Checkers on a small board: captures are compulsory; who cannot move has lost."""

from typing import NamedTuple

from tafl.rules import Facts, grid_neighbours, inline, rules

SIZE, CELLS, LONGEST = 6, 36, 100
PLAYER, JUMPER, MOVES, STUCK = CELLS, CELLS + 1, CELLS + 2, CELLS + 3  # words after the cells
STEPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
MAN, KING = 1, 3  # of player 0; those of player 1 are one higher


@inline
def landing(cell, direction, far):
    """Return the cell some steps away, -1 beyond the edge."""
    row, col = cell // SIZE + far * STEPS[direction][0], cell % SIZE + far * STEPS[direction][1]
    return SIZE * row + col if 0 <= row < SIZE and 0 <= col < SIZE else -1


@inline
def possible(state, cell, jump, direction):
    """Return whether a piece can step or jump, be it compulsory or not."""
    p, piece = state[PLAYER], state[cell]
    if piece == 0 or (piece - 1) % 2 != p or (state[JUMPER] >= 0 and state[JUMPER] != cell):
        return False
    if piece < KING and (direction < 2) != (p == 0):
        return False  # men go forward
    to = landing(cell, direction, 1 + jump)
    if to < 0 or state[to] != 0:
        return False
    over = state[landing(cell, direction, 1)]
    return jump == 0 or (over > 0 and (over - 1) % 2 != p)


@inline
def some(state, jump):
    """Return whether the player to move has a step, or a jump."""
    for cell in range(CELLS):
        for direction in range(4):
            if possible(state, cell, jump, direction):
                return True
    return False


@rules
class Checkers(NamedTuple):
    """state = [36 cells, player, piece that has to jump on or -1, moves, player to move is stuck]

    action = 8 * cell + 4 * (it is a jump) + direction
    """

    def start(self, state):
        state[:] = 0
        for c in range(CELLS):
            if (c // SIZE + c) % 2 == 1:
                state[c] = 2 if c < 2 * SIZE else 1 if c >= 4 * SIZE else 0
        state[JUMPER] = -1

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        jump = action // 4 % 2
        return possible(state, action // 8, jump, action % 4) and (jump == 1 or not some(state, 1))

    def moves(self, state, out):
        n, jump = 0, 1 if some(state, 1) else 0
        for cell in range(CELLS):
            for direction in range(4):
                if possible(state, cell, jump, direction):
                    out[n] = 8 * cell + 4 * jump + direction
                    n += 1
        return n

    def play(self, state, action):
        cell, jump, p = action // 8, action // 4 % 2, state[PLAYER]
        to = landing(cell, action % 4, 1 + jump)
        crowned = state[cell] < KING and to // SIZE == (0 if p == 0 else SIZE - 1)
        state[to], state[cell] = state[cell] + (2 if crowned else 0), 0
        state[MOVES] += 1
        if jump == 1:
            state[landing(cell, action % 4, 1)] = 0
            state[JUMPER] = to
        if jump == 0 or crowned or not some(state, 1):
            state[JUMPER], state[PLAYER] = -1, 1 - p
        state[STUCK] = not some(state, 0) and not some(state, 1)

    def over(self, state):
        return state[STUCK] == 1 or state[MOVES] == LONGEST

    def score(self, state, player):
        return 0.0 if state[STUCK] == 0 else -1.0 if player == state[PLAYER] else 1.0

    def cell(self, state, c):
        if c == CELLS:
            return state[PLAYER] + (2 if state[JUMPER] >= 0 else 0)
        return state[c]

    def facts(self):
        light = [c for c in range(CELLS) if (c // SIZE + c) % 2 == 0]
        return Facts(
            players=2,
            actions=8 * CELLS,
            cells=CELLS + 1,
            values=5,
            words=CELLS + 4,
            neighbours=[*grid_neighbours(SIZE, SIZE, STEPS), []],
            kinds=dict.fromkeys([*light, CELLS], "off"),
            pieces={KING: (0, "K"), KING + 1: (1, "K")},
        )

    def action_name(self, action):
        cell, jump = action // 8, action // 4 % 2
        to = landing(cell, action % 4, 1 + jump)
        return f"{named(cell)}{'-x'[jump]}{named(to) if to >= 0 else '?'}"


def named(cell):
    """Return the name of a cell, such as a6 in the upper left corner."""
    return f"{'abcdef'[cell % SIZE]}{SIZE - cell // SIZE}"
