"""Brandubh and Tablut against a twin of sets and coordinates, written from the rules as people read
them; nothing of it is shared with the games."""

from collections import Counter
from random import Random

import numpy as np
import pytest

import tafl
from oracles import cells_of, facts_of, legal_actions, position, start
from tafl.boards.check import check
from tafl.core.games.brandubh import Brandubh
from tafl.core.games.tablut import Tablut
from tafl.core.play.perft import perft
from tafl.errors import InputError

WAYS = [(-1, 0), (0, -1), (0, 1), (1, 0)]


class Twin:
    """A position: the places of all attackers and defenders, and of the king."""

    def __init__(self, size, attackers, defenders, escape):
        middle = size // 2
        self.size, self.escape, self.throne = size, escape, (middle, middle)
        # all setups are the same from four sides
        self.men = [self.around(attackers), self.around(defenders)]
        self.king, self.turn, self.winner, self.moves = self.throne, 0, None, 0

    def around(self, places):
        far = self.size - 1
        turned = lambda place: (place[1], far - place[0])  # noqa: E731
        found = set(places)
        for _ in range(3):
            found |= {turned(place) for place in found}
        return found

    def corners(self):
        far = self.size - 1
        return {(r, c) for r in (0, far) for c in (0, far)} if self.escape == "corner" else set()

    def escaped(self):
        on_edge = self.king is not None and {0, self.size - 1} & set(self.king)
        return self.king in self.corners() if self.escape == "corner" else bool(on_edge)

    def inside(self, place):
        return all(0 <= x < self.size for x in place)

    def empty(self, place):
        return place not in self.men[0] | self.men[1] and place != self.king

    def own(self, side):
        return self.men[side] | ({self.king} if side == 1 else set())

    def legal(self):
        found = []
        for place in sorted(self.own(self.turn)):
            for way in range(4):
                to = step(place, way)
                while self.inside(to) and self.empty(to):
                    if place == self.king or to not in self.corners() | {self.throne}:
                        found.append((place, to))
                    to = step(to, way)
        return found

    def play(self, move):
        place, to = move
        if place == self.king:
            self.king = to
        else:
            self.men[self.turn] -= {place}
            self.men[self.turn] |= {to}
        taken = [step(to, way) for way in range(4) if self.caught(step(to, way), step(to, way, 2))]
        self.men[1 - self.turn] -= set(taken)
        if self.king in taken and self.turn == 0:
            self.king, self.winner = None, 0
        elif self.escaped():
            self.winner = 1
        self.turn, self.moves = 1 - self.turn, self.moves + 1
        if self.winner is None and not self.legal():
            self.winner = 1 - self.turn

    def caught(self, place, beyond):
        """Is the enemy there caught between the piece that moved and the place beyond?"""
        if place not in self.own(1 - self.turn):
            return False
        if place == self.king:
            sides = [step(place, way) for way in range(4)]
            if self.escape == "edge" and self.throne in [place, *sides]:
                return all(side in self.men[0] or side == self.throne for side in sides)
        throne = self.escape == "edge" and beyond == self.throne and self.empty(beyond)
        trap = beyond in self.corners() or throne
        return self.inside(beyond) and (beyond in self.own(self.turn) or trap)

    def cells(self):
        grid = [(r, c) for r in range(self.size) for c in range(self.size)]
        value = {**dict.fromkeys(self.men[0], 1), **dict.fromkeys(self.men[1], 2), self.king: 3}
        return [value.get(place, 0) for place in grid]

    def copy(self):
        other = object.__new__(Twin)
        other.__dict__ = self.__dict__ | {"men": [set(men) for men in self.men]}
        return other


def step(place, way, far=1):
    return place[0] + far * WAYS[way][0], place[1] + far * WAYS[way][1]


def brandubh():
    return Twin(7, [(0, 3), (1, 3)], [(2, 3)], "corner")


def tablut():
    return Twin(9, [(0, 3), (0, 4), (0, 5), (1, 4)], [(2, 4), (3, 4)], "edge")


GAMES = pytest.mark.parametrize(
    ("rules", "twin"), [(Brandubh(), brandubh), (Tablut(), tablut)], ids=["brandubh", "tablut"]
)


def action_of(size, move):
    """The number of a move: cell, direction, distance."""
    (r, c), (to_r, to_c) = move
    far = abs(to_r - r) + abs(to_c - c)
    way = WAYS.index(((to_r > r) - (to_r < r), (to_c > c) - (to_c < c)))
    return (4 * (size * r + c) + way) * (size - 1) + far - 1


def walked(twin, chance, prefer):
    """A random game of the twin; with `prefer`, moves that capture or end are more likely."""
    while twin.winner is None and twin.moves < 60:
        moves = twin.legal()
        if prefer and chance.random() < 0.5:
            lively = [move for move in moves if lively_move(twin, move)]
            moves = lively or moves
        yield chance.choice(moves)


def lively_move(twin, move):
    after = twin.copy()
    after.play(move)
    return after.winner is not None or sum(map(len, after.men)) < sum(map(len, twin.men))


@GAMES
def test_a_game_is_its_twin(rules, twin):
    chance, ends = Random(1), Counter()
    for number in range(12):
        state, there = start(rules), twin()
        for move in walked(there, chance, number % 3 > 0):
            actions = sorted(action_of(there.size, other) for other in there.legal())
            if there.moves % 8 == 0:
                assert legal_actions(rules, state) == actions
            listed = np.zeros(facts_of(rules).actions, np.int64)
            assert listed[: rules.list_moves(state, listed)].tolist() == actions
            again = position(rules, there.cells(), there.turn)
            assert list(again[:-1]) == list(state[:-1])  # all but the number of moves
            rules.play(state, action_of(there.size, move))
            there.play(move)
            assert cells_of(rules, state) == there.cells()
            assert rules.player(state) == there.turn
            assert rules.over(state) == (there.winner is not None)
        won = [1.0 if there.winner == p else -1.0 for p in range(2)]
        assert [rules.score(state, p) for p in range(2)] == (
            [0, 0] if there.winner is None else won
        )
        ends[there.winner, there.king is None] += 1
    assert ends[0, True] > 0  # the king captured
    assert ends[1, False] > 0


@GAMES
def test_sequences_of_moves_are_counted_as_by_the_twin(rules, twin):
    def count(there, depth):
        if depth == 0:
            return 1
        total = 0
        for move in there.legal() if there.winner is None else []:
            after = there.copy()
            after.play(move)
            total += count(after, depth - 1)
        return total

    depth = 3 if isinstance(rules, Brandubh) else 2
    assert perft(rules, rules.facts(), depth)[:2] == [count(twin(), d) for d in (1, 2)]
    if depth == 3:
        assert perft(rules, rules.facts(), 3)[2] == count(twin(), 3)


def set_up(rules, player, **pieces):
    """A position with pieces on named cells: attackers, defenders, the king."""
    game = tafl.game(type(rules))
    size = rules.lines.shape[2] + 1
    cells = [0] * size * size
    for value, name in enumerate(("attackers", "defenders", "king"), start=1):
        for where in pieces.get(name, "").split():
            cells[size * (size - int(where[1])) + "abcdefghi".index(where[0])] = value
    return game.position(cells, player)


@pytest.mark.parametrize(
    ("rules", "pieces", "move", "winner"),
    [
        # in the open two attackers are enough
        (Brandubh(), {"attackers": "a3 f1", "king": "b3"}, "f1-f3", None),
        (Brandubh(), {"attackers": "a3 c1", "king": "b3"}, "c1-c3", 0),
        # against a corner, one
        (Brandubh(), {"attackers": "c7", "king": "b1"}, "c7-c1", 0),
        (Brandubh(), {"attackers": "c4 f4", "king": "d4"}, "f4-e4", 0),
        # in Tablut three next to the throne, four on it
        (Tablut(), {"attackers": "d6 e8 f8", "king": "e6"}, "f8-f6", None),
        (Tablut(), {"attackers": "d6 e7 f8", "king": "e6"}, "f8-f6", 0),
        (Tablut(), {"attackers": "d5 e6 f8", "king": "e5"}, "f8-f5", None),
        (Tablut(), {"attackers": "d5 e6 e4 f8", "king": "e5"}, "f8-f5", 0),
        (Tablut(), {"attackers": "b3 d1", "king": "c3"}, "d1-d3", 0),
        (Tablut(), {"attackers": "d5 d4 f1", "king": "e4"}, "f1-f4", None),
        (Tablut(), {"attackers": "e3 d4 f1", "king": "e4"}, "f1-f4", 0),
    ],
)
def test_the_king_is_captured_by_two_three_or_four(rules, pieces, move, winner):
    state = set_up(rules, 0, **pieces)
    state.play(move)
    assert state.scores == ([0, 0] if winner is None else [1, -1])


@pytest.mark.parametrize(
    ("rules", "player", "pieces", "move", "taken"),
    [
        (Brandubh(), 1, {"attackers": "d5 a2", "defenders": "c6", "king": "e5"}, "c6-c5", "d5"),
        (Brandubh(), 1, {"attackers": "b7 g4", "defenders": "c4", "king": "d2"}, "c4-c7", "b7"),
        # only the throne of Tablut is hostile, and while the king sits there not to his men
        (Brandubh(), 1, {"attackers": "d5 a2", "defenders": "b6", "king": "g4"}, "b6-d6", ""),
        (Tablut(), 1, {"attackers": "e6 a2", "defenders": "c7", "king": "g4"}, "c7-e7", "e6"),
        (Tablut(), 1, {"attackers": "e6 a2", "defenders": "c7", "king": "e5"}, "c7-e7", "e6"),
        (Tablut(), 0, {"attackers": "c7 a2", "defenders": "e6", "king": "g4"}, "c7-e7", "e6"),
        (Tablut(), 0, {"attackers": "c7 a2", "defenders": "e6", "king": "e5"}, "c7-e7", ""),
    ],
)
def test_men_are_captured_by_the_king_the_throne_and_corners(rules, player, pieces, move, taken):
    state = set_up(rules, player, **pieces)
    after = state.afterstate(move)
    size = rules.lines.shape[2] + 1
    gone = [c for c in range(size * size) if state.cells[c] == 2 - player and not after.cells[c]]
    assert ["abcdefghi"[c % size] + str(size - c // size) for c in gone] == taken.split()


def test_only_the_king_stops_on_the_throne_and_others_pass_over_it():
    state = set_up(Brandubh(), 0, attackers="b4 a6", king="g2")
    names = set(state.legal_moves.values())
    assert {"b4-c4", "b4-e4", "b4-g4"} <= names
    assert "b4-d4" not in names
    assert "a6-b6" in names


def test_who_cannot_move_has_lost():
    state = set_up(Brandubh(), 0, attackers="c7 e7 d2", king="d7")
    state.play("d2-d6")
    assert state.cells.count(3) == 1  # he is not captured
    assert state.scores == [1, -1]


@pytest.mark.parametrize(
    ("player", "pieces", "message"),
    [
        (1, {"defenders": "a7", "king": "g3"}, "only the king may stand on a7"),
        (0, {"attackers": "d4", "king": "g3"}, "only the king may stand on d4"),
        (0, {"attackers": "b2"}, "there is one king"),
        (1, {"attackers": "b2", "king": "a1"}, "the loser moves"),
    ],
)
def test_positions_that_cannot_be_are_refused(player, pieces, message):
    with pytest.raises(InputError, match=message):
        set_up(Brandubh(), player, **pieces)


@pytest.mark.parametrize("name", ["brandubh", "tablut"])
def test_checks_find_nothing(name):
    findings = check(name, games=2)
    assert findings.faults == {}


def test_a_game_of_no_end_is_a_draw():
    game = tafl.game("brandubh(limit=4)")
    state = game.start()
    for move in ("d7-c7", "d5-c5", "c7-d7", "c5-d5"):
        assert not state.over
        state.play(move)
    assert state.over
    assert state.scores == [0, 0]
