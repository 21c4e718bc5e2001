"""Train agents of games for several players, and measure them against a tree search.

    python -m studies nplayers run [PART ...] [--workers N] [--into FILE]

Runs are kept in runs/nplayers and not trained again. Agents learn one after the other; they are
judged on all cores meanwhile. Each judge plays games of one agent; times are of the processor.
"""

import time
import traceback
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tafl
from studies.best.trials import end_with_parent
from studies.nplayers.plan import CHUNK, PARTS, RESULTS, Judged, Trial
from studies.records import Measurement, append, game_of, machine, read, settings_of
from tafl.agents import Agent, make_agent
from tafl.agents.learned import LearnedAgent
from tafl.agents.trees import PUCTAgent
from tafl.arena import evaluate
from tafl.arena.statistics import standard_error
from tafl.boards import State
from tafl.files import checksum, to_json
from tafl.processes import cores
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.settings.build import build, make_tuples

RUNS = Path(__file__).resolve().parents[2] / "runs" / "nplayers"
MATCHES = 7  # the seed of the first games; each judge has its own


class Games(NamedTuple):
    """What came out of some games of an agent."""

    wins: list[float]  # 1 for a win, a part for a shared one
    scores: list[float]
    milliseconds: list[float]  # of its moves


Waiting = dict[Future[Games], tuple[Measurement, list[Future[Games]]]]  # for all parts


@dataclass
class Timed:
    """An agent and the processor time of its moves."""

    agent: Agent
    milliseconds: list[float] = field(default_factory=list)

    def act(self, state: State) -> int:
        """Return the agent's action."""
        began = time.process_time()
        action = self.agent.act(state)
        self.milliseconds.append(1e3 * (time.process_time() - began))
        return action

    def values(self, state: State) -> dict[int, float]:
        """Return the agent's values."""
        return self.agent.values(state)


def main(options: list[str]) -> None:
    """Train and measure what is not stored."""
    parser = ArgumentParser(prog="python -m studies nplayers run")
    parser.add_argument("parts", nargs="*", default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--into", type=Path, default=RESULTS)
    parser.add_argument("--minutes", type=float, default=1e9, help="begin no training after these")
    said = parser.parse_args(options)
    end = time.monotonic() + 60 * said.minutes
    stored = {(key(one), one.agent, one.against) for one in read(said.into)}
    wanted = [
        (one, left)
        for part in said.parts
        for trial in PARTS[part]
        for one in (about(trial, seed) for seed in trial.seeds)
        if (left := [a for a in trial.agents if (key(one), *a.pair) not in stored])
    ]
    with ProcessPoolExecutor(said.workers, get_context("spawn"), end_with_parent) as pool:
        first = {one.game: one for one, _ in reversed(wanted)}
        for one in first.values():
            pool.submit(warm_up, one)
        here = [pool.submit(complete, *pair) for pair in wanted if pair[0].device == "cpu"]
        waiting: Waiting = {}
        for one, agents in wanted:
            if one.device != "cpu" and time.monotonic() < end:
                with suppressed():
                    judge(pool, waiting, trained(one), agents)
                collect(waiting, said.into, wait=False)
        for future in as_completed(here):
            with suppressed():
                append(said.into, future.result())
        collect(waiting, said.into, wait=True)


@contextmanager
def suppressed() -> Iterator[None]:
    """Print an error and go on: other trials do not depend on this one."""
    try:
        yield
    except Exception:
        traceback.print_exc()


def judge(
    pool: ProcessPoolExecutor, waiting: Waiting, one: Measurement, agents: Sequence[Judged]
) -> None:
    """Let workers play the games of a trained agent."""
    for agent in agents:
        path, (text, against) = folder(one), agent.pair
        about = replace(one, agent=text, against=against)
        parts = [pool.submit(played, path, text, against, n) for n in seeds_of(agent)]
        waiting |= dict.fromkeys(parts, (about, parts))


def complete(one: Measurement, agents: Sequence[Judged]) -> list[Measurement]:
    """Train and measure an agent on one core."""
    done, found = trained(one), list[Measurement]()
    for agent in agents:
        text, against = agent.pair
        games = [played(folder(one), text, against, seed) for seed in seeds_of(agent)]
        found += measured(replace(done, agent=text, against=against), games)
    return found


def seeds_of(agent: Judged) -> range:
    """Return the seeds of the parts into which the games of an agent are divided."""
    return range(MATCHES, MATCHES + -(-agent.games // CHUNK))


def about(trial: Trial, seed: int) -> Measurement:
    """Return the record of a training, without a value."""
    given: dict[str, Any] = {
        "preset": trial.preset,
        "overrides": trial.overrides,
        "device": trial.device,
    }
    return Measurement(
        study="nplayers",
        game=trial.game,
        metric="wins",
        value=0.0,
        seed=seed,
        **given,
        **machine(),
    )


def key(one: Measurement) -> str:
    """Return what tells one training from another."""
    return to_json([one.game, one.preset, one.overrides, one.seed, one.device])


def folder(one: Measurement) -> Path:
    """Return where the run is kept."""
    return RUNS / f"{one.game.partition('(')[0]}-{checksum({'training': key(one)})[:16]}"


def trained(one: Measurement) -> Measurement:
    """Train what is not trained; return the record with what the training took."""
    path = folder(one)
    if not (path / "settings.toml").exists():
        with claimed(new_folder(path)):
            settings = settings_of(one)
            evaluation = settings.evaluation.model_copy(update={"every": 0})
            Run.create(path, game_of(one), settings.model_copy(update={"evaluation": evaluation}))
    run = Run.open(path)
    if not run.finished:
        run = tafl.resume(path)
    told = run.summary()
    print(one.game, one.overrides, one.seed, f"{told['seconds']:.0f} s", flush=True)
    done = {key: told[key] for key in ("episodes", "moves", "seconds")}
    return replace(one, **done)


def warm_up(one: Measurement) -> None:
    """Compile what judges need, before they all do."""
    game, settings = game_of(one), settings_of(one)
    net, td, _ = build(game, settings, make_tuples(game, settings))
    agent = LearnedAgent(game, net, td, 1, "A")
    for player in (agent, PUCTAgent(game, agent, 1, iterations=2), mcts(game)):
        player.act(game.start())


def mcts(game: tafl.Game) -> Agent:
    """Return a tree search that thinks for a moment."""
    return make_agent("mcts(iterations=2)", game, 1)


def played(path: Path, text: str, against: str, seed: int) -> Games:
    """Let an agent play in all roles, with the opponent in all others."""
    run = Run.open(path)
    made = run.agent if text == "A" else make_agent(named(text, path), run.game, seed)
    made.act(run.game.start(seed=1))  # compiles
    agent = Timed(made)
    result = evaluate(agent, against, CHUNK, seed=seed, game=run.game)
    return Games(result.wins[:, 0].tolist(), result.scores[:, 0].tolist(), agent.milliseconds)


def named(text: str, path: Path) -> str:
    """Return the agent string for the agent of a run."""
    return text.replace("(A,", f"('run:{path}',")


def collect(waiting: Waiting, into: Path, wait: bool) -> None:
    """Store what has been played completely."""
    for future in as_completed(list(waiting)) if wait else [f for f in waiting if f.done()]:
        if future in waiting:
            one, parts = waiting[future]
            if all(part.done() for part in parts):
                for part in parts:
                    del waiting[part]
                with suppressed():
                    append(into, list(measured(one, [part.result() for part in parts])))


def measured(one: Measurement, found: list[Games]) -> Iterator[Measurement]:
    """Yield the measurements of an agent."""
    for metric in ("wins", "scores", "milliseconds"):
        values = np.concatenate([getattr(games, metric) for games in found])
        name = {"scores": "score"}.get(metric, metric)
        rest: dict[str, Any] = {"error": standard_error(values), "n": len(values)}
        made = replace(one, metric=name, value=float(values.mean()), **rest)
        if metric == "wins":
            share = f"{made.value:.3f} ± {made.error:.3f} of {len(values)}"
            print(f"{one.game} {one.agent} {one.overrides}: {share}", flush=True)
        yield made
