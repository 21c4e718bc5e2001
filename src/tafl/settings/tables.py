"""Settings as tables of TOML: reading them, and one set of them on top of another."""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tafl.errors import InputError, check_type
from tafl.files import read_regular

LONGEST_SETTINGS = 2**22  # bytes

Fields = dict[str, Any]


def read_toml(path: str | Path, follow: bool = True) -> Fields:
    """Return the tables in a TOML file; one inside a stored folder may not be a link."""
    check_type("settings", path, str, os.PathLike)
    try:
        content = read_regular(Path(path), follow, LONGEST_SETTINGS)
        return tomllib.loads(content.decode().replace("\r\n", "\n"))
    except FileNotFoundError:
        raise InputError(f"settings file not found: {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{path} is not TOML: it is nested too deeply") from None


def run_of(settings: str | Path | None) -> str | None:
    """Return the folder of the run that a settings file belongs to, if it belongs to one."""
    folder = None if settings is None else Path(settings).parent
    return str(folder) if folder and (folder / "metrics.jsonl").exists() else None


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> Fields:
    """Two trees of settings as one; the second overrides the first.

    >>> merged({"td": {"alpha": 1.0, "gamma": 1.0}}, {"td": {"alpha": 0.5}})
    {'td': {'alpha': 0.5, 'gamma': 1.0}}
    """
    old, new = below.get("network"), above.get("network")
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        # other n-tuples: how many random ones there were and how long says nothing any more
        gone = {"number", "length"} if "tuples" in new else set[str]()
        if new.get("kind", old.get("kind")) != old.get("kind"):
            gone = {"number", "length", "tuples", "hash_bits", "units"}
        below = {**below, "network": {k: value for k, value in old.items() if k not in gone}}
    return joined(below, above)


def joined(one: Mapping[str, Any], other: Mapping[str, Any]) -> Fields:
    """Two trees that were said together; where both have a setting, it is the second's.

    >>> joined({"network": {"number": 5}}, {"network": {"tuples": "random-walk"}})
    {'network': {'number': 5, 'tuples': 'random-walk'}}
    """
    result = dict(one)
    for key, value in other.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = joined(old, value)
        result[key] = value
    return result


def nested(flat: Mapping[str, Any]) -> Fields:
    """Return a tree from keys with dots.

    >>> nested({"td.alpha": 0.5, "seed": 3})
    {'td': {'alpha': 0.5}, 'seed': 3}
    """
    tree: Fields = {}
    for key, value in flat.items():
        for name in reversed(key.split(".")):
            value = {name: value}
        tree = joined(tree, value)
    return tree


def flat(tree: Mapping[str, Any], prefix: str = "") -> Fields:
    """Return the settings of a tree with dots in their keys.

    >>> flat({"td": {"alpha": 0.5}, "seed": 3})
    {'td.alpha': 0.5, 'seed': 3}
    """
    found: Fields = {}
    for key, value in tree.items():
        name = prefix + key
        found |= flat(value, f"{name}.") if isinstance(value, Mapping) else {name: value}
    return found


def parse_assignments(assignments: Iterable[str]) -> Fields:
    """Return the tree meant by `td.alpha=0.5`; values are TOML, or else strings.

    >>> parse_assignments(["td.alpha=0.5", "network.tuples=hex-2"])
    {'td': {'alpha': 0.5}, 'network': {'tuples': 'hex-2'}}
    """
    return nested({key: parse_value(text) for key, text in map(split_assignment, assignments)})


def split_assignment(assignment: str) -> tuple[str, str]:
    """Return the name and the text behind it."""
    key, equals, text = assignment.partition("=")
    if not equals or not all(key.strip().split(".")):
        raise InputError(f"--set {assignment}: expected NAME=VALUE, such as td.alpha=0.5")
    return key.strip(), text.strip()


def parse_value(text: str) -> Any:
    """Return a value of TOML, or else a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def movable(settings: Fields) -> Fields:
    """Return the settings without the folders of files, and the device: a run may move."""
    network = settings["network"]
    kind = Path(network["kind"]).name if "kind" in network else None
    name = Path(settings["game"]).name
    return {**settings, "game": name, "network": {**network, "kind": kind}, "device": None}


def differences(old: Fields, new: Fields, prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Return the settings that differ and matter to the weights, with both values."""
    for key in sorted(old.keys() | new.keys()):
        a, b = old.get(key), new.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            if key != "checkpoint":
                yield from differences(a, b, f"{prefix}{key}.")
        elif a != b:
            yield f"{prefix}{key}", a, b
