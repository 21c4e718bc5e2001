"""The runs of a reproduction: those that are missing, an estimate of their time, their training."""

import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.boards import load_game
from tafl.errors import EngineError
from tafl.reproduction.rows import MAIN, VARIANTS, Job, Number
from tafl.reproduction.runs import make_run, task
from tafl.runs.folder import claimed
from tafl.training.executors import Ending, LocalExecutor, carry_out
from tafl.training.learner import Learner
from tafl.training.plan import make_plan
from tafl.training.progress import Progress, ProgressFile
from tafl.training.seed_runs import TotalProgress
from tafl.training.stop import Stopped, StopSignal

SECONDS_BETWEEN_LOOKS = 2.0  # there may be hundreds of runs
LEARNING_SECONDS, PLAYING_SECONDS = 0.5, 0.3  # shortest measurements


class Places:
    """The folders of a reproduction: runs/, results/ and docs/ below one folder."""

    def __init__(self, out: Path, quick: bool = False):
        home = out / "runs" / "quick" if quick else out
        self.runs = out / "runs" / ("quick" if quick else "reproduce")
        self.results, self.docs = home / "results", home / "docs"

    def result(self, job: Job) -> Path:
        """Return the file of a result."""
        return self.results / f"{job.name}.json"

    def missing(self, jobs: Iterable[Job]) -> list[Job]:
        """Return the runs whose results are not stored."""
        return [job for job in jobs if not self.result(job).exists()]


def seconds_needed(jobs: list[Job]) -> list[float]:
    """Return an estimate for each run on one core, from short measurements."""
    rates: dict[tuple[str, str, bool], tuple[float, float]] = {}
    found = []
    for job in jobs:
        kind = (job.row.name, job.variant.algo, job.variant.farl)
        if kind not in rates:
            rates[kind] = _measured(job)
        per_move, judging = rates[kind]
        share = job.settings().episodes / Job(job.row, VARIANTS[MAIN[0]], 1).settings().episodes
        found.append(job.row.moves[not job.variant.farl] * share * per_move + judging)
    return found


def _measured(job: Job) -> tuple[float, float]:
    """Return the seconds per move of learning, and those of all evaluations of a run."""
    game, settings = load_game(job.row.game), job.settings()
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    learner.compile()
    seconds, episodes = 0.0, 1
    while seconds < LEARNING_SECONDS and learner.episode + episodes <= settings.episodes:
        began = time.perf_counter()
        learner.learn(episodes)
        seconds += time.perf_counter() - began
        episodes *= 2
    agent = LearnedAgent(game, learner.net, learner.td, job.seed)
    points = max(1, settings.episodes // settings.evaluation.every)
    judging = sum(
        (points * number.curve + number.games + number.sharp) * _seconds_per_game(agent, number)
        for number in job.row.numbers
    )
    return seconds / learner.moves, judging


def _seconds_per_game(agent: LearnedAgent, number: Number) -> float:
    play = partial(evaluate, agent, number.opponent, starts="start", roles=number.roles)
    try:
        play(games=1)  # compiles
    except EngineError:
        return 0.0  # an external program that is missing will not play
    seconds, games = 0.0, 0
    while seconds < PLAYING_SECONDS:
        began = time.perf_counter()
        games += len(play(games=2, seed=games).records)
        seconds += time.perf_counter() - began
    return seconds / games


def in_order(jobs: list[Job], seconds: list[float]) -> tuple[list[Job], list[float]]:
    """Return the runs of the paper first, short rows before long ones, sorted by seed."""
    slowest = dict.fromkeys([job.row.name for job in jobs], 0.0)
    for job, cost in zip(jobs, seconds, strict=True):
        slowest[job.row.name] = max(cost, slowest[job.row.name])

    def place(k: int) -> tuple[bool, float, int]:
        return jobs[k].variant.name not in MAIN, slowest[jobs[k].row.name], jobs[k].seed

    order = sorted(range(len(jobs)), key=place)
    return [jobs[k] for k in order], [seconds[k] for k in order]


def train_on_gpu(jobs: list[Job], places: Places, progress: Progress) -> None:
    """Train all runs at the same time; failures are reported when agents are evaluated."""
    from tafl.training.gpu_executor import GpuExecutor

    places.runs.mkdir(parents=True, exist_ok=True)
    executor = GpuExecutor()
    with claimed(places.runs), StopSignal() as stop:
        runs = [make_run(job, places.runs / job.name) for job in jobs]
        left = [run.path for run in runs if not run.finished]
        where = executor.start(left) if left else "all of them trained"
        progress.say(f"{len(left)} of {len(runs)} runs to train, {where}")
        with TotalProgress(runs, progress) as view:
            carry_out(executor, stop, view.look, view.tell)
        if stop.number:
            raise Stopped(stop.number, places.runs)


def carry_out_jobs(
    jobs: list[Job], seconds: list[float], places: Places, keep: bool, progress: Progress
) -> dict[str, str]:
    """Train and store runs, as many at a time as fit; return the messages of those that failed."""
    if not jobs:
        return {}
    known = {places.runs / job.name: job for job in jobs}
    kinds = {(job.row.name, job.variant.algo): job for job in jobs}.values()
    executor = LocalExecutor(
        1,
        max(make_plan(load_game(job.row.game), job.settings()).memory for job in kinds),
        lambda folder: task(known[folder], folder, places.result(known[folder]), keep),
    )
    places.runs.mkdir(parents=True, exist_ok=True)
    with claimed(places.runs), StopSignal() as stop:
        where = executor.start(list(known))
        progress.say(f"{len(jobs)} runs to train, {where}")
        progress.begin(0, round(sum(seconds)))
        view = JobView(known, dict(zip(known, seconds, strict=True)), places, progress)
        try:
            carry_out(executor, stop, view.look, partial(view.tell, stop))
        finally:
            progress.end()
        if stop.number:
            raise Stopped(stop.number, places.runs)
    return view.failed


class JobView:
    """The progress of all runs, each weighted by its seconds."""

    def __init__(
        self, jobs: dict[Path, Job], costs: dict[Path, float], places: Places, progress: Progress
    ) -> None:
        self.jobs, self.costs, self.places, self.progress = jobs, costs, places, progress
        self.totals = {folder: job.settings().episodes for folder, job in jobs.items()}
        self.reached = dict.fromkeys(jobs, (0.0, 0))  # share and moves of a run
        self.looked = 0.0
        self.failed: dict[str, str] = {}

    def look(self) -> None:
        """Show the progress, if the last time is long enough ago."""
        if time.monotonic() - self.looked < SECONDS_BETWEEN_LOOKS:
            return
        self.looked = time.monotonic()
        for folder, job in self.jobs.items():
            share, moves = self.reached[folder]
            if share < 1 and self.places.result(job).exists():
                self.reached[folder] = 1.0, moves
            elif share < 1 and (at := ProgressFile(folder).read()):
                self.reached[folder] = at[0] / self.totals[folder], at[1]
        done = sum(self.costs[folder] * share for folder, (share, _) in self.reached.items())
        self.progress.block(round(done), sum(moves for _, moves in self.reached.values()))

    def tell(self, stop: StopSignal, ending: Ending) -> None:
        """Print the end of a run, unless it was stopped."""
        job = self.jobs[ending.folder]
        if self.places.result(job).exists():
            self.progress.say(f"{job.name}: stored")
        elif ending.failure and not stop.number:
            self.failed[job.name] = ending.failure
            self.progress.say(f"{job.name}: {ending.failure}")
