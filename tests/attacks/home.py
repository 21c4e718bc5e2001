"""One of each kind of file, with nothing wrong about them; and commands in this process."""

import contextlib
import io
import logging
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tafl
from planted import plant
from tafl.cli.main import main

STORED = Path(__file__).resolve().parent.parent.parent / "results"


def called(*words: str, answers: str = "") -> tuple[int, str, str]:
    """A command in this process: exit code, what it printed, what it complained."""
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    warnings = logging.StreamHandler(err)
    logging.getLogger("tafl").addHandler(warnings)
    try:
        sys.stdin = io.StringIO(answers)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(list(words))
    finally:
        sys.stdin = stdin
        logging.getLogger("tafl").removeHandler(warnings)
    return code, out.getvalue(), err.getvalue()


@cache
def home() -> Path:
    """A folder with all kinds of files."""
    folder = Path(tempfile.mkdtemp(prefix="tafl-fuzz-"))
    fast = {"every_seconds": 0}
    tafl.train("nim", episodes=60, seed=1, checkpoint=fast, out=folder / "run")
    tafl.save(tafl.Run.open(folder / "run"), folder / "nim.agent")
    tafl.match("nim", ["random", "exact"], games=6).save(folder / "games.jsonl")
    tafl.tournament("nim(stones=2)", ["random", "exact", "maxn"], games=4, out=folder / "league")
    tafl.sweep("nim", {"td.alpha": [0.1, 0.5]}, episodes=20, games=2, confirm=0,
               out=folder / "sweep")  # fmt: skip
    own = tafl.game(plant(folder))
    tafl.train(own, episodes=20, evaluation={"every": 0}, seed=1, out=folder / "own")
    shutil.copytree(STORED / "tictactoe" / "td-farl", folder / "results" / "tictactoe" / "td-farl")
    return folder


@contextlib.contextmanager
def copied(*names: str) -> Iterator[Path]:
    """A copy of these files, for one try."""
    with tempfile.TemporaryDirectory(prefix="tafl-fuzz-") as folder:
        for name in names:
            source, copy = home() / name, Path(folder) / name
            if source.is_dir():
                shutil.copytree(source, copy)
            else:
                shutil.copyfile(source, copy)
        yield Path(folder)
