"""The wheel alone is enough: installed where the repository is out of sight, tafl works.

A wheel of pure Python is installed by unpacking it, so the test needs no pip. The environment sees
the dependencies of the running one as a plain folder on its path: .pth files in there, such as the
one of an editable tafl, do nothing. Numba's cache depends on where a source lies, so the kernels
are compiled again; that takes most of the time.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tafl.core.games import GAMES

ROOT = Path(__file__).parent.parent
FOLDERS = ("benchmarks", "docs", "results", "src", "studies", "tests", "web")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
# What pip writes into bin/tafl, with the entry point looked up.
TAFL = """
import sys
from importlib.metadata import distribution
[command] = distribution("tafl").entry_points.select(group="console_scripts", name="tafl")
sys.exit(command.load()())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [file] = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Runs Python, in an empty folder, where the wheel is installed and the repository is not."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, symlinks=True)
    place = Path(sysconfig.get_path("purelib", "venv", {"base": str(home)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    dependencies = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (place / "dependencies.pth").write_text("\n".join(sorted(dependencies)) + "\n")
    empty = tmp_path_factory.mktemp("empty")
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["TAFL_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))

    def python(*arguments):
        command = [str(home / "bin" / "python"), *arguments]
        ran = subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    python.place, python.folder = place, empty
    return python


def test_the_sdist_has_all_that_its_tests_read(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(tmp_path / f"tafl-{VERSION}.tar.gz") as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    made = {"__pycache__", "node_modules"}
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    wanted = {file.relative_to(ROOT) for file in files if not made & set(file.parts)}
    assert {file.as_posix() for file in wanted} <= packed
    assert {"Makefile", "README.md", "requirements.lock", "requirements-dev.lock"} <= packed


def files_of(wheel):
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(wheel):
    package = ROOT / "src" / "tafl"
    sources = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = {file for file in files_of(wheel) if file.startswith(f"tafl-{VERSION}.dist-info/")}
    assert files_of(wheel) - about == sources


@pytest.mark.parametrize(
    "data",
    [
        "tafl/py.typed",
        "tafl/**/presets/tictactoe.paper.toml",
        "tafl/tuples/data/tictactoe-1.json",
        "tafl/agents/data/connectfour-12.book.xz",
        "tafl/runs/champions/tictactoe.safetensors",
        "tafl/boards/template/line_game.py",
        "tafl/boards/template/card_game.py",
        "tafl/boards/template/dice_game.py",
        "tafl/boards/template/piece_game.py",
        "tafl-*.dist-info/licenses/LICENSE",
    ],
)
def test_data_files_are_installed(installed, data):
    assert list(installed.place.glob(data))


def test_what_is_imported_is_what_was_installed(installed):
    code = "import sys, tafl; print(tafl.__file__, *sys.path, sep='\\n')"
    file, *path = map(Path, installed("-c", code).splitlines())
    assert file.resolve().is_relative_to(installed.place.resolve())
    assert not any(folder.resolve().is_relative_to(ROOT / "src") for folder in path)


def test_version(installed):
    assert installed("-c", TAFL, "--version").strip() == VERSION


def test_games(installed):
    listed = json.loads(installed("-c", TAFL, "games", "--json"))
    assert [entry["game"] for entry in listed] == list(GAMES)


def test_a_new_game_is_correct(installed):
    installed("-c", TAFL, "new-game", "mygame")
    assert "no faults in 5 random games" in installed(
        "-c", TAFL, "check", "mygame.py", "--games", "5"
    )


@pytest.mark.long
def test_training(installed):
    options = ("--episodes", "50", "--seed", "1", "--set", 'evaluation.opponents=["exact"]')
    installed("-c", TAFL, "train", "tictactoe", *options, "--out", "run")
    values = json.loads(installed("-c", TAFL, "values", "run", "--json"))
    assert len(values["values"]) == 9
