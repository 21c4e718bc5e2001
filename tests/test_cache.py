"""Machine code on disk: found again by another process, never stale, and never in the way."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tafl
from long import long
from planted import plant
from tafl.core.compile import cache, kernel
from tafl.core.play.perft import perft
from tafl.core.play.replay import make_trace, replay
from tafl.errors import InputError

SOURCE = Path(tafl.__file__).parent.parent

COUNT = """
import json, sys, time
import tafl
from tafl.core.play.perft import count_sequences, perft

game = tafl.game(sys.argv[1])
counts = perft(game.rules, game.facts, 4)
stats = count_sequences.compiled(type(game.rules)).stats
print(json.dumps({
    "counts": counts,
    "hits": sum(stats.cache_hits.values()),
    "misses": sum(stats.cache_misses.values()),
    "seconds": time.process_time(),
}))
"""
FIRST = [16, 240, 3360, 43680]  # 16 * 15 * 14 * 13: nobody has three in a row before the fifth move


def count(game, folder, cwd=None, source=SOURCE, **environment):
    """Counts move sequences in a process of its own."""
    home = {k: v for k, v in os.environ.items() if k not in ("TAFL_CACHE_DIR", "XDG_CACHE_HOME")}
    chosen = {"TAFL_CACHE_DIR": str(folder)} if folder else {}
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(game)],
        cwd=cwd,
        env={**home, "PYTHONPATH": str(source), **chosen, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("game", [long("tictactoe"), "mygame.py"])
def test_second_process_starts_at_once(tmp_path, game):
    if game.endswith(".py"):
        game = plant(tmp_path)
    first = count(game, tmp_path / "cache")
    assert (first["hits"], first["misses"]) == (0, 1)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    second = count(game, tmp_path / "cache", cwd=elsewhere, PYTHONHASHSEED="7")
    assert (second["hits"], second["misses"]) == (1, 0)
    assert second["counts"] == first["counts"]
    assert second["seconds"] < 2


def test_edited_file_is_never_run_stale(tmp_path):
    path = plant(tmp_path)
    status = path.stat()
    assert count(path, tmp_path / "cache")["counts"] == FIRST
    plant(tmp_path, ("size: int = 4", "size: int = 5"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert count(path, tmp_path / "cache")["counts"] == [25, 600, 13800, 303600]
    plant(tmp_path)
    again = count(path, tmp_path / "cache")
    assert again["counts"] == FIRST
    assert again["hits"] == 1


@pytest.mark.long
def test_edited_module_beside_the_file_is_never_run_stale(tmp_path):
    beside = tmp_path / "limits.py"
    beside.write_text("from more import WIDTH\n")
    (tmp_path / "more.py").write_text("WIDTH = 16\n")
    path = plant(
        tmp_path,
        ("\nSTEPS", "\nfrom limits import WIDTH\nSTEPS"),
        ("return state[2 + action] == 0", "return state[2 + action] == 0 and action < WIDTH"),
    )
    assert count(path, tmp_path / "cache")["counts"] == FIRST
    (tmp_path / "more.py").write_text("WIDTH = 10\n")
    assert count(path, tmp_path / "cache")["counts"] == [10, 90, 720, 5040]


def test_edited_file_is_never_run_stale_within_a_process(tmp_path, monkeypatch):
    from tafl.core.play.perft import perft

    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path / "cache"))
    before = tafl.game(plant(tmp_path))
    after = tafl.game(plant(tmp_path, ("action] == 0", "action] == 0 and action < 10")))
    assert perft(after.rules, after.facts, 2) == [10, 90]
    assert perft(before.rules, before.facts, 2) == [16, 240]
    # what was compiled after the edit, but from the file before it, is not taken for the new one's
    plant(tmp_path)
    assert count(tmp_path / "mygame.py", tmp_path / "cache")["counts"][:2] == [16, 240]


def test_module_edited_after_its_import_is_not_cached(tmp_path, monkeypatch):
    plant(tmp_path, name="imported_game.py")
    os.utime(tmp_path / "imported_game.py", (0, 0))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path / "cache"))
    from imported_game import LineGame

    folder = cache.cache_folder(LineGame)
    assert folder is not None
    assert folder.parent == tmp_path / "cache"
    cache.cache_folder.cache_clear()
    os.utime(tmp_path / "imported_game.py")
    assert cache.cache_folder(LineGame) is None
    del sys.modules["imported_game"]


@pytest.mark.long
def test_read_only_installation_and_home(tmp_path):
    package = tmp_path / "site"
    shutil.copytree(SOURCE / "tafl", package / "tafl", ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*package.rglob("*"), package]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    files = sorted(package.rglob("*"))
    places = {"HOME": "/proc/1/nowhere", "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
    assert count("tictactoe", None, source=package, **places)["hits"] == 0
    assert count("tictactoe", None, source=package, **places)["hits"] == 1
    assert sorted(package.rglob("*")) == files
    for path in [package, *package.rglob("*")]:
        path.chmod(0o755)


def test_no_folder_at_all_costs_only_time(tmp_path):
    nowhere = "/proc/1/nowhere"
    seen = count("tictactoe", None, HOME=nowhere, TMPDIR=nowhere, TEMP=nowhere, TMP=nowhere)
    assert seen["counts"] == [9, 72, 504, 3024]


@pytest.mark.parametrize("damage", [long(b""), b"\x80\x05garbage"])
def test_broken_files_are_replaced(damage, tmp_path):
    folder = tmp_path / "cache"
    count("tictactoe", folder)
    for file in (path for path in folder.rglob("*.nb?") if path.is_file()):
        file.write_bytes(damage)
    assert count("tictactoe", folder)["counts"] == [9, 72, 504, 3024]
    assert count("tictactoe", folder)["hits"] == 1


def test_chosen_folder_must_be_writable(monkeypatch):
    monkeypatch.setenv("TAFL_CACHE_DIR", "/proc/1/nowhere")
    with pytest.raises(
        InputError, match="TAFL_CACHE_DIR is /proc/1/nowhere, which is not writable"
    ):
        cache.cache_root()


def test_temporary_folder_of_somebody_else_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.delenv("TAFL_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/1/nowhere")
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    mine = cache.cache_root()
    assert mine == tmp_path / f"tafl-cache-{os.getuid()}"
    assert mine.stat().st_mode & 0o077 == 0
    mine.chmod(0o777)
    assert cache.cache_root() is None


def test_old_folders_are_removed_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path))
    old = time.time() - (cache.DAYS_KEPT + 1) * 86400
    ours, recent, theirs = (
        tmp_path / "Hex-0123456789abcdef-0123456789abcdef",
        tmp_path / "Hex-0123456789abcdef-fedcba9876543210",
        tmp_path / "photographs",
    )
    for folder in (ours, recent, theirs):
        folder.mkdir()
        os.utime(folder, (old, old) if folder is not recent else None)
    assert cache.cache_folder(type(tafl.game(plant(tmp_path)).rules)) is not None
    assert not ours.exists()
    assert recent.exists()
    assert theirs.exists()


def test_only_the_latest_folders_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path))
    names = [f"Hex-0123456789abcdef-{n:016x}" for n in range(cache.FOLDERS_KEPT + 3)]
    for n, name in enumerate(names):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - 1000 + n,) * 2)
    assert cache.cache_folder(type(tafl.game(plant(tmp_path)).rules)) is not None
    assert sorted(path.name for path in tmp_path.glob("Hex-*")) == names[3:]


def many_folders(root, number=1000):
    """Folders of other versions, all used after everything else."""
    for n in range(number):
        (root / f"Hex-0123456789abcdef-{n:016x}" / "sub").mkdir(parents=True)
        os.utime(root / f"Hex-0123456789abcdef-{n:016x}", (time.time() + n,) * 2)


def test_a_thousand_folders_are_pruned_without_harm_to_who_uses_one(tmp_path, monkeypatch):
    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path / "cache"))
    game = tafl.game(plant(tmp_path))
    assert perft(game.rules, game.facts, 4) == FIRST
    folder = cache.cache_folder(type(game.rules))
    assert list(folder.rglob("*.nbc"))
    many_folders(tmp_path / "cache")
    cache._forget_old(tmp_path / "cache")
    assert len(list((tmp_path / "cache").iterdir())) == cache.FOLDERS_KEPT
    assert not folder.exists()

    assert perft(game.rules, game.facts, 4) == FIRST  # is in memory
    actions, trace = np.array([5, 6]), make_trace(game.facts, 2)
    replay(game.rules, actions, np.array([1], np.uint64), trace)  # is compiled, and stored
    assert count(tmp_path / "mygame.py", tmp_path / "cache")["counts"] == FIRST


def test_several_processes_may_prune_at_once(tmp_path):
    many_folders(tmp_path)
    program = (
        "import sys; from pathlib import Path; from tafl.core.compile import cache; "
        "cache._forget_old(Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    home = {**os.environ, "PYTHONPATH": str(SOURCE)}
    started = [subprocess.Popen(command, env=home) for _ in range(4)]
    assert [process.wait() for process in started] == [0] * 4
    assert len(list(tmp_path.iterdir())) == cache.FOLDERS_KEPT


def test_sources_elsewhere_on_the_path_count_and_installed_ones_do_not(tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "constants.py").write_text("")
    game = tmp_path / "game.py"
    game.write_text("import typing\nimport numpy\nimport tafl.rules\nfrom constants import x\n")
    assert cache.source_files(game) == [game]
    monkeypatch.syspath_prepend(elsewhere)
    assert cache.source_files(game) == [elsewhere / "constants.py", game]


def test_sources_of_an_installed_game_are_its_package(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "INSTALLED", {tmp_path})
    for name in ("plugin", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "plugin" / "constants.py").write_text("import other")
    game = tmp_path / "plugin" / "game.py"
    game.write_text("from plugin import constants\n")
    found = [file.relative_to(tmp_path / "plugin").name for file in cache.source_files(game)]
    assert found == ["__init__.py", "constants.py", "game.py"]


def test_sources_are_the_file_and_what_it_imports_from_beside(tmp_path):
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    for name, content in {
        "__init__.py": "",
        "game.py": "import math\nimport numpy as np\nfrom .near import x\nimport package.far\n",
        "near.py": "from .inner import deep\nfrom . import cousin\n",
        "far.py": "from package.near import x\n",
        "cousin.py": "def f():\n    import package.inner.late\n",
        "inner/__init__.py": "",
        "inner/deep.py": "",
        "inner/late.py": "",
        "unused.py": "",
    }.items():
        (package / name).write_text(content)
    found = {str(file.relative_to(package)) for file in cache.source_files(package / "game.py")}
    assert found == {
        "__init__.py",
        "game.py",
        "near.py",
        "far.py",
        "cousin.py",
        "inner/__init__.py",
        "inner/deep.py",
        "inner/late.py",
    }


def test_the_code_of_a_kernel_outside_core_is_not_kept(tmp_path, monkeypatch):
    """An edit of a function that it calls would not be noticed."""

    @kernel
    def first_player(game, state):
        return game.player(state)

    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path))
    rules = tafl.game("nim").rules
    assert first_player(rules, np.zeros(4, np.int64)) == 0
    assert not first_player.compiled(type(rules)).stats.cache_path
    assert not list(tmp_path.rglob("*first_player*"))


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_flipped_bit_is_found_before_the_code_is_loaded(kind, tmp_path):
    """Machine code with another bit may end the process."""
    from tafl.core.compile.cpu import CheckedFiles

    files = CheckedFiles(str(tmp_path), "kernel-1", "stamp")
    files.save("key", {"code": bytes(range(256))})
    assert files.load("key") == {"code": bytes(range(256))}
    (path,) = tmp_path.glob(f"*.{kind}")
    sound = path.read_bytes()
    for place in range(len(sound)):
        path.write_bytes(
            sound[:place] + bytes([sound[place] ^ 1 << place % 8]) + sound[place + 1 :]
        )
        load = files._load_index if kind == "nbi" else lambda: files._load_data(path.name)
        with pytest.raises(OSError, match="is damaged"):
            load()
    path.write_bytes(sound)
    assert files.load("key")
