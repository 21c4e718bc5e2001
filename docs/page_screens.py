"""Make a sheet of screens for each game: its page at the start, on the way and at the end.

    python docs/page_screens.py FOLDER [GAME ...]

Each position is shown wide and narrow, in light and in dark. Needs Chromium and Playwright. Look at
all sheets before a release: a board that you would not show to a friend is a defect.
"""

import shutil
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import tafl
from tafl.boards import Game
from tafl.page.html import make_page
from tafl.page.program import RULES

SIZES = {"wide": (1280, 800), "narrow": (360, 640)}
SCHEMES = ("light", "dark")
MOST = 300  # moves of a game


def main(folder: Path, names: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    shown = names or list(tafl.games())
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in shown:
            game = tafl.game(name)
            file = Path(place) / "page.html"
            file.write_text(make_page(game, kernels=RULES))
            screens(browser, file, anchors(game), folder / f"{name}.png")
            print(folder / f"{name}.png", flush=True)
        browser.close()


def anchors(game: Game) -> list[str]:
    """Return the addresses of a start position, of one on the way, and of the end of a game."""
    rng = np.random.default_rng(4)
    state, moves = game.start(1), list[int]()
    while not state.over and len(moves) < MOST:
        moves.append(int(rng.choice(state.legal_actions)))
        state.play(moves[-1])
    lengths = (0, max(1, len(moves) // 2), len(moves))
    return [f"#v=play&s=1&m={'.'.join(map(str, moves[:n]))}" for n in lengths]


def screens(browser: Any, file: Path, places: list[str], sheet: Path) -> None:
    """Write all screens of a page as one picture: a row for each size, light and dark."""
    from PIL import Image

    rows = []
    for (width, height), scheme in product(SIZES.values(), SCHEMES):
        row = []
        for anchor in places:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
            )
            page = context.new_page()
            page.goto(f"file://{file}{anchor}")
            page.wait_for_selector(".board")
            page.wait_for_timeout(150)
            with tempfile.NamedTemporaryFile(suffix=".png") as screen:
                page.screenshot(path=screen.name, animations="disabled")
                row.append(Image.open(screen.name).convert("RGB"))
            context.close()
        rows.append(row)
    wide, narrow = (
        [row for row in rows if row[0].width > 500],
        [r for r in rows if r[0].width < 500],
    )
    lines = [*wide, [image for row in narrow for image in row]]
    size = max(sum(i.width for i in line) for line in lines), sum(line[0].height for line in lines)
    whole = Image.new("RGB", size, "white")
    y = 0
    for line in lines:
        x = 0
        for image in line:
            whole.paste(image, (x, y))
            x += image.width
        y += line[0].height
    whole.save(sheet)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
