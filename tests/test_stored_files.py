"""Files of JSON and TOML that were made to harm are refused, with little memory and time."""

import json
import os
import resource
import sys

import numpy as np
import pytest

import tafl
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.files import checksum, parse_json, read_json, read_regular
from tafl.runs.checkpoint import Header, read_header
from tafl.runs.small import packed, unpack
from tafl.runs.tensors import DamagedError, write_tensors
from tafl.settings.tables import read_toml

posix = pytest.mark.skipif(os.name == "nt", reason="pipes and devices are Posix")


@posix
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), os.mkdir])
def test_pipes_devices_and_folders_are_not_read(make, tmp_path):
    path = tmp_path / "file"
    make(path)
    for read in (read_regular, lambda p: read_regular(p, follow=True), read_toml):
        with pytest.raises((InputError, IsADirectoryError)):
            read(path)


def test_a_link_is_followed_where_the_user_has_named_it(tmp_path):
    (tmp_path / "file").write_text("{}")
    (tmp_path / "link").symlink_to("file")
    assert read_json(tmp_path / "link", "wrong", follow=True) == {}
    with pytest.raises(InputError, match="is a link, which is not followed"):
        read_json(tmp_path / "link", "wrong")


def test_long_deep_and_crowded_documents_are_refused(tmp_path):
    (tmp_path / "long").write_bytes(b" " * 101)
    with pytest.raises(InputError, match="has more than 100 bytes"):
        read_regular(tmp_path / "long", most=100)
    for text in ("[" * 100_000, "[{},{},{}]", '{"a": ' + "9" * 5_000 + "}"):
        for content in (text, text.encode()):
            with pytest.raises(ValueError, match=r"too deeply|values|limit"):
                parse_json(content, most=5)
    assert parse_json("[{},{}]", most=5) == [{}, {}]
    (tmp_path / "deep.toml").write_text("x = " + "[" * 100_000)
    with pytest.raises(InputError, match="nested too deeply"):
        read_toml(tmp_path / "deep.toml")


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home") / "sweep"
    tafl.sweep("nim", {"td.alpha": [0.1, 0.5]}, episodes=50, games=1, confirm=0, out=folder)
    return folder


WRONG = {
    "trials": [10**9, 1, 0, "2", None, True],
    "batch": [0, None, 10**9, -1],
    "confirm": [-1, 10**9, 2.5],
    "fresh": [0, 10**9, "many"],
    "keep": [None, 1],
    "sampler": ["tbe", None, 1],
    "space": [None, {}, {"td.alpha": 1}, {"td.alpha": "1..0"}, {"seed": [1, 2]}],
    "base": [None, [], {"game": "nim"}],
    "overrides": [None, []],
    "preset": [1],
}


@pytest.mark.parametrize("key", WRONG)
def test_a_plan_with_a_right_checksum_is_checked_all_the_same(key, swept, capsys):
    file = swept / "sweep.json"
    sound = file.read_bytes()
    try:
        for value in WRONG[key]:
            asked = json.loads(sound) | {key: value}
            file.write_text(json.dumps(asked | {"check": checksum(asked)}))
            assert main(["sweep", "--resume", str(swept)]) == 2, value
            said = capsys.readouterr().err
            assert said.startswith("tafl: "), (value, said)
            assert said.count("\n") == 1, (value, said)
            assert "Error" not in said, (value, said)
    finally:
        file.write_bytes(sound)


@posix
@pytest.mark.parametrize("name", ["results.json", "sweep.json", "base.toml"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_files_of_a_sweep_that_never_end(name, make, swept, capsys):
    file = swept / name
    sound = file.read_bytes() if file.exists() else None
    file.unlink(missing_ok=True)
    make(file)
    try:
        assert main(["sweep", "--resume", str(swept)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    finally:
        file.unlink()
        if sound is not None:
            file.write_bytes(sound)


@pytest.mark.parametrize("runs", [None, [], {"trials/0": None}, {"trials/0": [1]},
                                  {"trials/0": ["1", 2]}, {"trials/0": [1, 2, 3]}])  # fmt: skip
def test_scores_of_other_types_are_refused(runs, swept, capsys):
    file = swept / "results.json"
    sound = file.read_bytes()
    document = {"runs": runs}
    try:
        file.write_text(json.dumps(document | {"check": checksum(document)}))
        assert main(["sweep", "--resume", str(swept)]) == 2
        assert "results.json: this is not what a sweep writes" in capsys.readouterr().err
    finally:
        file.write_bytes(sound)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    run = tafl.train("tictactoe", episodes=20, network={"tuples": [[0, 1, 2]]}, out=home / "run")
    tafl.save(run, home / "agent")
    return read_header(home / "agent")


def write_agent(path, header: Header, tensors, **changes):
    metadata = header.metadata() | {name: json.dumps(value) for name, value in changes.items()}
    with path.open("wb") as file:
        write_tensors(file, tensors, metadata)


TUPLES = {
    "a cell that is not there": [[99]],
    "a negative cell": [[-1, 0]],
    "a cell twice": [[0, 0]],
    "texts": [["a"]],
    "null": [None],
    "no list": 5,
    "booleans": [[True]],
    "none": [],
    "an empty one": [[]],
    "one of 100,000 cells": [[*range(100_000)]],
    "1,000 whole boards": [[*range(9)]] * 1000,
    "other tables": [[0, 1]],
    "100,000 of them": [[0]] * 100_000,
}


@pytest.mark.parametrize("kind", TUPLES)
@pytest.mark.parametrize("form", ["plain", "packed"])
def test_n_tuples_of_an_agent_file_are_checked(kind, form, trained, tmp_path):
    weights = np.zeros(100, np.float32)
    tensors = {"weights": weights} if form == "plain" else packed(weights, 16)
    write_agent(tmp_path / "agent", trained, tensors, tuples=TUPLES[kind])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if os.name != "nt" else 0
    with pytest.raises(InputError, match=r"tuple|network|header"):
        tafl.load(tmp_path / "agent")
    if sys.platform == "linux":
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


@pytest.mark.parametrize("field", ["episode", "settings", "seconds", "game", "tuples"])
def test_header_fields_of_other_types_are_refused(field, trained, tmp_path):
    path = tmp_path / "agent"
    for value in (None, [1], {"a": 1}, True):
        if type(value) is not type(getattr(trained, field)):
            write_agent(path, trained, {"weights": np.zeros(9, np.float32)}, **{field: value})
            with pytest.raises(InputError, match="header is invalid"):
                tafl.load(path)


@pytest.mark.parametrize("dtype", ["float64", "uint8", "int64"])
def test_compact_weights_of_other_types_are_refused(dtype, trained, tmp_path):
    arrays = packed(np.zeros(337, np.float32), 16)
    arrays["values"] = arrays["values"].astype(dtype)
    write_agent(tmp_path / "agent", trained, arrays)
    with pytest.raises(InputError, match=f"values is of the type {dtype}|another network"):
        tafl.load(tmp_path / "agent")


@pytest.mark.parametrize("size", [1, 7, 300, 1000])
def test_compact_weights_come_back_in_pieces(size, monkeypatch):
    monkeypatch.setattr("tafl.runs.small.CHUNK", 3)
    rng = np.random.default_rng(size)
    weights = np.where(rng.random(size) < 0.05, rng.normal(size=size), 0).astype(np.float32)
    back = np.zeros_like(weights)
    unpack(packed(weights, 32), back)
    np.testing.assert_array_equal(back, weights)
    with pytest.raises(DamagedError, match="another network"):
        unpack(packed(weights, 32), np.zeros(size + 1, np.float32))
