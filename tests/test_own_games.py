"""Games that users wrote from the guide, without board(): checked, trained and played in a page."""

from pathlib import Path

import pytest

import tafl
from long import long_except
from pages import carry, check_result, humans, moves_of
from tafl.boards.check import check
from tafl.boards.layout import board_of
from tafl.boards.picture import elements
from tafl.page.html import make_page
from tafl.page.program import RULES

FOLDER = Path(__file__).parent / "games"
GAMES = ("brandubh", "checkers", "halma", "hypergammon", "ludo")


def own(name):
    return tafl.game(str(FOLDER / f"{name}.py"))


@pytest.mark.parametrize("name", GAMES)
def test_they_have_no_faults_and_are_short(name):
    file = FOLDER / f"{name}.py"
    assert len(file.read_text().splitlines()) <= 120
    assert "def board" not in file.read_text()
    findings = check(file, games=2)
    assert findings.faults == {}
    assert findings.notes == []


LEAST = {"brandubh": 0.7, "checkers": 0.7, "halma": 0.7, "hypergammon": 0.7, "ludo": 0.4}  # luck


@pytest.mark.parametrize("name", long_except(("hypergammon",), GAMES))
def test_what_they_learn_beats_random_players(name, tmp_path):
    run = tafl.train(own(name), episodes=3000, seed=1, out=tmp_path / "run")
    assert tafl.evaluate(run.agent, vs="random", games=200).win_rate > LEAST[name]


@pytest.mark.parametrize("name", GAMES)
def test_they_are_played_to_the_end_in_a_page(name, opened):
    game = own(name)
    board = board_of(game)
    page = opened(make_page(game, kernels=RULES), width=480)
    humans(page)
    drawn = [cell for cell in board.cells if cell.kind != "off"]
    assert page.locator(".board .cell").count() == len(drawn)
    assert page.locator(".board .pips").count() == sum(cell.kind == "die" for cell in drawn)
    carry(page)
    check_result(page, game)
    assert len(moves_of(page)) > 4


@pytest.mark.parametrize("name", ["brandubh", "checkers", "halma"])
def test_a_click_on_a_piece_shows_where_it_may_go(name, opened):
    game = own(name)
    targets, state = board_of(game).targets, game.start()
    page = opened(make_page(game, kernels=RULES))
    humans(page)
    for _ in range(3):
        ways = {a: (targets[a].source, targets[a].cells[0]) for a in state.legal_actions}
        taken = page.locator('.hit[data-place^="from"]').all()
        assert {int(one.get_attribute("data-cell")) for one in taken} == {
            s for s, _ in ways.values()
        }
        action, (source, _) = list(ways.items())[-1]
        page.locator(f'.hit[data-cell="{source}"] .area').click()
        shown = {int(one.get_attribute("data-action")) for one in page.locator(".hit.reach").all()}
        assert shown == {a for a, (start, _) in ways.items() if start == source}
        assert page.locator(".actions button").count() == 0
        page.locator(f'.hit[data-action="{action}"] .area').click()
        state.play(action)
        assert moves_of(page) == state.history


def test_from_to_actions_are_read_from_their_names():
    """Brandubh counts rows from the top, Halma from the bottom."""
    for name, corner in (("brandubh", "a1"), ("halma", "a6")):
        game, board = own(name), board_of(own(name))
        named = [a for a in range(game.facts.actions) if board.targets[a].source == 0]
        assert {game.action_name(a)[:2] for a in named} == {corner}
        rows = [label for label in board.labels if label.text.isdecimal()]
        assert min(rows, key=lambda label: label.y).text == corner[1]


def test_names_that_are_no_moves_are_not_read_as_such(tmp_path):
    """Neither names that lie, nor Breakthrough's, are from-to actions."""
    source = (FOLDER / "checkers.py").read_text()
    wrong = tmp_path / "wrong.py"
    wrong.write_text(source.replace("named(to) if", "named(35 - to) if"))
    assert all(target.source is None for target in board_of(tafl.game(str(wrong))).targets)
    said = tmp_path / "said.py"
    said.write_text(
        source.replace("named(to) if", "named(35 - to) if").replace(
            "            kinds=", "            from_to={0: (0, 7)},\n            kinds="
        )
    )
    with pytest.raises(
        tafl.GameError, match=r"from_to\[0\] must be \(from, to\), two cells of the"
    ):
        tafl.game(str(said))
    said.write_text(said.read_text().replace("{0: (0, 7)}", "{8: (1, 6)}"))
    target = board_of(tafl.game(str(said))).targets[8]
    assert (target.source, target.cells) == (1, [6])


def test_dice_have_pips_and_what_is_off_is_not_drawn():
    state = own("hypergammon").start(2)
    shown = [value for value, cell in zip(state.cells, board_of(state.game).cells, strict=True)
             if cell.kind == "die"]  # fmt: skip
    drawn = elements(state)
    assert len(shown) == 2
    assert sum(e.attributes.get("class") == "pip" for e in drawn) == sum(shown) > 1
    assert sum(e.attributes.get("class") == "cell" for e in drawn) == state.game.facts.cells - 1


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ('kinds={99: "off"}', "kinds says 'off' of cell 99"),
        ('kinds={0: "dice"}', "of board, die, card, off"),
        ("pieces={9: (0, '')}", r"pieces\[9\] must be \(player, text\)"),
        ("pieces={1: (2, '')}", r"pieces\[1\] must be \(player, text\)"),
    ],
)
def test_wrong_facts_are_refused(fact, message, tmp_path):
    source = (FOLDER / "halma.py").read_text()
    file = tmp_path / "wrong.py"
    file.write_text(source.replace('kinds={CELLS: "off"}', fact))
    with pytest.raises(tafl.GameError, match=message):
        tafl.game(str(file))
