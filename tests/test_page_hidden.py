"""Pages of games with hidden information: played to the end, and nothing is shown too early."""

import json
import re
from pathlib import Path

import pytest

import tafl
from long import long_except
from pages import moves_of, until
from tafl.page.html import make_page
from tafl.page.program import RULES

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
GAMES = ("kuhn", "leduc", "liarsdice", "phantom", "hearts", "blackjack", "backgammon(hyper=true)")
SHORT = ("phantom", "hearts")  # beside kuhn, whose page other tests need, too

# Clicks on what can be clicked until the game is over: a card, a cell, a piece and where it goes.
CLICKS = """async () => {
    const all = (what) => [...document.querySelectorAll(what)];
    const rest = () => new Promise((done) => setTimeout(done, 5));
    for (let n = 0, idle = 0; !all('.status .result').length && idle < 2000; n++) {
        const goals = all('.board .hit.reach .area');
        const places = goals.length ? goals : all('.actions button, .board .hit .area');
        const found = all('.cover button').length ? all('.cover button') : places;
        idle = found.length ? 0 : idle + 1;
        const click = new MouseEvent('click', { bubbles: true });
        found[(5 * n + 2) % found.length]?.dispatchEvent(click);
        await rest();
    }
    return all('.status .result').length;
}"""
MESSAGES = """(() => {
    window.sent = [];
    const text = (_, value) => (typeof value === 'bigint' ? `${value}n` : value);
    const list = (value) => ArrayBuffer.isView(value) ? Array.from(value) : value;
    const original = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...more) {
        if (message.method === 'act' || message.method === 'rate')
            sent.push(JSON.stringify(message, (key, value) => text(key, list(value))));
        return original.call(this, message, ...more);
    };
})()"""


@pytest.fixture(scope="module")
def poker():
    return make_page(tafl.game("kuhn"))


def page_of(name, poker):
    return poker if name == "kuhn" else make_page(tafl.game(name), kernels=RULES)


def seat(page, player, label):
    """Let this player sit there."""
    page.locator(".seat .choice select").nth(player).select_option(label=label)


def check_end(page, game):
    """The address has the whole game now, and Python says that it has ended the same way."""
    state = game.start(int(re.search(r"s=(\d+)", page.evaluate("location.hash"))[1]))
    for action in moves_of(page):
        state.play(action)
    assert state.over
    text, top = page.locator(".status .result").inner_text(), max(state.scores)
    if game.facts.players > 1:
        shared = state.scores.count(top) > 1
        assert ("draw" in text or "share" in text) == shared


@pytest.mark.parametrize("name", long_except(("kuhn", *SHORT), GAMES))
def test_a_game_is_played_to_the_end_by_clicks(name, poker, opened):
    game = tafl.game(name)
    page = opened(page_of(name, poker), width=600, anchor="#v=play&s=4")
    for player in range(1, game.facts.players):
        seat(page, player, "Random")
    if game.hides:
        assert "s=" not in page.evaluate("location.hash")  # the seed would tell the deal
    assert page.evaluate(CLICKS) == 1
    check_end(page, game)


@pytest.mark.parametrize(
    "name", long_except(("kuhn", *SHORT), [n for n in GAMES if tafl.game(n).hides])
)
def test_people_share_a_screen_and_play_to_the_end(name, poker, opened):
    game = tafl.game(name)
    page = opened(page_of(name, poker), width=600, anchor="#v=play&s=5")
    for player in range(1, game.facts.players):
        seat(page, player, "You")
    assert page.evaluate(CLICKS) == 1
    check_end(page, game)


def screens(page, actions):
    """What the page shows to the first player, and to nobody, while people play."""
    found = []
    for player in range(1, page.locator(".seat").count()):
        seat(page, player, "You")
    for action in [*actions, None]:
        until(page, "document.querySelector('.board') && !document.querySelector('.thought')")
        if page.locator(".cover").count():
            found.append(page.evaluate("document.querySelector('#page').innerHTML"))
            if action is None and not is_red(page):
                break
            page.locator(".cover button").click()
        if is_red(page):
            for view in ("2", "3", "1"):
                page.keyboard.press(view)
                page.wait_for_timeout(50)
                found.append(page.evaluate("document.querySelector('#page').innerHTML"))
        if action is not None:
            page.locator(f'[data-action="{action}"] .area, button[data-action="{action}"]').click()
    return found


def is_red(page):
    """Is the first player to move?"""
    return page.locator(".status strong").first.inner_text() == "Red"


def alike(game, player, count=2):
    """Seeds of deals that look the same to a player, and differ in what it does not see."""
    known = {}
    for seed in range(1, 200):
        state = game.start(seed)
        key = tuple(state.seen_by(player))
        cells = {tuple(game.start(other).cells) for other in known.setdefault(key, [])}
        if tuple(state.cells) not in cells:
            known[key].append(seed)
            if len(known[key]) == count:
                return known[key]
    raise AssertionError("no two deals look the same")


@pytest.mark.parametrize("name", ["kuhn", "hearts"])
def test_the_page_of_two_deals_that_look_the_same_is_the_same(name, poker, opened):
    """So no text, no attribute and no mark of it depends on what is hidden."""
    game = tafl.game(name)
    first, second = alike(game, 0)
    actions = [0, 1] if name == "kuhn" else []
    shown = [
        screens(opened(page_of(name, poker), anchor=f"#v=play&s={seed}"), actions)
        for seed in (first, second)
    ]
    assert len(shown[0]) > 3
    assert shown[0] == shown[1]


def test_moves_that_a_player_does_not_notice_are_not_shown(opened):
    """In Phantom TicTacToe the other player marks another cell."""
    text = make_page(tafl.game("phantom"), kernels=RULES)
    shown = [screens(opened(text, anchor="#v=play&s=1"), [4, answer]) for answer in (0, 8)]
    assert len(shown[0]) == 9  # covers, and three views at each of two turns
    assert shown[0] == shown[1]
    found = [screens(opened(text, anchor="#v=play&s=1"), [4, answer]) for answer in (4, 8)]
    assert found[0] != found[1]  # who finds a mark is to move again


def test_agents_are_given_only_what_they_see(poker, opened):
    game = tafl.game("kuhn")
    sent = []
    for seed in alike(game, 1):  # the second player has the same card, the first another one
        page = opened(poker, anchor=f"#v=play&s={seed}", init=MESSAGES)
        seat(page, 1, "ISMCTS")
        page.locator('button[data-action="0"]').click()
        until(page, "sent.some((text) => text.includes('\"act\"'))")
        messages = [json.loads(text) for text in page.evaluate("sent")]
        (act,) = (m["given"] for m in messages if m["method"] == "act")
        assert act["position"]["cells"][0] == 0
        sent.append({**act, "seed": None})
    assert sent[0] == sent[1]


def test_hints_are_for_the_player_who_is_to_move(poker, opened):
    """Two deals that look the same have the same hints; on the other's turn there are none."""
    sent = []
    for seed in alike(tafl.game("kuhn"), 0):
        page = opened(poker, anchor=f"#v=inside&s={seed}", init=MESSAGES)
        page.locator(".values tbody tr").first.wait_for()
        sent.append([json.loads(text)["given"] for text in page.evaluate("sent")])
    assert sent[0] == sent[1]
    assert {given["player"]["kind"] for given in sent[0]} == {"ismcts"}


def test_cards_and_the_cover_are_for_all(poker, opened):
    """No serious fault for those who do not see, and all fits a narrow screen."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: cd tests && npm ci")
    page = opened(poker, width=360, anchor="#v=play&s=3", bypass_csp=True)
    page.add_script_tag(path=str(AXE))
    seat(page, 1, "You")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for _ in range(2):
            found = page.evaluate("axe.run()")["violations"]
            serious = [f for f in found if f["impact"] in ("serious", "critical")]
            assert [(scheme, f["id"], f["nodes"][0]["html"]) for f in serious] == []
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            if page.locator(".cover button").count():
                page.locator(".cover button").click()
        page.locator(".actions button").first.click()


def test_an_agent_trained_in_the_tab_plays_to_the_end(poker, opened):
    game = tafl.game("kuhn")
    page = opened(poker, anchor="#v=train")
    page.get_by_role("button", name="Train once").click()
    until(page, "document.querySelector('.run progress')?.value >= 100000", seconds=60)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Play against it").click()
    assert page.evaluate(CLICKS) == 1
    check_end(page, game)
    assert len(moves_of(page)) >= 2
