"""EinStein würfelt nicht for two to four, on all boards, against a twin of places and lists.

Two players on 5x5 cells are compared with OpenSpiel in test_rules_two_players.py.
"""

from itertools import permutations
from random import Random

import numpy as np
import pytest

import tafl
from oracles import cells_of, facts_of, legal_actions, position, start
from tafl.core.games.einstein import Einstein
from tafl.errors import InputError

SIZES = [(2, 3), (2, 4), (2, 6), (3, 4), (3, 6), (4, 4), (4, 5), (4, 6)]
GAMES = pytest.mark.parametrize(("players", "size"), SIZES)


class Twin:
    """The places of all stones: {(player, number): (row, column)}."""

    def __init__(self, players, size, stones):
        self.size, self.places, self.turn, self.winner = size, dict(stones), 0, None
        far = size - 1
        corners = [(0, 0), (0, far), (far, far), (far, 0)]  # clockwise
        chosen = [0, 2] if players == 2 else range(players)
        self.players, self.home = players, [corners[k] for k in chosen]

    def way(self):
        """Down and across, from the corner of the player to move: 1 or -1."""
        return [1 if x == 0 else -1 for x in self.home[self.turn]]

    def numbers(self, die):
        own = sorted(number for player, number in self.places if player == self.turn)
        lower, higher = [n for n in own if n < die], [n for n in own if n > die]
        return [die] if die in own else lower[-1:] + higher[:1]

    def step(self, way):
        """Across leads to the next corner clockwise, so it is down a side for every other one."""
        down, across = self.way()
        first, second = ((0, across), (down, 0))
        if down != across:  # upper right and lower left
            first, second = second, first
        return [first, second, (down, across)][way]

    def legal(self, die):
        found = []
        for number in self.numbers(die):
            row, column = self.places[self.turn, number]
            for way in range(3):
                down, across = self.step(way)
                to = row + down, column + across
                if all(0 <= x < self.size for x in to):
                    found.append((3 * (number - 1) + way, number, to))
        return found

    def play(self, number, to):
        self.places = {stone: at for stone, at in self.places.items() if at != to}
        self.places[self.turn, number] = to
        left = {player for player, _ in self.places}
        goal = tuple(self.size - 1 - x for x in self.home[self.turn])
        if to == goal or left == {self.turn}:
            self.winner = self.turn
        self.turn = (self.turn + 1) % self.players
        while self.winner is None and self.turn not in left:
            self.turn = (self.turn + 1) % self.players

    def cells(self, die, each):
        grid = {at: each * player + number for (player, number), at in self.places.items()}
        places = [(r, c) for r in range(self.size) for c in range(self.size)]
        return [*(grid.get(place, 0) for place in places), die]


def each(players, size):
    return 6 if size == 6 or (players == 2 and size > 3) else 3


def dealt(rules, seed):
    state = start(rules)
    with np.errstate(over="ignore"):
        rules.chance(state, np.array([seed], np.uint64))
    return state


@GAMES
def test_a_game_is_its_twin(players, size):
    rules, chance, winners = Einstein(players=players, size=size), Random(size), set()
    count, out = each(players, size), 0
    for seed in range(12):
        state = dealt(rules, seed)
        cells = cells_of(rules, state)
        stones = {
            ((v - 1) // count, (v - 1) % count + 1): divmod(c, size)
            for c, v in enumerate(cells[:-1])
            if v
        }
        assert len(stones) == players * count
        twin = Twin(players, size, stones)
        while twin.winner is None:
            die = chance.randrange(1, count + 1)
            state[players * count + 1] = die
            legal = twin.legal(die)
            assert legal_actions(rules, state) == sorted(action for action, *_ in legal)
            assert list(position(rules, twin.cells(die, count), twin.turn)) == list(state)
            action, number, to = chance.choice(legal)
            rules.play(state, action)
            twin.play(number, to)
            assert cells_of(rules, state) == twin.cells(0, count)
            assert rules.player(state) == twin.turn
            assert rules.over(state) == (twin.winner is not None)
            out += len({player for player, _ in twin.places}) < players
        assert list(position(rules, twin.cells(0, count), twin.turn)) == list(state)
        lost = -1 / (players - 1)
        scores = [rules.score(state, p) for p in range(players)]
        assert scores == [1 if p == twin.winner else lost for p in range(players)]
        winners.add(twin.winner)
    assert len(winners) > 1


@GAMES
def test_stones_begin_in_every_order_the_same_for_all(players, size):
    rules, count = Einstein(players=players, size=size), each(players, size)
    state, orders = start(rules), set()
    outcomes = rules.outcomes(state)
    assert outcomes == count * len(list(permutations(range(count))))
    for i in range(0, outcomes, 1 if count == 3 else 13):
        state = start(rules)
        assert rules.outcome(state, i) == pytest.approx(1 / outcomes)
        homes = [
            distances(state[count * p : count * (p + 1)], size, p, players) for p in range(players)
        ]
        assert all(home == homes[0] for home in homes)
        orders.add((tuple(homes[0]), int(state[players * count + 1])))
    assert len(orders) == len(range(0, outcomes, 1 if count == 3 else 13))


def distances(stones, size, player, players):
    """How far each stone is from its corner, along the next side clockwise and the other one."""
    corner = 2 * player if players == 2 else player
    found = []
    for stone in stones:
        row, column = divmod(int(stone).bit_length() - 1, size)
        for _ in range(corner):  # turn the board back
            row, column = size - 1 - column, row
        found.append((row, column))
    return found


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("einstein(size=7)", "size must be a whole number from 3 to 6, not 7"),
        ("einstein(players=3,size=3)", "size must be a whole number from 4 to 6, not 3"),
        ("einstein(players=5)", "players must be a whole number from 2 to 4, not 5"),
    ],
)
def test_parameters_out_of_range_are_refused(spec, message):
    with pytest.raises(InputError, match=message):
        tafl.game(spec)


def test_positions_that_cannot_be_are_refused():
    game = tafl.game("einstein(size=3)")
    for cells, player, message in (
        ([0, 0, 4, 0, 1, 0, 0, 0, 0, 0], 0, "the die shows 1 to 3"),
        ([0, 0, 4, 0, 1, 0, 0, 0, 0, 5], 0, "the die shows 1 to 3"),
        ([4, 0, 0, 0, 0, 0, 0, 0, 1, 1], 0, "only one player"),
        ([0, 0, 4, 0, 4, 0, 0, 0, 0, 1], 0, "more than one stone of value 4"),
        ([0, 0, 4, 0, 0, 0, 0, 0, 1, 0], 0, "the player before has won"),
    ):
        with pytest.raises(InputError, match=message):
            game.position(cells, player)
    assert game.position([0, 0, 4, 0, 0, 0, 0, 0, 1, 0], 1).over
    assert facts_of(Einstein(size=3)).actions == 9
