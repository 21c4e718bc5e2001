"""Sends Ctrl-Break to trainings on Windows: a step of .github/workflows/test.yml.

One training is a single run, the other has two workers. Both have to end with exit code 143, with
checkpoints, and without processes that go on.
"""

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

TAFL = [sys.executable, "-m", "tafl", "train"]


def interrupt(options: list[str], folder: Path, sign: str) -> None:
    """Start a training, wait for a file as a sign that it learns, stop it and look what is left."""
    words = ["nim", *options, "--episodes", str(10**9), "--set", "evaluation.every=0"]
    group = subprocess.CREATE_NEW_PROCESS_GROUP  # type: ignore[attr-defined]
    process = subprocess.Popen([*TAFL, *words, "--out", str(folder)], creationflags=group)
    end = time.monotonic() + 120
    while not list(folder.glob(sign)):
        assert process.poll() is None, "the training ended"
        assert time.monotonic() < end, "the training did not begin"
        time.sleep(0.1)
    time.sleep(10)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.CTRL_BREAK_EVENT)  # type: ignore[attr-defined]
    code = process.wait(60)
    assert code == 143, f"exit code {code}"
    assert psutil.wait_procs(family, 20)[1] == [], "processes go on"
    assert list(folder.glob("**/*.safetensors")), "there is no checkpoint"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        interrupt([], Path(place, "run"), "settings.toml")
        interrupt(["--seeds", "2"], Path(place, "seeds"), "*/progress")
