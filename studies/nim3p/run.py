"""Train and judge all seeds of all variants that are not stored (15 minutes on one core).

python -m studies nim3p run
"""

from itertools import product
from typing import Any

import numpy as np

from studies.nim3p.exact import (
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
from studies.nim3p.variants import (
    CONVERGED,
    EPSILONS,
    KEY_MOVES,
    LAMBDAS,
    RESULTS,
    SEEDS,
    VARIANTS,
    Variant,
)
from studies.records import Measurement, append, read
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import Net
from tafl.errors import InputError
from tafl.settings.build import make_td
from tafl.settings.tables import joined, nested
from tafl.training.learner import Learner
from tafl.training.plan import Plan, prepare

MAKEABLE = makeable()


def main(arguments: list[str]) -> None:
    """Measure what is not stored yet."""
    if arguments:
        raise InputError("nim3p run takes no options")
    stored = read(RESULTS)
    if not any("td.lambda" in one.overrides and one.agent == CONVERGED for one in stored):
        append(RESULTS, exact_scores())
    for variant in VARIANTS:
        mine = [one for one in stored if variant.is_of(one)]
        if not any(one.agent == CONVERGED and one.metric == "score" for one in mine):
            append(RESULTS, limits(variant))
        done = {one.seed for one in mine}
        for seed in SEEDS:
            if seed not in done:
                append(RESULTS, trained(variant, seed))
                print(variant.title, seed, flush=True)


def exact_scores() -> list[Measurement]:
    """Return what TD with the eligibility of as-run converges to, by lambda and epsilon."""
    found = []
    for lam, epsilon in product(LAMBDAS, EPSILONS):
        td = TD(lam=lam, epsilon=epsilon, reset=True, learn_from_random=False)
        score = mean(judged([converged(td)] * 3))
        variant = Variant("", {"td.lambda": lam, "td.epsilon": epsilon})
        found.append(variant.record("score", score, agent=CONVERGED))
    return found


def limits(variant: Variant) -> list[Measurement]:
    """Return what TD converges to with a variant's settings: its score, and the key moves."""
    exact = [converged(make_td(plan_of(variant, 1).settings))] * 3
    score = variant.record("score", mean(judged(exact)), agent=CONVERGED)
    return [score, *key_values(variant, exact, 0, agent=CONVERGED)]


def plan_of(variant: Variant, seed: int) -> Plan:
    """Return what is to be trained."""
    return prepare("nim3p", "as-run", None, joined(nested(variant.settings), {"seed": seed}))


def trained(variant: Variant, seed: int) -> list[Measurement]:
    """Train one seed: return its scores, how it opens, and its values of the key moves."""
    plan = plan_of(variant, seed)
    exact = converged(make_td(plan.settings))
    learner = Learner(plan.game, plan.settings, plan.tuples)
    for player, s in product(PLAYERS, POSITIONS[1:]):
        known = variant.six and player == 0 and sorted(s) == [1, 4, 5]
        fill(learner.net, player, s, exact[s] if known else variant.begin)
    before = table(learner.net)
    learner.learn(plan.settings.episodes)
    values = table(learner.net)
    roles = judged(values)
    never = sum(values[p][s] == before[p][s] for p in PLAYERS for s in MAKEABLE[p])
    opening = highest(MOVES[START], values[0])
    about = {"seed": seed, "against": "maxn"}
    found = [
        variant.record("score", mean(roles), condition={"opening": opening}, **about),
        *(
            variant.record("score", score, condition={"role": role}, **about)
            for role, score in enumerate(roles)
        ),
        variant.record("never_learned", never, seed=seed),
    ]
    if not variant.settings:  # the page tells of the settings as-run alone
        for heap in PLAYERS:
            found += key_values(variant, values, heap, seed=seed)
    return found


def places(net: Net, player: int, s: Position) -> np.ndarray:
    """Return where the weights of a position are in the tables of a player."""
    first = player * net.size + net.base.astype(int)
    return np.asarray(first + np.array(s) @ net.strides.astype(int))


def fill(net: Net, player: int, s: Position, value: float) -> None:
    """Make this the value of a position."""
    net.weights[places(net, player, s)] = np.arctanh(value) / net.tuples


def table(net: Net) -> list[Values]:
    """Return, for each player, the value of every position."""
    return [
        {s: float(np.tanh(net.weights[places(net, player, s)].sum())) for s in POSITIONS}
        for player in PLAYERS
    ]


def key_values(variant: Variant, values: list[Values], heap: int, **rest: Any) -> list[Measurement]:
    """Return the values of the key moves where this heap is the small one, and the reply."""

    def left(n: int) -> Position:
        return (*START[:heap], n, *START[heap + 1 :])

    replies = BEST_PLAY[left(1)]
    knows = set(highest(MOVES[left(1)], values[0])) <= set(replies)
    found = [variant.record("knows_reply", float(knows), condition={"heap": heap}, **rest)]
    for player, name in KEY_MOVES:
        of = replies if name == "1,4,5" else [left(int(name[0]))]
        value = max(values[player][s] for s in of)
        condition = {"heap": heap, "player": player, "position": name}
        found.append(variant.record("position_value", value, condition=condition, **rest))
    return found
