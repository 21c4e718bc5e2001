"""Hundreds of wrong settings files, made from the model: each is refused in one line."""

import datetime
import math
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import tomli_w

import tafl
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.settings.model import Settings, schema
from tafl.settings.presets import compose

SCHEMA = schema()
LEARNED = {"algo": "regret", "regret": {"store": "n-tuples"}}  # all tables are in its tree
TUPLES = {"network": {"tuples": [[0, 1, 2]]}}
COMPLETE = compose(tafl.game("tictactoe"), overrides={**LEARNED, **TUPLES}).tree()
HUGE = 10**30


def tables() -> Iterator[tuple[str, dict]]:
    """The top level and each table, by name, with what the schema says about its keys."""
    yield "", SCHEMA["properties"]
    for name, value in SCHEMA["properties"].items():
        if "$ref" in value:
            yield name, SCHEMA["$defs"][value["$ref"].rpartition("/")[2]]["properties"]


def wrong_values(about: dict) -> dict[str, Any]:
    """Values that no key of this kind takes, by what is wrong with them."""
    if "$ref" in about:
        return {"a number": 5, "a text": "fast", "a list": [1]}
    kinds = [about, *about.get("anyOf", [])]
    types = {kind.get("type") for kind in kinds}
    wrong: dict[str, Any] = {"a table": {"x": 1}, "a date": datetime.date(2020, 1, 1)}
    if types & {"number", "integer"}:
        wrong |= {"nan": math.nan, "inf": math.inf, "negative": -1, "true": True}
        wrong |= {"huge": HUGE, "a text": "fast", "a list": [1]}
    if "integer" in types:
        wrong |= {"a fraction": 1.5}
    if "boolean" in types:
        wrong |= {"1": 1, "yes": "yes", "nan": math.nan, "a list": [True]}
    if "string" in types:
        wrong |= {"an unknown word": "gandalf", "5": 5.5, "true": True, "empty": ""}
    if {"boolean", "integer"} <= types:
        del wrong["true"], wrong["1"]  # it is either
    if about.get("items", {}).get("type") == "integer":
        wrong |= {"negative": [-1], "a fraction": [1.5], "descending": [5, 2], "a text": ["x"]}
    elif "array" in types:
        wrong |= {"negative": [[-1]], "huge": [[HUGE]], "numbers": [1, 2], "empty": []}
    return wrong


def wrong_files() -> Iterator[tuple[str, str, dict]]:
    """What is wrong, the key that has to be named, and the settings."""
    for table, keys in tables():
        prefix = f"{table}." if table else ""
        for key, about in keys.items():
            for what, value in wrong_values(about).items():
                yield f"{prefix}{key}: {what}", f"{prefix}{key}", changed(table, key, value)
            yield f"{prefix}{key}: misspelt", f"{prefix}{key}_", changed(table, f"{key}_", 1)
        yield f"{prefix}unknown", f"{prefix}zzz", changed(table, "zzz", 1)
    without = {key: value for key, value in COMPLETE.items() if key != "game"}
    yield "game: missing", "game", without


def changed(table: str, key: str, value: Any) -> dict:
    """Complete settings with one of them changed."""
    if not table:
        return {**COMPLETE, key: value}
    return {**COMPLETE, table: {**COMPLETE[table], key: value}}


WRONG = {what: (key, tree) for what, key, tree in wrong_files()}


def test_there_are_enough_of_them():
    assert len(WRONG) >= 200
    named = {key for key, _ in WRONG.values()}
    for table, keys in tables():
        assert {f"{table}.{key}".lstrip(".") for key in keys} <= named


@pytest.mark.parametrize("what", WRONG)
def test_wrong_file_is_refused_in_one_line_that_names_the_key(what, tmp_path, capsys):
    key, tree = WRONG[what]
    file = tmp_path / "mine.toml"
    file.write_text(tomli_w.dumps(tree))
    assert main(["train", "--settings", str(file), "--out", str(tmp_path / "run")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tafl: ")
    assert err.count("\n") == 1
    assert len(err) < 300
    assert key in err
    assert "Error" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


def test_the_settings_they_were_made_from_are_right():
    assert Settings.of(COMPLETE).tree() == COMPLETE
    jsonschema.validate(COMPLETE, SCHEMA)


@pytest.mark.parametrize("game", ["hex", "nim3p", "2048"])
def test_the_schema_accepts_the_presets(game):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for preset in ("paper", "as-run"):
        jsonschema.validate(compose(tafl.game(game), preset).tree(), SCHEMA)


def test_the_schema_refuses_what_the_model_refuses():
    """JSON has neither NaN nor dates nor order in lists; its numbers 1.0 and 1 are the same."""
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for what, (_, tree) in WRONG.items():
        try:
            Settings.of(tree)
        except InputError:
            if not what.endswith((": nan", ": inf", ": a date", ": descending", "game: empty")):
                assert not validator.is_valid(tree), what
