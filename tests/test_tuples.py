"""n-tuple sets: the authors' lists in tafl's order of cells, tafl's own, and random ones."""

import json
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from studies.make import tuple_sets
from tafl.core.games.connectfour import four
from tafl.core.games.grid import ALL_AROUND, ORTHOGONAL, grid_neighbours
from tafl.core.games.rules import Facts
from tafl.errors import InputError
from tafl.settings.build import make_tuples
from tafl.settings.presets import compose
from tafl.tuples import checked, fixed, lines, names, random_points, random_walk

# As the authors number cells: ConnectFour and Hex 6 * column + row, all others row by row.
AUTHORS = json.loads((Path(__file__).parent / "data" / "ntuples_authors.json").read_text())
HEX = (*ORTHOGONAL, (-1, 1), (1, -1))


def board(rows: int, cols: int, steps=ORTHOGONAL) -> Facts:
    return Facts(
        players=2,
        actions=1,
        cells=rows * cols,
        values=3,
        words=1,
        neighbours=grid_neighbours(rows, cols, steps),
    )


@pytest.mark.parametrize("name", AUTHORS)
def test_sets_are_the_authors_after_renumbering(name):
    """Each cell as (row, column), worked out separately for both orders of cells."""
    theirs, game = AUTHORS[name], name.rpartition("-")[0]
    ours = fixed(name)
    if game in ("connectfour", "hex"):
        places = [[(c % 6, c // 6) for c in cells] for cells in theirs]
        cols = {"connectfour": 7, "hex": 6}[game]
        assert [[divmod(c, cols) for c in cells] for cells in ours] == places
    else:
        assert ours == theirs


def test_names_are_complete():
    assert names() == sorted([*AUTHORS, *tuple_sets.SETS])


@pytest.mark.parametrize("name", tuple_sets.SETS)
def test_our_own_sets_are_what_their_program_makes(name):
    assert (tuple_sets.DATA / f"{name}.json").read_text() == tuple_sets.text(name)
    large = name in ("cube-fours", "cube-fives")
    facts = tafl.game("cube(size=3)" if large else name.partition("-")[0]).facts
    assert checked(fixed(name, facts), facts)
    images = [
        frozenset(frozenset(board[c] for c in cells) for board in facts.symmetries)
        for cells in fixed(name)
    ]
    assert len(set(images)) == len(images)  # no n-tuple is another one on a symmetric board


def lines_of_four():
    """All of them, found as the rules find them: four stones there have won."""
    steps = {(0, 1): 24, (1, 0): 21, (1, 1): 12, (1, -1): 12}
    for (up, right), count in steps.items():
        found = [
            [(r + k * up, c + k * right) for k in range(4)] for r in range(6) for c in range(7)
        ]
        inside = [line for line in found if 0 <= line[3][0] < 6 and 0 <= line[3][1] < 7]
        assert len(inside) == count
        yield from ({7 * row + col for row, col in line} for line in inside)


@pytest.mark.parametrize(
    ("name", "seen"),
    [(f"connectfour-lines-{which}", 69) for which in ("9", "10", "columns", "columns-walks")]
    + [("connectfour-1", 54)],
)
def test_lines_of_four_that_a_network_sees(name, seen):
    """An n-tuple that has all its cells, on one of the two boards; the authors' miss some."""
    mirror = tafl.game("connectfour").facts.symmetries[1]
    tuples = [set(cells) for cells in fixed(name)]
    tuples += [{mirror[c] for c in cells} for cells in tuples]
    lines = list(lines_of_four())
    assert all(four(sum(1 << c for c in line)) for line in lines)
    assert sum(any(line <= cells for cells in tuples) for line in lines) == seen


def test_every_two_columns_are_seen_together():
    """connectfour-lines-columns: 21 pairs of whole columns, on one of the two boards."""
    mirror = tafl.game("connectfour").facts.symmetries[1]
    tuples = [set(cells) for cells in fixed("connectfour-lines-columns")]
    tuples += [{mirror[c] for c in cells} for cells in tuples]
    columns = [set(range(column, 42, 7)) for column in range(7)]
    assert all(one | other in tuples for one, other in combinations(columns, 2))


def test_lengths_and_counts_of_the_paper():
    """Appendix: 70 8-tuples, 50 6-tuples, 4 6-tuples, one and two 3-tuples."""
    shape = {name: (len(fixed(name)), {len(t) for t in fixed(name)}) for name in names()}
    assert shape["connectfour-1"] == (70, {8})
    assert shape["othello-6"] == (50, {6})
    assert shape["2048-2"] == (4, {6})
    assert shape["nim-1"] == (1, {3})
    assert shape["nim3p-2"] == (2, {3})


def test_hex_rows_columns_and_short_diagonal():
    """hex-1 has all rows and columns and the cells (i, 5 - i), whose neighbours touch."""
    sets = [sorted(cells) for cells in fixed("hex-1")]
    for k in range(6):
        assert [6 * k + j for j in range(6)] in sets
        assert [6 * j + k for j in range(6)] in sets
    around = grid_neighbours(6, 6, HEX)
    diagonal = sorted(fixed("hex-1")[-1])
    assert diagonal == [6 * k + 5 - k for k in range(6)]
    assert all(b in around[a] for a, b in pairwise(diagonal))


@pytest.mark.parametrize(
    ("name", "rows", "cols", "steps"),
    [("hex-2", 6, 6, HEX), ("othello-6", 8, 8, ALL_AROUND), ("connectfour-1", 6, 7, ALL_AROUND)],
)
def test_drawn_sets_hang_together(name, rows, cols, steps):
    """They were drawn as walks; the wrong order of cells would tear most of ConnectFour's."""
    neighbours = grid_neighbours(rows, cols, steps)
    assert [cells for cells in fixed(name) if not connected(cells, neighbours)] == []


def connected(cells, neighbours) -> bool:
    reached, frontier = {cells[0]}, [cells[0]]
    while frontier:
        new = set(neighbours[frontier.pop()]) & set(cells) - reached
        reached |= new
        frontier += new
    return reached == set(cells)


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**63 - 1), st.data())
def test_walks_are_connected_and_reproducible(rows, cols, seed, data):
    facts = board(rows, cols)
    length = data.draw(st.integers(1, rows * cols))
    walks = random_walk(facts, 3, length, seed)
    assert walks == random_walk(facts, 3, length, seed)
    assert len(walks) == 3
    for cells in walks:
        assert len(set(cells)) == len(cells) == length
        assert connected(cells, facts.neighbours)


def test_walks_grow_from_any_cell_not_from_the_last():
    """On a line of 5 cells no path that begins in the middle has the cells {1, 2, 3}."""
    walks = random_walk(board(1, 5), 200, 3, seed=1)
    assert any(cells[0] == 2 and set(cells) == {1, 2, 3} for cells in walks)
    assert {frozenset(cells) for cells in walks} == {frozenset(range(i, i + 3)) for i in range(3)}


def test_first_cells_are_uniform():
    first = [cells[0] for cells in random_walk(board(3, 3), 9000, 1, seed=7)]
    assert all(850 < first.count(c) < 1150 for c in range(9))  # 1000 +- 5 standard deviations


@given(st.integers(0, 2**63 - 1), st.integers(1, 9))
def test_points_are_distinct_and_reproducible(seed, length):
    points = random_points(board(3, 3), 4, length, seed)
    assert points == random_points(board(3, 3), 4, length, seed)
    assert all(len(set(cells)) == length and set(cells) <= set(range(9)) for cells in points)


def test_other_seeds_draw_other_sets():
    assert random_walk(board(6, 6), 25, 6, 1) != random_walk(board(6, 6), 25, 6, 2)
    assert random_points(board(6, 6), 25, 6, 1) != random_points(board(6, 6), 25, 6, 2)


@pytest.mark.parametrize(
    ("name", "found", "apart"),
    [
        ("tictactoe", 8, 3),  # a line at the edge, one in the middle, a diagonal
        ("connectfour", 69, 36),  # 24 + 21 + 24; mirror images: 12 + 12 + 12
        ("connectfour3p", 84, 45),  # 30 + 24 + 30; lines in the middle are their own: 18 + 12 + 15
        ("gomoku", 140, 24),  # 45 + 45 + 50; 5 rows of 3, and 9 of 25 diagonals (Burnside)
        ("sim", 20, 1),  # triangles
        ("yavalath", 102, 11),  # 3 * (2+3+4+5+6+5+4+3+2); rows of 5 to 9 cells: 1+2+2+3+3
    ],
)
def test_every_line_has_an_n_tuple_on_some_board(name, found, apart):
    facts = tafl.game(name).facts
    assert len(facts.lines) == found
    drawn = lines(facts)
    assert len(drawn) == apart
    images = {frozenset(board[c] for c in cells) for cells in drawn for board in facts.symmetries}
    assert images == {frozenset(line) for line in facts.lines}
    assert all(
        set(line) <= set(cells)
        for length in (8, 9)
        for line, cells in zip(drawn, lines(facts, length), strict=True)
    )


def test_lines_of_four_are_those_that_win():
    facts = tafl.game("connectfour").facts
    assert len({frozenset(line) for line in facts.lines}) == 69
    assert all(four(sum(1 << c for c in line)) for line in facts.lines)


def test_a_line_grows_by_what_lies_below_it_first():
    """The line b2 c2 d2 e2 of ConnectFour, in its second row: cells 8 to 11."""
    facts = replace(tafl.game("connectfour").facts, lines=[[8, 9, 10, 11]])
    assert lines(facts, 8)[0] == [1, 2, 3, 4, 8, 9, 10, 11]
    assert lines(facts, 10)[0] == [1, 2, 3, 4, 7, 8, 9, 10, 11, 12]


def test_a_line_grows_by_a_cell_beside_the_board_first():
    """In Yavalath for three, cell 61 says who is out, and every cell is next to it."""
    assert all(61 in cells for cells in lines(tafl.game("yavalath(players=3)").facts, 5))


def test_settings_draw_the_lines_of_the_boards_that_a_network_has():
    game, drawn = tafl.game("tictactoe"), {True: 3, False: 8}
    for symmetries, number in drawn.items():
        network = {"tuples": "lines", "symmetries": symmetries}
        settings = compose(game, overrides={"network": network})
        assert len(make_tuples(game, settings)) == number
    with pytest.raises(InputError, match="number applies only to random-walk and random-points"):
        compose(game, overrides={"network": {"tuples": "lines", "number": 5}})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: lines(board(3, 3)), "this game has no lines; use random-walk or random-points"),
        (
            lambda: lines(tafl.game("tictactoe").facts, 2),
            "length of n-tuples of lines must be 3, the cells of a line, to 9, the cells of",
        ),
        (lambda: fixed("chess-1"), "there is no n-tuple set 'chess-1'; available: 2048-1"),
        (lambda: fixed("../data/hex-1"), "no n-tuple set"),
        (
            lambda: fixed("chess-1", board(6, 6)),
            "no n-tuple set 'chess-1'; available: hex-1, hex-2$",
        ),
        (lambda: fixed("chess-1", board(5, 5)), "available: none for this board, but random-walk"),
        (lambda: fixed("hex-2", board(7, 7)), "hex-2 is for boards with 36 cells; this one has 49"),
        (lambda: checked([], board(3, 3)), "at least one n-tuple"),
        (lambda: checked([[]], board(3, 3)), "at least one cell"),
        (lambda: checked([[0, 9]], board(3, 3)), "names cell 9; the cells of this game are 0 to 8"),
        (lambda: checked([[-1]], board(3, 3)), "names cell -1"),
        (lambda: checked([[4, 4]], board(3, 3)), "names a cell twice"),
        (
            lambda: random_walk(board(3, 3), 1, 10, 1),
            "length of n-tuples must be 1 to 9, the cells of the game, not 10",
        ),
        (
            lambda: random_walk(board(3, 3), 1, 0, 1),
            "length of n-tuples must be 1 to 9, the cells of the game, not 0",
        ),
        (lambda: random_walk(board(3, 3), 0, 3, 1), "number of n-tuples must be at least 1, not 0"),
        (
            lambda: random_points(board(3, 3), 1, 10, 1),
            "length of n-tuples must be 1 to 9, the cells of the game, not 10",
        ),
        (lambda: random_walk(board(3, 3, steps=()), 1, 2, 1), "no neighbours for a random walk"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        make()


def test_a_board_in_parts_still_has_short_walks():
    rows = board(3, 3, steps=((0, 1), (0, -1)))
    assert {frozenset(c) for c in random_walk(rows, 50, 3, 1)} == {
        frozenset(range(r, r + 3)) for r in (0, 3, 6)
    }


def test_a_walk_that_has_used_up_its_part_goes_on_in_another():
    """A die beside a board: the one n-tuple that begins there has cells of the board, too."""
    neighbours = [*grid_neighbours(3, 3, ORTHOGONAL), []]
    facts = Facts(players=2, actions=1, cells=10, values=3, words=1, neighbours=neighbours)
    walks = random_walk(facts, 200, 4, seed=1)
    assert all(len(set(cells)) == 4 for cells in walks)
    assert {cells.index(9) for cells in walks if 9 in cells} == {0}
    assert all(connected(cells[1:] if cells[0] == 9 else cells, neighbours) for cells in walks)
