"""Brandubh: the king has to reach a corner; eight attackers try to capture him."""

from typing import NamedTuple

from tafl.rules import ORTHOGONAL, Facts, grid_neighbours, inline, rules

SIZE, CELLS, THRONE, LONGEST = 7, 49, 24, 100
ATTACKER, DEFENDER, KING = 1, 2, 3
PLAYER, WINNER, MOVES = CELLS, CELLS + 1, CELLS + 2  # words after the cells
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))  # up, left, right, down
SETUP = (3, 10, 38, 45, 21, 22, 26, 27, 17, 23, 25, 31)  # eight attackers, four defenders


@inline
def step(cell, direction):
    """Return the next cell in a direction, -1 beyond the edge."""
    row, col = cell // SIZE + STEPS[direction][0], cell % SIZE + STEPS[direction][1]
    return SIZE * row + col if 0 <= row < SIZE and 0 <= col < SIZE else -1


@inline
def corner(cell):
    """Return whether a cell is a corner."""
    return cell in (0, SIZE - 1, CELLS - SIZE, CELLS - 1)


@inline
def owner(piece):
    """Return the player of a piece, -1 of none."""
    return -1 if piece == 0 else 0 if piece == ATTACKER else 1


@inline
def reach(state, cell, direction):
    """Return how far a piece can go; only the king may stand on corners."""
    far, to = 0, step(cell, direction)
    while to >= 0 and state[to] == 0 and (state[cell] == KING or not corner(to)):
        far += 1
        to = step(to, direction)
    return far


@rules
class Brandubh(NamedTuple):
    """state = [49 cells, player to move, winner + 1, moves]

    action = 24 * cell + 6 * direction + distance - 1
    """

    def start(self, state):
        state[:] = 0
        for i in range(12):
            state[SETUP[i]] = ATTACKER if i < 8 else DEFENDER
        state[THRONE] = KING

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        cell, direction, far = action // 24, action // 6 % 4, action % 6 + 1
        return owner(state[cell]) == state[PLAYER] and far <= reach(state, cell, direction)

    def moves(self, state, out):
        n = 0
        for cell in range(CELLS):
            if owner(state[cell]) == state[PLAYER]:
                for direction in range(4):
                    for far in range(reach(state, cell, direction)):
                        out[n] = 24 * cell + 6 * direction + far
                        n += 1
        return n

    def play(self, state, action):
        cell, direction, mover = action // 24, action // 6 % 4, state[PLAYER]
        to = cell + (SIZE * STEPS[direction][0] + STEPS[direction][1]) * (action % 6 + 1)
        state[to], state[cell] = state[cell], 0
        if state[to] == KING and corner(to):
            state[WINNER] = 2
        for direction in range(4):
            near = step(to, direction)
            far = step(near, direction) if near >= 0 else -1
            hostile = far >= 0 and (owner(state[far]) == mover or corner(far))
            if hostile and owner(state[near]) == 1 - mover:
                state[WINNER] = 1 if state[near] == KING else state[WINNER]
                state[near] = 0
        state[PLAYER] = 1 - mover
        state[MOVES] += 1
        free = 0
        for way in range(4 * CELLS):
            if owner(state[way // 4]) == 1 - mover:
                free += reach(state, way // 4, way % 4)
        if free == 0 and state[WINNER] == 0:
            state[WINNER] = mover + 1  # who cannot move has lost

    def over(self, state):
        return state[WINNER] > 0 or state[MOVES] == LONGEST

    def score(self, state, player):
        return 0.0 if state[WINNER] == 0 else 1.0 if state[WINNER] == player + 1 else -1.0

    def cell(self, state, c):
        return state[c]  # the last one says who is to move

    def facts(self):
        neighbours = [*grid_neighbours(SIZE, SIZE, ORTHOGONAL), []]
        sizes = {"players": 2, "actions": 24 * CELLS, "cells": CELLS + 1, "values": 4}
        pieces, kinds = {KING: (1, "K")}, {CELLS: "off"}
        return Facts(**sizes, words=CELLS + 3, neighbours=neighbours, pieces=pieces, kinds=kinds)

    def action_name(self, action):
        cell, (down, right), far = action // 24, STEPS[action // 6 % 4], action % 6 + 1
        return f"{named(cell)}-{named(cell + far * (SIZE * down + right))}"


def named(cell):
    """Return the name of a cell."""
    return f"{'abcdefg'[cell % SIZE]}{cell // SIZE + 1}"
