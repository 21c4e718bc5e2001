"""The plan of a sweep, which is checked before the sweep begins."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, get_args

from tafl.arguments import argument
from tafl.boards import Game, load_game
from tafl.errors import InputError, check_type
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.settings.tables import Fields, joined, merged, nested
from tafl.settings.values import RANDOM_TUPLES
from tafl.sweeps.points import Known, grid, hypercube, import_optuna, tpe
from tafl.sweeps.space import Point, Space, corners, grid_size
from tafl.training.plan import Plan, check_network, prepare

Sampler = Literal["grid", "random", "tpe"]

MOST_TRIALS, MOST_FRESH = 10_000, 1_000
MOST_CORNERS = 200  # of a space that are checked before the sweep begins
BATCHES = 8  # of a sweep with TPE


@dataclass(frozen=True)
class Wanted:
    """The number of points, their sampler, and the confirmation of the best."""

    trials: int = 64
    sampler: Sampler | None = None
    batch: int | None = None
    confirm: int = 5
    fresh: int = 5
    keep: bool = True

    def checked(self, space: Space) -> "Wanted":
        """Return a copy with defaults resolved, or refuse wrong values."""
        limits = {"trials": (1, MOST_TRIALS), "confirm": (0, MOST_TRIALS), "fresh": (1, MOST_FRESH)}
        for name, (least, most) in limits.items():
            check_type(name, getattr(self, name), Integral)
            if not least <= (value := getattr(self, name)) <= most:
                raise InputError(f"{argument(name)} must be from {least} to {most:,}, not {value}")
        sampler, trials, size = self.sampler, self.trials, grid_size(space)
        if sampler is None:
            sampler = "grid" if size is not None and size <= trials else "random"
        if sampler not in get_args(Sampler):
            raise InputError(f"there is no sampler {sampler}; use grid, random or tpe")
        if sampler == "grid":
            if size is None:
                raise InputError(
                    f"{argument('sampler', 'grid')} needs lists of values, and no ranges"
                )
            if size > trials:
                raise InputError(
                    f"the grid has {size:,} points, more than {argument('trials')} {trials:,}"
                )
            trials = size
        if sampler == "tpe":
            import_optuna()
        elif self.batch is not None:
            raise InputError(f"{argument('batch')} is for {argument('sampler', 'tpe')}; remove it")
        if self.batch is not None and not 1 <= self.batch <= trials:
            raise InputError(
                f"{argument('batch')} must be from 1 to the {trials:,} trials, not {self.batch}"
            )
        batch = self.batch or (-(-trials // BATCHES) if sampler == "tpe" else trials)
        confirm = min(self.confirm, trials)
        return replace(self, trials=trials, sampler=sampler, batch=batch, confirm=confirm)


@dataclass(frozen=True)
class SweepPlan:
    """Everything that defines a sweep, also one that is continued.

    `base` is the plan of the unchanged settings, which the best points are compared with. A trial
    has the same preset or settings file, with `overrides`, and one point of the space.
    """

    base: Plan
    preset: str | None
    file: Path | None
    overrides: Fields
    space: Space
    wanted: Wanted

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.base.game

    @property
    def opponent(self) -> str:
        """Return the opponent behind the score of a trial: the last one of the evaluation."""
        return self.base.settings.evaluation.opponents[-1]

    def trial(self, point: Point, seed: int) -> Settings:
        """Return the settings of a trial."""
        overrides = joined(self.overrides, {**nested(point), "seed": seed})
        settings = compose(self.game, self.preset, self.file, overrides)
        # the file of the game may have moved since the sweep began
        settings = settings.model_copy(update={"game": self.base.settings.game})
        return _judged(settings, self.overrides)

    def seed_of(self, trial: int) -> int:
        """Return the seed of a trial; seeds after those of all trials are fresh."""
        return self.base.settings.seed + trial

    def points(self, batch: int, known: Known) -> list[Point]:
        """Return the points of a batch; `known` has the results of all batches before it."""
        wanted, seed = self.wanted, self.base.settings.seed
        assert wanted.batch is not None  # resolved by `checked`
        number = min(wanted.batch, wanted.trials - batch * wanted.batch)
        if wanted.sampler == "grid":
            return grid(self.space, seed)
        if wanted.sampler == "random":
            return hypercube(self.space, number, seed)
        return tpe(self.space, number, seed, batch, known)

    @property
    def batches(self) -> int:
        """Return the number of batches."""
        assert self.wanted.batch is not None
        return -(-self.wanted.trials // self.wanted.batch)

    @property
    def runs(self) -> int:
        """Return the number of runs, including those with fresh seeds."""
        wanted = self.wanted
        return wanted.trials + ((wanted.confirm + 1) * wanted.fresh if wanted.confirm else 0)

    @property
    def episodes(self) -> int:
        """Return the approximate total number of episodes."""
        ends = self.space["episodes"].ends if "episodes" in self.space else ()
        return round(self.runs * (sum(ends) / len(ends) if ends else self.base.settings.episodes))


def plan_sweep(
    game: Any,
    preset: str | None,
    file: Path | None,
    options: Fields,
    fixed: Fields,
    space: Space,
    wanted: Wanted,
    minutes: float | None = None,
) -> SweepPlan:
    """Check unchanged settings, ends of ranges and first points, and return the plan.

    `options` hold for all runs. `fixed` settings hold for all trials; of these, the unchanged
    settings take only those about the length of training and the evaluation.
    """
    common = ("episodes", "device", "threads", "evaluation", "checkpoint")
    judging = merged(options, {key: fixed[key] for key in common if key in fixed})
    if judging.get("device") == "cuda":
        judging.setdefault("threads", 1)  # many agents, each of them exact
    if not isinstance(game, str | Path | None) and load_game(game).name.startswith("__main__:"):
        raise InputError("a sweep trains in other processes: save the game as a file, and name it")
    base = prepare(game, preset, file, judging, minutes)
    settings = _judged(base.settings, judging)
    overrides = merged(judging, fixed)
    if "episodes" not in space:
        overrides = merged(overrides, {"episodes": settings.episodes})
    overrides = merged(_drawn_tuples(base, space, fixed), overrides)
    base = replace(base, settings=settings)
    plan = SweepPlan(base, preset, file, overrides, space, wanted.checked(space))
    last = plan.seed_of(plan.wanted.trials + (plan.wanted.fresh if plan.wanted.confirm else 0) - 1)
    if last >= 2**63:
        raise InputError(f"seed {settings.seed} is too high: the last run would have {last}")
    for corner in islice(corners(space), MOST_CORNERS):
        check_network(base.game, plan.trial(corner, settings.seed))
    for number, point in enumerate(plan.points(0, [])):
        plan.trial(point, plan.seed_of(number))
    return plan


def _judged(settings: Settings, said: Mapping[str, Any]) -> Settings:
    """Return settings with an evaluation at the end only, unless `every` was set."""
    every = said.get("evaluation", {}).get("every")
    if every == 0:
        raise InputError("evaluation.every = 0: a sweep needs the evaluation at the end")
    if every is not None:
        return settings
    evaluation = settings.evaluation.model_copy(update={"every": settings.episodes})
    return settings.model_copy(update={"evaluation": evaluation})


def _drawn_tuples(base: Plan, space: Space, fixed: Fields) -> Fields:
    """Return settings for random n-tuples if their number or length is varied.

    Where the base has given n-tuples, the random ones are as many and as long by default.
    """
    varied = {"network.number", "network.length"} & space.keys()
    chosen = "network.tuples" in space or "tuples" in fixed.get("network", {})
    if not varied or chosen or base.settings.network.tuples in RANDOM_TUPLES:
        return {}
    kind = RANDOM_TUPLES[0] if any(base.game.facts.neighbours) else RANDOM_TUPLES[1]
    length = max(len(cells) for cells in base.tuples)
    return {"network": {"tuples": kind, "number": len(base.tuples), "length": length}}
