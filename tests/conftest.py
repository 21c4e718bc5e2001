"""What all tests share: how examples are drawn, which tests need a device, pages in a browser."""

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


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page from disk, without a network; nothing may be requested or go wrong."""
    faults, contexts = [], []

    def look(text, width=1280, height=900, anchor="", init="", moving=False, **how):
        file = tmp_path / f"page{len(contexts)}.html"
        file.write_text(text)
        context = browser.new_context(
            viewport={"width": width, "height": height},
            offline=True,
            reduced_motion="no-preference" if moving else "reduce",
            **how,
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(init)
        page.add_init_script("navigator.clipboard.writeText = async (text) => { copied = text }")
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        page.on(
            "request",
            lambda r: faults.append(r.url) if not r.url.startswith(("file:", "blob:")) else None,
        )
        page.goto(f"file://{file}{anchor}")
        page.wait_for_selector(".app")
        return page

    yield look
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A run of TicTacToe, and its page."""
    import tafl
    from pages import LEARNING
    from tafl.page.html import make_page
    from tafl.page.small_agents import load_small

    folder = tmp_path_factory.mktemp("runs")
    trained = tafl.train("tictactoe", episodes=3000, seed=1, out=folder / "farl")
    small = load_small(trained.path, "farl")
    return trained, make_page(trained.game, [small], LEARNING)
