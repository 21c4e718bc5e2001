"""Why some seeds of Nim3P are weak: trained tables beside exact values (nim3p_exact.py).

python benchmarks/nim3p_seeds.py run       trains and judges, into results/nim3p_seeds.json:
                                           some fifteen minutes on one core
python benchmarks/nim3p_seeds.py report    writes docs/nim3p.md from there
"""

import json
import sys
from itertools import product
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import numpy as np

from nim3p_exact import (
    BEST_PLAY,
    MOVES,
    PLAYERS,
    POSITIONS,
    START,
    Position,
    Values,
    converged,
    highest,
    judged,
    makeable,
    mean,
)
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import Net
from tafl.reproduction.cells import markdown_table
from tafl.settings.build import make_td
from tafl.settings.tables import Fields, merged
from tafl.training.learner import Learner
from tafl.training.plan import Plan, prepare

HOME = Path(__file__).resolve().parent.parent
STORE = HOME / "results" / "nim3p_seeds.json"
PAGE = HOME / "docs" / "nim3p.md"
WORDS = Path(__file__).with_name("nim3p_seeds.md")  # with a place for each table

SEEDS = range(1, 41)
WEAK, FULL = 0.3, 0.39999  # scores below the one are weak; above the other they are 0.4
EPSILONS = (0.05, 0.1, 0.11, 0.12, 0.13, 0.15, 0.16, 0.17, 0.18, 0.2)
LAMBDAS = (0.0, 0.5)
MAKEABLE = makeable()


class Variant(NamedTuple):
    """What is otherwise than in the preset as-run."""

    title: str
    settings: Fields
    begin: float = 0.0  # what all values are before the training
    six: bool = False  # those of player 0 for (1,4,5), in any order, begin as they should end


LOW: Fields = {"td": {"epsilon": 0.1}}
LONG: Fields = {"start": {"plies": 3}, "episodes": 1_000_000}
LONGEST: Fields = merged(merged(LOW, LONG), {"episodes": 3_000_000})
OFF: Fields = {"coherence": {"transfer": "off"}}
VARIANTS = [
    Variant("nothing", {}),
    Variant("values begin at 0.5", {}, begin=0.5),
    Variant("values begin at 0.9", {}, begin=0.9),
    Variant("six values of player 0 begin right", {}, six=True),
    Variant("`episodes=3000000`", {"episodes": 3_000_000}),
    Variant("`td.epsilon=0.1`", LOW),
    Variant("`td.epsilon=0.1`, `td.epsilon_final=0`", merged(LOW, {"td": {"epsilon_final": 0.0}})),
    Variant("`td.epsilon=0.1`, values begin at 0.5", LOW, begin=0.5),
    Variant("`td.epsilon=0.1`, `start.plies=3`, `episodes=1000000`", merged(LOW, LONG)),
    Variant("`td.epsilon=0.1`, `start.plies=3`, `episodes=3000000`", LONGEST),
    Variant("`td.lambda=0`", {"td": {"lambda": 0.0}}),
    Variant("`td.lambda=0`, values begin at 0.5", {"td": {"lambda": 0.0}}, begin=0.5),
    Variant("`td.eligibility=standard`", {"td": {"eligibility": "standard"}}),
    Variant("`td.learn_from_random_moves=true`", {"td": {"learn_from_random_moves": True}}),
    Variant("`td.trace_across_episodes=false`", {"td": {"trace_across_episodes": False}}),
    Variant("`coherence.transfer=exp`", {"coherence": {"transfer": "exp"}}),
    Variant("`coherence.transfer=off`", OFF),
    Variant("the same, `td.alpha_final=0.001`", merged(OFF, {"td": {"alpha_final": 0.001}})),
    Variant("`network.tuples=nim3p-1`", {"network": {"tuples": "nim3p-1"}}),
]


def places(net: Net, player: int, s: Position) -> np.ndarray:
    """Where the weights of a position are in the tables of a player."""
    return player * net.size + net.base.astype(int) + np.array(s) @ net.strides.astype(int)


def fill(net: Net, player: int, s: Position, value: float) -> None:
    """Makes this the value of a position."""
    net.weights[places(net, player, s)] = np.arctanh(value) / net.tuples


def table(net: Net) -> list[Values]:
    """For each player, the value of every position."""
    return [
        {s: float(np.tanh(net.weights[places(net, player, s)].sum())) for s in POSITIONS}
        for player in PLAYERS
    ]


def plan_of(variant: Variant, seed: int) -> Plan:
    """What is to be trained."""
    return prepare("nim3p", "as-run", None, merged(variant.settings, {"seed": seed}))


def measure(variant: Variant) -> dict[str, Any]:
    """Trains and judges all seeds of a variant."""
    exact = converged(make_td(plan_of(variant, 1).settings))
    return variant._asdict() | {
        "converged": mean(judged([exact] * 3)),
        "exact": key_values([exact] * 3, 0),
        "seeds": [trained(variant, seed, exact) for seed in SEEDS],
    }


def trained(variant: Variant, seed: int, exact: Values) -> dict[str, Any]:
    """Trains one seed: what it scores, how it opens, and what its tables say of the key moves."""
    plan = plan_of(variant, seed)
    learner = Learner(plan.game, plan.settings, plan.tuples)
    for player, s in product(PLAYERS, POSITIONS[1:]):
        known = variant.six and player == 0 and sorted(s) == [1, 4, 5]
        fill(learner.net, player, s, exact[s] if known else variant.begin)
    before = table(learner.net)
    learner.learn(learner.total)
    values = table(learner.net)
    roles = judged(values)
    return {
        "seed": seed,
        "score": mean(roles),
        "roles": roles,
        "opening": highest(MOVES[START], values[0]),
        "never": sum(values[p][s] == before[p][s] for p in PLAYERS for s in MAKEABLE[p]),
        # the page tells of the settings as-run alone
        "heaps": [key_values(values, heap) for heap in PLAYERS if not variant.settings],
    }


def key_values(values: list[Values], heap: int) -> dict[str, float]:
    """What the tables say of the moves that the page tells of, where this heap is the small one."""

    def left(n: int) -> Position:
        return (*START[:heap], n, *START[heap + 1 :])

    replies = BEST_PLAY[left(1)]
    return {
        "knows": float(set(highest(MOVES[left(1)], values[0])) <= set(replies)),
        "player 0: (1,4,5)": max(values[0][s] for s in replies),
        "player 0: (0,5,5)": values[0][left(0)],
        "player 2: (1,5,5)": values[2][left(1)],
        "player 2: (0,5,5)": values[2][left(0)],
        "player 1: (2,5,5)": values[1][left(2)],
        "player 0: (3,5,5)": values[0][left(3)],
        "player 0: (2,5,5)": values[0][left(2)],
    }


def exact_score(lam: float, epsilon: float) -> float:
    """What TD with the eligibility of as-run converges to."""
    td = TD(lam=lam, epsilon=epsilon, reset=True, learn_from_random=False)
    return mean(judged([converged(td)] * 3))


def run() -> None:
    """Measures what is not stored yet, and stores it, numbers to six digits."""
    known = {variant["title"]: variant for variant in stored().get("variants", [])}
    exact = {str(lam): [exact_score(lam, epsilon) for epsilon in EPSILONS] for lam in LAMBDAS}
    variants = []
    for variant in VARIANTS:
        variants.append(known.get(variant.title) or measure(variant))
        print(*variant_line(variants[-1]), sep="  ", flush=True)
    document = {"afterstates": sum(map(len, MAKEABLE)), "exact": exact, "variants": variants}
    rounded = json.loads(json.dumps(document), parse_float=lambda text: round(float(text), 6))
    STORE.write_text(json.dumps(rounded) + "\n", encoding="utf-8")


def stored() -> dict[str, Any]:
    """All that was measured."""
    return json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else {}


def report(document: dict[str, Any]) -> str:
    """docs/nim3p.md."""
    as_run = document["variants"][0]
    names = [name for name in as_run["exact"] if name != "knows"]
    exact = [[lam, *(f"{x:.3f}" for x in line)] for lam, line in document["exact"].items()]
    return Template(WORDS.read_text(encoding="utf-8")).substitute(
        exact=markdown_table(["lambda", *(f"epsilon {epsilon}" for epsilon in EPSILONS)], exact),
        chain=markdown_table(["", *names], chain_lines(as_run, names)),
        variants=markdown_table(COLUMNS, map(variant_line, document["variants"])),
        afterstates=document["afterstates"],
        seeds=len(as_run["seeds"]),
        reached=next(reached(v) for v in document["variants"] if v["settings"] == LONGEST),
    )


def chain_lines(variant: dict[str, Any], names: list[str]) -> list[list[str]]:
    """Values of the key moves: exact, and where player 0 knows its reply to (1,5,5) or does not."""
    heaps = [heap for seed in variant["seeds"] for heap in seed["heaps"]]
    known = [heap for heap in heaps if heap["knows"]]
    unknown = [heap for heap in heaps if not heap["knows"]]
    groups = {
        "converged": [variant["exact"]],
        f"player 0 knows its reply ({len(known)})": known,
        f"it does not ({len(unknown)})": unknown,
    }
    return [
        [title, *(f"{mean([heap[name] for heap in group]):.2f}" for name in names)]
        for title, group in groups.items()
    ]


def reached(variant: dict[str, Any]) -> str:
    """How many seeds are as good as can be."""
    scores = [seed["score"] for seed in variant["seeds"]]
    return f"{sum(score > FULL for score in scores)} of {len(scores)}"


COLUMNS = ["change", "TD converges to", "weak seeds", "at 0.400", "mean", "never learned"]


def variant_line(variant: dict[str, Any]) -> list[str]:
    """What one variant comes to."""
    scores = [seed["score"] for seed in variant["seeds"]]
    return [
        variant["title"],
        f"{variant['converged']:.3f}",
        f"{sum(score < WEAK for score in scores)} of {len(scores)}",
        reached(variant),
        f"{mean(scores):.3f}",
        f"{mean([seed['never'] for seed in variant['seeds']]):.0f}",
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        run()
    elif sys.argv[1:] == ["report"]:
        PAGE.write_text(report(stored()), encoding="utf-8")
    else:
        sys.exit(__doc__)
