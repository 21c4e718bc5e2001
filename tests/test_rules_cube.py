"""Rubik's cube: published numbers of positions by distance, and what no turn can change."""

import numpy as np
import pytest

import tafl
from long import long
from oracles import facts_of, start
from tafl.boards.check import check
from tafl.core.games.cube import Cube
from tafl.core.games.cube_pieces import SOLVED_CORNERS, SOLVED_EDGES
from tafl.errors import InputError

# Positions at distance 0, 1, 2, ... of 2x2x2: OEIS A079761 and A079762; of 3x3x3: cube20.org.
SMALL_HALF = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
SMALL_QUARTER = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536]
SMALL_QUARTER += [90280, 276]
LARGE_HALF = [1, 18, 243, 3240, 43239, 574908]
LARGE_QUARTER = [1, 12, 114, 1068, 10011, 93840, 878880]
HALF, QUARTER = Cube(size=3), Cube(size=3, quarter=True)
SPECS = ("cube", "cube(quarter=true)", "cube(size=3)", "cube(size=3,quarter=true)")


def solved(rules):
    state = start(rules)
    state[0], state[1] = SOLVED_CORNERS, SOLVED_EDGES if rules.size == 3 else 0
    return state


def distances(rules, furthest):
    """Count the positions at each distance; the rules play on whole arrays of positions."""
    front, seen, counts = np.array([solved(rules)[:2]]), np.zeros(0, np.uint64), [1]
    names = before = np.zeros(1, np.uint64)
    names = name_of(front)
    for _ in range(furthest):
        found = []
        for action in range(facts_of(rules).actions):
            state = [front[:, 0].copy(), front[:, 1].copy(), 0]
            rules.play(state, action)
            found.append(np.stack(state[:2], axis=1))
        following = np.concatenate(found)
        named, first = np.unique(name_of(following), return_index=True)
        # a turn can be taken back: what is near was there at most two turns ago
        new = ~np.isin(named, names) & ~np.isin(named, before)
        before, names, front = names, named[new], following[first[new]]
        counts.append(len(front))
    del seen
    return counts


def name_of(words):
    """A number for each position; two words in one, by a product modulo 2**64."""
    with np.errstate(over="ignore"):
        return words[:, 0].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) ^ words[:, 1].astype(
            np.uint64
        )


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (Cube(), SMALL_HALF[:8]),
        long((Cube(), SMALL_HALF)),
        (Cube(quarter=True), SMALL_QUARTER[:10]),
        long((Cube(quarter=True), SMALL_QUARTER)),
        (HALF, LARGE_HALF),
        (QUARTER, LARGE_QUARTER),
    ],
)
def test_as_many_positions_are_as_many_turns_away_as_published(rules, counts):
    assert distances(rules, len(counts) - 1) == counts
    if counts in (SMALL_HALF, SMALL_QUARTER):
        assert sum(counts) == 3_674_160


@pytest.mark.parametrize("spec", SPECS)
def test_checks_find_nothing(spec):
    assert check(spec, games=3).faults == {}


def test_turns_are_those_of_people():
    """A turn is clockwise for who looks at the face; six times a sexy move is nothing."""
    game = tafl.game("cube(size=3)")
    state = game.position(cells_of_solved(game))
    state = game.from_words(solved(HALF).tolist())
    moved = turned(game, state, "R")
    assert [moved.cells[c] for c in (2, 5, 8)] == [3, 3, 3]  # up has front's colour on the right
    moved = turned(game, state, "U")
    assert moved.cells[18:21] == [2, 2, 2]  # front has right's colour on top
    moved = turned(game, state, "F")
    assert [moved.cells[c] for c in (6, 7, 8)] == [5, 5, 5]  # up has left's colour
    for moves, times in ((["R", "U", "R'", "U'"], 6), (["R", "U"], 105), (["U2", "U", "U"], 1)):
        assert turned(game, state, *moves * times).words[:2].tolist() == state.words[:2].tolist()
    assert turned(game, state, *["R", "U"] * 104).words[:2].tolist() != state.words[:2].tolist()


def cells_of_solved(game):
    return [1 + c // 9 for c in range(54)]


def turned(game, state, *names):
    """The position after turns, also where the game is over."""
    words = state.words.copy()
    known = [game.action_name(a) for a in range(game.facts.actions)]
    for name in names:
        game.rules.play(words, known.index(name))
    words[2] = 0
    return game.from_words(words.tolist())


@pytest.mark.parametrize("rules", [Cube(), QUARTER], ids=["2x2x2", "3x3x3"])
def test_dealt_positions_are_different_and_turns_lead_to_them(rules):
    """Twists of corners, flips of edges, and the sense of both orders are as turns leave them."""
    seen = set()
    for seed in range(300):
        state, rng = start(rules), np.array([seed], np.uint64)
        with np.errstate(over="ignore"):
            rules.chance(state, rng)
        assert invariants(state, rules.size) == invariants(solved(rules), rules.size)
        seen.add((*state,))
    assert len(seen) > 298
    scrambled = start(rules)
    for seed in range(100):
        with np.errstate(over="ignore"):
            rules.scramble(scrambled, 1 + seed % 25, np.array([seed], np.uint64))
        assert invariants(scrambled, rules.size) == invariants(solved(rules), rules.size)
        assert scrambled[2] == 0


def invariants(state, size):
    corners = [int(state[0]) >> 5 * i & 31 for i in range(8)]
    edges = [int(state[1]) >> 5 * i & 31 for i in range(12)] if size == 3 else []
    assert sorted(n // 3 for n in corners) == list(range(8))
    assert sorted(n // 2 for n in edges) == list(range(len(edges)))
    parity = (sense([n // 3 for n in corners]) + sense([n // 2 for n in edges])) % 2
    twist = sum(n % 3 for n in corners) % 3
    kept = parity if size == 3 else corners[7]
    return kept, twist, sum(n % 2 for n in edges) % 2


def sense(order):
    """The number of exchanges that sort a list."""
    order, count = list(order), 0
    for i in range(len(order)):
        while order[i] != i:
            j = order[i]
            order[i], order[j] = order[j], order[i]
            count += 1
    return count


@pytest.mark.parametrize("rules", [Cube(), QUARTER, HALF], ids=["2x2x2", "quarter", "half"])
def test_scrambles_of_one_turn_are_all_turns_alike(rules):
    counts = {}
    for seed in range(40 * facts_of(rules).actions):
        state = start(rules)
        with np.errstate(over="ignore"):
            rules.scramble(state, 1, np.array([seed], np.uint64))
        counts[(*state,)] = counts.get((*state,), 0) + 1
    assert len(counts) == facts_of(rules).actions
    assert max(counts.values()) < 80


@pytest.mark.parametrize(("spec", "cells"), [("cube", 24), ("cube(size=3)", 54)])
def test_positions_are_set_up_from_colours(spec, cells):
    game = tafl.game(spec)
    for seed in range(20):
        state = game.start(seed)
        assert game.position(state.cells).words.tolist() == state.words.tolist()
        assert sorted(state.cells) == sorted(1 + c // (cells // 6) for c in range(cells))


def test_impossible_positions_are_refused():
    game = tafl.game("cube(size=3)")
    cells = cells_of_solved(game)

    def exchanged(*pairs):
        found = list(cells)
        for a, b in pairs:
            found[a], found[b] = cells[b], cells[a]
        return found

    assert game.position(cells).over
    with pytest.raises(InputError, match="no edge of some colours"):
        game.position(exchanged((7, 46)))
    with pytest.raises(InputError, match="an edge is twisted"):
        game.position(exchanged((7, 19)))
    with pytest.raises(InputError, match="two pieces are exchanged"):
        game.position(exchanged((19, 10)))
    twisted = list(cells)
    twisted[8], twisted[20], twisted[9] = cells[20], cells[9], cells[8]
    with pytest.raises(InputError, match="a corner is twisted"):
        game.position(twisted)
    with pytest.raises(InputError, match="size must be a whole number from 2 to 3, not 4"):
        tafl.game("cube(size=4)")
