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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips the tests marked `gpu` where there is no CUDA device."""
    if shutil.which("nvidia-smi"):
        return
    skip = pytest.mark.skip(reason="no CUDA device on this machine")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)
