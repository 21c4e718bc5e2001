"""Boards of pages: seen by everybody, touched by a finger, animated, counted, and played out."""

import re
from pathlib import Path

import numpy as np
import pytest

import tafl
from long import long_except
from pages import carry, carry_by_keys, humans, is_over, moves_of, play_by_clicks, until
from tafl.arena.records import Record
from tafl.boards.layout import board_of
from tafl.cli.main import main
from tafl.core.games.shapes import COLOURS as COLOURS_OF_PIECES
from tafl.core.games.shapes import luminance
from tafl.page.html import make_page
from tafl.page.program import RULES

WEB = Path(__file__).parent.parent / "web"
OPEN = [name for name, game in tafl.games().items() if not game.hides]
SHORT = ("dotsandboxes", "kalah", "breakthrough")
_pages = {}


def page_of(name):
    """The page of a game with its rules alone, made once."""
    if name not in _pages:
        _pages[name] = make_page(tafl.game(name), kernels=RULES)
    return _pages[name]


def random_moves(game, seed=1, most=400):
    """The moves of a random game, and its end."""
    state, rng = game.start(1), np.random.default_rng(seed)
    while not state.over and len(state.history) < most:
        state.play(int(rng.choice(state.legal_actions)))
    return state


def at(moves, view="play"):
    """The address of the position after some moves."""
    return f"#v={view}&s=1&m={'.'.join(map(str, moves))}"


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


# Colours as #rrggbb: of pieces with their outlines and texts, of lines, and of what lies below.
COLOURS = """() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const hex = (colour) => {
        const clear = /, 0\\)$|\\/ 0\\)$|transparent/;
        if (!colour || colour === 'none' || clear.test(colour)) return null;
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const bytes = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        return '#' + bytes.map((b) => b.toString(16).padStart(2, '0')).join('');
    };
    const all = (what) => [...document.querySelectorAll('.stage ' + what)];
    const paint = (node, name) => hex(getComputedStyle(node)[name]);
    const card = hex(getComputedStyle(document.querySelector('.frame-card')).backgroundColor);
    const frame = all('.board .frame').map((node) => paint(node, 'fill'))[0] ?? card;
    const grounds = all('.board .cell:not(.line)').map((node) => paint(node, 'fill') ?? frame);
    return {
        card, frame,
        grounds: [...new Set(grounds)],
        solid: all('.piece .solid').map((n) => [paint(n, 'fill'), paint(n, 'stroke')]),
        tiles: all('.piece.tile .sign').map((n) => [
            paint(n.parentNode.querySelector('.solid'), 'fill'), paint(n, 'fill')]),
        pens: all('.piece .pen').map((n) => [n.classList.contains('line'), paint(n, 'stroke')]),
        free: all('.board .cell.line').map((n) => paint(n, 'stroke')),
        edges: all('.board .edge').map((n) => paint(n, 'stroke')),
        seeds: all('.board .seed').map((n) => paint(n, 'fill')),
        numbers: all('.board .count').map((n) => paint(n, 'fill')),
        signs: all('.piece:not(.tile) .sign').map((n) => [
            paint(n.parentNode.firstElementChild, 'fill'), paint(n, 'fill')]),
    };
}"""


@pytest.mark.parametrize("name", long_except(SHORT, OPEN))
def test_pieces_and_lines_can_be_seen_in_light_and_dark(name, opened):
    """WCAG asks for a contrast of 3:1; a piece has it itself or by its outline."""
    game = tafl.game(name)
    moves = random_moves(game).history
    for scheme in ("light", "dark"):
        page = opened(page_of(name), anchor=at(moves[: len(moves) // 2]), color_scheme=scheme)
        found = page.evaluate(COLOURS)
        assert any(found[kind] for kind in ("solid", "pens", "seeds"))
        for ground in found["grounds"] or [found["card"]]:
            for colours in [] if found["tiles"] else found["solid"]:
                assert max(contrast(ground, colour) for colour in colours) >= 3, (scheme, colours)
            for on_card, colour in found["pens"]:
                assert contrast(found["card"] if on_card else ground, colour) >= 3
            assert all(contrast(ground, colour) >= 3 for colour in found["seeds"])
        assert all(contrast(found["card"], colour) >= 3 for colour in found["free"])
        lines_on = found["frame"] if board_of(game).look == "wood" else found["card"]
        edges = {c for c in found["edges"] if game.name.partition("(")[0] not in ("hex", "hex3p")}
        assert all(contrast(lines_on, colour) >= 3 for colour in edges)
        assert all(contrast(found["frame"], colour) >= 4.5 for colour in found["numbers"])
        for below, text in found["tiles"] + found["signs"]:
            assert contrast(below, text) >= 3.8


# What lies 11.5 pixels beside the middle of each place, where nothing nearer is: actions or cells.
TOUCHED = """() => [...document.querySelectorAll('.board .hit')].map((hit) => {
    const parts = [...hit.querySelectorAll('.area')];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const box = boxes.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
    return [box.width, box.height, parts.length];
})"""


@pytest.mark.parametrize("name", long_except(SHORT, OPEN))
def test_places_are_large_enough_for_a_finger(name, opened):
    """24 pixels on a screen of 360; the strokes of lines have 26 whatever their scale.

    The 24 points of Backgammon lie in 14 columns, for which a phone has 20 pixels each.
    """
    page = opened(page_of(name), width=360, height=740)
    humans(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for width, height, parts in page.evaluate(TOUCHED):
        if parts == 1:
            assert min(width, height) >= (20 if name == "backgammon" else 24), (width, height)
    strokes = "[...document.querySelectorAll('.area.least')].map(n => getComputedStyle(n))"
    assert page.evaluate(
        f"{strokes}.every(s => s.strokeWidth === '26px' && s.vectorEffect === 'non-scaling-stroke')"
    )


def test_a_finger_beside_a_line_draws_it(opened):
    page = opened(page_of("dotsandboxes"), width=360, height=740)
    humans(page)
    for action in (0, 13):  # one across and one upright
        box = page.locator(f'.hit[data-action="{action}"] .trace').bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        dx, dy = (0, 11) if action == 0 else (11, 0)
        page.mouse.click(x + dx, y - dy)
    assert moves_of(page) == [0, 13]


@pytest.mark.parametrize("name", long_except(SHORT, OPEN))
def test_all_games_are_played_out_by_clicks_and_by_keys(name, opened):
    game = tafl.game(name)
    page = opened(page_of(name), width=480)
    humans(page)
    (carry if carried(page) else play_by_clicks)(page)
    assert is_over(page)
    clicked = replayed(page, game)
    assert clicked.over
    page.keyboard.press("n")
    carry_by_keys(page)
    assert is_over(page)
    assert replayed(page, game).over


def carried(page):
    """Whether moves take a piece from a cell, or are buttons."""
    return page.evaluate(
        "!!document.querySelector('.board .hit[data-place^=from], .stage .actions button')"
    )


def replayed(page, game):
    """The position that the moves of the page lead to in Python."""
    state = game.start(int(re.search(r"s=(\d+)", page.evaluate("location.href"))[1]))
    for action in moves_of(page):
        state.play(action)
    return state


def test_the_score_is_counted_and_the_end_says_who_won_by_how_much(opened):
    """You are black and sit against an agent; the discs are counted by the rules in Python."""
    game = tafl.game("othello")
    end = random_moves(game, seed=3)
    black, white = (end.cells.count(v) for v in (1, 2))
    page = opened(page_of("othello"), anchor=at(end.history))
    verb = "win" if black > white else "lose"
    assert page.locator(".status .result").inner_text() == f"You {verb} {black}:{white}."
    half = game.start(1)
    for action in end.history[:20]:
        half.play(action)
    page = opened(page_of("othello"), anchor=at(half.history))
    shown = page.locator(".status .scores > span:not(.of)").all_inner_texts()
    assert [int(text.split()[-1]) for text in shown] == [half.cells.count(1), half.cells.count(2)]


def test_stores_have_two_digits_and_rows_have_owners(opened):
    game = tafl.game("kalah")
    end = random_moves(game, seed=3)
    page = opened(page_of("kalah"), anchor=at(end.history))
    words = [int(word) for word in end.words]
    assert max(words[0], words[7]) > 9
    numbers = [int(text) for text in page.locator(".board .count").all_text_contents()]
    assert numbers == [*words[1:7], *words[8:14], words[7], words[0]]
    assert page.locator(".seat-name").all_inner_texts()[0].startswith("Red")
    mine, other = words[7], words[0]
    said = "You win" if mine > other else "You lose" if mine < other else "A draw"
    assert page.locator(".status .result").inner_text() == f"{said} {mine}:{other}."


@pytest.mark.parametrize(
    ("name", "moves", "cells"),
    [
        ("tictactoe", [0, 3, 1, 4, 2], [{0, 1, 2}]),
        ("connectfour", [0, 1, 0, 1, 0, 1, 0], [{0, 7, 14, 21}]),
        ("sim", [0, 14, 1, 13, 5], None),
    ],
)
def test_what_won_is_marked(name, moves, cells, opened):
    page = opened(page_of(name), anchor=at(moves))
    assert is_over(page)
    if cells is None:
        assert page.locator(".board .won.line").count() == 3  # the triangle 1-2, 1-3, 2-3
        return
    marked = [set(map(int, won.split(","))) for won in lines_marked(page)]
    assert marked == cells


def lines_marked(page):
    marks = page.locator(".board .won")
    return [marks.nth(i).get_attribute("data-cells") for i in range(marks.count())]


def test_the_winning_chain_is_marked(opened):
    """Red fills a column of Hex from the top to the bottom, beside a stone that plays no part."""
    game = tafl.game("hex")
    column, others = [6 * row + 2 for row in range(6)], [0, 6, 12, 18, 24, 5]
    order = [
        35,
        others[0],
        *[m for pair in zip(column, [*others[1:], 11], strict=True) for m in pair],
    ]
    state = game.start()
    played = []
    for action in order:
        if state.over:
            break
        state.play(action)
        played.append(action)
    assert state.over
    page = opened(page_of("hex"), anchor=at(played))
    [chain] = lines_marked(page)
    assert set(map(int, chain.split(","))) == set(column)


def test_rematch_changes_seats_and_analyse_opens_the_game(opened):
    page = opened(page_of("tictactoe"), anchor=at([0, 3, 1, 4, 2]))
    page.get_by_role("button", name="Analyse").click()
    page.locator(".moves tbody tr").first.wait_for()
    page.keyboard.press("1")
    page.get_by_role("button", name="Rematch").click()
    until(page, "document.querySelectorAll('.board .piece').length === 1")  # the agent begins now
    assert page.locator(".seat .choice select").nth(1).input_value() == "0"


def test_nim_says_what_a_click_takes_and_how_it_is_played(opened):
    page = opened(page_of("nim"))
    humans(page)
    assert page.locator(".cue").is_visible()
    heap = page.locator('.hit[aria-label$="heap 1"] .takes').all_text_contents()
    assert sorted(heap) == ["1", "2", "3", "4", "5"]
    page.locator('.hit[aria-label="2 from heap 1"] .area').click()
    assert moves_of(page) == [4]
    page.keyboard.press("?")
    assert page.locator(".help .how li").count() == 3


def test_agents_wait_until_a_move_has_been_seen(opened):
    """An agent answers 400 ms after the animation of your move; where nothing moves, at once."""
    answered = """async () => {
        const began = performance.now();
        const done = (resolve) => {
            const count = document.querySelectorAll('.board .piece').length;
            const passed = performance.now() - began;
            if (count >= 2 || passed > 20000) resolve(passed);
            else setTimeout(() => done(resolve), 5);
        };
        document.querySelector('.hit[data-action="4"]')
            .dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return new Promise(done);
    }"""
    page = opened(page_of("tictactoe"), moving=True)
    assert 180 + 400 <= page.evaluate(answered) < 20000
    page.keyboard.press("n")
    page.get_by_label("agents answer").select_option(label="at once")
    assert 180 <= page.evaluate(answered) < 20000
    still = opened(page_of("tictactoe"))
    assert still.evaluate("document.getAnimations().length") == 0
    still.locator('.hit[data-action="4"] .area').click()
    until(still, "document.querySelectorAll('.board .piece').length === 2")
    assert still.evaluate("document.getAnimations().length") == 0


MOVING = """async ([play]) => {
    const [moved, animate] = [new Set(), Element.prototype.animate];
    Element.prototype.animate = function (...how) {
        moved.add(this.closest('.piece, .seed'));
        return animate.apply(this, how);
    };
    document.querySelector(play).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await new Promise((done) => setTimeout(done, 300));
    Element.prototype.animate = animate;
    return moved.size;
}"""


@pytest.mark.parametrize(
    ("name", "moves", "play", "moving"),
    [
        ("othello", [], '.hit[data-action="19"]', 2),  # the disc, and the one that it flips
        ("nim", [], '.hit[data-action="7"]', 3),  # three stones go
        ("kalah", [], '.hit[data-action="1"]', 4),  # four seeds come
    ],
)
def test_flips_captures_and_seeds_are_animated(name, moves, play, moving, opened):
    page = opened(page_of(name), anchor=at(moves), moving=True)
    humans(page)
    assert page.evaluate(MOVING, [play]) == moving


def test_captures_are_seen(opened):
    """Of a pawn that takes another one, the first slides and the second fades."""
    game = tafl.game("breakthrough")
    state, rng = game.start(), np.random.default_rng(2)
    while True:
        taking = [
            a
            for a in state.legal_actions
            if sum(map(bool, state.afterstate(a).cells)) < sum(map(bool, state.cells))
        ]
        if taking:
            break
        state.play(int(rng.choice(state.legal_actions)))
    after = state.afterstate(taking[0]).cells
    left = next(c for c, v in enumerate(state.cells) if v and not after[c])
    page = opened(page_of("breakthrough"), anchor=at(state.history), moving=True)
    humans(page)
    page.locator(f'.hit[data-cell="{left}"] .area').click()
    assert page.evaluate(MOVING, [f'.hit[data-action="{taking[0]}"]']) == 2
    assert page.locator(".board .piece.gone").count() == 1


def test_the_record_of_a_position_that_was_set_up_is_that_game(opened, capsys, tmp_path):
    """2048 and ConnectFour from given words: the record is replayed from there, chance included."""
    for name, words in (("2048", "2100000000000001 4"), ("connectfour", "1 80 2 0")):
        page = opened(page_of(name), anchor="#v=game")
        humans(page)
        page.locator(".bring input").fill(f"{name} @ {words}")
        page.get_by_role("button", name="Open").click()
        for number in range(6):
            legal = page.locator(".board .hit[data-action]")
            legal.nth(number % legal.count()).dispatch_event("click")
        page.get_by_role("button", name="Text").click()
        end = tafl.position(page.evaluate("copied"))
        page.get_by_role("button", name="Record").click()
        line = page.evaluate("copied")
        record = Record.read(line)
        assert len(record.moves) == 6
        states = [state for _, state in record.replay()]
        assert states[0] == tafl.position(f"{name} @ {words}")
        assert states[-1].cells == end.cells
        file = tmp_path / f"{name}.jsonl"
        file.write_text(line + "\n")
        assert main(["replay", str(file)]) == 0


def test_values_cover_neither_tiles_nor_dots(opened):
    page = opened(page_of("2048"))
    page.get_by_label("Show the value of each move").check()
    page.locator(".board .value").first.wait_for()
    values, tiles = (
        [page.locator(what).nth(i).bounding_box() for i in range(page.locator(what).count())]
        for what in (".board .value", ".board .cell")
    )
    board = page.locator(".board").bounding_box()
    for box in values:
        assert inside(box, board)
        assert not any(overlap(box, tile) for tile in tiles)
    assert page.locator(".board .hit.valued .chevron").first.is_hidden()
    page = opened(page_of("othello"))
    assert page.locator(".board .dot").first.is_visible()
    page.get_by_label("Show the value of each move").check()
    page.locator(".board .value").first.wait_for()
    assert not any(dot.is_visible() for dot in page.locator(".board .dot").all())


def inside(box, other):
    return (
        box["x"] >= other["x"]
        and box["y"] >= other["y"]
        and box["x"] + box["width"] <= other["x"] + other["width"]
        and box["y"] + box["height"] <= other["y"] + other["height"]
    )


def overlap(box, other):
    across = box["x"] < other["x"] + other["width"] and other["x"] < box["x"] + box["width"]
    return (
        across and box["y"] < other["y"] + other["height"] and other["y"] < box["y"] + box["height"]
    )


def test_a_phone_on_its_side_shows_the_whole_board(opened):
    for name in ("tictactoe", "hex", "kalah"):
        page = opened(page_of(name), width=740, height=360)
        screen = {"x": 0, "y": 0, "width": 740, "height": 360}
        board = page.locator(".board").bounding_box()
        assert inside(board, screen), (name, board)
        assert board["height"] > 120


def test_colours_of_pieces_do_not_change_those_of_the_page():
    """Both are variables of CSS; the same name has to be the same colour."""
    style = (WEB / "page.css").read_text()
    light = dict(re.findall(r"--([a-z-]+): (#\w{6});", style[: style.index("@media")]))
    dark = style[style.index(':root[data-theme="dark"]') :]
    dark = dict(re.findall(r"--([a-z-]+): (#\w{6});", dark[: dark.index("}")]))
    assert light.keys() >= {"card", "ink", "paper"} <= dark.keys()
    for name, both in COLOURS_OF_PIECES.items():
        assert (light.get(name, both[0]), dark.get(name, both[1])) == both, name
