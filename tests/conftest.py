"""What all tests share: how examples are drawn, and which tests need a device."""

import shutil
import signal

import pytest
from hypothesis import settings

# The first example of a test compiles its kernels, so no example has a deadline.
settings.register_profile("tafl", deadline=None, derandomize=True)
settings.load_profile("tafl")

# Started in the background of a script, or by nohup, pytest and its children would ignore these.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):  # not on Windows
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


# Files that take long. They come first, so that all processes of `pytest -n` end at about the same
# time; most of the others are done in a few seconds.
SLOW = (
    "test_gpu", "test_page", "test_docs", "test_fuzz", "test_check", "test_learning", "test_train",
    "test_engines", "test_processes", "test_interrupts", "test_trust", "test_cache", "test_windows",
    "test_seed_runs", "test_sweep", "test_doctests", "test_baselines", "test_connectfour_solver",
    "test_reproduction", "test_notebooks", "test_pipeline", "test_wasm", "test_lengths",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Moves slow files to the front, and skips tests marked `gpu` where there is no CUDA device."""
    places = {name: place for place, name in enumerate(SLOW)}
    items.sort(key=lambda item: places.get(item.path.stem, len(SLOW)))
    if shutil.which("nvidia-smi"):
        return
    skip = pytest.mark.skip(reason="no CUDA device on this machine")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)
