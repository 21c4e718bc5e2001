"""Settings files drawn at random: a run trains, is refused in one line, or reports divergence.

    python tests/test_random_settings.py 0 1 2     one line of JSON for each of these runs

The runs are made in another process, which machine code that goes astray would end.
"""

import io
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from long import long

GAMES = ("nim", "nim3p", "tictactoe", "nim(heaps=2,stones=3)")
SIZES = {"td": 8, "start": 3, "network": 3, "coherence": 4, "evaluation": 2}  # keys that are drawn
DIVERGED = "weights are not finite after"


def rate(rng: random.Random) -> float:
    """A positive number of any size up to 1000."""
    return rng.choice([1000.0, 100.0, 1.0, 10 ** rng.uniform(-6, 3)])


def share(rng: random.Random) -> float:
    return rng.choice([0.0, 1.0, rng.random()])


def flag(rng: random.Random) -> bool:
    return rng.random() < 0.5


def tuples(rng: random.Random) -> Any:
    """N-tuples of a board with three to nine cells."""
    cells = rng.choice([2, 2, 3, 9])
    lists = [rng.sample(range(cells), rng.randint(1, min(cells, 4))) for _ in range(3)]
    return rng.choice([lists, lists, lists, "random-points", "random-walk", "all"])


DRAWN: dict[str, dict[str, Any]] = {
    "td": {
        "alpha": rate, "alpha_final": rate, "epsilon": share, "epsilon_final": share,
        "gamma": share, "lambda": lambda rng: rng.choice([0.0, 0.5, 0.999]),
        "horizon_cut": lambda rng: 10 ** rng.uniform(-6, -0.01),
        "alpha_schedule": lambda rng: rng.choice(["geometric", "linear"]),
        "eligibility": lambda rng: rng.choice(["standard", "reset"]),
        "trace_across_episodes": flag, "farl_others": flag, "farl_terminal": flag,
        "afterstates": flag, "learn_from_random_moves": flag, "learn_from_start": flag,
        "zero_next": flag, "zero_terminal": flag, "reuse_action": flag,
        "backward": lambda rng: rng.choice([0, 0, 2, 50, 1][: rng.randint(1, 5)]),
    },
    "start": {"plies": lambda rng: rng.choice([0, 1, 5, 1000]), "probability": share,
              "again": share},
    "network": {"tuples": tuples, "number": lambda rng: rng.choice([1, 5, 5, 0]),
                "length": lambda rng: rng.choice([1, 2, 2, 65]),
                "sigma": lambda rng: rng.choice(["tanh", "identity"]),
                "symmetries": lambda rng: rng.choice([True, False, 1, 2])},
    "coherence": {"transfer": lambda rng: rng.choice(["off", "id", "exp"]),
                  "beta": lambda rng: rng.choice([0.1, 2.7, 6.0]), "init": rate,
                  "accumulate": lambda rng: rng.choice(["change", "error"])},
    "evaluation": {"every": lambda rng: rng.choice([0, 40, 100]),
                   "opponents": lambda rng: [rng.choice(["random", "exact", "maxn(depth=2)"])],
                   "games": lambda rng: rng.choice([1, 6])},
}  # fmt: skip


def settings(number: int) -> dict[str, Any]:
    """The settings of one number; TOML keeps the types, so that some are refused."""
    rng = random.Random(f"settings {number}")
    tree: dict[str, Any] = {"game": rng.choice(GAMES), "algo": rng.choice(["td", "sarsa", "q"])}
    tree |= {"episodes": rng.choice([1, 50, 400, 3000]), "seed": rng.randrange(2**63)}
    for name, drawn in DRAWN.items():
        keys = rng.sample(sorted(drawn), rng.randint(0, min(SIZES[name], len(drawn))))
        tree[name] = {key: drawn[key](rng) for key in keys}
    network: dict[str, Any] = {"tuples": tuples(rng), **tree["network"]}
    if str(network["tuples"]).startswith("random-"):
        network = {"number": 2, "length": 2, **network}
    elif rng.random() < 0.9:
        network = {key: network[key] for key in network if key not in ("number", "length")}
    return tree | {"network": network}


def outcome(number: int) -> tuple[str, str]:
    """Train with the settings of this number; return what came of it, and what was said."""
    from tafl.cli.main import main

    with tempfile.TemporaryDirectory() as home:
        file, out, said = Path(home) / "settings.toml", Path(home) / "run", io.StringIO()
        file.write_text(tomli_w.dumps(settings(number)))
        with redirect_stderr(said), redirect_stdout(io.StringIO()):
            code = main(["train", "--settings", str(file), "--out", str(out), "--json"])
        text, began = said.getvalue().strip(), out.exists()
    if code == 0:
        return "trained", text
    one = text.startswith("tafl: ") and "\n" not in text and "Error" not in text
    if code == 2 and one and not began:
        return "refused", text
    return ("diverged" if code == 1 and one and DIVERGED in text else f"exit code {code}"), text


def outcomes(numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
    """What came of settings, as far as the process has got."""
    run = [sys.executable, __file__, *map(str, numbers)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if len(lines) < len(numbers):
        ended = f"the process ended with {done.returncode}"
        lines.append([numbers[len(lines)], ended, done.stderr])
    return {number: (came, said) for number, came, said in lines}


FEW = [*range(8), 126, 186]  # the last two diverge


@pytest.mark.parametrize("numbers", [FEW, long(range(500))], ids=len)
def test_every_run_trains_is_refused_or_diverges(numbers):
    found = outcomes(numbers)
    fine = ("trained", "refused", "diverged")
    assert {n: (settings(n), *came) for n, came in found.items() if came[0] not in fine} == {}
    assert {came for came, _ in found.values()} == set(fine)


if __name__ == "__main__":
    for number in map(int, sys.argv[1:]):
        print(json.dumps([number, *outcome(number)]), flush=True)
