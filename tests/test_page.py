"""Pages in a browser: played by hand, trained in, and attacked. Chromium, driven by Playwright."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tafl
from long import long_except
from pages import (
    DRAWN,
    LEARNING,
    check_result,
    humans,
    is_over,
    moves_of,
    play_by_clicks,
    play_by_keys,
    shown_values,
    until,
)
from tafl.agents.learned import LearnedAgent
from tafl.arena.records import Record
from tafl.boards.template import write_template
from tafl.cli.main import main
from tafl.core.games import PAPER
from tafl.page.html import make_page
from tafl.page.lesson import make_lesson
from tafl.page.program import CHECKED, RULES
from tafl.page.small_agents import load_small
from tafl.page.training import header
from tafl.runs.champions import champion_file
from tafl.runs.small import same_moves
from tafl.runs.tensors import write_tensors
from tafl.settings.build import build, make_tuples
from tafl.settings.presets import compose

HOME = Path(__file__).parent
AXE = HOME / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize("name", long_except(("2048", "tictactoe", "nim3p"), [*PAPER, "template"]))
def test_games_are_played_by_clicks_and_by_keys(name, opened, tmp_path):
    if name == "template":
        name = str(write_template("mygame", tmp_path / "mygame.py"))
    game = tafl.game(name)
    kernels = LEARNING if name in ("tictactoe", "nim3p") else CHECKED  # both are needed anyway
    page = opened(make_page(game, kernels=kernels), width=480)  # few pixels are soon drawn
    humans(page)
    play_by_clicks(page)
    check_result(page, game)

    page.keyboard.press("n")
    assert moves_of(page) == []
    play_by_keys(page, directions=game.has_chance)
    check_result(page, game)
    before = moves_of(page)
    page.keyboard.press("u")
    assert moves_of(page) == before[:-1]
    page.keyboard.press("r")
    assert moves_of(page) == before


def test_pieces_are_carried_from_cell_to_cell(opened):
    """Actions of Breakthrough point at nothing: the page sees from the rules what they do."""
    game = tafl.game("breakthrough")
    page = opened(make_page(game, kernels=RULES))
    humans(page)
    assert page.locator(".actions button").count() == 0
    for _ in range(3):
        state = game.start()
        for action in moves_of(page):
            state.play(action)
        wanted = state.legal_actions[1]
        after = state.afterstate(wanted).cells
        left = next(c for c, v in enumerate(state.cells) if v and not after[c])
        page.locator(f'.hit[data-cell="{left}"] .area').click()
        page.locator(f'.hit[data-action="{wanted}"] .area').click()
        assert moves_of(page) == [*state.history, wanted]
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowDown")  # by keyboard: to a piece, take it, to where it goes
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert len(moves_of(page)) == 4


def test_a_die_is_not_carried_and_players_have_their_colours(opened):
    """A red stone looks like the die that lets it move; pieces 1 and 2 are both red."""
    game = tafl.game("einstein")
    page = opened(make_page(game, kernels=RULES))
    humans(page)
    assert [page.locator(".seat").nth(p).inner_text().split()[0] for p in (0, 1)] == ["Red", "Blue"]
    for _ in range(4):
        state = game.start(int(re.search(r"s=(\d+)", page.url)[1]))
        for action in moves_of(page):
            state.play(action)
        after = {action: state.afterstate(action).cells for action in state.legal_actions}
        movable = {
            c for cells in after.values() for c in range(25) if state.cells[c] and not cells[c]
        }
        taken = page.locator(".hit[data-cell]")
        assert {int(one.get_attribute("data-cell")) for one in taken.all()} == movable
        page.locator(f'.hit[data-cell="{min(movable)}"] .area').click()
        page.locator(".hit[data-action] .area").first.click()
        assert len(moves_of(page)) == len(state.history) + 1
        assert page.locator("circle.last").count() == 1  # the stone, not the die


def test_values_are_those_of_the_agent(run, opened):
    trained, text = run
    state = trained.game.start()
    page = opened(text, anchor="#v=inside")
    for action in (4, 0, 8):
        rows = page.locator(".values tbody tr")
        rows.first.wait_for()
        shown = {
            row.locator("th").inner_text(): row.locator("td b").inner_text().replace("\u2212", "-")
            for row in rows.all()
        }
        values = trained.agent.values(state)
        names = {trained.game.action_name(a): value for a, value in values.items()}
        assert shown.keys() == names.keys()
        for move, value in shown.items():
            assert float(value) == pytest.approx(names[move], abs=0.00501)
        page.locator(f'.hit[data-action="{action}"] .area').click()
        state.play(action)
        until(
            page,
            f"document.querySelectorAll('.values tbody tr').length == {9 - len(state.history)}",
        )
    page.locator(".values .move").first.click()
    page.locator(".tuples li button").first.hover()
    assert page.locator(".stage .tuple .over circle").count() == 9


@pytest.mark.parametrize(
    ("name", "reached", "missed"), [("tictactoe", 0.49, 0.3), ("nim3p", 0.2, 0.1)]
)
def test_training_with_farl_learns_and_without_does_not(name, reached, missed, run, opened):
    text = run[1] if name == "tictactoe" else make_page(tafl.game(name), kernels=LEARNING)
    page = opened(text, anchor="#v=train")
    page.get_by_text("Train with and without FARL").click()
    until(
        page,
        "[...document.querySelectorAll('.run')].length == 2 &&"
        "[...document.querySelectorAll('.run progress')].every(p => p.value == p.max)",
        seconds=40,
    )
    page.wait_for_timeout(300)
    farl, plain = (
        float(text.rstrip(" %")) / (100 if "%" in text else 1)
        for text in page.locator(".run .figure").all_inner_texts()
    )
    assert farl >= reached
    assert plain < missed


def test_what_was_trained_is_saved_played_and_loaded(run, opened, tmp_path):
    page = opened(run[1], anchor="#v=train")
    page.get_by_role("button", name="Train once").click()
    until(page, "document.querySelector('.run progress')?.value >= 30000")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    file = tmp_path / "mine.agent"
    download.value.save_as(file)
    agent = tafl.load(file)
    assert tafl.evaluate(agent, vs="exact", games=20).win_rate > 0.4
    page.get_by_role("button", name="Play against it").click()
    page.locator('.hit[data-action="4"] .area').click()
    until(page, "location.hash.split('m=')[1].split('.').length == 2")

    other = opened(run[1])
    other.locator(".file input").set_input_files(file)
    until(other, "document.querySelector('.seats').innerText.includes('mine')")
    shown = other.locator(".seat select").all_inner_texts()
    assert any("mine" in text for text in shown)


def test_broken_and_hostile_agents_are_refused(run, opened, tmp_path):
    trained, text = run
    good = tmp_path / "good.agent"
    tafl.save(trained, good)
    data = good.read_bytes()
    size = int.from_bytes(data[:8], "little")

    def sound(**more):  # a file with a checksum that is right, and what should not be in it
        write_agent(tmp_path / "made.agent", OTHER["short"], **more)
        return (tmp_path / "made.agent").read_bytes()

    def settings(**network):
        tree = compose(tafl.game("tictactoe"), overrides=OTHER["short"]).tree()
        return {"settings": {**tree, "network": {**tree["network"], **network}}}

    attacks = {
        "empty": (b"", "not the file of an agent"),
        "random": (np.random.default_rng(1).bytes(5000), "not the file of an agent"),
        "short": (data[:-4], "checksum is wrong"),
        "flipped": (data[:-1] + bytes([data[-1] ^ 1]), "checksum is wrong"),
        "header": (data[:8] + b"[" * size + data[8 + size :], "not readable"),
        "endless": (b"\xff" * 8 + data[8:], "not the file of an agent"),
        "script": (b"<script>alert(1)</script>" * 10, "not the file of an agent"),
        "other": (sound(game="nim"), "it plays nim"),
        "named": (sound(game="<img src=x onerror=alert(1)>"), "it plays <img src=x"),
        "cells": (sound(tuples=[[0, 1, 2], [4, 9]]), "not cells of this game"),
        "kinds": (sound(tuples=[["0", 1]]), "not cells of this game"),
        "twice": (sound(tuples=[[0, 1, 0]]), "has a cell twice"),
        "huge": (sound(tuples=[[0]] * 80_000), "larger than a page has room for"),
        "large": (sound(tuples=[list(range(9))] * 10_000), "larger than a page has room for"),
        "sizes": (sound(tuples=[[0, 1, 2, 3, 4]]), "do not have the size"),
        "boards": (sound(**settings(symmetries=-1)), "choice of symmetric boards"),
        "sigma": (sound(**settings(sigma="constructor")), "its settings are not"),
        "nothing": (sound(settings=None), "its settings are not"),
        "<img src=x onerror=alert(1)>": (data[:100], "not the file of an agent"),
    }
    page = opened(text)
    before = page.locator(".seat select option").count()
    for name, (content, message) in attacks.items():
        given = {"name": f"{name}.agent", "mimeType": "application/octet-stream", "buffer": content}
        page.locator(".file input").set_input_files(given)
        until(
            page,
            "([name, text]) => document.querySelector('.notice span')?.innerText.includes(text) &&"
            " document.querySelector('.notice span').innerText.startsWith(name.slice(0, 5))",
            [name, message],
        )
    assert page.locator(".seat select option").count() == before
    assert page.locator(".notice img").count() == 0


OTHER = {  # networks that no preset has
    "short": {"network": {"tuples": [[0, 1, 2], [4, 8]], "symmetries": 4}},
    "actions": {"algo": "sarsa", "network": {"tuples": [[0, 1, 4]], "sigma": "identity"}},
    "coherent": {"network": {"tuples": [[0, 4, 8], [3]]}, "coherence": {"transfer": "id"}},
}


@pytest.mark.parametrize("name", OTHER)
def test_agents_bring_their_own_tuples(name, run, opened, tmp_path):
    file = tmp_path / f"{name}.agent"
    page = opened(run[1])
    write_agent(file, OTHER[name])
    page.locator(".file input").set_input_files(file)
    until(page, f"document.querySelector('.seats').innerText.includes('{name}')")
    assert shown_values(page) == agreed(tafl.load(file))


def write_agent(file, overrides, **more):
    """An agent of TicTacToe with random weights; `more` is said in its header."""
    game = tafl.game("tictactoe")
    settings = compose(game, overrides=overrides)
    tuples = make_tuples(game, settings)
    weights = build(game, settings, tuples)[0].weights
    weights[:] = np.random.default_rng(1).normal(size=weights.size) / 5
    about = {**header(game, settings, tuples), "settings": json.dumps(settings.tree())}
    said = {key: json.dumps(value) for key, value in more.items()}
    with file.open("wb") as opened_file:
        write_tensors(opened_file, {"weights": weights}, {**about, **said})


def test_a_champion_is_read_from_its_file(run, opened):
    page = opened(run[1])
    page.locator(".file input").set_input_files(champion_file("tictactoe"))
    until(page, "document.querySelector('.seats').innerText.includes('tictactoe')")
    assert shown_values(page) == agreed(tafl.agent("champion", "tictactoe"))


def agreed(agent):
    """What a page should show for an agent at the start."""
    values = agent.values(agent.game.start())
    return pytest.approx({agent.game.action_name(a): v for a, v in values.items()}, abs=0.00501)


def test_a_position_is_set_up_by_hand(run, opened):
    page = opened(run[1], anchor="#v=inside")

    def set_up(stones, player):
        page.get_by_role("button", name="Set up a position").click()
        for cell, clicks in stones.items():
            for _ in range(clicks):
                page.locator(f'.hit[data-cell="{cell}"] .area').click()
        page.get_by_role("combobox", name="to move").select_option(player)
        page.get_by_role("button", name="Use this position").click()

    set_up({0: 1, 4: 1, 8: 2}, "Blue")
    page.locator(".values").wait_for()
    moves = moves_of(page)
    assert sorted(moves[::2]) == [0, 4]
    assert moves[1::2] == [8]
    page.locator('.hit[data-action="1"] .area').click()  # the game goes on from there
    assert moves_of(page) == [*moves, 1]

    page.get_by_role("button", name="New game").click()
    set_up({0: 1, 1: 1, 2: 1}, "Blue")  # three stones of one player
    until(page, "document.querySelector('.notice')?.innerText.includes('No game was found')")
    assert page.locator(".board .tuple circle").count() > 0
    page.get_by_role("button", name="Cancel").click()
    assert moves_of(page) == []


def test_a_game_is_copied_as_link_text_and_record(run, opened, capsys, tmp_path):
    page = opened(run[1], anchor="#v=game&s=1&m=4.0.8.2.1.7.6")
    page.get_by_role("button", name="Text").click()
    assert tafl.position(page.evaluate("copied")).history == [4, 0, 8, 2, 1, 7, 6]
    page.get_by_role("button", name="Record").click()
    line = page.evaluate("copied")
    assert [state.text for _, state in Record.read(line).replay()][-1].endswith(
        "b2 a3 c1 c3 b3 b1 a1"
    )
    (tmp_path / "games.jsonl").write_text(line + "\n")
    assert main(["replay", str(tmp_path / "games.jsonl")]) == 0
    page.get_by_role("button", name="Link").click()
    assert page.evaluate("copied").endswith("#v=game&s=1&m=4.0.8.2.1.7.6")
    rows = page.locator(".moves tbody tr")
    assert rows.count() == 7
    until(page, "!document.querySelector('.moves').innerText.includes('…')")
    state = run[0].game.position([1, 0, 0, 0, 2, 0, 0, 0, 1], player=1)
    for text, cells in (("b2 a1", [0, 0, 0, 0, 1, 0, 2, 0, 0]), (state.text, state.cells)):
        page.locator(".bring input").fill(text)
        page.get_by_role("button", name="Open").click()
        assert page.locator(".board .piece.red").count() == cells.count(1)
        assert page.locator(".board .piece.blue").count() == cells.count(2)
    page.get_by_role("button", name="Text").click()
    assert page.evaluate("copied") == state.text
    for wrong in ("b2 b2", "@ 1 2", "@ zz 0 0 0", "<b>"):
        page.locator(".bring input").fill(wrong)
        page.get_by_role("button", name="Open").click()
        assert "cannot be read" in page.locator(".notice").inner_text()


VIEWS = ("play", "inside", "game", "train", "lesson")


@pytest.mark.parametrize("view", VIEWS)
def test_views_fit_narrow_screens(view, run, opened):
    page = opened(run[1], width=768, anchor=f"#v={view}&m=4.0.8")
    for width in (768, 360, 320):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_no_serious_fault_for_those_who_do_not_see(run, opened):
    if not AXE.exists():
        pytest.skip("axe-core is not installed: cd tests && npm ci")
    page = opened(run[1], anchor="#v=play&m=4.0.8", bypass_csp=True)
    page.add_script_tag(path=str(AXE))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for number, view in enumerate((*VIEWS, "set up"), start=1):
            if view == "set up":
                page.keyboard.press("3")
                page.get_by_role("button", name="Set up by hand").click()
            else:
                page.keyboard.press(str(number))
            page.wait_for_timeout(300)
            found = page.evaluate("axe.run()")["violations"]
            serious = [f for f in found if f["impact"] in ("serious", "critical")]
            assert [(view, scheme, f["id"], f["nodes"][0]["html"]) for f in serious] == []


def test_a_long_game_is_handled(opened):
    game = tafl.game("2048")
    state, moves, rng = game.start(1), [], np.random.default_rng(1)
    while not state.over:
        moves.append(int(rng.choice(state.legal_actions)))
        state.play(moves[-1])
    page = opened(
        make_page(game, kernels=CHECKED), anchor=f"#v=play&s=1&m={'.'.join(map(str, moves))}"
    )
    assert moves_of(page) == moves
    assert is_over(page)
    page.keyboard.press("3")
    page.get_by_role("button", name="Set up by hand").click()
    page.get_by_role("button", name="Start position").click()
    page.locator('.hit[data-cell="5"] .area').click(modifiers=["Shift"])
    page.get_by_role("button", name="Use this position").click()
    page.get_by_role("button", name="Text").click()
    cells = game.start(1).cells
    cells[5] = 14 if cells[5] == 0 else cells[5] - 1
    assert tafl.position(page.evaluate("copied")).cells == cells
    page.reload()  # the address has its words
    page.locator(".moves").wait_for()
    page.get_by_role("button", name="Text").click()
    assert tafl.position(page.evaluate("copied")).cells == cells


def test_a_game_of_10000_plies_stays_quick(opened):
    game = tafl.game(str(HOME / "counting.py"))
    page = opened(make_page(game, kernels=RULES), anchor="#v=game")
    page.locator(".bring input").fill("0 1 " * 5000)
    page.get_by_role("button", name="Open").click()
    until(page, "document.querySelector('.status .result')")
    until(page, "!document.querySelector('progress')", seconds=60)  # all positions are judged
    assert page.locator(".moves tbody tr").count() == 400
    assert "moves 9601 to 10000 of 10,000" in page.locator(".panel").inner_text()
    page.get_by_role("button", name="Earlier").click()
    assert page.locator(".moves tbody td.number").first.inner_text() == "9201"
    drawn = page.evaluate("document.querySelector('.chart .curve').getAttribute('d').length")
    assert drawn < 40_000
    assert page.evaluate(DRAWN, ["u", 10]) < 100
    assert page.evaluate(DRAWN, ["r", 10]) < 100
    page.keyboard.press("1")
    assert page.evaluate(DRAWN, ["u", 10]) < 50
    assert "m=" not in page.url  # no address is that long


def test_a_page_has_room_for_20_agents(run, opened, capsys, tmp_path):
    small = load_small(run[0].path, "farl")
    agents = [replace(small, label=f"agent {n}") for n in range(20)]
    text = make_page(run[0].game, agents, LEARNING)
    assert len(text) < 1.2 * len(run[1])  # what is the same is stored once
    page = opened(text)
    page.locator(".seat .choice select").nth(1).select_option(label="agent 19")
    page.locator('.hit[data-action="4"] .area').click()
    until(page, "location.hash.split('m=')[1].split('.').length == 2")
    arguments = ["page", *[str(run[0].path)] * 21, "--out", str(tmp_path / "x.html")]
    assert main(arguments) == 2
    assert "at most 20 agents, not 21" in capsys.readouterr().err


def test_pages_are_small_and_allow_nothing(run):
    text = run[1]
    assert len(text) < 400_000
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)


def test_agents_of_another_game_are_refused(run, capsys, tmp_path):
    arguments = ["page", "nim", str(run[0].path), "--out", str(tmp_path / "x.html"), "--json"]
    assert main(arguments) == 2
    assert "was trained on tictactoe, not nim" in capsys.readouterr().err


def test_weights_take_16_bits_where_no_move_changes(run):
    small = load_small(run[0].path, "farl")
    agent = small.agent

    def with_weights(weights):
        net = agent.net._replace(weights=weights.astype(np.float32))
        return LearnedAgent(agent.game, net, agent.td)

    weights = agent.net.weights
    halved = with_weights(weights.astype(np.float16))
    assert (small.bits == 16) == same_moves(agent, halved) == ("16 bits each" in small.text)
    assert same_moves(agent, with_weights(weights), positions=500)
    assert not same_moves(agent, with_weights(-weights), positions=500)
    assert not same_moves(agent, with_weights(np.round(weights, 1)), positions=500)
    assert not same_moves(agent, with_weights(weights + np.inf), positions=1)


def test_a_lesson_has_three_games_in_one_file(monkeypatch, opened):
    monkeypatch.setattr("tafl.page.lesson.GAMES", ("tictactoe", "nim3p", "nim3p"))
    page = opened(make_lesson(LEARNING))
    first, second = page.locator(".backflow").all()
    values = "figure => [...figure.querySelectorAll('.level b')].map(b => b.innerText)"
    movers = "figure => [...figure.querySelectorAll('.mover')].map(b => b.innerText)"
    first.get_by_text("20 times").click()
    without = dict(zip(first.evaluate(movers), first.evaluate(values), strict=True))
    assert without["Blue"] == "0"  # the loser's last afterstate has learned nothing
    assert "+1" in first.evaluate(values)  # the winner's has
    second.get_by_text("20 times").click()
    assert {"+1", "+0.2"} <= set(second.evaluate(values))  # with FARL everybody learns
    page.get_by_role("checkbox", name="final adaptation").uncheck()
    second.get_by_text("20 times").click()
    assert set(second.evaluate(values)) == {"0"}  # who takes the last stone gets nothing
    page.get_by_role("checkbox", name="ask a trained agent").check()
    page.locator(".pair .value.best").first.wait_for()
    page.get_by_role("button", name="Play Tic-Tac-Toe").click()
    page.locator('.hit[data-action="4"] .area').click()
    until(page, "location.hash.split('m=')[1].split('.').length == 2")
    assert "g=tictactoe" in page.url
    page.reload()
    page.locator(".board .piece").first.wait_for()
    page.get_by_role("button", name="Lesson").click()
    page.locator(".backflow").first.wait_for()
    page.go_back()
    page.get_by_role("navigation", name="Views").wait_for()
