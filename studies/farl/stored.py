"""The stored results of the study: from measurements to what its tables need, and back.

results.jsonl has, by metric: the scores of runs, what a learner without FARL can know of a game,
traits of games in random play, and the rule with its predictions.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any

from studies.farl.known import Known
from studies.farl.last_mover import GAMES as LAST_MOVER_GAMES
from studies.farl.last_mover import Shares
from studies.farl.numbers import Point, Rule, fitted, points
from studies.farl.subjects import Subject, subjects
from studies.farl.traits import GAMES as TRAIT_GAMES
from studies.farl.traits import Traits
from studies.records import Measurement, append, machine, read
from tafl.boards import load_game

RESULTS = Path(__file__).with_name("results.jsonl")
LAST_MOVER = {"won": "last_mover_wins", "drew": "last_mover_draws", "lost": "last_mover_loses"}
TRAITS = LAST_MOVER | {
    "on_the_way": "early_rewards",
    "again": "repeated_turns",
    "by_chance": "ends_by_chance",
}
KNOWN = {"table": "known_to_table", "network": "known_to_network", "again": "repeated_positions"}
RULE = {
    "intercept": "rule_intercept",
    "slope": "rule_slope",
    "spread": "rule_spread",
    "usual": "rule_mean",
}
Algorithms = dict[str, float]  # what is predicted, by algorithm


def make_record(game: str, metric: str, value: float, **rest: Any) -> Measurement:
    """Return a measurement of this study, made on this machine."""
    return Measurement(study="farl", game=game, metric=metric, value=value, **{**machine(), **rest})


def run_record(game: str, learner: str, value: float, **rest: Any) -> Measurement:
    """Return the score of one run's agent against naive players."""
    condition = {"learner": learner}
    return make_record(game, "score", value, against="naive", condition=condition, **rest)


def trait_records(game: str, traits: Traits, **rest: Any) -> list[Measurement]:
    """Return the traits of a game: shares of its random games."""
    return [
        make_record(game, metric, getattr(traits, name), n=TRAIT_GAMES, agent="random", **rest)
        for name, metric in TRAITS.items()
    ]


def last_mover_records(game: str, shares: Shares, **rest: Any) -> list[Measurement]:
    """Return how often the last mover wins, draws and loses."""
    return [
        make_record(game, metric, shares[name], n=LAST_MOVER_GAMES, agent="random", **rest)
        for name, metric in LAST_MOVER.items()
    ]


def known_records(game: str, algo: str, known: Known, **rest: Any) -> list[Measurement]:
    """Return what a learner without FARL can know of a game; the error is that of the share."""
    rest |= {"agent": "", "condition": {"algo": algo}}
    share = make_record(game, "known", round(known.share, 4), error=round(known.error, 4), **rest)
    parts = [
        make_record(game, metric, round(getattr(known, name), 4), **rest)
        for name, metric in KNOWN.items()
    ]
    return [*parts, share]


def rule_records(rule: Rule, **rest: Any) -> list[Measurement]:
    """Return the rule; n is the number of points that it was fitted to."""
    return [
        make_record("all", metric, getattr(rule, name), n=rule.points, agent="", **rest)
        for name, metric in RULE.items()
    ]


def prediction_records(said: dict[str, Algorithms], **rest: Any) -> list[Measurement]:
    """Return what the rule says of new games."""
    return [
        make_record(game, "predicted_kept", value, agent="", condition={"algo": algo}, **rest)
        for game, predicted in said.items()
        for algo, value in predicted.items()
    ]


class Stored:
    """Everything that is stored about FARL's worth."""

    def __init__(self, results: Path = RESULTS):
        self.records = read(results)

    @cached_property
    def runs(self) -> list[Measurement]:
        """Return the scores of all runs."""
        return self._of("score")

    @cached_property
    def known(self) -> dict[tuple[str, str], Known]:
        """Return what a learner without FARL can know, by game and algorithm."""
        found: dict[tuple[str, str], dict[str, float]] = {}
        for name, metric in KNOWN.items():
            for one in self._of(metric):
                found.setdefault((one.game, one.condition["algo"]), {})[name] = one.value
        for one in self._of("known"):
            found[one.game, one.condition["algo"]]["error"] = one.error or 0.0
        return {key: Known(**values) for key, values in found.items()}

    @cached_property
    def traits(self) -> dict[str, Traits]:
        """Return the traits of games, by name."""
        return {
            name: Traits(load_game(name).facts.players, load_game(name).has_chance, **shares)
            for name, shares in self._shares(TRAITS, TRAIT_GAMES).items()
        }

    @cached_property
    def last_movers(self) -> dict[str, Shares]:
        """Return how often the last mover wins, draws and loses, by game of Table 1."""
        return self._shares(LAST_MOVER, LAST_MOVER_GAMES)

    @cached_property
    def subjects(self) -> list[Subject]:
        """Return the games of which there are runs."""
        made = {one.game for one in self.runs}
        return [subject for subject in subjects().values() if subject.name in made]

    @cached_property
    def found(self) -> list[Point]:
        """Return the points of games that the rule comes from."""
        return points(self.runs, self.known, [s for s in self.subjects if not s.new])

    @cached_property
    def new(self) -> list[Point]:
        """Return the points of new games."""
        return points(self.runs, self.known, [s for s in self.subjects if s.new])

    @cached_property
    def stored_rule(self) -> Rule | None:
        """Return the rule that was written down before new games were learned."""
        parts = {name: self._of(metric) for name, metric in RULE.items()}
        if not all(parts.values()):
            return None
        values = {name: of[0].value for name, of in parts.items()}
        return Rule(**values, points=parts["slope"][0].n or 0)

    @cached_property
    def rule(self) -> Rule:
        """Return the rule that is stored, or the one that the runs give."""
        return self.stored_rule or fitted(self.found)

    @cached_property
    def said(self) -> dict[str, Algorithms]:
        """Return what the rule said of new games."""
        found: dict[str, Algorithms] = {}
        for one in self._of("predicted_kept"):
            found.setdefault(one.game, {})[one.condition["algo"]] = one.value
        return found

    def _of(self, metric: str) -> list[Measurement]:
        return [one for one in self.records if one.metric == metric]

    def _shares(self, names: dict[str, str], games: int) -> dict[str, Shares]:
        """Return shares of `games` random games, by game and name."""
        found: dict[str, Shares] = {}
        for name, metric in names.items():
            for one in self._of(metric):
                if one.n == games:
                    found.setdefault(one.game, {})[name] = one.value
        return found


def store_predictions(
    results: Path,
    runs: Sequence[Measurement],
    known: dict[tuple[str, str], Known],
    chosen: Iterable[Subject],
) -> None:
    """Write down what the rule says of new games that no agent has learned yet.

    The rule is fitted once, to the other games; what is written down is never changed.
    """
    stored, chosen = Stored(results), list(chosen)
    learned = {one.game for one in runs} | set(stored.said)
    unheard = [s.name for s in chosen if s.new and s.name not in learned]
    rule = stored.stored_rule
    if unheard and rule is None:
        rule = fitted(points(runs, known, [s for s in chosen if not s.new]))
        if not isnan(rule.slope):
            append(results, rule_records(rule))
    if rule is None or isnan(rule.slope):
        return
    said: dict[str, Algorithms] = {}
    for name in unheard:
        shares = {algo: known.get((name, algo)) for algo in ("td", "q")}
        said[name] = {a: round(rule.predicted(one), 3) for a, one in shares.items() if one}
    append(results, prediction_records(said))
