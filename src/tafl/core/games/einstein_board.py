"""Boards of EinStein würfelt nicht: corners, the stones at home in them, steps, and turns.

Corners are counted clockwise from the upper left. What a stone of another corner does is what one
of the upper left corner does on the turned board: it steps 0 across, along the side that leads
clockwise to the next corner, 1 down, along the other side, or 2 diagonally.
"""

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.multiplayer import next_player

SMALLEST, LARGEST, CORNERS, STEPS, MOST_STONES = 3, 6, 4, 3, 6
HOME = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0))  # six stones; of three the near ones
SMALL_HOME = ((0, 0), (0, 1), (1, 0))
AWAY = ((0, 1), (1, 0), (1, 1))  # steps from the upper left corner


@inline
def stones_each(players, size):
    """Return the number of stones of a player: six, or three where there is no room for more."""
    return 6 if size == 6 or (players == 2 and size > 3) else 3


@inline
def corner_of(players, player):
    """Return the corner of a player; two sit opposite each other."""
    return 2 * player if players == 2 else player


def turned(size: int, corner: int, row: int, column: int) -> tuple[int, int]:
    """Return the place on a board that is turned clockwise, corner by corner."""
    for _ in range(corner):
        row, column = column, size - 1 - row
    return row, column


def home_table(home: tuple[tuple[int, int], ...]) -> np.ndarray:
    """Return the cells of stones at home, by size and corner."""
    table = np.zeros((LARGEST - SMALLEST + 1, CORNERS, MOST_STONES), np.int64)
    for n, size in enumerate(range(SMALLEST, LARGEST + 1)):
        for corner in range(CORNERS):
            for i, place in enumerate(home):
                row, column = turned(size, corner, *place)
                table[n, corner, i] = size * row + column
    return table


def step_table() -> np.ndarray:
    """Return how far each step goes in numbers of cells, by size and corner."""
    table = np.zeros((LARGEST - SMALLEST + 1, CORNERS, STEPS), np.int64)
    for n, size in enumerate(range(SMALLEST, LARGEST + 1)):
        for corner in range(CORNERS):
            row, column = turned(size, corner, 0, 0)
            for i, place in enumerate(AWAY):
                to_row, to_column = turned(size, corner, *place)
                table[n, corner, i] = size * (to_row - row) + to_column - column
    return table


def edge_table() -> np.ndarray:
    """Return the cells, as bits, from which each step would leave the board."""
    table = np.zeros((LARGEST - SMALLEST + 1, CORNERS, STEPS), np.int64)
    for n, size in enumerate(range(SMALLEST, LARGEST + 1)):
        for corner in range(CORNERS):
            for row in range(size):
                for column in range(size):
                    at = turned(size, corner, row, column)
                    bit = 1 << size * at[0] + at[1]
                    for i, (down, across) in enumerate(AWAY):
                        if row + down == size or column + across == size:
                            table[n, corner, i] |= bit
    return table


def goal_table() -> np.ndarray:
    """Return the far corner as a bit, by size and corner."""
    table = np.zeros((LARGEST - SMALLEST + 1, CORNERS), np.int64)
    for n, size in enumerate(range(SMALLEST, LARGEST + 1)):
        for corner in range(CORNERS):
            row, column = turned(size, corner, size - 1, size - 1)
            table[n, corner] = 1 << size * row + column
    return table


@inline
def stones_of(state, player, each):
    """Return the cells of a player's stones."""
    stones = 0
    for i in range(each * player, each * (player + 1)):
        stones |= state[i]
    return stones


@inline
def arrange(state, order, homes, players, each):
    """Place the stones of all players in one order, each seen from its corner."""
    for j in range(each):
        order, k = order // (each - j), order % (each - j)
        stone = 0
        while k > 0 or state[stone] != 0:  # the k-th of those that are left
            k -= state[stone] == 0
            stone += 1
        for p in range(players):
            state[each * p + stone] = np.int64(1) << homes[corner_of(players, p), j]


@inline
def movable(state, first, die, stone):
    """Return whether the die allows a stone: its own number, or the nearest one that is left."""
    if die < 0 or state[first + stone] == 0:
        return False
    low, high = (stone, die) if stone < die else (die, stone)
    between = 0
    for i in range(low, high + 1):
        between += state[first + i] != 0
    return between == 1


@inline
def turn_after(state, player, players, each):
    """Return the next player who has a stone."""
    player = next_player(player, players)
    while stones_of(state, player, each) == 0:
        player = next_player(player, players)
    return player


def winner_of(state, goals, players, each):
    """Return 1 + the player who has won, 0 if none has; ValueError if two have."""
    left = [p for p in range(players) if stones_of(state, p, each)]
    home = [p for p in left if stones_of(state, p, each) & goals[corner_of(players, p)]]
    if len(home) > 1:
        raise ValueError("only one player can have reached the far corner")
    winners = home or (left if len(left) == 1 else [])
    return 1 + winners[0] if winners else 0
