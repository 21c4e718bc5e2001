"""Files of every version are read by every later one: tests/golden/VERSION, made once and kept.

`python tests/test_golden.py VERSION` makes the files of a new version; never make old ones again.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

import tafl
from tafl.arena.records import read_records
from tafl.runs.export import rows
from tafl.runs.trained_agents import save_agent
from tafl.settings.tables import merged

HOME = Path(__file__).parent / "golden"
VERSIONS = sorted(path.name for path in HOME.iterdir())


def seen(folder: Path) -> dict:
    """What tafl reads out of the files of a version."""
    run, agent = tafl.Run.open(folder / "run"), tafl.load(folder / "nim.agent")
    start = run.game.start()
    games = read_records(folder / "games.jsonl")
    return {
        "settings": run.settings.tree(),
        "finished": run.finished,
        "values": [list(a.values(start).values()) for a in (run.agent, agent)],
        "rows": [{k: v for k, v in row.items() if k != "run"} for row in rows(run)],
        "moves": [list(record.moves) for record in games],
        "scores": [list(record.scores) for record in games],
        "ends": [[state.scores for _, state in record.replay()][-1] for record in games],
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_files_of_a_version_are_read(version, tmp_path):
    folder = shutil.copytree(HOME / version, tmp_path / version)
    expected = json.loads((folder / "expected.json").read_text())
    found = json.loads(json.dumps(seen(folder)))
    # a later version may know more settings and more columns
    settings = found.pop("settings")
    assert merged(settings, expected["settings"]) == settings
    for row, wanted in zip(found.pop("rows"), expected["rows"], strict=True):
        assert wanted.items() <= row.items()
    assert found.pop("values") == [pytest.approx(v, abs=1e-6) for v in expected["values"]]
    assert found == {name: expected[name] for name in found}


def make(version: str) -> None:
    """The files of this version."""
    folder = HOME / version
    fast = {"every_seconds": 0}
    run = tafl.train("nim", episodes=40, seed=1, checkpoint=fast, out=folder / "run")
    (run.path / "lock").unlink()
    save_agent(run, folder / "nim.agent")
    tafl.match("nim", ["random", "exact"], games=4, seed=1).save(folder / "games.jsonl")
    (folder / "expected.json").write_text(json.dumps(seen(folder), indent=1) + "\n")


if __name__ == "__main__":
    make(sys.argv[1])
