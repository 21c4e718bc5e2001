"""Text that a terminal would obey, in words and in files: it is shown, and nothing more."""

import contextlib
import json
import random
from pathlib import Path

from attacks import OK
from attacks.home import called, copied
from tafl.files import sealed
from tafl.terminal import printable

SIGNS = [
    "\x1b]52;c;cHduZWQ=\x07", "\x1b[2J", "\x1b]0;title\x07", "[/bold]", "[bold]", "[link=file:/x]",
    "\x9b31m", "\u202e", "\u2066", "\x08", "\r", "\x7f", "\ud800", "é", "棋", "{x}", "%s", "\u2028",
]  # fmt: skip
LINES = [
    "runs {0}", "values {0}/run", "compare {0}/run --out {0}/c.png", "replay {0}/games.jsonl",
    "replay {0}/games.jsonl --game 0", "export {0}/run", "train --resume {0}/run", "eval {0}/run",
    "sweep --resume {0}/sweep", "state nim --moves {1}", "match nim {1} random", "check {1}",
    "values {0}/{1}", "settings nim --set td.alpha={1}", "games {1}", "{1}", "perft {1} 2",
    "tournament nim random {1} --games 2 --workers 1", "play nim --against {1}",
]  # fmt: skip
TEXTS = {"games.jsonl": ["agents"], "run/metrics.jsonl": ["results", "opponent"]}


def terminal(rng: random.Random) -> str:
    """A command about such text: what it prints is what a terminal shows."""
    text = "".join(rng.choice(SIGNS) for _ in range(rng.randrange(1, 4)))
    with copied("run", "games.jsonl", "sweep") as place, contextlib.chdir(place):
        paint(place, text.encode("utf-8", "ignore").decode(), rng)
        words = [word.format(place, text) for word in rng.choice(LINES).split()]
        words += ["--json"] * (rng.random() < 0.3)
        code, out, err = called(*words, answers="q\n")
    if code not in (0, 1, 2) or "MarkupError" in err or "Traceback" in err:
        return f"{words}: exit code {code}, {err.strip()[:200]}"
    for said in (out, err):
        if printable(said) != said:
            return f"{words}: {said[:300]!r}"
    return OK


def paint(place: Path, text: str, rng: random.Random) -> None:
    """Write the text into records and metrics, with right checksums, or into settings."""
    records = [json.loads(line) for line in (place / "games.jsonl").read_text().splitlines()]
    for record in records:
        record.pop("check")
        record["agents"] = [text] * len(record["agents"])
    lines = "".join(json.dumps(sealed(record)) + "\n" for record in records)
    (place / "games.jsonl").write_text(lines)
    file = place / "run" / "metrics.jsonl"
    evaluations = [json.loads(line) for line in file.read_text().splitlines()]
    for one in evaluations:
        one.pop("check", None)
        one["results"][0]["opponent"] = text
    file.write_text("".join(json.dumps(sealed(one)) + "\n" for one in evaluations))
    if rng.random() < 0.3:
        settings = place / "run" / "settings.toml"
        game = "nim(heaps=3,stones=5,take=5,misere=false)"
        settings.write_text(settings.read_text().replace(f'"{game}"', json.dumps(text)))
