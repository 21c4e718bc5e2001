"""The trainings of the study: what each changes in the preset as-run, and how it is recorded."""

from pathlib import Path
from typing import Any, NamedTuple

from studies.records import Measurement, machine
from tafl.settings.tables import Fields

RESULTS = Path(__file__).with_name("results.jsonl")
SEEDS = range(1, 41)
EPSILONS = (0.05, 0.1, 0.11, 0.12, 0.13, 0.15, 0.16, 0.17, 0.18, 0.2)
LAMBDAS = (0.0, 0.5)
CONVERGED = "converged"  # the agent with exactly the values that TD converges to
# The moves that the page tells of: whose table, and which position, written as its heaps.
KEY_MOVES = (
    (0, "1,4,5"),
    (0, "0,5,5"),
    (2, "1,5,5"),
    (2, "0,5,5"),
    (1, "2,5,5"),
    (0, "3,5,5"),
    (0, "2,5,5"),
)


class Variant(NamedTuple):
    """A training that differs from the preset as-run."""

    title: str
    settings: Fields  # as with --set
    begin: float = 0.0  # all values before the training
    six: bool = False  # those of player 0 for (1,4,5), in any order, begin as they should end

    def record(self, metric: str, value: float, **rest: Any) -> Measurement:
        """Return a measurement of it."""
        own = {"begin": self.begin} if self.begin else {"six": True} if self.six else {}
        rest["condition"] = own | rest.get("condition", {})
        return Measurement(
            study="nim3p",
            game="nim3p",
            metric=metric,
            value=round(value, 6),
            preset="as-run",
            overrides=self.settings,
            **{**machine(), **rest},
        )

    def is_of(self, one: Measurement) -> bool:
        """Say whether a measurement is of this training."""
        begins = one.condition.get("begin", 0.0), one.condition.get("six", False)
        return one.overrides == self.settings and begins == (self.begin, self.six)


LOW: Fields = {"td.epsilon": 0.1}
LONG: Fields = {"start.plies": 3, "episodes": 1_000_000}
LONGEST: Fields = {**LOW, "start.plies": 3, "episodes": 3_000_000}
OFF: Fields = {"coherence.transfer": "off"}
VARIANTS = [
    Variant("nothing", {}),
    Variant("values begin at 0.5", {}, begin=0.5),
    Variant("values begin at 0.9", {}, begin=0.9),
    Variant("six values of player 0 begin right", {}, six=True),
    Variant("`episodes=3000000`", {"episodes": 3_000_000}),
    Variant("`td.epsilon=0.1`", LOW),
    Variant("`td.epsilon=0.1`, `td.epsilon_final=0`", {**LOW, "td.epsilon_final": 0.0}),
    Variant("`td.epsilon=0.1`, values begin at 0.5", LOW, begin=0.5),
    Variant("`td.epsilon=0.1`, `start.plies=3`, `episodes=1000000`", {**LOW, **LONG}),
    Variant("`td.epsilon=0.1`, `start.plies=3`, `episodes=3000000`", LONGEST),
    Variant("`td.lambda=0`", {"td.lambda": 0.0}),
    Variant("`td.lambda=0`, values begin at 0.5", {"td.lambda": 0.0}, begin=0.5),
    Variant("`td.eligibility=standard`", {"td.eligibility": "standard"}),
    Variant("`td.learn_from_random_moves=true`", {"td.learn_from_random_moves": True}),
    Variant("`td.trace_across_episodes=false`", {"td.trace_across_episodes": False}),
    Variant("`coherence.transfer=exp`", {"coherence.transfer": "exp"}),
    Variant("`coherence.transfer=off`", OFF),
    Variant("the same, `td.alpha_final=0.001`", {**OFF, "td.alpha_final": 0.001}),
    Variant("`network.tuples=nim3p-1`", {"network.tuples": "nim3p-1"}),
]
