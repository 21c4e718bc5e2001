"""EinStein würfelt nicht: a die says which stone moves; the first in the far corner wins."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Label, Piece, Target, cells_of_grid, text_rows
from tafl.core.games.grid import ALL_AROUND, grid_neighbours
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, start_empty
from tafl.core.random import below

SIZE, STONES = 5, 6
CELLS = SIZE * SIZE
PLAYER, DIE, WON = 2 * STONES, 2 * STONES + 1, 2 * STONES + 2  # where in the state
STEPS = (1, SIZE, SIZE + 1)  # across, down, diagonally; the second player's go the other way
FIRST_COLUMN, FIRST_ROW = sum(1 << SIZE * r for r in range(SIZE)), (1 << SIZE) - 1
LAST_COLUMN, LAST_ROW = FIRST_COLUMN << (SIZE - 1), FIRST_ROW << SIZE * (SIZE - 1)
EDGES = (  # where a step would leave the board: by step and player
    (LAST_COLUMN, FIRST_COLUMN),
    (LAST_ROW, FIRST_ROW),
    (LAST_COLUMN | LAST_ROW, FIRST_COLUMN | FIRST_ROW),
)
GOAL = (1 << (CELLS - 1), 1)
HOME = (0, 1, 2, 5, 6, 10)  # cells of the first player's stones at the start
ORDERS = 720  # of six stones


@inline
def arrange(state, order):
    """Place the stones of both players in one of 720 orders, each seen from its corner."""
    for j in range(STONES):
        order, k = order // (STONES - j), order % (STONES - j)
        stone = 0
        while k > 0 or state[stone] != 0:  # the k-th of those that are left
            k -= state[stone] == 0
            stone += 1
        state[stone] = 1 << HOME[j]
        state[STONES + stone] = 1 << (CELLS - 1 - HOME[j])


@inline
def stones_of(state, player):
    """Return the cells of a player's stones."""
    stones = 0
    for i in range(STONES * player, STONES * (player + 1)):
        stones |= state[i]
    return stones


@inline
def begins(state):
    """Return whether there are no stones yet."""
    return stones_of(state, 0) | stones_of(state, 1) == 0


@inline
def movable(state, stone):
    """Return whether the die allows a stone: its own number, or the nearest one that is left."""
    first, die = STONES * state[PLAYER], state[DIE] - 1
    if die < 0 or state[first + stone] == 0:
        return False
    low, high = (stone, die) if stone < die else (die, stone)
    between = 0
    for i in range(low, high + 1):
        between += state[first + i] != 0
    return between == 1


@rules
class Einstein(NamedTuple):
    """state = [six stones of the first player, six of the second, player to move, die, won]

    A stone is the bit of its cell, 5 * row + column, or 0 if it was captured; the die is 0 until it
    is cast. action = 3 * (number of the stone - 1) + 0, 1, 2 for across, down, diagonally
    cells: the board, then the die; values: 0 empty, 1 ... 6 first player, 7 ... 12 second
    """

    start = start_empty

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        p, stone = state[PLAYER], action // 3
        blocked = EDGES[action - 3 * stone][p] & state[STONES * p + stone]
        return blocked == 0 and movable(state, stone)

    def play(self, state, action):
        p, stone = state[PLAYER], action // 3
        step, at = STEPS[action - 3 * stone], state[STONES * p + stone]
        to = at << step if p == 0 else at >> step
        for i in range(2 * STONES):
            state[i] &= ~to
        state[STONES * p + stone] = to
        state[PLAYER], state[DIE] = 1 - p, 0
        state[WON] = to == GOAL[p] or stones_of(state, 1 - p) == 0

    def chance(self, state, rng):
        if begins(state):
            arrange(state, below(rng, ORDERS))
        if state[WON] == 0:
            state[DIE] = 1 + below(rng, 6)

    def outcomes(self, state):
        if state[WON] == 1:
            return 1
        return 6 * ORDERS if begins(state) else 6

    def outcome(self, state, i):
        if state[WON] == 1:
            return 1.0
        n = self.outcomes(state)
        if n > 6:
            arrange(state, i // 6)
        state[DIE] = 1 + i % 6
        return 1 / n

    def over(self, state):
        return state[WON] == 1

    def score(self, state, player):
        return score_of_win(state[WON], state[PLAYER], player)

    def cell(self, state, c):
        if c == CELLS:
            return state[DIE]
        value = 0
        for i in range(2 * STONES):
            value += (i + 1) * ((state[i] >> c) & 1)
        return value

    def changed(self, before, after):
        mask = (before[DIE] != after[DIE]) << CELLS
        for i in range(2 * STONES):
            mask |= before[i] ^ after[i]
        return mask

    def facts(self):
        turned = [SIZE * (c % SIZE) + c // SIZE for c in range(CELLS)]
        actions = list(range(3 * STONES))
        return Facts(
            players=2,
            actions=len(actions),
            cells=CELLS + 1,
            values=2 * STONES + 1,
            words=2 * STONES + 3,
            symmetries=[list(range(CELLS + 1)), [*turned, CELLS]],
            action_symmetries=[actions, [3 * (a // 3) + (1, 0, 2)[a % 3] for a in actions]],
            neighbours=[*grid_neighbours(SIZE, SIZE, ALL_AROUND), []],
        )

    def position(self, state, cells, player):
        for c, value in enumerate(cells[:CELLS]):
            if value > 0:
                if state[value - 1] != 0:
                    raise ValueError(f"there is more than one stone of value {value}")
                state[value - 1] = 1 << c
        state[PLAYER], state[DIE] = player, cells[CELLS]
        goals = [stones_of(state, p) & GOAL[p] != 0 or not stones_of(state, 1 - p) for p in (0, 1)]
        if goals[player] or state[DIE] not in ((0,) if goals[1 - player] else range(1, 7)):
            raise ValueError("the die shows 1 to 6, and 0 once the player before has won")
        state[WON] = goals[1 - player]

    def draw(self, state):
        rows = text_rows(self, state, SIZE, ".123456ABCDEF")
        return "\n".join([*rows, f"die: {state[DIE] or '-'}"])

    def board(self):
        numbers, colours = range(1, STONES + 1), ("red", "blue")
        return Board(
            cells=[*cells_of_grid(SIZE, SIZE), Cell(SIZE + 0.4, 2, "field")],
            pieces=[None, *(Piece("disc", c, str(n)) for c in colours for n in numbers)],
            targets=[Target() for _ in range(3 * STONES)],
            labels=[Label(SIZE + 0.4, 1.2, "die")],
            colours=colours,
            wins=[[0], [SIZE * SIZE - 1]],
        )

    def action_name(self, action):
        return f"{action // 3 + 1} {('across', 'down', 'diagonally')[action % 3]}"

    def sign(self, player):
        return ("1-6", "A-F")[player]
