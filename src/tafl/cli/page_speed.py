"""Speed of learning in WebAssembly, measured in Node: for `tafl bench --wasm`."""

import json
import shutil
from importlib.resources import files
from pathlib import Path
from subprocess import PIPE
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tafl.errors import InputError
from tafl.processes import Guarded

if TYPE_CHECKING:
    from tafl.boards import Game


def node() -> str:
    """Return the path of Node."""
    found = shutil.which("node") or shutil.which("nodejs")
    if found is None:
        raise InputError("--wasm needs Node, which is not on the path: install nodejs")
    return found


def measure_wasm(game: "Game", seconds: float, algo: str, warm_up: int) -> float:
    """Return moves per second of learning, with the settings that the CPU is measured with."""
    from tafl.page.pack import Bytes
    from tafl.page.program import LEARNERS, Program
    from tafl.page.training import training
    from tafl.settings.build import make_tuples
    from tafl.settings.presets import compose

    kept = Bytes()
    settings = compose(game, overrides={"algo": algo})
    learning = training(game, settings, make_tuples(game, settings), kept)
    job = {
        "program": Program(game, (LEARNERS[algo],)).document(kept),
        "training": {**learning, "total": settings.episodes},
        "packed": kept.packed,
        "seconds": seconds,
        "warmUp": warm_up,
    }
    source = files("tafl.page").joinpath("static").joinpath("bench.js").read_text("utf-8")
    with TemporaryDirectory() as folder:
        script, file = Path(folder) / "bench.mjs", Path(folder) / "job.json"
        script.write_text(source, encoding="utf-8")
        file.write_text(json.dumps(job))
        program = Guarded([node(), str(script), str(file)], stdout=PIPE, stderr=PIPE)
        said, complaint = program.process.communicate()
    if program.process.returncode:
        last = complaint.decode(errors="replace").strip()[-300:]
        raise InputError(f"{game.name}: Node could not run the kernel: {last}")
    return float(json.loads(said)["moves_per_second"])
