"""Phantom TicTacToe: players do not see each other's marks.

A player tries a cell. If the other's mark is there, the player sees it and tries another cell;
otherwise the cell is marked, and it is the other's turn. The other player notices neither. Actions
are OpenSpiel's; what a player sees is its text `reveal-nothing`: its tries and what they found.
"""

from typing import NamedTuple

from tafl.core.compile import inline, popcount
from tafl.core.games.board import Board, Cell, Piece, beside_grid, cells_of_grid, on_cells
from tafl.core.games.grid import inverse, square_symmetries
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, sign_of_player, start_empty
from tafl.core.games.tictactoe import LINES
from tafl.core.random import below

CELLS, FULL = 9, 0o777
TRIES, PLAYER, WON = 2, 4, 5  # words of a state, after the marks of both players


@inline
def try_of(state, player, cell):
    """Return which of a player's tries was on a cell: 1, 2, ...; 0: none."""
    return (state[TRIES + player] >> (4 * cell)) & 15


@inline
def tried(state, player):
    """Return the cells that a player has tried."""
    mask = 0
    for c in range(CELLS):
        mask |= (1 if try_of(state, player, c) > 0 else 0) << c
    return mask


@inline
def cell_of_try(state, player, number):
    """Return the cell of a player's try 1, 2, ..."""
    cell = 0
    for c in range(CELLS):
        if try_of(state, player, c) == number:
            cell = c
    return cell


@inline
def nth_bit(mask, n):
    """Return the place of the bit of a mask that has n bits below it."""
    c = 0
    while (mask >> c) & 1 == 0 or n > 0:
        n -= (mask >> c) & 1
        c += 1
    return c


@inline
def has_line(marks):
    """Return whether three marks are in a row."""
    found = False
    for line in LINES:
        found = found or marks & line == line
    return found


@inline
def first_marks(state, player, count):
    """Return the marks that a player made first."""
    marks, k = 0, 1
    while popcount(marks) < count:
        marks |= state[player] & (1 << cell_of_try(state, player, k))
        k += 1
    return marks


@inline
def marks_in_order(count, free, rng):
    """Return random cells of a mask in the order in which they are marked, four bits each."""
    order = 0
    for k in range(count):
        cell = nth_bit(free, below(rng, popcount(free)))
        order |= cell << (4 * k)
        free ^= 1 << cell
    return order


@inline
def fits(state, player, count, order):
    """Return whether marks of the other in this order explain all that a player has found."""
    marks, k, mine, found = 0, 0, 0, True
    for number in range(1, popcount(tried(state, player)) + 1):
        while k < min(count, mine + player):  # the other's marks before this try
            marks |= 1 << ((order >> (4 * k)) & 15)
            k += 1
        cell = cell_of_try(state, player, number)
        if (state[player] >> cell) & 1:
            mine += 1
        else:
            found = found and (marks >> cell) & 1 == 1
    while k < count:
        marks |= 1 << ((order >> (4 * k)) & 15)
        k += 1
    return found and not has_line(marks)


@inline
def try_in_order(state, player, order, count, rng):
    """Let a player make marks in this order at random times between tries that find the other's."""
    other = 1 - player
    state[player] = state[TRIES + player] = 0
    turns = count + (1 if state[PLAYER] == player else 0)  # it may be in the middle of a turn
    for k in range(turns):
        there = first_marks(state, other, k + player) & ~tried(state, player)
        left = CELLS - popcount(tried(state, player))
        while below(rng, left) < popcount(there):
            cell = nth_bit(there, below(rng, popcount(there)))
            state[TRIES + player] |= (CELLS + 1 - left) << (4 * cell)
            there ^= 1 << cell
            left -= 1
        if k < count:
            cell = (order >> (4 * k)) & 15
            state[TRIES + player] |= (CELLS + 1 - left) << (4 * cell)
            state[player] |= 1 << cell


@rules
class Phantom(NamedTuple):
    """state = [crosses, noughts, tries of both players, player, won];   action = 3 * row + column

    Tries are four bits for each cell: 0, or which try of the player it was.
    cells: the board (0 empty or not known, 1 cross, 2 nought), then the tries of each player
    """

    start = start_empty

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return try_of(state, state[PLAYER], action) == 0

    def play(self, state, action):
        p = state[PLAYER]
        state[TRIES + p] |= (1 + popcount(tried(state, p))) << (4 * action)
        if (state[1 - p] >> action) & 1 == 0:
            state[p] |= 1 << action
            state[WON] = has_line(state[p])
            state[PLAYER] = 1 - p

    def over(self, state):
        return state[WON] == 1 or state[0] | state[1] == FULL

    def score(self, state, player):
        return score_of_win(state[WON], state[PLAYER], player)

    def cell(self, state, c):
        if c < CELLS:
            return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)
        return try_of(state, c // CELLS - 1, c % CELLS)

    def sees(self, state, player, c):
        if c < CELLS:
            known = try_of(state, player, c) > 0
        else:
            known = c // CELLS - 1 == player
        return self.cell(state, c) if known or self.over(state) else 0

    def redeal(self, state, player, rng):
        if not self.over(state):
            other, free = 1 - player, FULL & ~state[player]
            count = popcount(state[other])
            order = marks_in_order(count, free, rng)
            while not fits(state, player, count, order):
                order = marks_in_order(count, free, rng)
            try_in_order(state, other, order, count, rng)

    def facts(self):
        boards = square_symmetries(3)
        blocks = range(0, 3 * CELLS, CELLS)
        return Facts(
            players=2,
            actions=CELLS,
            cells=3 * CELLS,
            values=CELLS + 1,
            words=6,
            symmetries=[[first + c for first in blocks for c in board] for board in boards],
            action_symmetries=inverse(boards),
        )

    def draw(self, state, player):
        seen = [
            self.cell(state, c) if player < 0 else self.sees(state, player, c) for c in range(9)
        ]
        rows = [" ".join(".xo"[value] for value in seen[r : r + 3]) for r in (0, 3, 6)]
        for p in (0, 1) if player < 0 else (player,):
            numbers = range(1, popcount(tried(state, p)) + 1)
            names = [self.action_name(cell_of_try(state, p, number)) for number in numbers]
            rows.append(f"tries of {'xo'[p]}: {' '.join(names)}".rstrip())
        return "\n".join(rows)

    def board(self):
        return Board(
            cells=[*cells_of_grid(3, 3), *[Cell(0, 0, kind="off")] * (2 * CELLS)],
            pieces=[None, Piece("cross", "red", "x"), Piece("ring", "blue", "o"), *[None] * 7],
            targets=on_cells(CELLS),
            labels=beside_grid("abc", "321"),
        )

    def action_name(self, action):
        return "abc"[action % 3] + "321"[action // 3]

    sign = sign_of_player
