"""Make the pictures of docs/guides/web_page.md: each view, wide and narrow, light and dark.

    python docs/page_pictures.py [docs/img]

Needs Chromium and Playwright (`pip install playwright`). It trains ConnectFour for some seconds,
with and without FARL, makes a page with both agents and looks at it.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import tafl
from tafl.boards.load import games
from tafl.page.html import make_page
from tafl.page.lesson import make_lesson
from tafl.page.site import front_page
from tafl.page.small_agents import load_small

HOME = Path(__file__).resolve().parent.parent
PREVIEW = HOME / "src" / "tafl" / "page" / "preview.png"
EPISODES = 200_000
SIZES = {"wide": (1280, 860), "narrow": (360, 780)}
GAME = "#v={view}&s=1&m=3.3.3.3.2.4.2.1.1.5"  # some moves into a game
OTHERS = {"hex": "#v=inside&s=1&m=14.15.20.9", "othello": "#v=play&s=1&m=44.29.20"}
OTHERS |= {"nim3p": "#v=play&s=1&m=4.0", "2048": "#v=play&s=3&m=1.2.1.2.1.2.3.2.1.2.1.2"}


def main(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        file = Path(place) / "c4.html"
        file.write_text(connectfour_page(Path(place)))
        lesson, site = Path(place) / "lesson.html", Path(place) / "index.html"
        lesson.write_text(make_lesson())
        site.write_text(front_page(games()))
        for view, (size, box), scheme in product(VIEWS, SIZES.items(), ("light", "dark")):
            own = {"lesson": (lesson, ""), "site": (site, "")}
            anchor = GAME.format(view=SHOWN_IN.get(view, view))
            page = opened(browser, *own.get(view, (file, anchor)), box, scheme)
            VIEWS[view](page)
            page.screenshot(path=folder / f"page-{view}-{size}-{scheme}.png", animations="disabled")
            page.context.close()
        for name, anchor in OTHERS.items():
            file.write_text(make_page(tafl.game(name)))
            page = opened(browser, file, anchor, SIZES["wide"], "light")
            page.wait_for_timeout(1500)
            page.locator(".stage").screenshot(path=folder / f"page-{name}.png")
            page.context.close()
        preview(browser, site)
        browser.close()
    for file in folder.glob("page-*.png"):
        make_small(file)


def preview(browser: Any, site: Path) -> None:
    """Make the picture that previews of links to the front page show."""
    page = opened(browser, site, "", (1200, 630), "light")
    page.wait_for_timeout(14_000)  # some moves
    page.screenshot(path=PREVIEW, clip={"x": 0, "y": 0, "width": 1200, "height": 630})
    page.context.close()
    make_small(PREVIEW)


def make_small(file: Path) -> None:
    """Reduce a picture to 256 colours, which are enough for a page."""
    from PIL import Image

    Image.open(file).convert("RGB").quantize(256).save(file, optimize=True)


def connectfour_page(folder: Path) -> str:
    """Return a page with an agent trained with FARL, and one without."""
    runs = [
        tafl.train(
            "connectfour", episodes=EPISODES, seed=1, farl=farl, out=folder / name.replace(" ", "-")
        )
        for name, farl in (("FARL", True), ("no FARL", False))
    ]
    agents = [load_small(run.path, run.path.name) for run in runs]
    return make_page(runs[0].game, agents)


def opened(browser: Any, file: Path, anchor: str, box: tuple[int, int], scheme: str) -> Any:
    """Return the page at an address."""
    context = browser.new_context(
        viewport={"width": box[0], "height": box[1]}, color_scheme=scheme, offline=True
    )
    page = context.new_page()
    page.goto(f"file://{file}{anchor}")
    page.wait_for_selector(".app")
    return page


def show_values(page: Any) -> None:
    """Choose the best move, and the n-tuple that says most about it."""
    page.locator(".values .move").first.click()
    page.locator(".tuples li button").first.hover()


def judge(page: Any) -> None:
    """Wait until all moves are judged."""
    page.locator(".moves tbody tr").first.wait_for()
    page.wait_for_timeout(1500)


def train(page: Any) -> None:
    """Train for some seconds."""
    page.get_by_text("Train with and without FARL").click()
    page.wait_for_timeout(20_000)


def set_up(page: Any) -> None:
    """Put a stone more on the board."""
    page.get_by_role("button", name="Set up a position").click()
    page.locator('.hit[data-cell="12"] .area').click()
    page.mouse.move(0, 0)


def learn(page: Any) -> None:
    """Play the example of a game some times, and show what has come of it."""
    for _ in range(4):
        for button in page.locator(".backflow .main").all():
            button.click()
    page.evaluate("document.querySelectorAll('.lesson section')[2].scrollIntoView()")
    page.wait_for_timeout(500)


def wait(page: Any) -> None:
    """Let things come to rest."""
    page.wait_for_timeout(500)


VIEWS: dict[str, Callable[[Any], None]] = {
    "play": wait,
    "inside": show_values,
    "game": judge,
    "train": train,
    "lesson": learn,
    "setup": set_up,
    "site": wait,
}
SHOWN_IN = {"setup": "inside"}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else HOME / "docs" / "img")
