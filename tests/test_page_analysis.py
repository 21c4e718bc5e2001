"""Analysis in pages: values, verdicts, mistakes, n-tuples, and everything by keyboard."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest

import tafl
from pages import humans, moves_of, until
from tafl.page.html import make_page
from tafl.page.program import CHECKED, RULES

DATA = Path(__file__).parent / "data"
SOLVING = (*CHECKED, "alphabeta_values", "prove_value")  # CHECKED is compiled for other tests, too


@pytest.fixture(scope="session")
def four():
    return make_page(tafl.game("connectfour"), kernels=SOLVING)


def choose(page, agent):
    """Who judges or values moves."""
    page.locator(".panel .choice select").first.select_option(label=agent)


def solved_positions():
    """ConnectFour late in the game, with Pons' score: k > 0 if the mover's k-th last stone wins."""
    lines = gzip.decompress((DATA / "c4_positions.jsonl.gz").read_bytes()).splitlines()
    found = [json.loads(line) for line in lines]
    late = [entry for entry in found if entry["ply"] >= 28]
    assert len(late) > 20
    return late


def test_a_verdict_says_who_wins_and_how_soon(four, opened):
    """Positions of ConnectFour that another program has solved."""
    page = opened(four, anchor="#v=inside")
    humans(page)
    kinds = set()
    for entry in solved_positions()[:24]:
        moves = [int(move) - 1 for move in str(entry["moves"])]
        score = entry["value"]
        page.evaluate(f"location.hash = '#v=inside&s=1&m={'.'.join(map(str, moves))}'")
        page.reload()
        page.locator(".tag.exact").wait_for(timeout=20000)
        said = page.locator(".evaluation-text b").inner_text()
        mover = ("Red", "Yellow")[len(moves) % 2]
        other = ("Yellow", "Red")[len(moves) % 2]
        if score == 0:
            assert said == "a draw"
        else:
            winner = mover if score > 0 else other
            assert said.startswith(f"{winner} wins"), (moves, said)
            if soon := re.search(r"in (\d+)", said):
                assert int(soon[1]) == entry["plies_to_end"]
        kinds.add(np.sign(score))
    assert kinds == {-1, 0, 1}


def test_an_estimate_is_called_one(run, opened):
    page = opened(run[1], anchor="#v=inside&s=1&m=4")
    page.locator(".evaluation-text .tag").first.wait_for()
    assert page.locator(".evaluation-text .tag").inner_text() in ("estimate", "exact")
    page.keyboard.press("3")
    bar = page.locator(".evaluation-bar").get_attribute("aria-label")
    assert re.fullmatch(r"\u2212?\d\.\d\d for Red", bar)


def test_the_sum_behind_a_value_is_explained_and_mirror_images_are_one(run, opened):
    trained, text = run
    page = opened(text, anchor="#v=inside&s=1&m=4.0")
    page.locator(".values .move").first.click()
    page.locator(".tuples li").first.wait_for()
    note = page.locator(".tuples .note").first.inner_text()
    inner, result = map(number, re.search(r"tanh\((.*?)\) = (\S+?)\.(?:\s|$)", note).groups())
    assert result == pytest.approx(np.tanh(inner), abs=0.002)
    shown = number(page.locator(".values tbody td b").first.inner_text())
    assert result == pytest.approx(shown, abs=0.006)
    net = trained.agent.net
    assert f"{net.tuples} n-tuples" in note
    assert f"{net.symmetries} mirror images" in note
    names = page.locator(".tuples li span:first-child").all_inner_texts()
    first = [name.split(" image")[0].strip() for name in names if name.startswith("n-tuple")]
    assert len(first) == len(set(first)) == min(12, net.tuples)


def number(text):
    return float(text.replace("\u2212", "-").replace(",", "").rstrip("."))


def test_lost_seeds_are_graded_and_the_end_is_the_result(opened):
    """Near the end of Kalah, where alpha-beta in Python says what each move loses."""
    game = tafl.game("kalah")
    judge = tafl.agent("alphabeta(depth=8)", game)
    rng = np.random.default_rng(7)
    while True:
        state = game.start()
        while not state.over and sum(state.words[1:7]) + sum(state.words[8:14]) > 22:
            state.play(int(rng.choice(state.legal_actions)))
        if state.over:
            continue
        values = judge.values(state)
        worst = min(values, key=values.get)
        loss = max(values.values()) - values[worst]
        if 6.5 <= loss < 8:
            break
    state.play(worst)
    while not state.over:
        state.play(state.legal_actions[0])
    text = make_page(game, kernels=(*RULES, "alphabeta_values"))
    moves = state.history
    page = opened(text, anchor=f"#v=game&s=1&m={'.'.join(map(str, moves))}")
    choose(page, "AlphaBeta")
    until(page, "!document.querySelector('progress')", seconds=60)
    rows = page.locator(".moves tbody tr")
    row = rows.nth(row_of(rows, moves, worst, loss))
    assert row.locator(".grade").inner_text() == "?"  # between 6 and 12 seeds
    last = rows.nth(len(moves) - 1).locator("td.number").nth(1).inner_text()
    assert number(last) == pytest.approx(state.scores[0], abs=0.006)


def row_of(rows, moves, worst, loss):
    """The row of the bad move: the one whose loss is what Python found."""
    for i in range(rows.count()):
        shown = rows.nth(i).locator("td.number").nth(2).inner_text()
        if shown and number(shown) == pytest.approx(loss, abs=0.006) and moves[i] == worst:
            return i
    raise AssertionError("no row has this loss")


def test_values_are_those_of_one_side(run, opened):
    """The chart, the list and the bar speak for the same player, whoever is to move."""
    page = opened(run[1], anchor="#v=game&s=1&m=4.0.8.2.1.7.6")
    until(page, "!document.querySelector('.moves').innerText.includes('…')")
    assert "value for Red" in page.locator(".moves thead").inner_text()
    agent, state = run[0].agent, run[0].game.start()
    for row, action in enumerate([4, 0, 8, 2, 1, 7]):
        mine = agent.values(state)[action] * (1 if state.player == 0 else -1)
        state.play(action)
        cell = page.locator(".moves tbody tr").nth(row).locator("td.number").nth(1)
        assert number(cell.inner_text()) == pytest.approx(mine, abs=0.0051)


def test_a_long_game_does_not_make_the_page_long_and_the_list_follows(four, opened):
    """The labels for those who do not see stay in the list, and the current row is seen."""
    rng, state = np.random.default_rng(5), tafl.game("connectfour").start()
    while len(state.history) < 36:
        after = state.copy()
        after.play(int(rng.choice(after.legal_actions)))
        state = after if not after.over else tafl.game("connectfour").start()
    page = opened(four, anchor=f"#v=game&s=1&m={'.'.join(map(str, state.history))}")
    page.locator(".moves tbody tr").nth(35).wait_for()
    page.wait_for_timeout(300)
    heights = "[document.documentElement.scrollHeight, document.querySelector('.app').offsetHeight]"
    whole, app = page.evaluate(heights)
    assert whole <= max(app, 900)
    seen = """() => {
        const [row, list] = ['tr.chosen', '.scroll'].map((what) =>
            document.querySelector(what).getBoundingClientRect());
        return row.top >= list.top && row.bottom <= list.bottom;
    }"""
    assert page.evaluate(seen)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert len(moves_of(page)) == 1
    assert page.evaluate(seen)
    page.keyboard.press("End")
    assert moves_of(page) == state.history
    page.keyboard.press("ArrowLeft")
    assert moves_of(page) == state.history[:-1]
    assert page.evaluate("window.scrollY") == 0


def test_the_best_move_is_an_arrow_or_a_ring(opened):
    page = opened(make_page(tafl.game("breakthrough"), kernels=RULES), anchor="#v=inside")
    page.locator(".board .arrow line").first.wait_for(state="attached")
    assert page.locator(".board .arrow .over line").count() == 1


def test_numbers_are_on_the_best_five_of_many_moves(opened):
    page = opened(make_page(tafl.game("gomoku"), kernels=RULES), anchor="#v=inside")
    page.locator(".board .heat").first.wait_for()
    assert page.locator(".board .value").count() == 5
    assert page.locator(".board .heat").count() == 81 - 5


def test_keys_work_beside_a_checkbox_and_the_focus_stays_on_the_board(run, opened):
    page = opened(run[1])
    page.get_by_label("Show the value of each move").focus()
    page.keyboard.press("Space")  # the box takes it
    page.locator(".board .value").first.wait_for()
    page.keyboard.press("v")
    until(page, "!document.querySelector('.board .value')")
    page.keyboard.press("n")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    until(page, "location.hash.split('m=')[1].split('.').length == 2")  # the agent has answered
    until(page, "document.activeElement.matches('.board .hit')")
    page.keyboard.press("Enter")
    until(page, "location.hash.split('m=')[1].split('.').length == 4")


def test_undo_and_redo_are_opposite(run, opened):
    page = opened(run[1])
    for length in (2, 4):
        page.locator(".board .hit").first.dispatch_event("click")
        until(page, f"location.hash.split('m=')[1].split('.').length == {length}")
    both = moves_of(page)
    page.keyboard.press("u")
    assert moves_of(page) == both[:2]
    page.keyboard.press("r")
    assert moves_of(page) == both
    page.keyboard.press("u")
    page.keyboard.press("u")
    assert moves_of(page) == []
    page.keyboard.press("r")
    assert moves_of(page) == both[:2]


def test_n_tuples_are_seen_on_a_phone(run, opened):
    page = opened(run[1], width=360, height=740, anchor="#v=inside&s=1&m=4", has_touch=True)
    page.locator(".values .move").first.click()
    entry = page.locator(".tuples li button").first
    entry.scroll_into_view_if_needed()
    entry.tap()
    page.wait_for_timeout(200)
    board = page.locator(".tuple-list .board")
    box = board.bounding_box()
    assert 0 <= box["y"]
    assert box["y"] + box["height"] <= 740
    assert board.locator(".tuple .over circle").count() >= 1
