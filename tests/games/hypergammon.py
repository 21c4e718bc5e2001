"""Hypergammon: a race of three checkers each with two dice; a checker alone can be sent back."""

from typing import NamedTuple

from tafl.rules import Facts, below, inline, rules

POINTS, MEN, SIDES, LONGEST = 12, 3, 4, 400
BAR, HOME, PASS = 0, POINTS + 1, 2 * (POINTS + 1)
PLAYER, MOVES = 2 * MEN + 2, 2 * MEN + 3  # words after the checkers and the dice


@inline
def count(state, player, way):
    """Return how many checkers of a player have gone this far."""
    n = 0
    for i in range(MEN * player, MEN * player + MEN):
        n += state[i] == way
    return n


@inline
def target(state, way, die):
    """Return how far a checker comes with a die, -1 if it may not go."""
    p, pips = state[PLAYER], state[2 * MEN + die]
    if pips == 0 or count(state, p, way) == 0 or (way != BAR and count(state, p, BAR) > 0):
        return -1
    if die == 1 and pips == state[2 * MEN]:
        return -1  # of equal dice the first one is used
    to = min(way + pips, HOME)
    return -1 if to < HOME and count(state, 1 - p, POINTS + 1 - to) > 1 else to


@inline
def stuck(state):
    """Return whether no die lets the player to move go on."""
    possible = 0
    for action in range(PASS):
        possible += target(state, action // 2, action % 2) >= 0
    return possible == 0


@inline
def ended(state):
    """Return whether a player has all checkers home, or the game has become too long."""
    home = count(state, 0, HOME) == MEN or count(state, 1, HOME) == MEN
    return home or state[MOVES] >= LONGEST


@rules
class Hypergammon(NamedTuple):
    """state = [ways of three checkers, of the other player's, two dice, player, moves]

    A way is 0 on the bar, 1 to 12 on the points, 13 at home; the players go in opposite directions.
    action = 2 * way + die, or 26 to pass; cells: points, bars and homes, dice, who is to move
    """

    def start(self, state):
        state[:] = 0
        for i in range(2 * MEN):
            state[i] = 1 + i % MEN

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return stuck(state) if action == PASS else target(state, action // 2, action % 2) >= 0

    def play(self, state, action):
        p, first = state[PLAYER], MEN * state[PLAYER]
        state[MOVES] += 1
        if action == PASS:
            state[2 * MEN] = state[2 * MEN + 1] = 0
        else:
            way, die = action // 2, action % 2
            to, moved = target(state, way, die), 0
            for i in range(MEN):
                if state[first + i] == way and moved == 0:
                    state[first + i], moved = to, 1
                if to < HOME and state[MEN - first + i] == POINTS + 1 - to:
                    state[MEN - first + i] = BAR
            state[2 * MEN + die] = 0
        if state[2 * MEN] == 0 and state[2 * MEN + 1] == 0:
            state[PLAYER] = 1 - p

    def chance(self, state, rng):
        if state[2 * MEN] == 0 and state[2 * MEN + 1] == 0 and not ended(state):
            state[2 * MEN], state[2 * MEN + 1] = 1 + below(rng, SIDES), 1 + below(rng, SIDES)

    def over(self, state):
        return ended(state)

    def score(self, state, player):
        mine, other = count(state, player, HOME), count(state, 1 - player, HOME)
        return 0.0 if not ended(state) or mine == other else 1.0 if mine > other else -1.0

    def cell(self, state, c):
        if c >= POINTS + 4:
            return state[2 * MEN + c - POINTS - 4]  # two dice, and the player
        if c >= POINTS:
            p = (c - POINTS) // 2
            n = count(state, p, BAR if c % 2 == 0 else HOME)
            return n + MEN * p if n > 0 else 0
        mine, other = count(state, 0, c + 1), count(state, 1, POINTS - c)
        return MEN + other if other > 0 else mine

    def facts(self):
        line = [[n for n in (c - 1, c + 1) if 0 <= n < POINTS] for c in range(POINTS)]
        sizes = {"players": 2, "actions": PASS + 1, "cells": POINTS + 7, "values": 2 * MEN + 1}
        looks = [(p, "" if n == 1 else str(n)) for p in (0, 1) for n in range(1, MEN + 1)]
        return Facts(
            **sizes,
            words=2 * MEN + 4,
            neighbours=[*line, *([] for _ in range(7))],
            kinds={POINTS + 4: "die", POINTS + 5: "die", POINTS + 6: "off"},
            pieces=dict(enumerate(looks, start=1)),
        )

    def action_name(self, action):
        die = ("first", "second")[action % 2]
        return "pass" if action == PASS else f"{action // 2} by the {die} die"
