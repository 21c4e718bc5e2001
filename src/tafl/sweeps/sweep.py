"""A sweep: many points are tried, and the best ones trained again with fresh seeds.

    search    a run for each trial, in batches; its score is that of the evaluation at the end
    confirm   the best points, and the unchanged settings, with seeds that no trial has used

A run depends only on its folder, and the points of a batch only on the seed and the scores of
earlier batches: the result is the same for any number of processes and interruptions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import reduce
from math import nan
from pathlib import Path
from typing import Any

from tafl import numbers
from tafl.arguments import resuming
from tafl.boards.trust import trusting
from tafl.errors import TrainingError
from tafl.files import write_sealed
from tafl.runs.checkpoint import checkpoint_files
from tafl.runs.folder import claimed, unique_folder
from tafl.runs.run import Run
from tafl.settings.model import Settings
from tafl.settings.tables import Fields, merged, nested
from tafl.sweeps.folder import RESULTS, create, open_plan, read_scores
from tafl.sweeps.plan import Sampler, SweepPlan, Wanted, plan_sweep
from tafl.sweeps.points import Known
from tafl.sweeps.result import Confirmed, Score, Sweep, Trial, best_points
from tafl.sweeps.space import Point, make_space
from tafl.training.executors import Ending, carry_out, make_executor
from tafl.training.plan import option_tree
from tafl.training.progress import Progress
from tafl.training.seed_runs import TotalProgress
from tafl.training.stop import Stopped, StopSignal
from tafl.training.training import create_or_open, default_folder


def sweep(
    game: Any = None,
    space: Mapping[str, str | Sequence[Any]] | None = None,
    *,
    trials: int = 64,
    sampler: Sampler | None = None,
    batch: int | None = None,
    vs: str | None = None,
    games: int | None = None,
    confirm: int = 5,
    fresh: int = 5,
    keep: bool = True,
    out: str | Path | None = None,
    executor: str = "local",
    resume: str | Path | None = None,
    trust: bool = False,
    **learning: Any,
) -> Sweep:
    """Try many settings and return the best, confirmed with fresh seeds.

    The space has a range, such as "1..10:log", or a list of values for each setting to vary; other
    arguments are those of `tafl.train`. `resume` is the folder of a sweep to continue; `trust`
    runs a game, an engine or a model that only this folder names.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     found = tafl.sweep("nim", {"td.alpha": "0.1..1:log"}, trials=3, episodes=100,
    ...                        confirm=0, out=f"{home}/sweep")
    >>> [trial.seed for trial in found.trials]
    [1, 2, 3]
    """
    if resume is not None:
        with trusting(trust):
            return go_on(Path(resume), executor, Progress())
    wanted = Wanted(trials, sampler, batch, confirm, fresh, keep)
    with trusting(trust):
        plan = _plan(game, space or {}, judging_tree(vs, games), wanted, learning)
        return go_on(begin(plan, out, executor), executor, Progress())


def _plan(
    game: Any,
    space: Mapping[str, str | Sequence[Any]],
    judging: Fields,
    wanted: Wanted,
    learning: Fields,
) -> SweepPlan:
    """Return the plan of a sweep whose runs take the arguments of `tafl.train`."""
    changes = dict(learning)
    preset, file, minutes = (changes.pop(n, None) for n in ("preset", "settings", "minutes"))
    options = option_tree(**{n: changes.pop(n, None) for n in ("farl", "episodes", "seed")})
    return plan_sweep(
        game,
        preset,
        None if file is None else Path(file),
        merged(options, judging),
        nested(changes),
        space=make_space(space),
        wanted=wanted,
        minutes=minutes,
    )


def judging_tree(vs: str | None, games: int | None) -> Fields:
    """Return the settings of the evaluation."""
    given = {"opponents": None if vs is None else [vs], "games": games}
    return {"evaluation": {key: value for key, value in given.items() if value is not None}}


def begin(plan: SweepPlan, out: str | Path | None, executor: str) -> Path:
    """Create the folder of a new sweep, by default sweeps/GAME-ALGO-SEED."""
    make_executor(executor, plan.game, [plan.base.settings])  # refuses if a package is missing
    if out is None:
        out = unique_folder(Path("sweeps") / default_folder(plan.base).name)
    return create(plan, Path(out))


def go_on(path: Path, executor: str, progress: Progress) -> Sweep:
    """Train all runs of a sweep and return its result."""
    plan = open_plan(path)
    with claimed(path), StopSignal() as stop:
        under_way = UnderWay(path, plan, executor, progress, stop)
        with under_way.view:
            trials = under_way.search()
            confirmed, base = under_way.confirm(trials)
            found = Sweep(
                plan.base.settings.game, plan.opponent, plan.space, trials, confirmed, base
            )
            under_way.store(found)
    return found


@dataclass(frozen=True)
class Job:
    """A run that a sweep needs; its name is its folder inside that of the sweep."""

    name: str
    settings: Settings
    point: Point
    keep: bool = True  # keep its weights when the score is known


class UnderWay:
    """A sweep in progress, with the scores so far."""

    def __init__(
        self, path: Path, plan: SweepPlan, executor: str, progress: Progress, stop: StopSignal
    ) -> None:
        self.path, self.plan, self.executor = path, plan, executor
        self.progress, self.stop = progress, stop
        self.scores = read_scores(path)
        before = round(plan.episodes * len(self.scores) / plan.runs)
        self.view = TotalProgress([], progress, before, plan.episodes)

    def search(self) -> list[Trial]:
        """Try all points, batch by batch."""
        trials: list[Trial] = []
        for batch in range(self.plan.batches):
            jobs = []
            for number, point in enumerate(self.plan.points(batch, known(trials)), len(trials)):
                settings = self.plan.trial(point, self.plan.seed_of(number))
                name = f"trials/{self._number(number)}"
                jobs.append(Job(name, settings, point, self.plan.wanted.keep))
            for job, score in zip(jobs, self.train(jobs), strict=True):
                trials.append(Trial(len(trials), job.point, job.settings.seed, score))
        return trials

    def confirm(self, trials: list[Trial]) -> tuple[list[Confirmed], Confirmed | None]:
        """Return the best points, the best first, and the unchanged settings, with fresh seeds.

        All of them are trained at the same time.
        """
        best = best_points(trials, self.plan.wanted.confirm)
        if not best:
            return [], None
        base = self.plan.base.settings
        tree: Any = base.tree()
        of_base = {key: reduce(dict.get, key.split("."), tree) for key in self.plan.space}
        jobs = [self._fresh(self._number(trial.number), trial.point) for trial, _ in best]
        jobs.append(self._fresh("base", of_base, base))
        scores = iter(self.train([job for seeds in jobs for job in seeds]))
        about = [(trial.number, trial.point, mean) for trial, mean in best]
        *points, last = (
            Confirmed(*one, [next(scores) for _ in seeds])
            for one, seeds in zip([*about, (None, of_base, nan)], jobs, strict=True)
        )
        return sorted(points, key=lambda one: (one.diverged, -one.mean)), last

    def train(self, jobs: list[Job]) -> list[Score]:
        """Finish runs, all at the same time, and return their scores."""
        left: dict[Path, tuple[Job, Run]] = {}
        for job in jobs:
            if job.name not in self.scores:
                folder, game = self.path / job.name, self.plan.game
                run = create_or_open(folder, game, job.settings, "this sweep")
                if not self._note(job, run):
                    left[run.path] = job, run
        if left:
            self._carry_out(left)
        return [self.scores[job.name] for job in jobs]

    def store(self, found: Sweep | None = None) -> None:
        """Write the scores so far, and the result if it is known."""
        runs = {name: astuple(self.scores[name]) for name in sorted(self.scores)}
        document = {**(found.document() if found else {}), "runs": runs}
        write_sealed(self.path / RESULTS, document, indent=2)

    def _carry_out(self, left: dict[Path, tuple[Job, Run]]) -> None:
        def tell(ending: Ending) -> None:
            job, run = left[ending.folder]
            self.view.end(ending)
            if ending.diverged:
                self.scores[job.name] = Score(None)
            elif not ending.failure:
                self._note(job, run)
            if not self.stop.number:
                self.progress.say(f"{job.name}: {_told(ending, self.scores.get(job.name), job)}")

        runs = [run for _, run in left.values()]
        executor = make_executor(self.executor, self.plan.game, [run.settings for run in runs])
        self.view.follow(runs)
        where = executor.start([run.path for run in runs])
        self.progress.say(f"{len(runs)} runs to train in {self.path}, {where}")
        failed = carry_out(executor, self.stop, self.view.look, tell)
        self.store()
        if self.stop.number:
            raise Stopped(self.stop.number, self.path, command="sweep")
        lost = [path for path, (job, _) in left.items() if job.name not in self.scores]
        for path in lost:
            again = f"continue with: {resuming(self.path, 'sweep')}"
            why = f"{path}: {failed.get(path, 'it did not come to its end')}"
            raise TrainingError(f"{len(lost)} of {len(runs)} runs failed: {why}; {again}")

    def _fresh(self, name: str, point: Point, base: Settings | None = None) -> list[Job]:
        """Return jobs for a point with seeds that no trial has used."""
        plan, jobs = self.plan, []
        for k in range(plan.wanted.fresh):
            seed = plan.seed_of(plan.wanted.trials + k)
            settings = base.model_copy(update={"seed": seed}) if base else plan.trial(point, seed)
            jobs.append(Job(f"confirmed/{name}/seed-{seed}", settings, point))
        return jobs

    def _number(self, trial: int) -> str:
        """Return the name of a trial's folder; all have equally many digits."""
        return f"{trial:0{len(str(self.plan.wanted.trials - 1))}}"

    def _note(self, job: Job, run: Run) -> bool:
        """Store the score of a finished run; return whether it is finished."""
        lines = run.metrics
        if not lines or lines[-1]["episode"] < run.settings.episodes:
            return False
        # weights that are not kept may be deleted already
        if (job.keep or checkpoint_files(run.checkpoints)) and not run.finished:
            return False
        result = lines[-1]["results"][-1]
        self.scores[job.name] = Score(result["mean"], result["standard_error"])
        if not job.keep:
            for file in checkpoint_files(run.checkpoints):
                file.unlink()
        return True


def known(trials: list[Trial]) -> Known:
    """Return points and scores; trials that diverged get the lowest score."""
    means = [trial.score.mean for trial in trials if trial.score.mean is not None]
    if not means:
        return []
    worst = min(means)
    return [(t.point, worst if t.score.mean is None else t.score.mean) for t in trials]


def point_text(point: Point) -> str:
    """Return a point as it is typed.

    >>> point_text({"td.alpha": 3.7, "td.lambda": 0})
    'td.alpha=3.7 td.lambda=0'
    """
    return " ".join(f"{key}={value}" for key, value in point.items() if value is not None)


def _told(ending: Ending, score: Score | None, job: Job) -> str:
    if ending.diverged:
        return f"diverged with {point_text(job.point)}"
    if score is None or score.mean is None:
        return ending.failure
    place = f" on {ending.place}" if ending.place else ""
    shown = numbers.score(score.mean, score.standard_error)
    return f"{shown} with {point_text(job.point)}{place}"
