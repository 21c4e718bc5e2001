"""Attacks on everything around training, with a seed: what is tried, and what came of it.

    python tests/fuzz.py --minutes 30 --seed 1            a table
    python tests/fuzz.py --minutes 30 --seed 1 --write    the table in docs/trust.md, too

Each kind of attack is a function that makes one try and returns "ok", or what went wrong. The tests
in test_fuzz.py make a few tries of each.

    kill -9        training, matches and tournaments are killed at a random moment and run again:
                   nothing is lost, and the result is the same
    flipped bits   one bit of a file: it is found, or it does not matter
    truncations    a file cut short: likewise
    command lines  words of real commands mixed up: exit codes 0, 1, 2 and no traceback
    agent texts    texts of agents mixed up: an agent, or a refusal in one line
    hostile files  files made to be run, to fill memory or to break a parser: nothing is run
"""

import argparse
import contextlib
import io
import json
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import tafl
from tafl.cli.main import main
from tafl.errors import InputError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "trust.md"
BEGIN, END = "<!-- fuzz -->\n", "<!-- end of fuzz -->\n"
OK = "ok"


def called(*words: str) -> tuple[int, str, str]:
    """A command in this process: exit code, what it printed, what it complained."""
    out, err = io.StringIO(), io.StringIO()
    warnings = logging.StreamHandler(err)
    logging.getLogger("tafl").addHandler(warnings)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(words))
    finally:
        logging.getLogger("tafl").removeHandler(warnings)
    return code, out.getvalue(), err.getvalue()


@cache
def home() -> Path:
    """One of each kind of file, and nothing wrong with them."""
    folder = Path(tempfile.mkdtemp(prefix="tafl-fuzz-"))
    fast = {"every_seconds": 0}
    tafl.train("nim", episodes=60, seed=1, checkpoint=fast, out=folder / "run")
    tafl.save(tafl.Run.open(folder / "run"), folder / "nim.agent")
    tafl.match("nim", ["random", "exact"], games=6).save(folder / "games.jsonl")
    tafl.tournament("nim(stones=2)", ["random", "exact", "maxn"], games=4, out=folder / "league")
    return folder


# What reads each kind of file; its JSON is the result that must not change unnoticed.
READERS = {
    "run": ("values", "{0}/run"),
    "run/metrics.jsonl": ("compare", "{0}/run", "--vs", "exact", "--out", "{0}/c.png"),
    "nim.agent": ("values", "{0}/nim.agent"),
    "games.jsonl": ("replay", "{0}/games.jsonl"),
    "league": (
        "tournament", "nim(stones=2)", "random", "exact", "maxn", "--games", "4",
        "--workers", "1", "--out", "{0}/league",
    ),
}  # fmt: skip


def read(place: Path, kind: str) -> tuple[int, str, str]:
    """What the reader of a kind of file says about the files in a folder."""
    code, out, err = called(*(word.format(place) for word in READERS[kind]), "--json")
    return code, out.replace(str(place), "HERE"), err


@cache
def sound(kind: str) -> str:
    """What it says where nothing is wrong."""
    with copied() as place:
        code, out, _ = read(place, kind)
    assert code == 0, out
    return out


@contextlib.contextmanager
def copied() -> Iterator[Path]:
    """A copy of all files, for one try."""
    with tempfile.TemporaryDirectory(prefix="tafl-fuzz-") as folder:
        yield shutil.copytree(home(), Path(folder) / "copy")


def some_file(place: Path, rng: random.Random) -> tuple[Path, str]:
    """A file, and what kind of files it belongs to."""
    kind = rng.choice(list(READERS))
    path = place / kind
    files = sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]
    # these two say nothing about results
    return rng.choice([f for f in files if f.name not in ("lock", "environment.json")]), kind


def damaged(rng: random.Random, damage: Callable[[bytes], bytes]) -> str:
    """Damages one file: whoever reads it finds that, or says what it said before."""
    with copied() as place:
        file, kind = some_file(place, rng)
        file.write_bytes(damage(file.read_bytes()))
        before = {f: f.read_bytes() for f in (place / "run" / "checkpoints").iterdir()}
        code, out, err = read(place, kind)
        what = f"{file.relative_to(place)}: exit code {code}, {err.strip()[:200]}"
        if code not in (0, 1, 2) or "Traceback" in err:
            return f"raw error, {what}"
        if code == 0 and not same(kind, out) and "tafl:" not in err:
            return f"wrong result, {what}"
        if any(not f.exists() or f.read_bytes() != content for f, content in before.items()):
            return f"lost, {what}"
    return OK


def same(kind: str, out: str) -> bool:
    """Is it the sound result? Of a list of games the first ones are, each is verified by itself."""
    if kind == "games.jsonl":
        found, whole = json.loads(out)["games"], json.loads(sound(kind))["games"]
        return bool(found == whole[: len(found)])
    return out == sound(kind)


def flip(rng: random.Random) -> str:
    """One bit."""

    def one_bit(content: bytes) -> bytes:
        changed = bytearray(content)
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed)

    return damaged(rng, one_bit)


def truncate(rng: random.Random) -> str:
    """A file cut short, often at the end of a line."""

    def cut(content: bytes) -> bytes:
        ends = [k + 1 for k, byte in enumerate(content) if byte == 10][:-1]
        if ends and rng.random() < 0.5:
            return content[: rng.choice(ends)]
        return content[: rng.randrange(len(content) + 1)]

    return damaged(rng, cut)


WORDS = [
    'games', 'state', 'perft', 'train', 'settings', 'runs', 'compare', 'export', 'eval',
    'values', 'match', 'tournament', 'play', 'replay', 'check', 'new-game', 'bench',
    'reproduce', 'demo', 'nim', 'tictactoe', 'hex(size=3)', 'connectfour', '2048', 'nosuch.py',
    'random', 'exact', 'maxn', '--json', '--help', '--games', '--seed', '--starts', '--workers',
    '--moves', '--out', '--vs', '--csv', '--episodes', '--set', '--preset', '--roles',
    '--record', '--seeds', '--minutes', '--algo', '--resume', '--schema', '--role', '--against',
    '0', '1', '2', '-1', '3', '1e3', 'nan', 'inf', 'all:1', 'start', 'first', 'td.alpha=0.5',
    'td.alhpa=1', 'paper', 'as-run', 'sarsa', 'td', 'q', 'x', '', 'é', '\x00', 'a=b', 'run:',
    'run:nowhere', 'mcts(', 'mcts(iterations=2)',
]  # fmt: skip
LONG = {"demo", "bench", "reproduce", "play", "tournament", "train", "check"}  # not for many tries


def command_line(rng: random.Random) -> str:
    """Words of commands in any order."""
    words = [rng.choice(WORDS) for _ in range(rng.randrange(1, 7))]
    if LONG & set(words) and not {"--help", "--schema"} & set(words):
        words = [word for word in words if word not in LONG] or ["games"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        code, _, err = called(*words)
    fine = code in (0, 1, 2) and "Traceback" not in err and err.count("\n") <= 1 + 20 * (code == 0)
    return OK if fine else f"{words}: exit code {code}, {err.strip()[:200]}"


PIECES = [
    'random', 'exact', 'maxn', 'mcts', 'puct', 'nply', 'run', ':', '(', ')', ',', '=', 'depth',
    'iterations', 'seed', '1', '2', '-3', '1e9', "'a'", '"', "'", 'k', 'run:nowhere',
    'mcts(iterations=5)', 'agent', 'command=', 'gtp', 'edax', '\x00', 'é',
]  # fmt: skip


def agent_text(rng: random.Random) -> str:
    """The text of an agent, mixed up."""
    text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 9)))
    if rng.random() < 0.1:
        text = "puct(" * rng.randrange(1, 3000) + text
    try:
        tafl.agent(text, "tictactoe")
    except InputError as error:
        return OK if "\n" not in str(error) else f"{text!r}: {error}"
    except Exception as error:
        return f"{text[:80]!r}: {type(error).__name__}: {error}"
    return OK


EVIL = "from pathlib import Path\nPath(r'{}').touch()\n"


def hostile(rng: random.Random) -> str:
    """A file that should do harm; it is looked at in a process whose memory is measured."""
    with copied() as place:
        mark = place / "executed"
        (place / "evil.py").write_text(EVIL.format(mark))
        name = rng.choice(sorted(HOSTILE))
        HOSTILE[name](place)
        words = [word.format(place) for word in READERS[rng.choice(["run", "games.jsonl"])]]
        size = sum(f.stat().st_size for f in place.rglob("*") if f.is_file())
        before = measured("games")
        code, kilobytes, err = measured(*words, cwd=place)
        if mark.exists():
            return f"{name}: it was run"
        if code not in (0, 1, 2) or "Traceback" in err:
            return f"{name}: exit code {code}, {err.strip()[:200]}"
        if 1024 * (kilobytes - before[1]) > 2 * size + 100 * 2**20:
            return f"{name}: {kilobytes:,} kB"
    return OK


def measured(*words: str, cwd: Path | None = None) -> tuple[int, int, str]:
    """A command in a process of its own: exit code, most memory in kB, complaints."""
    code = (
        "import resource, sys; from tafl.cli.main import main; code = main(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=cwd, timeout=120
    )
    *complaints, kilobytes = done.stderr.strip().split("\n")
    return done.returncode, int(kilobytes), "\n".join(complaints)


def _settings(place: Path, game: str) -> None:
    file = place / "run" / "settings.toml"
    file.write_text(file.read_text().replace("nim(heaps=3,stones=5,take=5,misere=false)", game))


def _newest(place: Path, content: bytes) -> None:
    for file in (place / "run" / "checkpoints").iterdir():
        file.write_bytes(content)


HOSTILE: dict[str, Callable[[Path], object]] = {
    "a game that is a file": lambda p: _settings(p, f"{p}/evil.py"),
    "a game that is a module": lambda p: _settings(p, "evil:Game"),
    "a record that names a file": lambda p: (p / "games.jsonl").write_text(
        json.dumps({"game": f"{p}/evil.py", "number": 0, "seed": 0, "seats": [], "start": [],
                    "moves": [], "scores": []}) + "\n"
    ),
    "a header of 100 MB": lambda p: _newest(p, (10**8).to_bytes(8, "little") + b" " * 10**8),
    "a header nested deeply": lambda p: _newest(
        p, (4 * 10**6).to_bytes(8, "little") + b"[" * (4 * 10**6)
    ),
    "settings nested deeply": lambda p: (p / "run" / "settings.toml").write_text(
        "x = " + "[" * 100_000
    ),
    "metrics nested deeply": lambda p: (p / "run" / "metrics.jsonl").write_text("[" * 10**6 + "\n"),
    "records nested deeply": lambda p: (p / "games.jsonl").write_text("[" * 10**6 + "\n"),
    "a link to somewhere": lambda p: (
        (p / "run" / "metrics.jsonl").unlink(),
        (p / "run" / "metrics.jsonl").symlink_to("/dev/zero"),
    ),
    "an empty folder of checkpoints": lambda p: shutil.rmtree(p / "run" / "checkpoints"),
}  # fmt: skip


KILLED = {
    "train": ("train", "nim", "--episodes", "4000", "--out", "{0}/x", "--set",
              "checkpoint.every_seconds=0"),
    "tournament": ("tournament", "nim(stones=2)", "random", "exact", "maxn", "--games", "40",
                   "--workers", "1", "--out", "{0}/x"),
    "match": ("match", "nim", "random", "exact", "--games", "60", "--workers", "1", "--record",
              "{0}/x"),
}  # fmt: skip
AGAIN = {"train": ("train", "--resume", "{0}/x")}


def fingerprint(name: str, place: Path) -> str:
    """What a command has made, as far as it must not depend on an interruption."""
    if name == "train":
        run = tafl.Run.open(place / "x")
        lines = [{k: v for k, v in line.items() if k not in ("seconds", "check")}
                 for line in run.metrics]  # fmt: skip
        return f"{run.agent.net.weights.tobytes().hex()} {lines}"
    files = sorted((place / "x").rglob("*.jsonl")) if name == "tournament" else [place / "x"]
    return "".join(file.read_text() for file in files)


@cache
def undisturbed(name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(command(name, KILLED, folder), check=True, capture_output=True)
        return fingerprint(name, Path(folder))


def command(name: str, table: dict[str, tuple[str, ...]], folder: str) -> list[str]:
    words = table.get(name, KILLED[name])
    return [sys.executable, "-m", "tafl", *(word.format(folder) for word in words)]


def kill(rng: random.Random) -> str:
    """kill -9 at a random moment; then the command is run again."""
    name = rng.choice(list(KILLED))
    expected = undisturbed(name)
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command(name, KILLED, folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.3, 4.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        begun = (Path(folder) / "x" / "settings.toml").exists() or name != "train"
        if name == "train" and not begun:
            shutil.rmtree(Path(folder) / "x", ignore_errors=True)
        done = subprocess.run(
            command(name, AGAIN if begun else KILLED, folder), capture_output=True, text=True
        )
        if done.returncode != 0:
            return f"{name}: exit code {done.returncode}, {done.stderr.strip()[:200]}"
        if fingerprint(name, Path(folder)) != expected:
            return f"{name}: another result"
    return OK


ATTACKS: dict[str, tuple[Callable[[random.Random], str], int]] = {
    "kill -9": (kill, 300),
    "flipped bits": (flip, 2000),
    "truncations": (truncate, 500),
    "command lines": (command_line, 10_000),
    "agent texts": (agent_text, 2000),
    "hostile files": (hostile, 50),
}


def attack(name: str, tries: int, seed: int, seconds: float = 1e9) -> list[str]:
    """Makes so many tries, or as many as there is time for; what came of each."""
    one, _ = ATTACKS[name]
    end, found = time.monotonic() + seconds, []
    for k in range(tries):
        if time.monotonic() > end:
            break
        found.append(one(random.Random(f"{seed} {name} {k}")))
    return found


def table(results: dict[str, list[str]], seed: int) -> str:
    lines = ["| attack | tried | withstood |", "|---|---|---|"]
    for name, found in results.items():
        lines.append(f"| {name} | {len(found):,} | {found.count(OK):,} |")
    return f"`make fuzz`, seed {seed}:\n\n" + "\n".join(lines) + "\n"


def run_all(minutes: float, seed: int, write: bool) -> int:
    """All attacks, each with its share of the time."""
    os.environ.setdefault("TAFL_DATA_DIR", tempfile.mkdtemp(prefix="tafl-fuzz-"))
    results, end = {}, time.monotonic() + 60 * minutes
    for left, (name, (_, tries)) in zip(range(len(ATTACKS), 0, -1), ATTACKS.items(), strict=True):
        results[name] = attack(name, tries, seed, (end - time.monotonic()) / left)
        for failure in [text for text in results[name] if text != OK][:20]:
            print(f"{name}: {failure}", file=sys.stderr)
    text = table(results, seed)
    print(text)
    if write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2])
    return 0 if all(found.count(OK) == len(found) for found in results.values()) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    sys.exit(run_all(options.minutes, options.seed, options.write))
