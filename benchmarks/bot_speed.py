"""Measure modules of `tafl export --js`: the figures of docs/guides/web_bot.md.

    python -m benchmarks.bot_speed measure     measures and stores
    python -m benchmarks.bot_speed report      writes the table of docs/guides/web_bot.md

Needs Node. Sizes of the files as they are, and compressed as a web server sends them; milliseconds
of `load()` and of the first move in a new process, of several the middle one.
"""

import gzip
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.store import store, stored
from studies.pages import DOCS
from tafl.boards import load_game
from tafl.page.bot import write_bot
from tafl.page.small_agents import load_champion
from tafl.runs.champions import has_champion
from tafl.runs.folder import environment

GAMES = ("tictactoe", "connectfour", "othello", "2048", "kuhn", "hearts", "backgammon")
TIMES = 7
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
PROGRAM = """
const began = performance.now();
const { load } = await import(process.argv[1]);
const game = await load();
const loaded = performance.now();
const state = game.start(1);
await game.agent(process.argv[2], { seed: 1 }).act(state);
console.log(JSON.stringify([loaded - began, performance.now() - loaded]));
"""


def measure() -> None:
    """Measure all games and store the results."""
    rows = []
    for name in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(one(name, Path(folder)))
    where = environment("cpu")
    where.pop("command", None)  # it says where things lie on this machine
    store("bot", {"environment": where, "games": rows})


def one(name: str, folder: Path) -> dict[str, Any]:
    """Return the sizes and times of a game."""
    game = load_game(name)
    agents = [load_champion(game, "champion")] if has_champion(game) else []
    sizes = write_bot(game, agents, folder)
    packed = {file: len(gzip.compress((folder / file).read_bytes(), 9)) for file in sizes}
    (script,) = (folder / file for file in sizes if file.endswith(".js"))
    search = "ismcts(iterations=1000)" if game.hides else "mcts(iterations=1000)"
    row: dict[str, Any] = {"game": name, "sizes": sizes, "packed": packed}
    row["load"], row["search"] = times(script, search)
    if agents:
        row["champion"] = times(script, "champion")[1]
    return row


def times(script: Path, agent: str) -> tuple[float, float]:
    """Return the milliseconds until the module is loaded, and of the first move after that."""
    command = ["node", "--input-type=module", "--eval", PROGRAM, str(script), agent]
    found = [
        json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(TIMES)
    ]
    load, move = zip(*found, strict=True)
    return round(statistics.median(load), 1), round(statistics.median(move), 1)


def report(docs: Path = DOCS) -> Path:
    """Write the table of the guide from what is stored; return its path."""
    page = docs / "guides" / "web_bot.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    table = "\n".join(lines(stored("bot")))
    text = f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"
    page.write_text(text, encoding="utf-8")
    return page


def lines(found: dict[str, Any]) -> list[str]:
    """Return the table, with the machine above it."""
    rows = [
        f"Machine: {found['environment']['processor']}, one core; Node. Sizes in bytes; in "
        "brackets as a web server sends them (gzip).",
        "",
        "| game | module | WebAssembly | champion | load, ms | first move of a search, ms | of the "
        "champion, ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found["games"]:
        script, wasm, agent = (sizes(row, end) for end in (".js", ".wasm", ".bin"))
        cells = [row["game"], script, wasm, agent, row["load"], row["search"]]
        rows.append("| " + " | ".join(map(str, [*cells, row.get("champion", "")])) + " |")
    rows += [
        "",
        "The search is `mcts(iterations=1000)`, or `ismcts(iterations=1000)` in games with hidden "
        "information. First moves include the",
        "preparation of memory, and of a champion reading and unpacking its file.",
    ]
    return rows


def sizes(row: dict[str, Any], end: str) -> str:
    """Return the size of a file, and its size when it is sent."""
    for file, size in row["sizes"].items():
        if file.endswith(end):
            return f"{size:,} ({row['packed'][file]:,})"
    return ""


if __name__ == "__main__":
    {"measure": measure, "report": report}[sys.argv[1]]()
