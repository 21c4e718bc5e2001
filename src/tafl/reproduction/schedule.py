"""Many runs of a reproduction: what is missing, how long it will take, and doing it."""

import json
import time
from collections.abc import Iterable
from pathlib import Path

from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.boards import load_game
from tafl.errors import EngineError
from tafl.reproduction.rows import MAIN, VARIANTS, Job, Judgement
from tafl.reproduction.runs import make_run, write_batch
from tafl.runs.folder import claimed
from tafl.training.executors import Ending, LocalExecutor, carry_out
from tafl.training.learner import Learner
from tafl.training.plan import Plan, make_plan
from tafl.training.progress import Progress, ProgressFile
from tafl.training.several import View
from tafl.training.stop import Stopped, StopSignal

MODULE = "tafl.reproduction.runs"
BATCH_SECONDS = 20.0
SECONDS_BETWEEN_LOOKS = 2.0  # there may be hundreds of runs
LEARNING_SECONDS, PLAYING_SECONDS = 0.5, 0.3  # of a measurement, at least


class Places:
    """Where a reproduction keeps its things: runs/, results/ and docs/ below one folder."""

    def __init__(self, out: Path, quick: bool = False):
        home = out / "runs" / "quick" if quick else out
        self.runs = out / "runs" / ("quick" if quick else "reproduce")
        self.results, self.docs = home / "results", home / "docs"

    def result(self, job: Job) -> Path:
        """The file of a result."""
        return self.results / f"{job.name}.json"

    def missing(self, jobs: Iterable[Job]) -> list[Job]:
        """The runs whose results are not stored."""
        return [job for job in jobs if not self.result(job).exists()]


def seconds_needed(jobs: list[Job]) -> list[float]:
    """An estimate for each run, on one core: a little of each row and algorithm is measured."""
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
    """Seconds per move of learning, and seconds of judging a whole run."""
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
    judging = 0.0
    points = max(1, settings.episodes // settings.evaluation.every)
    for number in job.row.numbers:
        way = number.as_authors
        games = points * number.curve + number.games + number.sharp
        judging += games * _seconds_per_game(agent, way)
    return seconds / learner.moves, judging


def _seconds_per_game(agent: LearnedAgent, way: Judgement) -> float:
    try:
        evaluate(agent, way.opponent, 1, starts="start", roles=way.roles)  # compiles
    except EngineError:
        return 0.0  # an external program that is missing will not play
    seconds, games = 0.0, 0
    while seconds < PLAYING_SECONDS:
        began = time.perf_counter()
        found = evaluate(agent, way.opponent, 2, starts="start", roles=way.roles, seed=games)
        games += len(found.records)
        seconds += time.perf_counter() - began
    return seconds / games


def in_order(jobs: list[Job], seconds: list[float]) -> tuple[list[Job], list[float]]:
    """The paper's own runs first, short rows before long ones, and seeds side by side."""
    slowest = {job.row.name: 0.0 for job in jobs}
    for job, cost in zip(jobs, seconds, strict=True):
        slowest[job.row.name] = max(cost, slowest[job.row.name])

    def place(pair: tuple[Job, float]) -> tuple[bool, float, int]:
        job, _ = pair
        return job.variant.name not in MAIN, slowest[job.row.name], job.seed

    pairs = sorted(zip(jobs, seconds, strict=True), key=place)
    return [job for job, _ in pairs], [cost for _, cost in pairs]


def batches(jobs: list[Job], seconds: list[float]) -> list[list[Job]]:
    """Short runs of a row go into one process: it takes some seconds to start one."""
    found: list[list[Job]] = []
    filled = 0.0
    for job, cost in zip(jobs, seconds, strict=True):
        if found and found[-1][-1].row == job.row and filled + cost <= BATCH_SECONDS:
            found[-1].append(job)
            filled += cost
        else:
            found.append([job])
            filled = cost
    return found


def train_on_gpu(jobs: list[Job], places: Places, progress: Progress) -> None:
    """Trains all runs side by side; those that fail say so when they are judged."""
    from tafl.training.together import GpuExecutor

    places.runs.mkdir(parents=True, exist_ok=True)
    executor = GpuExecutor()
    with claimed(places.runs), StopSignal() as stop:
        runs = [make_run(job, places.runs / job.name) for job in jobs]
        left = [run.path for run in runs if not run.finished]
        where = executor.start(left) if left else "all of them trained"
        progress.say(f"{len(left)} of {len(runs)} runs to train, {where}")
        with View(runs, progress) as view:
            carry_out(executor, stop, view.look, view.tell)
        if stop.number:
            raise Stopped(stop.number, places.runs)


def carry_out_jobs(
    jobs: list[Job], seconds: list[float], places: Places, keep: bool, progress: Progress
) -> dict[str, str]:
    """Makes and stores the results of these runs, as many at a time as there is room for.

    Returns why runs failed, by their names.
    """
    if not jobs:
        return {}
    executor = LocalExecutor(1, max(plan.memory for plan in _plans(jobs)), MODULE)
    costs = {job.name: cost for job, cost in zip(jobs, seconds, strict=True)}
    totals = {job.name: job.settings().episodes for job in jobs}
    failed: dict[str, str] = {}
    places.runs.mkdir(parents=True, exist_ok=True)

    reached = {job.name: (0.0, 0) for job in jobs}  # share and moves of a run; judging it is more
    looked = 0.0

    def look() -> None:
        nonlocal looked
        if time.monotonic() - looked < SECONDS_BETWEEN_LOOKS:
            return
        looked = time.monotonic()
        for job in jobs:
            share, moves = reached[job.name]
            if share < 1 and places.result(job).exists():
                reached[job.name] = 1.0, moves
            elif share < 1 and (at := ProgressFile(places.runs / job.name).read()):
                reached[job.name] = at[0] / totals[job.name], at[1]
        done = sum(costs[name] * share for name, (share, _) in reached.items())
        progress.block(round(done), sum(moves for _, moves in reached.values()))

    def tell(ending: Ending) -> None:
        for job in files[ending.folder]:
            if places.result(job).exists():
                progress.say(f"{job.name}: stored")
            elif ending.failure and not stop.number:
                failed[job.name] = _reason(ending.failure, job.name)
                progress.say(f"{job.name}: {failed[job.name]}")
        ending.folder.unlink(missing_ok=True)

    with claimed(places.runs), StopSignal() as stop:
        files: dict[Path, list[Job]] = {}
        for number, batch in enumerate(batches(jobs, seconds)):
            file = places.runs / f"batch-{number}.json"
            write_batch(file, batch, places.runs.resolve(), places.results.resolve(), keep)
            files[file] = batch
        where = executor.start(list(files))
        progress.say(f"{len(jobs)} runs to train, {where}")
        progress.begin(0, round(sum(seconds)))
        try:
            carry_out(executor, stop, look, tell)
        finally:
            progress.end()
            for file in files:
                file.unlink(missing_ok=True)
        if stop.number:
            raise Stopped(stop.number, places.runs)
    return failed


def _reason(said: str, name: str) -> str:
    """Why a run failed: in what its process said last, or that it ended before its time."""
    try:
        reasons: dict[str, str] = json.loads(said)
    except ValueError:
        return said
    return reasons.get(name, said)


def _plans(jobs: list[Job]) -> list[Plan]:
    """One plan for each kind of run."""
    kinds = {(job.row.name, job.variant.algo): job for job in jobs}
    return [make_plan(load_game(job.row.game), job.settings()) for job in kinds.values()]
