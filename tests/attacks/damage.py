"""Files with one bit flipped, or cut short: that is found, or it does not matter."""

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from attacks import OK
from attacks.home import called, copied
from tafl.errors import InputError
from tafl.reproduction.runs import load_results

LEAGUE = ("tournament", "nim(stones=2)", "random", "exact", "maxn", "--games", "4")

# What reads each kind of file; what it prints is the result that must not change unnoticed.
READERS: dict[str, tuple[str, ...]] = {
    "run": ("values", "{0}/run"),
    "run/metrics.jsonl": ("export", "{0}/run"),
    "own": ("values", "{0}/own"),
    "nim.agent": ("values", "{0}/nim.agent"),
    "games.jsonl": ("replay", "{0}/games.jsonl"),
    "league": (*LEAGUE, "--workers", "1", "--out", "{0}/league"),
    "sweep": ("sweep", "--resume", "{0}/sweep"),
    "results": (),
}


def read(place: Path, kind: str) -> tuple[int, str, str]:
    """What the reader of a kind of file says about the files in a folder."""
    if kind == "results":
        try:
            return 0, json.dumps(load_results(place / "results")), ""
        except InputError as error:
            return 2, "", f"tafl: {error}\n"
    json_too = () if kind == "run/metrics.jsonl" else ("--json",)
    code, out, err = called(*(word.format(place) for word in READERS[kind]), *json_too)
    return code, out.replace(str(place), "HERE"), err


@cache
def sound(kind: str) -> str:
    """What it says where nothing is wrong."""
    with copied(top(kind)) as place:
        code, out, err = read(place, kind)
    assert code == 0, err
    return out


def top(kind: str) -> str:
    return kind.partition("/")[0]


def damaged(rng: random.Random, damage: Callable[[bytes], bytes]) -> str:
    """Damages one file: whoever reads it finds that, or says what it said before."""
    kind = rng.choice(list(READERS))
    with copied(top(kind)) as place:
        path = place / kind
        files = sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]
        file = rng.choice(files)
        file.write_bytes(damage(file.read_bytes()))
        before = {f: f.read_bytes() for f in place.glob("*/checkpoints/*")}
        code, out, err = read(place, kind)
        what = f"{file.relative_to(place)}: exit code {code}, {err.strip()[:200]}"
        if code not in (0, 1, 2) or not all(line.startswith("tafl:") for line in err.splitlines()):
            return f"raw error, {what}"
        if code == 0 and not same(kind, out) and "tafl:" not in err:
            return f"wrong result, {what}"
        if any(not f.exists() or f.read_bytes() != content for f, content in before.items()):
            return f"lost, {what}"
    return OK


def same(kind: str, out: str) -> bool:
    """Is it the sound result? Of a list of games the first ones are, each is verified by itself.

    The file of a game may have moved: where it is said to be does not matter.
    """
    if kind == "own":
        found, whole = json.loads(out), json.loads(sound(kind))
        return bool({**found, "game": ""} == {**whole, "game": ""})
    if kind == "games.jsonl":
        found, whole = json.loads(out)["games"], json.loads(sound(kind))["games"]
        return bool(found == whole[: len(found)])
    return out == sound(kind)


def flip(rng: random.Random) -> str:
    """One bit."""

    def one_bit(content: bytes) -> bytes:
        changed = bytearray(content)
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed)

    return damaged(rng, one_bit)


def truncate(rng: random.Random) -> str:
    """A file cut short, often at the end of a line."""

    def cut(content: bytes) -> bytes:
        ends = [k + 1 for k, byte in enumerate(content) if byte == 10][:-1]
        if ends and rng.random() < 0.5:
            return content[: rng.choice(ends)]
        return content[: rng.randrange(len(content) + 1)]

    return damaged(rng, cut)
