"""What all tests share: how examples are drawn, and which tests need a device."""

import os
import shutil

import pytest
from hypothesis import settings

# The first example of a test compiles its kernels, so no example has a deadline.
settings.register_profile("tafl", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("tafl")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skips the tests marked `gpu` where there is no CUDA device."""
    if shutil.which("nvidia-smi"):
        return
    skip = pytest.mark.skip(reason="no CUDA device on this machine")
    for item in items:
        if "gpu" in item.keywords:
            item.add_marker(skip)
