"""Pages as files: which are made, of what, and what is said about them. No browser is needed."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from pathlib import Path

import numpy as np
import pytest

import tafl
from benchmarks import page_speed
from benchmarks.store import stored as stored_speed
from studies.pages import DOCS
from tafl.cli.main import main
from tafl.core.games import GAMES
from tafl.page.pack import Bytes, packed_weights
from tafl.page.small_agents import load_champion
from tafl.page.training import MOST_FLOATS, trainings
from tafl.runs.champions import champions

HOME = Path(__file__).parent.parent
WEB, STATIC = HOME / "web", HOME / "src" / "tafl" / "page" / "static"


def test_the_scripts_are_those_of_the_sources():
    """`npm run build` in web/ makes them; the first line of each names its sources."""
    names = [
        f.name
        for f in WEB.iterdir()
        if re.search(r"\.(jsx?|mjs|css)$|^(package|texts)\.json$", f.name)
    ]
    total = hashlib.sha256()
    for name in sorted(names):
        total.update(name.encode() + b"\0" + (WEB / name).read_bytes() + b"\0")
    digest = total.hexdigest()[:16]
    for name in ("page.js", "worker.js", "bench.js", "page.css"):
        first = STATIC.joinpath(name).read_text().partition("\n")[0]
        assert digest in first, f"{name} is out of date: make page"


UNREACHABLE = "ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|SOCKET|ENOTCACHED|E50"


def test_a_build_gives_the_scripts_byte_for_byte(tmp_path):
    """The versions in package-lock.json, on any machine with Node, make the committed files."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("no Node or no npm on this machine (apt-get install nodejs npm)")
    web, static = tmp_path / "web", tmp_path / STATIC.relative_to(HOME)
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    static.mkdir(parents=True)
    options = ["--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=0"]
    installed = subprocess.run([npm, "ci", *options], cwd=web, capture_output=True, text=True)
    if installed.returncode and re.search(f"code ({UNREACHABLE})", installed.stderr):
        pytest.skip("npm's registry cannot be reached")
    assert installed.returncode == 0, installed.stderr
    subprocess.run([node, "build.mjs"], cwd=web, check=True)
    built = {file.name: file.read_bytes() for file in static.iterdir()}
    assert built == {file.name: file.read_bytes() for file in STATIC.iterdir()}


def test_lock_files_name_no_registry():
    """A lock file works with any registry: it names packages by their hashes."""
    for folder in (WEB, HOME / "tests"):
        lock = json.loads((folder / "package-lock.json").read_text())
        packages = [about for name, about in lock["packages"].items() if name]
        assert all("integrity" in about and "resolved" not in about for about in packages)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["page", "--out", "x.html"], "name a game or a run"),
        (["page", "hex", "nim", "--out", "x.html"], "one game, not hex and nim"),
        (["page", "hex", "--all", "--out", "x"], "leave out the others"),
        (["page", "--lesson", "--all", "--out", "x"], "leave out the others"),
        (["page", "hex", "--lesson", "--out", "x"], "leave out the others"),
        (["page", "hex", "--out", "no/such/x.html"], "does not exist"),
        (["page", "chess", "--out", "x.html"], "there is no game 'chess'"),
    ],
)
def test_wrong_input_is_one_line(arguments, message, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_measuring_in_webassembly_needs_node(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert main(["bench", "nim", "--wasm"]) == 2
    assert "--wasm needs Node" in capsys.readouterr().err
    assert main(["bench", "nim", "--wasm", "--search"]) == 2
    assert "leave out the others" in capsys.readouterr().err


def test_only_weights_that_are_not_0_are_stored():
    kept, weights = Bytes(), np.zeros(100_000, np.float32)
    weights[::1000] = np.arange(100) + 0.5
    for bits in (16, 32):
        form = packed_weights(weights, bits, kept)
        stored = [
            zlib.decompress(base64.b64decode(kept.packed[form["active"][name]]), -15)
            for name in ("gaps", "values")
        ]
        assert len(stored[0]) == 1 + 4 * 100  # bytes: 999 zeros are 3 * 255 + 234
        assert len(stored[1]) == 100 * bits // 8


@pytest.mark.parametrize("name", ["connectfour", "gomoku", "nim", "2048"])
def test_every_kind_of_default_network_can_be_trained_in_a_page(name):
    """Also n-tuples along lines, which have no number, and where the usual network is too large."""
    (found,) = trainings(tafl.game(name), ["td"], Bytes())
    assert 0 < found["weights"] <= MOST_FLOATS
    assert found["tuples"] > 0


def test_a_game_is_trained_with_the_algorithms_that_its_settings_are_for():
    """The cube learns backwards from its goal, which SARSA and Q-learning cannot."""
    found = trainings(tafl.game("cube"), ["td", "sarsa", "q"], Bytes())
    assert [training["algo"] for training in found] == ["td"]


@pytest.fixture
def unmade(monkeypatch):
    """Pages are not made: what they would have been made of."""
    asked = []

    def note(game, agents=(), home=""):
        asked.append((game.name, [agent.label for agent in agents]))
        return f"a page of {game.name}"

    for module in ("html", "site"):
        monkeypatch.setattr(f"tafl.page.{module}.make_page", note)
    monkeypatch.setattr("tafl.page.site.compiled", iter)
    monkeypatch.setattr("tafl.page.site.make_lesson", lambda home: "a lesson")
    monkeypatch.setattr("tafl.page.site.front_page", lambda games, url, docs: " ".join(games))
    return asked


def test_all_games_have_a_page_and_one_in_front(unmade, capsys, tmp_path):
    shown = list(GAMES)
    site = tmp_path / "site"
    assert main(["page", "--all", "--out", str(site), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)["pages"]
    assert [Path(row["file"]).stem for row in written] == [*shown, "lesson", "index"]
    assert (site / "index.html").read_text().split() == shown
    assert all((site / f"{name}.html").exists() for name in (*shown, "lesson"))
    with_champion = [game.partition("(")[0] for game, agents in unmade if agents]
    assert with_champion == champions()


def test_the_champion_of_a_game_comes_with_its_page(unmade, capsys, tmp_path):
    out = ["--out", str(tmp_path / "x.html")]
    assert main(["page", "nim", "champion", *out]) == 0
    assert "champion: " in capsys.readouterr().out
    assert unmade == [(tafl.game("nim").name, ["champion"])]
    small = load_champion(tafl.game("nim"), "champion")
    assert small.agent.values(small.agent.game.start()) == tafl.agent("champion", "nim").values(
        tafl.game("nim").start()
    )
    for wrong, message in (
        (["champion"], "whose champion?"),
        (["kalah", "champion"], "has no champion"),
        (["hex(size=4)", "champion"], "the champion plays hex(size=6)"),
        (["nim(stones=4)", "champion"], "the champion plays nim(heaps=3,stones=5"),
    ):
        assert main(["page", *wrong, *out]) == 2
        assert message in capsys.readouterr().err


def test_the_figures_of_the_docs_are_those_that_are_stored():
    stored = stored_speed("page")
    assert page_speed.tables(stored) in (DOCS / "guides" / "web_page.md").read_text()
    ratios = {row["game"].partition("(")[0]: row["wasm_ratio"] for row in stored["learning"]}
    assert all(ratios[name] >= 0.4 for name in ("connectfour", "hex", "tictactoe", "nim3p"))
    assert max(stored["bytes"].values()) < 400_000


def test_names_of_folders_have_no_suffix(tmp_path):
    from tafl.cli.page import labels

    runs = [tmp_path / "runs" / name for name in ("alpha0.1", "alpha0.5")]
    for run in runs:
        run.mkdir(parents=True)
    files = [tmp_path / name for name in ("a.agent", "b.agent")]
    for file in files:
        file.touch()
    assert labels(runs) == ["alpha0.1", "alpha0.5"]
    assert labels(files) == ["a", "b"]
    (tmp_path / "a.other").touch()
    assert labels([tmp_path / "a.agent", tmp_path / "a.other"]) == ["a.agent", "a.other"]
