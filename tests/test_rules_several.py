"""Games for three and more: rules against plain twins of lists and sets, and what is known of them.

A twin is written from the rules of the game as people read them: `legal`, `play`, `winners` once
the game is over. Nothing of it is shared with the game.
"""

from functools import cache
from itertools import combinations, permutations, product
from random import Random

import numpy as np
import pytest

import tafl
from oracles import cells_of, facts_of, legal_actions, position, start
from tafl.core.games.connectfour3p import ConnectFour3P
from tafl.core.games.hex3p import Hex3P
from tafl.core.games.nim import Nim
from tafl.core.games.nim3p import Nim3P
from tafl.core.games.nimnp import NimNP
from tafl.core.games.points import exchanges
from tafl.core.games.rolit import Rolit
from tafl.core.games.sim import Sim
from tafl.core.games.yavalath import Yavalath
from tafl.errors import InputError

LINES = list(combinations("123456", 2))


class Twin:
    """A game in progress: `owner` says whose stone lies where, `left` who is still in it."""

    def __init__(self, players, places):
        self.players, self.places = players, places
        self.owner, self.left, self.turn, self.over = {}, list(range(players)), 0, False

    def legal(self):
        return [a for a, place in enumerate(self.places) if place not in self.owner]

    def play(self, action):
        place = self.places[action]
        self.owner[place] = self.turn
        self.judge(place)
        self.over = self.over or len(self.left) == 1 or len(self.owner) == len(self.places)
        self.turn = (self.turn + 1) % self.players
        while self.turn not in self.left:
            self.turn = (self.turn + 1) % self.players

    def own(self, player):
        return {place for place, owner in self.owner.items() if owner == player}

    def scores(self):
        """A win is 1, shared by those who are left; all together lose as much as is won."""
        lost = -1 / (self.players - 1)
        won = -lost * (self.players - len(self.left)) / len(self.left)
        return [won if player in self.left else lost for player in range(self.players)]

    def cells(self):
        return [1 + self.owner.get(place, -1) for place in self.places]


class SimTwin(Twin):
    def __init__(self, players, points="123456"):
        super().__init__(players, [frozenset(line) for line in combinations(points, 2)])
        self.points = set(points)

    def judge(self, place):
        own = self.own(self.turn)
        for third in self.points - place:
            if all(frozenset({end, third}) in own for end in place):
                self.left.remove(self.turn)
                self.over = True
                return

    def scores(self):
        if len(self.left) == self.players:
            return [0.0] * self.players
        won = 1 / (self.players - 1)
        return [won if player in self.left else -1.0 for player in range(self.players)]


class ConnectFourTwin(Twin):
    def __init__(self):
        super().__init__(3, [(x, y) for y in range(6) for x in range(8)])

    def legal(self):
        return [x for x in range(8) if (x, 5) not in self.owner]

    def play(self, action):
        height = sum(x == action for x, _ in self.owner)
        super().play(self.places.index((action, height)))

    def judge(self, place):
        if longest(place, self.own(self.turn), ((1, 0), (0, 1), (1, 1), (1, -1))) >= 4:
            self.left = [self.turn]

    def cells(self):
        heights = [sum(x == column for x, _ in self.owner) for column in range(8)]
        return [4 if y == heights[x] else 1 + self.owner.get((x, y), -1) for x, y in self.places]


def longest(place, own, steps):
    """The longest line of own stones through a place."""
    runs = []
    for step in steps:
        run = 1
        for sign in (1, -1):
            there = place
            while (there := tuple(a + sign * d for a, d in zip(there, step, strict=True))) in own:
                run += 1
        runs.append(run)
    return max(runs)


def hexagon(size):
    """Places by three coordinates that add up to 0, row by row."""
    reach = range(1 - size, size)
    return [(x, -x - z, z) for z in reach for x in reach if abs(x + z) < size]


HEXAGONAL = ((1, -1, 0), (0, -1, 1), (-1, 0, 1))


class HexTwin(Twin):
    """Player 0 connects z = -far and z = far, player 1 x, player 2 y."""

    def __init__(self, size):
        super().__init__(3, hexagon(size))
        self.far = size - 1

    def judge(self, place):
        self.left = [player for player in self.left if self.can_connect(player)]

    def can_connect(self, player):
        axis = (2, 0, 1)[player]
        free = [place for place in self.places if self.owner.get(place, player) == player]
        reached = {place for place in free if place[axis] == -self.far}
        while more := {p for p in free if p not in reached and any(near(p, q) for q in reached)}:
            reached |= more
        return any(place[axis] == self.far for place in reached)

    def cells(self):
        out = [1 + player for player in range(3) if player not in self.left]
        return [*Twin.cells(self), out[0] if len(out) == 1 else 0]


def near(p, q):
    return sorted(a - b for a, b in zip(p, q, strict=True)) == [-1, 0, 1]


class YavalathTwin(Twin):
    def __init__(self, players, size=5):
        super().__init__(players, hexagon(size))

    def legal(self):
        if self.players == 3:
            others = self.left[self.left.index(self.turn) + 1 :] + self.left
            threats = self.winning(others[0])
            if threats:
                return sorted(threats | self.winning(self.turn))
        return super().legal()

    def winning(self, player):
        own = self.own(player)
        free = super().legal()
        return {a for a in free if longest(self.places[a], own, HEXAGONAL) >= 4}

    def judge(self, place):
        run = longest(place, self.own(self.turn), HEXAGONAL)
        if run >= 4:
            self.left = [self.turn]
        elif run == 3:
            self.left.remove(self.turn)

    cells = HexTwin.cells


class YavalathForTwo(YavalathTwin):
    cells = Twin.cells


class RolitTwin(Twin):
    def __init__(self, players):
        super().__init__(players, [(x, y) for y in range(8) for x in range(8)])
        self.owner = {(3, 3): 0, (4, 3): 1, (4, 4): 2, (3, 4): 3}

    def turned(self, place):
        found = set()
        for dx, dy in set(product((-1, 0, 1), repeat=2)) - {(0, 0)}:
            x, y = place
            line = []
            while (x := x + dx, y := y + dy) in self.owner and self.owner[x, y] != self.turn:
                line.append((x, y))
            if (x, y) in self.owner:
                found |= set(line)
        return found

    def legal(self):
        free = [a for a, place in enumerate(self.places) if place not in self.owner]
        beside = [a for a in free if any(self.touch(self.places[a], ball) for ball in self.owner)]
        return [a for a in beside if self.turned(self.places[a])] or beside

    @staticmethod
    def touch(p, q):
        return max(abs(p[0] - q[0]), abs(p[1] - q[1])) == 1

    def judge(self, place):
        for other in self.turned(place):
            self.owner[other] = self.turn
        if len(self.owner) == 64:
            counts = [len(self.own(player)) for player in range(self.players)]
            self.left = [p for p in range(self.players) if counts[p] == max(counts)]


TWINS = [
    (Sim(), lambda: SimTwin(2), 30),
    (Sim(players=3), lambda: SimTwin(3), 60),
    (Sim(points=4), lambda: SimTwin(2, "1234"), 20),
    (Sim(points=5, players=3), lambda: SimTwin(3, "12345"), 30),
    (Sim(points=7), lambda: SimTwin(2, "1234567"), 10),
    (Sim(points=8, players=3), lambda: SimTwin(3, "12345678"), 20),
    (ConnectFour3P(), ConnectFourTwin, 30),
    (Hex3P(size=2), lambda: HexTwin(2), 30),
    (Hex3P(size=3), lambda: HexTwin(3), 15),
    (Hex3P(size=4), lambda: HexTwin(4), 4),
    (Yavalath(), lambda: YavalathForTwo(2), 40),
    (Yavalath(players=3), lambda: YavalathTwin(3), 12),
    (Yavalath(size=3), lambda: YavalathForTwo(2, 3), 30),
    (Yavalath(players=3, size=4), lambda: YavalathTwin(3, 4), 12),
    (Rolit(players=2), lambda: RolitTwin(2), 6),
    (Rolit(players=3), lambda: RolitTwin(3), 6),
    (Rolit(players=4), lambda: RolitTwin(4), 6),
]


@pytest.mark.parametrize(
    ("rules", "twin", "games"), TWINS, ids=[f"{type(rules).__name__}-{n}" for rules, _, n in TWINS]
)
def test_a_game_is_its_twin(rules, twin, games):
    chance, ends = Random(1), set()
    with np.errstate(over="ignore"):
        for _ in range(games):
            state, there = start(rules), twin()
            while not there.over:
                assert not rules.over(state)
                assert rules.player(state) == there.turn
                assert legal_actions(rules, state) == there.legal()
                assert list(position(rules, there.cells(), there.turn)) == list(state)
                action = chance.choice(there.legal())
                rules.play(state, action)
                there.play(action)
                assert cells_of(rules, state) == there.cells()
            assert rules.over(state)
            assert list(position(rules, there.cells(), rules.player(state))) == list(state)
            scores = [rules.score(state, player) for player in range(facts_of(rules).players)]
            assert scores == pytest.approx(there.scores())
            assert sum(scores) == pytest.approx(0)
            ends.add(tuple(scores))
    assert len(ends) > 1


def stones(rules, *owners):
    """Cells where each player has its stones on some cells."""
    cells = [0] * facts_of(rules).cells
    for value, places in enumerate(owners, start=1):
        for cell in places:
            cells[cell] = value
    return cells


@pytest.mark.parametrize(
    ("rules", "owners", "player", "message"),
    [
        (Sim(), ([0, 1], []), 0, "2 stones of player 0 and 0 of player 1 are impossible"),
        (Sim(), ([0, 1, 5], [2, 3, 4]), 0, "already won"),
        (Sim(players=3), ([0], [1], []), 0, "1 of player 1 and 0 of player 2 player 2 is to move"),
        (ConnectFour3P(), ([8], [], []), 1, "a stone floats"),
        (ConnectFour3P(), ([0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 12]), 0, "already won"),
        (Hex3P(size=2), ([0], [1], [2]), 1, "player 0 is to move, not player 1"),
        (Hex3P(size=2), ([0, 1, 4, 6], [2], [3]), 1, "player 1 is out and cannot be to move"),
        (Hex3P(size=2), ([0, 3], [1], [4, 6]), 0, "who is out"),
        (Yavalath(), ([0, 1, 2], [10, 20]), 0, "player 0 is out and cannot be to move"),
        (Yavalath(players=3), ([0, 1, 2], [10, 20], [30, 40]), 1, "who is out"),
        (Rolit(), ([27], [28], [36]), 0, "can never be empty"),
        (Rolit(), ([27], [28], [36], [35]), 1, "player 0 is to move, not player 1"),
    ],
)
def test_positions_that_cannot_be_are_refused(rules, owners, player, message):
    with pytest.raises(ValueError, match=message):
        position(rules, stones(rules, *owners), player)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("sim(players=4)", "players must be a whole number from 2 to 3, not 4"),
        ("sim(points=9)", "points must be a whole number from 4 to 8, not 9"),
        ("yavalath(size=6)", "size must be a whole number from 3 to 5, not 6"),
        ("yavalath(players=1)", "players must be a whole number from 2 to 3, not 1"),
        ("rolit(players=5)", "players must be a whole number from 2 to 4, not 5"),
        ("hex3p(size=5)", "size must be a whole number from 2 to 4, not 5"),
        ("nimnp(players=9)", "players must be a whole number from 2 to 8, not 9"),
        ("nimnp(heaps=0)", "heaps must be a whole number from 1 to 16, not 0"),
    ],
)
def test_parameters_out_of_range_are_refused(spec, message):
    with pytest.raises(InputError, match=message):
        tafl.game(spec)


@pytest.mark.parametrize(
    ("rules", "same", "shift", "factor"),
    [
        (NimNP(players=3), Nim3P(), 0, 1),
        (NimNP(heaps=2, take=3, players=3, extra=False), Nim3P(heaps=2, take=3, extra=False), 0, 1),
        (NimNP(players=2), Nim(misere=True), 1, 0.5),
    ],
)
def test_nim_for_two_or_three_is_nim(rules, same, shift, factor):
    chance = Random(1)
    for _ in range(30):
        here, there = start(rules), start(same)
        while not same.over(there):
            assert legal_actions(rules, here) == legal_actions(same, there)
            action = chance.choice(legal_actions(same, there))
            rules.play(here, action)
            same.play(there, action)
            assert list(here) == list(there)
        scores = [rules.score(here, p) for p in range(facts_of(rules).players)]
        assert scores == [(same.score(there, p) + shift) * factor for p in range(len(scores))]


def test_who_takes_the_last_stone_of_nim_gets_nothing():
    rules = NimNP(heaps=5, stones=1, players=4)
    state = start(rules)
    for action in range(5):  # player 0 takes the last stone
        rules.play(state, action)
    assert [rules.score(state, p) for p in range(4)] == [0.0, 1.0, 0.0, 0.2]


@pytest.mark.parametrize(("points", "orders"), [(4, 24), (5, 120), (6, 720), (7, 42), (8, 56)])
def test_the_orders_of_points_are_a_group_that_makes_all_lines_alike(points, orders):
    found = set(exchanges(points))
    assert len(found) == orders
    assert all(tuple(p[x] for x in q) in found for p in found for q in list(found)[:30])
    assert len({frozenset((p[0], p[1])) for p in found}) == points * (points - 1) // 2


def test_the_second_player_wins_sim():
    """Solved in 1974 by Mead, Rosa and Huang; here by looking at all positions, up to symmetry."""
    number = {line: n for n, line in enumerate(LINES)}
    bits = np.array(
        [
            [1 << number[tuple(sorted((p[int(a) - 1], p[int(b) - 1])))] for a, b in LINES]
            for p in permutations("123456")
        ]
    )  # of each line on each of 720 boards
    rules = Sim()

    @cache
    def wins(own, other):
        """Does the player to move win?"""
        for action in range(15):
            if not ((own | other) >> action) & 1:
                state = np.array([own, other, 0, 0, 0], np.int64)
                rules.play(state, action)
                if not rules.over(state) and not wins(*canonical(other, int(state[0]))):
                    return True
        return False

    def canonical(own, other):
        own, other = (bits @ ((lines >> np.arange(15)) & 1) for lines in (own, other))
        return divmod(int((own << 15 | other).min()), 1 << 15)

    assert not wins(0, 0)
