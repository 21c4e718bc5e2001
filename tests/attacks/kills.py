"""Commands that are killed at a random moment: nothing is lost, and nothing is left running."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import tafl
from attacks import OK
from attacks.home import home
from tafl.training.seed_runs import UNFINISHED
from test_processes import MARK, alive, engine, until

WRITING = {
    "train": "train nim --episodes 4000 --out {0}/x --set checkpoint.every_seconds=0",
    "train --seeds": "train nim --seeds 2 --episodes 1000 --out {0}/x "
                     "--set checkpoint.every_seconds=0",
    "sweep": "sweep nim --episodes 200 --trials 3 --set td.alpha=0.1..1 --games 4 --confirm 1 "
             "--fresh 1 --out {0}/x",
    "tournament": "tournament nim(stones=2) random exact maxn --games 40 --workers 1 --out {0}/x",
    "match": "match nim random exact --games 60 --workers 1 --record {0}/x",
    "export": "export {1}/run --csv {0}/x",
    "export --agent": "export {1}/run --agent {0}/x",
    "compare": "compare {1}/run {1}/run --vs exact --out {0}/x.png",
    "new-game": "new-game mine --out {0}/x.py",
}  # fmt: skip
GO_ON = {
    "train": "train --resume {0}/x",
    "train --seeds": "train --resume {0}/x",
    "sweep": "sweep --resume {0}/x",
}


def command(text: str, folder: str | Path) -> list[str]:
    return [sys.executable, "-m", "tafl", *(word.format(folder, home()) for word in text.split())]


def fingerprint(name: str, place: Path) -> str:
    """What a command has made, as far as it must not depend on an interruption."""
    if name.startswith("train"):
        folders = [place / "x"] if name == "train" else sorted((place / "x").glob("seed-*"))
        return "".join(map(bits, folders))
    if name == "sweep":
        folders = sorted(file.parent for file in place.rglob("settings.toml"))
        found = [(place / "x" / file).read_text() for file in ("sweep.json", "results.json")]
        return "".join([*found, *map(bits, folders)])
    files = [file for file in sorted(place.rglob("*")) if file.is_file() and file.name != "lock"]
    assert files, f"{name} wrote nothing"
    return "".join(f"{file.relative_to(place)} {file.read_bytes()!r}" for file in files)


def bits(folder: Path) -> str:
    """Weights and evaluations of a run."""
    run = tafl.Run.open(folder)
    lines = [
        {key: value for key, value in line.items() if key not in ("seconds", "check")}
        for line in run.metrics
    ]
    return f"{run.finished} {run.agent.net.weights.tobytes().hex()} {lines}"


@cache
def undisturbed(name: str) -> tuple[str, float]:
    """What a command makes, and how long it takes."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        subprocess.run(command(WRITING[name], folder), check=True, capture_output=True)
        return fingerprint(name, Path(folder)), time.monotonic() - began


def kill(rng: random.Random) -> str:
    """kill -9 at a random moment; then the command is run again."""
    name = rng.choice(list(WRITING))
    expected, seconds = undisturbed(name)
    with tempfile.TemporaryDirectory() as folder:
        nothing = subprocess.DEVNULL
        process = subprocess.Popen(command(WRITING[name], folder), stdout=nothing, stderr=nothing)
        time.sleep(rng.uniform(0.1, seconds))
        process.kill()
        process.wait()
        made = Path(folder) / "x"
        again = GO_ON.get(name, WRITING[name])
        begun = list(made.rglob("settings.toml")) and not (made / UNFINISHED).exists()
        if name == "sweep":
            begun = (made / "sweep.json").exists()
        if name in GO_ON and not begun:
            shutil.rmtree(made, ignore_errors=True)
            again = WRITING[name]
        if name == "new-game":
            for file in Path(folder).iterdir():
                if file.suffix == ".py" and len(file.read_bytes()) < 1000:
                    return "new-game: half a file"
                file.unlink()
        done = subprocess.run(command(again, folder), capture_output=True, text=True)
        if done.returncode != 0:
            return f"{name}: exit code {done.returncode}, {done.stderr.strip()[:200]}"
        if fingerprint(name, Path(folder)) != expected:
            return f"{name}: another result"
    return OK


SLOW = "mcts(iterations=1000000)"
BUSY = {
    "match": f"match connectfour {SLOW} {SLOW} --games 20 --workers 2",
    "match with an engine": "match othello random ENGINE --games 10 --workers 1",
    "tournament": f"tournament connectfour {SLOW} random --games 20 --workers 2 --out {{0}}/x",
    "train --seeds": "train nim3p --seeds 2 --episodes 10000000 --out {0}/x",
    "sweep": "sweep nim3p --set td.alpha=0.1,1 --episodes 10000000 --out {0}/x",
    "eval": "eval {1}/run --vs mcts(iterations=10000000) --games 20",
}
SIGNALS = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}


def left_behind(rng: random.Random) -> str:
    """A command with processes of its own is killed: after a moment none of them is there."""
    name, number = rng.choice(list(BUSY)), rng.choice(list(SIGNALS))
    mark = f"{os.getpid()}-{rng.getrandbits(64)}"
    with tempfile.TemporaryDirectory() as folder:
        texts = {"ENGINE": engine(Path(folder), games=rng.randrange(3))}
        words = [texts.get(word, word) for word in command(BUSY[name], folder)]
        said, surroundings = Path(folder) / "stderr", {**os.environ, MARK: mark}
        with said.open("w") as stderr:
            process = subprocess.Popen(
                words, stdout=subprocess.DEVNULL, stderr=stderr, env=surroundings
            )
        time.sleep(rng.uniform(0.1, 6))
        process.send_signal(number)
        try:
            code = process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            return f"{name}: {signal.Signals(number).name} was not answered"
        if not until(lambda: not alive(mark)):
            return f"{name}: {signal.Signals(number).name} left {alive(mark)}"
        # before Python has begun, it ends as others do, or with an error of its own
        early = "init_import_site" in said.read_text()
        if code not in (SIGNALS[number], -number) and not early:
            return f"{name}: exit code {code} after {signal.Signals(number).name}"
    return OK
