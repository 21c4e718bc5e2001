"""What tests do with a page that Playwright has opened: people at the board."""

import re
import time

from tafl.page.program import CHECKED

LEARNING = (*CHECKED, "contributions", "index_tuples", "train_td", "maxn_scores")


def until(page, expression, given=None, seconds=20):
    """Waits for something to be true; Playwright's own way is what the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression, given):
        assert time.monotonic() < end, expression
        time.sleep(0.03)


def humans(page):
    """All seats are taken by people."""
    for seat in range(page.locator(".seat select").count()):
        chosen = page.locator(".seat .choice select").nth(seat)
        if chosen.count():
            chosen.select_option("0")


def moves_of(page):
    """The moves so far, from the address."""
    given = re.search(r"m=([\d.]*)", page.evaluate("location.href"))[1]  # page.url lags behind
    return [int(move) for move in given.split(".") if move]


LEGAL = """() => [...document.querySelectorAll('.board .hit .area')].map((area) => {
    const box = area.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
})"""
# The rest of a game: events like those of a mouse or a keyboard, without waiting for the screen.
REST = """async ([keys, directions]) => {
    const press = (key) => (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const rendered = () => new Promise((done) => setTimeout(done));
    const places = () => [...document.querySelectorAll('.board .hit .area')];
    for (let n = 0; places().length; n++) {
        if (!keys) {
            const found = places();
            const click = new MouseEvent('click', { bubbles: true });
            found[(5 * n + 2) % found.length].dispatchEvent(click);
        } else {
            press(keys[n % 4]);
            await rendered();
            if (!directions) press('Enter');
        }
        await rendered();
    }
}"""
KEYS = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]


# Milliseconds that a key takes until the page has drawn what it does, the least of several.
DRAWN = """async ([key, times]) => {
    let least = Infinity;
    for (let i = 0; i < times; i++) {
        const began = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        await new Promise((done) => setTimeout(done));
        document.body.getBoundingClientRect();
        least = Math.min(least, performance.now() - began);
    }
    return least;
}"""


def is_over(page):
    return page.locator(".status .result").count() > 0


def play_by_clicks(page):
    """Plays to the end with the mouse, now here, now there."""
    for number in range(6):
        if places := page.evaluate(LEGAL):
            page.mouse.click(*places[(5 * number + 2) % len(places)])
    page.evaluate(REST, [None, False])


CARRY = """async () => {
    const all = (what) => [...document.querySelectorAll(what)];
    const rendered = () => new Promise((done) => setTimeout(done));
    const click = async (found, n) => {
        found[n % found.length].dispatchEvent(new MouseEvent('click', { bubbles: true }));
        await rendered();
    };
    for (let n = 0; !all('.status .result').length; n++) {
        const taken = all('.board .hit[data-place^="from"] .area');
        const buttons = all('.actions button');
        if (!taken.length && !buttons.length) return 'nothing can be clicked';
        if (!taken.length) await click(buttons, n);
        else {
            await click(taken, 5 * n + 2);
            await click(all('.board .hit.reach .area'), 3 * n + 1);
        }
    }
    return '';
}"""


def carry(page):
    """Plays to the end: a click on a piece, and one on where it goes; else on a button."""
    assert page.evaluate(CARRY) == ""


# The rest of a game by keys alone: arrows to a place and Enter; a piece is taken and carried on.
BY_KEYS = """async (directions) => {
    const all = (what) => [...document.querySelectorAll(what)];
    const rendered = () => new Promise((done) => setTimeout(done));
    const press = async (key) => {
        (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        await rendered();
    };
    const reached = () => document.activeElement?.matches('.board .hit.reach');
    for (let n = 0; !all('.status .result').length; n++) {
        if (n > 1500) return 'no end is reached';
        const buttons = all('.actions button');
        const places = all('.board .hit');
        if (!places.length) {
            if (!buttons.length) return 'nothing can be reached';
            const button = buttons[n % buttons.length];
            button.focus(); // by the tabulator
            button.click(); // as Enter does
            await rendered();
            continue;
        }
        await press(directions[n % 4]);
        if (all('.board .hit.towards').length) continue;
        await press('Enter');
        for (let k = 0; k < 60 && all('[aria-pressed=true]').length && !reached(); k++) {
            await press(directions[(n + (k >> 2)) % 4]);
        }
        if (reached()) await press('Enter');
        else if (all('[aria-pressed=true]').length) await press('Escape');
    }
    return '';
}"""


def carry_by_keys(page):
    """Plays any game to the end by keys alone."""
    assert page.evaluate(BY_KEYS, KEYS) == ""


def play_by_keys(page, directions):
    """Plays to the end with arrows, and Enter where arrows are only a way."""
    for number in range(6):
        if not is_over(page):
            page.keyboard.press(KEYS[number % 4])
            if not directions:
                page.keyboard.press("Enter")
    page.evaluate(REST, [KEYS, directions])


def check_result(page, game):
    """The game that was played is one on the CPU, too, and has ended the same way."""
    state = game.start(int(re.search(r"s=(\d+)", page.url)[1]))
    for action in moves_of(page):
        state.play(action)
    assert state.over
    text = page.locator(".status .result").inner_text()
    if game.facts.players == 1:
        assert f"{state.scores[0]:,.0f} points" in text
    else:
        top = max(state.scores)
        assert ("draw" in text) == (state.scores.count(top) > 1)


def shown_values(page):
    """The values of the first moves, as the page shows them."""
    page.keyboard.press("n")
    page.keyboard.press("2")
    page.locator(".values tbody tr").first.wait_for()
    return {
        row.locator("th").inner_text(): float(
            row.locator("td b").inner_text().replace("\u2212", "-")
        )
        for row in page.locator(".values tbody tr").all()
    }
