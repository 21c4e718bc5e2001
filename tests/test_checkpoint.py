"""Checkpoints: nothing that is damaged is taken for whole, and nothing durable is lost."""

import hashlib
import json
import logging
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

import tafl
from long import long
from tafl.agents.learned import LearnedAgent
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.runs.checkpoint import (
    Header,
    checkpoint_files,
    load,
    load_column,
    read_sound,
    save,
    sound_headers,
)
from tafl.runs.run import Run
from tafl.runs.tensors import LONGEST_HEADER, DamagedError, read_tensors, verify
from tafl.settings.build import build

HEADER = Header(
    tafl="0.1.0",
    game="nim",
    source="abc",
    settings={"td": {"alpha": 0.1}},
    tuples=[[0, 1], [2]],
    episode=7,
    moves=50,
    seconds=1.5,
    evaluations=2,
)


def arrays(value: int = 1) -> dict[str, np.ndarray]:
    return {
        "weights": np.full(1000, value, np.float32),
        "rng.0": np.full(1, value, np.uint64),
        "trace.0": np.full((2, 3), value, np.uint32),
        "length.0": np.full(2, value, np.int64),
        "totals.0": np.full(3, value, np.float64),
    }


def newest(folder: Path, into: dict[str, np.ndarray]) -> Header:
    """What is loaded from a folder of checkpoints."""
    path, header = next(sound_headers(folder))
    load(path, into)
    return header


def saved(folder: Path, episode: int) -> Path:
    return save(folder, replace(HEADER, episode=episode), arrays(episode))


def test_others_can_read_it(tmp_path):
    """The file is a safetensors file to the library of that name."""
    path = saved(tmp_path, 7)
    found = load_file(path)
    assert found.keys() == arrays().keys()
    for name, array in arrays(7).items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_what_was_written_comes_back(tmp_path):
    saved(tmp_path, 12)
    into = arrays(0)
    header = newest(tmp_path, into)
    assert header == replace(HEADER, episode=12)
    assert all((array == 12).all() for array in into.values())


def test_arrays_that_nobody_asks_for_are_verified_all_the_same(tmp_path):
    path = saved(tmp_path, 7)
    weights = np.zeros(1000, np.float32)
    with path.open("rb") as file:
        read_tensors(file, {"weights": weights})
    assert (weights == 7).all()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1  # in the last array
    path.write_bytes(content)
    with path.open("rb") as file, pytest.raises(DamagedError):
        read_tensors(file, {"weights": weights})


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    return saved(tmp_path_factory.mktemp("whole"), 7).read_bytes()


@given(st.data())
def test_every_changed_byte_is_noticed(whole, tmp_path_factory, data):
    content = bytearray(whole)
    content[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    assert not loads(bytes(content), tmp_path_factory.getbasetemp())


@given(st.data())
def test_every_cut_and_every_addition_is_noticed(whole, tmp_path_factory, data):
    length = data.draw(st.integers(0, len(whole) - 1))
    more = data.draw(st.binary(min_size=1, max_size=20))
    assert not loads(whole[:length], tmp_path_factory.getbasetemp())
    assert not loads(whole + more, tmp_path_factory.getbasetemp())


def loads(content: bytes, folder: Path) -> bool:
    """Does a file with this content load?"""
    path = folder / "any.safetensors"
    path.write_bytes(content)
    try:
        with path.open("rb") as file:
            read_tensors(file, arrays())
        fills = True
    except DamagedError:
        fills = False
    try:
        with path.open("rb") as file:
            verify(file)
    except DamagedError:
        assert not fills
        return False
    assert fills  # both say the same
    return True


def test_the_whole_one_loads(whole, tmp_path):
    assert loads(whole, tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda c: b"",
        lambda c: c[:5],
        lambda c: c[:-100],
        lambda c: bytes(len(c)),
        lambda c: c[::-1],
    ],
)
def test_falls_back_to_the_previous_one_with_a_warning(damage, tmp_path, caplog):
    saved(tmp_path, 10)
    last = saved(tmp_path, 20)
    last.write_bytes(damage(last.read_bytes()))
    into = arrays(0)
    with caplog.at_level(logging.WARNING):
        header = newest(tmp_path, into)
    assert header.episode == 10
    assert all((array == 10).all() for array in into.values())
    assert f"checkpoint {last}" in caplog.text


def test_none_left_is_an_error(tmp_path):
    path = saved(tmp_path, 10)
    path.write_bytes(path.read_bytes()[:-1])
    assert list(sound_headers(tmp_path)) == []
    with pytest.raises(InputError, match="cannot be read: it is too short"):
        load(path, arrays())


def test_another_format_is_refused(tmp_path):
    save(tmp_path, replace(HEADER, format=99), arrays())
    with pytest.raises(
        InputError, match=r"has format 99, written by tafl 0\.1\.0; .* reads format 1"
    ):
        list(sound_headers(tmp_path))


def test_arrays_of_another_network_are_refused(tmp_path):
    path = saved(tmp_path, 10)
    other = {**arrays(), "weights": np.zeros(999, np.float32)}
    with pytest.raises(InputError, match=r"cannot be read: its array weights is F32\[1000\]"):
        load(path, other)


def test_two_are_kept_and_nothing_else(tmp_path):
    (tmp_path / "episode-000000000000001.safetensors.new").write_bytes(b"left by a crash")
    for episode in (5, 10, 15, 20):
        saved(tmp_path, episode)
    kept = [int(path.stem.removeprefix("episode-")) for path in checkpoint_files(tmp_path)]
    assert kept == [20, 15]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_failed_write_leaves_the_last_one_alone(tmp_path, monkeypatch):
    saved(tmp_path, 10)

    def disk_full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tafl.files.os.fsync", disk_full)
    with pytest.raises(OSError, match="No space left"):
        saved(tmp_path, 20)
    assert newest(tmp_path, arrays()).episode == 10
    assert len(list(tmp_path.iterdir())) == 1  # what was half written does not fill the disk


def test_large_arrays_are_not_copied(tmp_path):
    """64 MB go to the disk and come back with at most a few MB more."""
    big = {"weights": np.ones(2**24, np.float32)}
    tracemalloc.start()
    try:
        path = save(tmp_path, HEADER, big)
        with path.open("rb") as file:
            read_tensors(file, big)
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


def test_weights_are_read_without_their_sums(tmp_path):
    """A third of 96 MB, row by row, with at most a few pieces of the file in memory besides."""
    rows = np.random.default_rng(1).random((2**23, 3), np.float32)
    path = save(tmp_path, HEADER, {"before": np.arange(5), "weights": rows.reshape(-1)})
    tracemalloc.start()
    try:
        weights = load_column(path, 3)
        assert tracemalloc.get_traced_memory()[1] < rows.nbytes / 3 + 3 * 2**24
    finally:
        tracemalloc.stop()
    assert (weights == rows[:, 0]).all()
    assert (load_column(path, 3, 2) == rows[:, 2]).all()
    assert (load_column(path, 1) == rows.reshape(-1)).all()
    with pytest.raises(InputError, match="its array weights cannot be read"):
        load_column(path, 5)  # no whole number of rows


def test_the_agent_of_a_run_plays_without_sums(tmp_path):
    """As it would with them, to the last bit."""
    run = tafl.train("nim3p", episodes=200, seed=1, out=tmp_path / "run")
    net, td, _ = build(run.game, run.settings, run.learned()[1].tuples)
    load(run.learned()[0], {"weights": net.weights})
    agent, learned = run.agent, LearnedAgent(run.game, net, td)
    assert (agent.net.width, learned.net.width) == (1, 3)
    state = run.game.start()
    while not state.over:
        assert agent.values(state) == learned.values(state)
        state.play(agent.act(state))


def test_weights_of_another_network_are_refused(tmp_path):
    run = run_with_two_checkpoints(tmp_path)
    path, header = run.checkpoint()
    tensors = load_file(path)
    tensors["weights"] = np.zeros(tensors["weights"].size + 3, np.float32)
    save(run.checkpoints, header, tensors)
    with pytest.raises(InputError, match="its weights are of another network"):
        _ = Run.open(run.path).agent


# Forks a process that saves checkpoint after checkpoint, all numbers in it equal to its episode,
# and kills it at a random moment; then the newest must be whole, and as new as the last report.
KILLING = """
import os, random, signal, sys, time
from pathlib import Path
import numpy as np
from tafl.runs.checkpoint import Header, load, save, sound_headers

def save_one(folder, episode):
    header = Header("0.1.0", "nim", "abc", {}, [[0]], episode, 0, 0.0, 0)
    save(folder, header, {"weights": np.full(500_000, episode, np.float32)})

def save_forever(folder, episode, report):
    while True:
        episode += 1
        save_one(folder, episode)
        os.write(report, episode.to_bytes(8, "little"))

folder, kills = Path(sys.argv[1]), int(sys.argv[2])
moment, episode = random.Random(1), 0
save_one(folder, 0)
for _ in range(kills):
    reading, report = os.pipe()
    child = os.fork()
    if child == 0:
        save_forever(folder, episode, report)
    time.sleep(moment.uniform(0.0, 0.06))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(report)
    reports = os.read(reading, 1 << 20)
    os.close(reading)
    durable = int.from_bytes(reports[-8:], "little") if reports else episode
    weights = np.zeros(500_000, np.float32)
    path, header = next(sound_headers(folder))
    load(path, {"weights": weights})
    assert header.episode >= durable, (header.episode, durable)
    assert (weights == header.episode).all()
    episode = header.episode
print(episode, len(list(folder.iterdir())))
"""


@pytest.mark.parametrize("kills", [20, long(100)])
def test_killed_many_times_while_saving(kills, tmp_path):
    """kill -9 at random moments: the last checkpoint that was durable loads, or a newer one."""
    done = subprocess.run(
        [sys.executable, "-c", KILLING, str(tmp_path), str(kills)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "damaged" not in done.stderr
    episode, files = map(int, done.stdout.split())
    assert episode > 0.3 * kills  # it did save in between
    assert files <= 3  # two checkpoints, and at most what the last kill left


def run_with_two_checkpoints(folder) -> Run:
    """A run of Nim whose two checkpoints differ."""
    fast = {"every_seconds": 0}
    return tafl.train("nim", episodes=60, seed=1, checkpoint=fast, out=folder / "run")


def sealed(content: bytes, change) -> bytes:
    """A file whose header somebody has changed and given a checksum that fits."""
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    change(header)
    header["__metadata__"]["sha256"] = "0" * 64
    text = json.dumps(header, separators=(",", ":")).encode()
    digest = hashlib.sha256(text + content[8 + size :]).hexdigest()
    text = text.replace(b"0" * 64, digest.encode(), 1)
    return len(text).to_bytes(8, "little") + text + content[8 + size :]


def test_a_damaged_header_is_not_believed(tmp_path, caplog):
    """Every bit of the n-tuples and settings: the agent is that of the previous checkpoint."""
    run = run_with_two_checkpoints(tmp_path)
    last, _ = checkpoint_files(run.checkpoints)
    whole, state, weights = last.read_bytes(), run.game.start(), load_file(last)["weights"]
    last.unlink()
    expected = Run.open(run.path).agent.values(state)
    places = [whole.index(name) for name in (b'"tuples":"[[', b"gamma", b'"episode":"')]
    for place in places:
        for offset in range(0, 16, 3):
            content = bytearray(whole)
            content[place + offset] ^= 1
            last.write_bytes(content)
            caplog.clear()
            assert Run.open(run.path).agent.values(state) == expected
            assert f"checkpoint {last} is damaged" in caplog.text
    resumed = tafl.resume(run.path)  # from the previous one, to the same end
    assert (load_file(last)["weights"] == weights).all()
    assert resumed.finished


def test_damaged_checkpoints_are_not_begun_again(tmp_path):
    """With no checkpoint left that can be read, nothing is trained, cut or replaced."""
    run = run_with_two_checkpoints(tmp_path)
    for path in checkpoint_files(run.checkpoints):
        content = bytearray(path.read_bytes())
        content[20] ^= 4
        path.write_bytes(content)
    before = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=r"none of the 2 checkpoints in .* can be read"):
        tafl.resume(run.path)
    after = {path: path.read_bytes() for path in run.path.rglob("*") if path.is_file()}
    del before[run.path / "lock"], after[run.path / "lock"]
    assert after == before


def test_headers_have_a_limit_in_size_and_depth(tmp_path):
    """A header that is too long or nested too deeply is refused at once, sealed or not."""
    content = saved(tmp_path, 7).read_bytes()
    path = tmp_path / "deep.safetensors"
    deep = "[" * 100_000 + "]" * 100_000
    path.write_bytes(sealed(content, lambda h: h["__metadata__"].update(tuples=deep)))
    with pytest.raises(DamagedError, match="its header is invalid"):
        read_sound(path)
    raw = b"[" * 200_000 + b"]" * 200_000
    path.write_bytes(len(raw).to_bytes(8, "little") + raw)
    with pytest.raises(DamagedError, match="no checksum"):
        read_sound(path)
    path.write_bytes((LONGEST_HEADER + 1).to_bytes(8, "little") + content)
    with pytest.raises(DamagedError, match="does not begin with a header"):
        read_sound(path)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_weights_that_are_no_numbers_are_refused(value, tmp_path):
    run = run_with_two_checkpoints(tmp_path)
    path, header = run.checkpoint()
    tensors = load_file(path)
    tensors["weights"][5] = value
    save(run.checkpoints, header, tensors)
    with pytest.raises(InputError, match="holds weights that are not finite"):
        _ = Run.open(run.path).agent


@pytest.mark.parametrize(
    ("threads", "fewer"), [("1", ""), ("2", "play fewer games at a time than --threads 2, or ")]
)
def test_a_training_that_goes_astray_ends(threads, fewer, tmp_path, capsys):
    """Steps that are far too large: exit code 1, what to lower, and the last sound checkpoint."""
    line = ["train", "nim", "--episodes", "20000", "--out", str(tmp_path / "run")]
    line += ["--threads", threads, "--set", "td.alpha=50", "--set", "network.sigma=identity"]
    line += ["--set", "coherence.transfer=off", "--set", "checkpoint.every_seconds=0"]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert "weights are not finite after" in said
    assert f"lower td.alpha, which is 50, or {fewer}use network.sigma = tanh" in said
    for path in checkpoint_files(tmp_path / "run" / "checkpoints"):
        assert np.isfinite(load_file(path)["weights"]).all()
    metrics = (tmp_path / "run" / "metrics.jsonl").read_text()
    assert "NaN" not in metrics
    assert "null" not in metrics


def test_damaged_metrics_do_not_stop_a_run(tmp_path, caplog):
    """The weights are sound: training goes on, and what is damaged is named and left as it is."""
    run = run_with_two_checkpoints(tmp_path)
    last = checkpoint_files(run.checkpoints)[0]
    last.unlink()
    file = run.path / "metrics.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    lines[0] = lines[0].replace('"episode"', '"episod')
    file.write_text("".join(lines))
    resumed = tafl.resume(run.path)
    assert last.exists()
    assert f"{file}, line 1 is damaged" in caplog.text or len(resumed.metrics) == len(lines) - 1
    assert file.read_text().splitlines()[0] == lines[0].strip()


def test_another_processor_is_named_when_a_run_goes_on(tmp_path, caplog):
    """Machine code of another target may round differently; the run goes on all the same."""
    run = tafl.train("nim", episodes=20, seed=1, out=tmp_path / "run")
    file = run.path / "environment.json"
    stored = json.loads(file.read_text())
    tafl.resume(run.path, episodes=30)
    assert "last bits may differ" not in caplog.text
    file.write_text(json.dumps(stored | {"target": "z80"}))
    tafl.resume(run.path)  # there is nothing left to do
    assert "last bits may differ" not in caplog.text
    tafl.resume(run.path, episodes=40)
    said = f"{run.path} began with target z80, and now target {stored['target']}"
    assert f"{said}: last bits may differ" in caplog.text
