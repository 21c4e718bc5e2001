"""Measure pages in a browser: the figures of docs/guides/web_page.md.

    python -m benchmarks.page_speed measure [PART ...]     measures and stores
    python -m benchmarks.page_speed report                 writes tables of docs/guides/web_page.md

Needs Node, Chromium and Playwright. The parts: `learning`, its speed in Node and on the CPU (`tafl
bench --wasm`); `sizes` of pages; `browser`, in Chromium: how soon an answer is on the board, how
learning goes with and without FARL, and frames a second meanwhile. The games are the paper's.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tafl
from benchmarks.store import store, stored
from studies.pages import DOCS
from tafl.boards import load_game
from tafl.core.games import PAPER
from tafl.page.html import make_page
from tafl.page.lesson import make_lesson
from tafl.page.small_agents import Small, load_champion, load_small

BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
EPISODES = {"connectfour": 200_000, "othello": 20_000}  # of agents that come with a page

ANSWER = """async (action) => {
    const moves = () => location.hash.split("m=")[1].split(".").filter(Boolean).length;
    const [before, began] = [moves(), performance.now()];
    document.querySelector(`.hit[data-action="${action}"]`).dispatchEvent(
        new MouseEvent("click", { bubbles: true }));
    while (moves() < before + 2) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
}"""
FRAMES = """async (seconds) => {
    const began = performance.now();
    let frames = 0;
    while (performance.now() - began < 1000 * seconds) {
        await new Promise(requestAnimationFrame);
        frames++;
    }
    return frames / seconds;
}"""
RUNS = """() => [...document.querySelectorAll('.run')].map((run) => ({
    done: run.querySelector('progress').value / run.querySelector('progress').max,
    score: run.querySelector('.figure').innerText,
    text: run.querySelector('dl').innerText.split('\\n'),
}))"""


def measure(parts: list[str]) -> None:
    """Measure these parts, or all, and store them beside the others."""
    found = stored("page", {})
    for part in parts or PARTS:
        found |= PARTS[part]()
        store("page", found)


def learning() -> dict[str, Any]:
    """Measure the moves per second on the CPU and in Node."""
    command = [sys.executable, "-m", "tafl", "bench", *PAPER, "--wasm", "--json"]
    bench = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    del bench["environment"]["command"]  # it says where things lie on this machine
    return {"environment": bench["environment"], "learning": bench["games"]}


def sizes() -> dict[str, Any]:
    """Return the bytes of pages, alone and with an agent."""
    with_agents = {}
    with tempfile.TemporaryDirectory() as place:
        for name in EPISODES:
            small = agent(name, Path(place))
            size = len(make_page(small.agent.game, [small]))
            with_agents[name] = {"bytes": size, "agent": small.text}
    alone = {name: len(make_page(load_game(name))) for name in PAPER}
    return {"bytes": alone, "with_agents": with_agents, "lesson": len(make_lesson())}


def browser() -> dict[str, Any]:
    """Measure what is seen in Chromium."""
    from playwright.sync_api import sync_playwright

    found: dict[str, Any] = {}
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found["chromium"] = started.version
        look = Looker(started, Path(place))
        game = load_game("connectfour")
        with_champion = make_page(game, [load_champion(game, "champion")])
        found["answers"] = answers(look(with_champion, "#v=play"))
        for name in ("tictactoe", "nim3p"):
            page = look(make_page(load_game(name)), "#v=train")
            found[f"training {name}"] = training(page)
        found["frames"] = frames(look(with_champion, "#v=train"))
        started.close()
    return found


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "learning": learning,
    "sizes": sizes,
    "browser": browser,
}


class Looker:
    """Open pages from disk, without a network."""

    def __init__(self, browser: Any, folder: Path):
        self.browser, self.folder = browser, folder

    def __call__(self, text: str, anchor: str) -> Any:
        file = self.folder / "page.html"
        file.write_text(text)
        page = self.browser.new_context(offline=True, reduced_motion="reduce").new_page()
        page.goto(f"file://{file}{anchor}")
        page.wait_for_selector(".app")
        return page


def agent(name: str, folder: Path) -> Small:
    """Return an agent that was trained for a short while."""
    run = tafl.train(name, episodes=EPISODES[name], seed=1, out=folder / name)
    return load_small(run.path, name)


def answers(page: Any) -> dict[str, float]:
    """Return the milliseconds from a move to the answer on the board, of several the middle one."""
    found = {}
    page.evaluate(ANSWER, 3)  # loads the agent
    found["greedy"] = median([page.evaluate(ANSWER, action) for action in (2, 4, 1)])
    seats = page.locator(".seat .choice select")
    seats.nth(1).select_option(label="MCTS")
    page.get_by_label("simulations").fill("10000")
    page.get_by_label("simulations").blur()
    page.get_by_role("button", name="New game").click()
    page.evaluate(ANSWER, 3)  # makes room for the tree
    found["mcts_10000"] = median([page.evaluate(ANSWER, action) for action in (2, 4, 1)])
    return found


def median(numbers: list[float]) -> float:
    """Return the middle one."""
    return round(sorted(numbers)[len(numbers) // 2], 1)


def training(page: Any) -> dict[str, Any]:
    """Train with and without FARL: seconds until both are done, and the last scores."""
    began = time.perf_counter()
    page.get_by_text("Train with and without FARL").click()
    while not (runs := page.evaluate(RUNS)) or any(run["done"] < 1 for run in runs):
        time.sleep(0.05)
    seconds = time.perf_counter() - began
    time.sleep(0.5)
    farl, plain = (run["score"] for run in page.evaluate(RUNS))
    return {"seconds": round(seconds, 1), "farl": farl, "no_farl": plain}


def frames(page: Any) -> dict[str, float]:
    """Return the frames a second, at rest and while two agents learn."""
    load = os.getloadavg()[0]  # of other programs: they take frames, too
    rest = page.evaluate(FRAMES, 2)
    page.get_by_text("Train with and without FARL").click()
    time.sleep(1)
    learning = page.evaluate(FRAMES, 5)
    figures = {"at rest": rest, "training two agents": learning, "load": load}
    return {name: round(value, 1) for name, value in figures.items()}


def write(docs: Path = DOCS) -> list[Path]:
    """Write the tables of the page from what is stored; return its path."""
    page = docs / "guides" / "web_page.md"
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{tables(stored('page'))}{END}{rest.partition(END)[2]}")
    return [page]


def tables(found: dict[str, Any]) -> str:
    """Return what was measured, as a page shows it."""
    lines = [
        f"Machine: {found['environment']['processor']}, one core; Chromium {found['chromium']}.",
        "",
        "| game | CPU, moves/s | WebAssembly | ratio | page, bytes |",
        "|---|---|---|---|---|",
    ]
    for row in found["learning"]:
        name = row["game"].partition("(")[0]
        rates = f"{row['moves_per_second']:,} | {row['wasm']:,} | {row['wasm_ratio']:.2f}"
        lines.append(f"| {name} | {rates} | {found['bytes'][name]:,} |")
    lines += ["", "| measured | |", "|---|---|"]
    for name, what in found["with_agents"].items():
        lines.append(f"| page of {name} with an agent | {what['bytes']:,} bytes; {what['agent']} |")
    lines.append(f"| the lesson, with three games | {found['lesson']:,} bytes |")
    answers, frames = found["answers"], found["frames"]
    lines.append(f"| ConnectFour: answer of the champion | {answers['greedy']:.0f} ms |")
    lines.append(
        f"| ConnectFour: answer of MCTS, 10,000 simulations | {answers['mcts_10000']:.0f} ms |"
    )
    for name in ("tictactoe", "nim3p"):
        row = found[f"training {name}"]
        said = f"{row['farl']} with FARL, {row['no_farl']} without, after {row['seconds']} s"
        lines.append(f"| {name}, trained in the tab, against exact play | {said} |")
    both = f"{frames['training two agents']:.0f} (at rest {frames['at rest']:.0f})"
    both += f", beside {frames['load']:.0f} busy programs on {found['environment']['cores']} cores"
    lines.append(f"| frames a second while two agents learn ConnectFour | {both} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["report"]:
        write()
    else:
        measure(sys.argv[2:])
