"""The front page of a site, its puzzles, both languages, and what browsers keep between visits."""

import base64
import io
import json
import re
import zlib

import pytest

import tafl
from pages import is_over, moves_of, until
from tafl.boards.template import write_template
from tafl.cli.main import main
from tafl.core.games import GAMES
from tafl.page.html import make_page
from tafl.page.program import RULES
from tafl.page.puzzles import all_puzzles
from tafl.page.site import front_page

SHOWN = list(GAMES)


@pytest.fixture(scope="module")
def front():
    """The front page of all games."""
    return front_page({name: tafl.game(name) for name in SHOWN}, "https://example.org/play", "../")


def inside(text):
    """All that a page has packed: the bytes of its blobs."""
    blobs = re.findall(r'<script type="text/plain" id="(\w+)">([^<]*)</script>', text)
    return {
        name: zlib.decompress(base64.b64decode(blob), -zlib.MAX_WBITS)
        for name, blob in blobs
        if name != "worker"
    }


def position_after(name, moves):
    """The state after these moves."""
    state = tafl.game(name).start()
    for action in moves:
        state.play(action)
    return state


def pieces(page, where):
    return page.locator(f"{where} .board .piece").count()


def test_the_front_page_leads_to_all_games(front, opened):
    page = opened(front)
    files = [a.get_attribute("href") for a in page.locator("a.game").all()]
    assert files == [f"{name}.html" for name in SHOWN]
    assert page.get_by_role("link", name="lesson").get_attribute("href") == "lesson.html"
    assert page.get_by_role("link", name="Documentation").get_attribute("href") == "../"
    learn = page.get_by_role("link", name="Watch it learn Connect Four, then try to beat it")
    assert learn.get_attribute("href") == "connectfour.html#v=train&go=1"
    image = page.locator('meta[property="og:image"]').get_attribute("content")
    assert image == "https://example.org/play/preview.png"
    assert len(page.locator('meta[name="description"]').get_attribute("content")) > 50
    assert page.locator('link[rel="icon"]').get_attribute("href").startswith("data:image/svg")
    for width in (768, 360, 320):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_two_agents_play_on_the_front_page_until_they_are_stopped(front, opened):
    page = opened(front, moving=True)
    until(page, "document.querySelectorAll('.hero-board .board .piece').length >= 3")
    page.get_by_role("button", name="Pause").click()
    before = pieces(page, ".hero-board")
    page.wait_for_timeout(2000)
    assert pieces(page, ".hero-board") <= before + 1  # one that was being played
    quiet = opened(front)  # who wants nothing to move sees nothing move by itself
    quiet.wait_for_timeout(2000)
    assert pieces(quiet, ".hero-board") == 0
    quiet.locator(".hero-board").get_by_role("button", name="Go on").click()
    until(quiet, "document.querySelectorAll('.hero-board .board .piece').length >= 1")


def test_the_puzzle_of_the_day_is_solved_and_shared(front, opened):
    from PIL import Image

    page = opened(front)
    days = page.evaluate(
        "Math.floor(Date.UTC(...((d) => [d.getFullYear(), d.getMonth(), "
        "d.getDate()])(new Date())) / 86400000)"
    )
    puzzles = all_puzzles()["connectfour"]
    puzzle = puzzles[days % len(puzzles)]
    legal = position_after("connectfour", puzzle["moves"]).legal_actions
    wrong = next(action for action in legal if action != puzzle["answer"])
    said = "only draws" if wrong in puzzle["draws"] else "loses"
    page.locator(f'.puzzle .hit[data-action="{wrong}"] .area').first.click()
    assert said in page.locator(".puzzle [role=status]").inner_text()
    page.locator(f'.puzzle .hit[data-action="{puzzle["answer"]}"] .area').first.click()
    assert "Solved after 2 tries" in page.locator(".puzzle [role=status]").inner_text()
    assert pieces(page, ".puzzle") == len(puzzle["moves"]) + 1
    with page.expect_download() as download:
        page.get_by_role("button", name="Share as picture").click()
    picture = Image.open(io.BytesIO(download.value.path().read_bytes()))
    assert picture.format == "PNG"
    assert picture.width == 1080
    assert len(picture.convert("RGB").resize((60, 60)).getcolors(3600)) > 20  # not one colour
    page.get_by_role("button", name="Another puzzle").click()
    assert page.locator(".puzzle .eyebrow").inner_text().startswith("Puzzle ")


def test_puzzles_of_a_game_are_in_its_page(opened):
    page = opened(make_page(tafl.game("connectfour"), kernels=RULES), anchor="#v=puzzles")
    page.get_by_role("button", name="Play on from here").click()
    assert moves_of(page) in [puzzle["moves"] for puzzle in all_puzzles()["connectfour"]]
    assert "Puzzles" in page.get_by_role("navigation", name="Views").inner_text()


def test_puzzles_have_exactly_one_winning_move():
    solver = tafl.agent("ab", "connectfour")
    puzzles = all_puzzles()["connectfour"]
    assert len(puzzles) >= 365  # one for each day of a year
    assert len({str(puzzle["moves"]) for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles[::12]:
        values = solver.values(position_after("connectfour", puzzle["moves"]))
        assert [action for action, value in values.items() if value > 0] == [puzzle["answer"]]
        assert [action for action, value in values.items() if value == 0] == puzzle["draws"]


@pytest.mark.parametrize("name", ["hex", "othello"])
def test_puzzles_near_the_end_are_right_by_search_to_the_end(name):
    solver = tafl.agent("alphabeta(depth=40)", name)
    for puzzle in all_puzzles()[name][::12]:
        values = solver.values(position_after(name, puzzle["moves"]))
        assert [action for action, value in values.items() if value > 0] == [puzzle["answer"]]


def wins(state, player, moves):
    """Whether a player can win with this many moves, tried out by the rules alone."""
    if state.over:
        return state.scores[player] > 0
    if state.player == player and moves == 0:
        return False
    found = []
    for action in state.legal_actions:
        after = state.copy()
        after.play(action)
        found.append(wins(after, player, moves - (state.player == player)))
        if found[-1] == (state.player == player):
            break
    return any(found) if state.player == player else all(found)


def test_short_puzzles_are_right_by_trying_all_moves():
    short = [puzzle for puzzle in all_puzzles()["connectfour"] if puzzle["wins_in"] == 2]
    assert short
    for puzzle in short[:5]:
        state = position_after("connectfour", puzzle["moves"])
        won = []
        for action in state.legal_actions:
            after = state.copy()
            after.play(action)
            if wins(after, state.player, 1):
                won.append(action)
        assert won == [puzzle["answer"]]


def test_the_language_is_that_of_the_browser_and_can_be_changed(run, opened):
    page = opened(run[1], locale="de-DE")
    assert page.locator("html").get_attribute("lang") == "de"
    tabs = page.get_by_role("navigation").inner_text()
    assert "Trainieren" in tabs
    assert page.locator(".seat .choice select").first.inner_text().startswith("Du")
    page.get_by_role("button", name="English").click()
    assert "Train" in page.get_by_role("navigation", name="Views").inner_text()
    page.reload()  # it is kept
    page.locator(".board .hit").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    assert opened(run[1], locale="fr-FR").locator("html").get_attribute("lang") == "en"


VIEWS = ("play", "inside", "game", "train", "lesson")
ENGLISH = r"(?i)\b(the|and|with|your|move|moves|from|values?|games?|undo|learns?|of)\b"


@pytest.mark.parametrize("view", VIEWS)
def test_no_english_is_left_in_the_german_page(view, run, opened):
    page = opened(run[1], locale="de-DE", anchor=f"#v={view}&m=4.0.8")
    page.wait_for_timeout(400)
    shown = page.evaluate(
        "() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title]')]"
        ".map((e) => e.getAttribute('aria-label') ?? e.getAttribute('title'))]"
    )
    found = [line for text in shown for line in text.split("\n") if re.search(ENGLISH, line)]
    assert [line for line in found if "afterstate" not in line and line != "English"] == []


def test_the_chosen_tab_stays_marked_under_the_pointer(run, opened):
    page = opened(run[1])
    tab = page.locator(".tab[aria-current]")
    before = tab.evaluate("tab => getComputedStyle(tab).backgroundColor")
    tab.hover()
    page.wait_for_timeout(300)
    assert (
        tab.evaluate("tab => getComputedStyle(tab).backgroundColor") == before != "rgba(0, 0, 0, 0)"
    )


@pytest.mark.parametrize("name", ["tictactoe", "kalah"])
def test_an_address_with_senseless_words_is_refused_in_one_line(name, run, opened):
    game = tafl.game(name)
    words = ".".join(["ffffffffffffffff"] * len(game.start().words))
    text = run[1] if name == "tictactoe" else make_page(game, kernels=RULES)
    page = opened(text, anchor=f"#v=play&w={words}")
    assert "is not shown: this is not a position" in page.locator(".notice").inner_text()
    assert moves_of(page) == []
    page.locator(".board .hit .area").first.click()  # the start of the game is there, and works
    assert len(moves_of(page)) >= 1
    short = opened(text, anchor="#v=play&w=1")
    assert "hexadecimal words" in short.locator(".notice").inner_text()


def test_two_saved_agents_have_two_names(run, opened):
    page = opened(run[1], anchor="#v=train")
    page.get_by_role("button", name="Train with and without FARL").click()
    until(
        page,
        "[...document.querySelectorAll('.run progress')].every(p => p.value > 1000) &&"
        "document.querySelectorAll('.run').length == 2",
    )
    page.get_by_role("button", name="Stop").click()
    names = []
    for button in page.get_by_role("button", name="Save").all():
        with page.expect_download() as download:
            button.click()
        names.append(download.value.suggested_filename)
    assert re.fullmatch(r"tic-tac-toe-farl-\d+-seed-1\.agent", names[0])
    assert re.fullmatch(r"tic-tac-toe-no-farl-\d+-seed-1\.agent", names[1])


def test_the_page_of_an_own_game_does_not_say_where_its_file_is(tmp_path):
    tmp_path.joinpath("secretfolder").mkdir()
    file = write_template("mygame", tmp_path / "secretfolder" / "mygame.py")
    text = make_page(tafl.game(str(file)))
    whole = b"".join([text.encode(), *inside(text).values()])
    assert b"mygame.py" in whole
    assert b"secretfolder" not in whole
    assert json.loads(inside(text)["document"])["game"]["name"].startswith("mygame.py(")


def test_agents_seats_and_theme_survive_a_reload(run, opened):
    page = opened(run[1], anchor="#v=train")
    page.get_by_role("button", name="Train once").click()
    until(page, "document.querySelector('.run progress')?.value >= 2000")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Play against it").click()
    until(
        page,
        "document.querySelectorAll('.seat select')[1].selectedOptions[0].text.startsWith('FARL, ')",
    )
    label = page.locator(".seat .choice select").nth(1).evaluate("s => s.selectedOptions[0].text")
    page.get_by_role("button", name="Medium").click()
    page.get_by_role("button", name="Light or dark").click()
    until(page, "document.documentElement.dataset.theme")
    theme = page.locator("html").get_attribute("data-theme")
    page.wait_for_timeout(500)
    page.reload()
    page.locator(".board .hit").first.wait_for()
    until(page, "theme => document.documentElement.dataset.theme === theme", theme)
    until(
        page,
        "label => document.querySelectorAll('.seat select')[1].selectedOptions[0].text === label",
        label,
    )
    assert page.get_by_role("button", name="Medium").get_attribute("aria-pressed") == "true"
    page.keyboard.press("n")
    page.locator('.hit[data-action="4"] .area').click()
    until(page, "location.hash.split('m=')[1].split('.').length == 2")  # it plays


def test_a_page_without_a_database_works_and_says_that_nothing_is_kept(run, opened):
    page = opened(run[1])
    page.add_init_script("indexedDB.open = () => { throw new DOMException('no', 'SecurityError') }")
    page.goto(page.url.split("#")[0] + "#v=train")
    page.reload()
    page.get_by_role("button", name="Train once").click()
    until(page, "document.querySelector('.run progress')?.value >= 2000")
    page.get_by_role("button", name="Stop").click()
    until(page, "document.querySelector('.notice')?.innerText.includes('save it as a file')")
    page.get_by_role("button", name="Play against it").click()
    page.locator('.hit[data-action="4"] .area').click()
    until(page, "location.hash.split('m=')[1].split('.').length == 2")


def test_leaving_while_an_agent_learns_asks_first(run, opened):
    page = opened(run[1], anchor="#v=train")
    page.get_by_role("button", name="Train once").click()
    until(page, "document.querySelector('.run progress')?.value > 0")
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.accept()


def test_a_link_trains_before_a_live_board(run, opened):
    page = opened(run[1], anchor="#v=train&go=1", moving=True)
    until(page, "document.querySelectorAll('.run').length == 2")
    until(page, "document.querySelectorAll('.live .board .piece').length >= 2")
    assert "all players learn from the result" in page.locator(".train header").inner_text()


def test_levels_come_first_and_parameters_of_searches_under_advanced(run, opened):
    page = opened(run[1])
    levels = page.get_by_role("group", name="Level")
    assert levels.get_by_role("button").all_inner_texts() == ["Easy", "Medium", "Hard"]
    assert levels.get_by_role("button", name="Hard").get_attribute("aria-pressed") == "true"
    levels.get_by_role("button", name="Easy").click()
    assert "every second move is random" in page.locator(".details").inner_text()
    assert page.locator(".advanced").count() == 0  # a trained agent has no parameters
    assert not is_over(page)


def test_building_all_pages_says_which_are_done(monkeypatch, capsys, tmp_path):
    made = ("nim", "tictactoe")
    monkeypatch.setattr("tafl.page.site.games", lambda: {name: tafl.game(name) for name in made})
    monkeypatch.setattr("tafl.page.site.compiled", lambda shown: iter(shown))
    monkeypatch.setattr(
        "tafl.page.site.make_page", lambda game, agents, home: f"{game.name} {home}"
    )
    monkeypatch.setattr("tafl.page.site.make_lesson", lambda home: f"lesson {home}")
    monkeypatch.setattr("tafl.page.site.front_page", lambda shown, url, docs: f"front {url} {docs}")
    site = tmp_path / "site"
    assert main(["page", "--all", "--out", str(site), "--url", "https://a.b", "--docs", ".."]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("compiling the rules of all games")
    assert re.search(r"nim\.html: nim\(.*\), \d+ bytes \(1 of 2, 0:00:0\d\)", lines[1])
    assert any(re.search(r"\(2 of 2, ", line) for line in lines)
    assert (site / "index.html").read_text() == "front https://a.b .."
    assert (site / "nim.html").read_text().endswith(" index.html")
    assert (site / "preview.png").read_bytes()[:4] == b"\x89PNG"
