"""States in plain Python: checked moves, copies, chance from the seed, positions from cells."""

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from tafl.boards.layout import board_of, made_up
from tafl.boards.picture import GROUNDS, Element, colour
from tafl.boards.raster import WHITE, Brush, pixels
from tafl.boards.template import write_template
from tafl.core.games import GAMES, PAPER
from tafl.core.games.shapes import COLOURS, LINES, SHAPES, TILES
from tafl.errors import IllegalAction, InputError

names = st.sampled_from(list(GAMES))
shown = st.sampled_from([name for name in GAMES if hasattr(tafl.game(name).rules, "position")])


def wander(game, choices, seed=0):
    """The state after some legal moves, at most as many as the game lasts."""
    state = game.start(seed=seed)
    for choice in choices:
        if state.over:
            break
        legal = state.legal_actions
        state.play(legal[choice % len(legal)])
    return state


walks = st.lists(st.integers(0, 63), max_size=70)


@given(name=names, walk=walks, seed=st.integers(0, 2**64 - 1))
def test_every_position_keeps_the_contract(name, walk, seed):
    game = tafl.game(name)
    state = wander(game, walk, seed)
    facts = game.facts
    low, high = map(game.points, facts.score_range)
    assert state.player in range(facts.players)
    assert state.over == (state.legal_actions == [])
    assert len(state.scores) == facts.players
    assert all(low <= score <= high for score in state.scores)
    assert len(state.cells) == facts.cells
    assert set(state.cells) <= set(range(facts.values))
    assert state == wander(game, walk, seed)


@given(name=names, walk=walks, action=st.integers(-3, 70))
def test_illegal_action_is_refused_and_changes_nothing(name, walk, action):
    state = wander(tafl.game(name), walk)
    words, rng = state.words.copy(), state.rng.copy()
    if action not in state.legal_actions:
        for method in (state.play, state.afterstate):
            with pytest.raises(IllegalAction):
                method(action)
    assert np.array_equal(state.words, words)
    assert np.array_equal(state.rng, rng)


@given(walk=walks, seed=st.integers(0, 1000))
def test_afterstate_lacks_only_the_new_tile(walk, seed):
    state = wander(tafl.game("2048"), walk, seed)
    for action in state.legal_actions:
        before = state.copy()
        after, following = state.afterstate(action), state.copy()
        following.play(action)
        changed = [b - a for a, b in zip(after.cells, following.cells, strict=True) if a != b]
        assert changed in ([1], [2])
        assert after.scores == following.scores
        assert state == before


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (7, "there is no action 7; the actions of connectfour are 0 to 6"),
        (-1, "there is no action -1"),
        (3, "action 3 is not legal here; legal actions: 0 1 2 4 5 6"),
        ("3", "action 3 is not legal here; legal actions: 0 1 2 4 5 6"),
        ("d", "'d' is not legal here; legal actions: 0 (a), 1 (b), 2 (c), 4 (e), 5 (f), 6 (g)"),
        ("", "'' is not legal here"),
        (2.0, "an action must be a whole number, not 2.0"),
        (True, "an action must be a whole number, not True"),
        (None, "an action must be a whole number, not None"),
    ],
)
def test_refusal_says_what_would_be_right(action, said):
    state = tafl.game("connectfour").start()
    for _ in range(6):
        state.play(3)
    with pytest.raises(IllegalAction) as refused:
        state.play(action)
    assert said in str(refused.value)


def test_long_lists_of_legal_actions_are_cut():
    state = tafl.game("othello").start()
    with pytest.raises(IllegalAction, match=r"legal actions: 19 26 37 44$"):
        state.play(0)
    state = tafl.game("hex").start()
    state.play(0)
    with pytest.raises(IllegalAction, match=r"legal actions: 1 2 .* 20 \.\.\.$"):
        state.play(0)


def test_move_after_the_end_is_refused():
    state = tafl.game("tictactoe").start()
    for action in (0, 3, 1, 4, 2):
        state.play(action)
    assert state.over
    assert state.legal_actions == []
    assert state.scores == [1.0, -1.0]
    with pytest.raises(IllegalAction, match="the game is over; action 8 cannot be played"):
        state.play(8)
    assert state.scores == [1.0, -1.0]


def test_numpy_actions_are_fine():
    state = tafl.game("tictactoe").start()
    state.play(np.int64(4))
    assert state.cells == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_copies_are_independent_and_have_the_same_future():
    state = tafl.game("2048").start(seed=5)
    for twin in (state.copy(), copy.copy(state), copy.deepcopy(state)):
        assert twin == state
        assert twin is not state
        action = state.legal_actions[0]
        twin.play(action)
        assert twin != state
        again = state.copy()
        again.play(action)
        assert again == twin


def test_seed_matters_only_where_there_is_chance():
    assert tafl.game("othello").start(seed=1) == tafl.game("othello").start(seed=2)
    starts = {tuple(tafl.game("2048").start(seed=seed).cells) for seed in range(50)}
    assert len(starts) > 25


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None])
def test_impossible_seed_is_refused(seed):
    with pytest.raises(InputError, match=r"a seed must be a whole number from 0 to 2\*\*64 - 1"):
        tafl.game("2048").start(seed=seed)


def test_states_of_different_games_differ():
    assert tafl.game("hex(size=4)").start() != tafl.game("hex(size=5)").start()
    assert tafl.game("hex").start() != "hex"
    with pytest.raises(TypeError, match="unhashable"):
        hash(tafl.game("hex").start())


def test_text_is_the_drawing():
    state = tafl.game("tictactoe").start()
    state.play(2)
    assert str(state) == ". . x\n. . .\n. . ."
    assert repr(state) == "tafl.position('tictactoe: c3')"
    assert repr(state.game) == "tafl.game('tictactoe')"


@given(name=shown, walk=walks)
def test_position_from_the_cells_of_a_state(name, walk):
    game = tafl.game(name)
    state = wander(game, walk)
    again = game.position(state.cells, state.player)
    assert again.cells == state.cells
    assert again.player == state.player
    assert again.over == state.over
    assert again.legal_actions == state.legal_actions


@pytest.mark.parametrize(
    ("name", "cells", "player", "said"),
    [
        ("tictactoe", [0] * 8, 0, "tictactoe has 9 cells, not 8"),
        ("tictactoe", [0] * 8 + [3], 0, "cell 8 is 3; cell values are 0 to 2"),
        ("tictactoe", [0] * 8 + ["x"], 0, "cell 8 is 'x'"),
        ("tictactoe", [0] * 9, 2, "there is no player 2; the players are 0 to 1"),
        ("tictactoe", [1] * 9, 0, "tictactoe: "),
    ],
)
def test_impossible_position_is_refused(name, cells, player, said):
    with pytest.raises(InputError) as refused:
        tafl.game(name).position(cells, player)
    assert said in str(refused.value)


def test_game_without_position_says_so(tmp_path):
    from planted import plant

    with pytest.raises(InputError, match=r"cannot be set up: its rules have no position\(\)"):
        tafl.game(plant(tmp_path)).position([0] * 16)


@given(name=names, walk=walks, seed=st.integers(0, 1000))
def test_undo_goes_back_move_by_move(name, walk, seed):
    """Positions, chance and history are what they were, and playing on gives the same again."""
    state = tafl.game(name).start(seed)
    past = [state.copy()]
    for choice in walk:
        if state.over:
            break
        state.play(state.legal_actions[choice % len(state.legal_actions)])
        past.append(state.copy())
    moves = state.history
    assert len(moves) == len(past) - 1
    end = past[-1]
    for before in reversed(past[:-1]):
        state.undo()
        assert state == before
        assert state.history == before.history
        assert np.array_equal(state.rng, before.rng)
    with pytest.raises(InputError, match="no action to take back"):
        state.undo()
    for action in moves:
        state.play(action)
    assert state == end


@given(name=names, walk=walks, seed=st.integers(0, 1000))
def test_a_position_is_a_line_of_text(name, walk, seed):
    state = wander(tafl.game(name), walk, seed)
    again = tafl.position(state.text)
    assert again == state
    assert again.text == state.text
    assert eval(repr(state)) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chess: e4", "there is no game 'chess'"),
        ("connectfour: d x", "move 2: 'x' is not legal here"),
        ("nim @ 1 2", "a position of nim.* has 5 words"),
        ("nim @ 5 5 5 9 f", "this is not a position of nim"),
        ("nim @ 9 0 0 0 9", "this is not a position of nim"),
        ("nim @ 5 5 5 0 g", "must be hexadecimal"),
        ("nim @ 5 5 5 0 -1", "must be hexadecimal"),
        ("nim @ 5 5 5 0 1ffffffffffffffff", "must be hexadecimal"),
    ],
)
def test_text_that_describes_no_position(text, message):
    with pytest.raises(InputError, match=message):
        tafl.position(text)


def test_moves_by_name_and_number():
    state = tafl.position("nim: 3 from heap 1, 2 from heap 0")
    assert state.cells == [3, 2, 5]
    assert state == tafl.position("nim: 7, 3") == tafl.position("nim: 7 3")
    assert state.legal_moves[0] == "1 from heap 0"
    assert state.text.endswith(": 3 from heap 1, 2 from heap 0")


def test_the_picture_of_a_state_has_all_stones():
    def pieces(text):
        drawing = tafl.position(text)._repr_svg_()
        assert drawing.startswith("<svg")
        return drawing.count('class="cell"'), drawing.count('class="piece"')

    assert pieces("connectfour: d d c e") == (42, 4)
    assert pieces("nim: 2 from heap 1") == (3, 13)
    assert pieces("2048 @ 2100000000000001 4") == (16, 3)
    assert pieces("othello: e6") == (64, 5)
    drawing = tafl.position("connectfour: d d c e")._repr_svg_()
    red, yellow = COLOURS["red"][0], COLOURS["yellow"][0]
    assert (drawing.count(red), drawing.count(yellow)) == (2, 2)


def at(picture, board, x, y):
    """The colour of a place of a board, with cells of 40 pixels."""
    left, top, *_ = board.box
    return "#" + bytes(picture[round((y - top) * 40), round((x - left) * 40)]).hex()


@pytest.mark.parametrize("name", GAMES)
def test_pixels_are_as_many_as_the_board_is_large(name):
    game = tafl.game(name)
    picture = pixels(wander(game, range(12), seed=1))
    assert picture.dtype == np.uint8
    assert [side % 2 for side in picture.shape] == [0, 0, 1]
    _, _, width, height = board_of(game).box
    assert picture.shape[:2] == pytest.approx([40 * height, 40 * width], abs=2)


@pytest.mark.parametrize("name", PAPER)
def test_pixels_show_what_lies_on_every_cell(name):
    """After some moves: the colour in the lower part of a cell, where no text is."""
    state = wander(tafl.game(name), range(12), seed=1)
    board, picture = board_of(state.game), pixels(state)
    for cell, value in zip(board.cells, state.cells, strict=True):
        piece = board.pieces[value]
        if cell.shape == "base" or (piece and piece.shape in LINES):
            continue
        shown = at(picture, board, cell.x, cell.y + 0.26)
        if piece is None:
            assert shown == GROUNDS[board.look][0]
        else:
            assert shown in {colour for colour, *_ in COLOURS.values()} | set(TILES)
            assert shown == colour(piece.colour)[0]


def test_pixels_of_crosses_rings_and_heaps():
    state = tafl.position("tictactoe: b2 a1")
    board, picture = board_of(state.game), pixels(state)
    red, blue, empty = COLOURS["red"][0], COLOURS["blue"][0], GROUNDS["plain"][0]
    [b2, a1] = [board.cells[c] for c in (4, 6)]
    for dx, dy in ((0, 0), (0.2, 0.2), (-0.2, 0.2), (0.2, -0.2), (-0.2, -0.2)):
        assert at(picture, board, b2.x + dx, b2.y + dy) == red
        assert (at(picture, board, a1.x + dx, a1.y + dy) == blue) == (dx != 0)
    assert at(picture, board, b2.x + 0.3, b2.y) == at(picture, board, a1.x, a1.y) == empty
    heaps = tafl.position("nim: 2 from heap 1")
    board, picture = board_of(heaps.game), pixels(heaps)
    for cell, stones in zip(board.cells, heaps.cells, strict=True):
        seen = [at(picture, board, cell.x, cell.y - 0.62 * k) != WHITE for k in range(5)]
        assert sum(seen) == stones


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_can_be_painted(shape):
    from PIL import Image, ImageDraw

    attributes = {"fill": "#ff0000", **SHAPES[shape]}
    if shape in LINES:
        attributes |= {"stroke": "#ff0000", "stroke-width": 0.13}
    image = Image.new("RGB", (100, 100))
    Brush(ImageDraw.Draw(image), -0.5, -0.5, 100).paint(
        Element(attributes.pop("tag"), 0, 0, attributes)
    )
    painted = np.array(image)[..., 0] > 0
    rows, cols = np.flatnonzero(painted.any(axis=1)), np.flatnonzero(painted.any(axis=0))
    assert len(rows) > 5
    assert abs(cols[0] + cols[-1] - 99) <= 2  # as much on the left as on the right


def test_a_board_is_made_from_cells_and_neighbours(tmp_path):
    """Rules without board(): squares or hexagons as neighbours lie, stones by player."""
    board = board_of(tafl.game(str(write_template("mygame", tmp_path / "mygame.py"))))
    assert [(cell.x, cell.y, cell.shape) for cell in board.cells[3:5]] == [
        (3, 0, "square"),
        (0, 1, "square"),
    ]
    assert [piece and piece.colour for piece in board.pieces] == [None, "red", "blue"]
    assert [target.cells for target in board.targets] == [[a] for a in range(16)]
    hexes = made_up(tafl.game("hex(size=4)"))
    assert {cell.shape for cell in hexes.cells} == {"hexagon"}
    columns = made_up(tafl.game("connectfour"))
    assert columns.targets[2].cells == list(range(2, 42, 7))
    assert made_up(tafl.game("nim")).targets[0].cells == ()


def test_a_board_that_does_not_fit_is_refused(tmp_path):
    source = write_template("mygame", tmp_path / "template.py").read_text()
    source = source.replace("Facts, grid", "Board, Cell, Facts, grid")
    for wrong, message in (
        ("Board(cells=[Cell(0, 0)], pieces=[None])", "the board has 1 cells, not 16"),
        ("5", r"board\(\) must return a Board, not 5"),
    ):
        file = tmp_path / "mygame.py"
        file.write_text(source + f"\n    def board(self):\n        return {wrong}\n")
        with pytest.raises(tafl.GameError, match=message):
            tafl.game(str(file)).start()._repr_svg_()
