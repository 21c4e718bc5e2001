"""Measure beams on the 2x2x2 cube: ten trainings, the same random positions for each.

python -m studies puzzles run        what is not stored yet; about five minutes
"""

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

import tafl
from studies.puzzles.shortest import moves_needed
from studies.records import HOME, Measurement, append, machine, read
from tafl.agents.beam import BeamAgent
from tafl.arena.statistics import standard_error

RESULTS = HOME / "puzzles" / "results.jsonl"
GAMES = ("cube", "cube(quarter=true)")
SEEDS, WIDTHS, POSITIONS = range(101, 111), (30, 300), 100


def main(options: list[str]) -> None:
    """Measure what is missing."""
    known = {(one.game, one.seed, one.agent) for one in read(RESULTS)}
    for name in GAMES:
        game = tafl.game(name)
        for seed in SEEDS:
            wanted = [w for w in WIDTHS if (game.name, seed, text(w)) not in known]
            if wanted:
                with TemporaryDirectory() as folder:
                    append(RESULTS, measured(name, seed, wanted, Path(folder) / "run"))


def text(width: int) -> str:
    """Return the agent as records name it."""
    return f"beam(A,width={width})"


def measured(name: str, seed: int, widths: list[int], path: Path) -> Iterator[Measurement]:
    """Train an agent; yield what its beams reach."""
    began = time.process_time()
    run = tafl.train(name, seed=seed, out=path, evaluation={"every": 0})
    seconds = time.process_time() - began
    for width in widths:
        agent = tafl.agent(f"beam(run:{path},width={width})")
        assert isinstance(agent, BeamAgent)
        lengths, least, times = solutions(agent)
        found = {
            "solved": len(lengths) / POSITIONS,
            "score": -mean(lengths),
            "excess": sum(lengths) / sum(least) - 1,
            "milliseconds": mean(times),
            "milliseconds_worst": max(times),
        }
        for metric, value in found.items():
            yield Measurement(
                study="puzzles",
                game=agent.game.name,
                metric=metric,
                value=value,
                error=standard_error(lengths) if metric == "score" else None,
                n=POSITIONS,
                seed=seed,
                overrides={"evaluation.every": 0},
                episodes=run.settings.episodes,
                seconds=round(seconds, 1),
                agent=text(width),
                **machine(),
            )


def solutions(agent: BeamAgent) -> tuple[list[int], list[int], list[float]]:
    """Return the lengths of solutions, the shortest possible ones, and milliseconds."""
    lengths, least, times = [], [], []
    agent.plan(agent.game.start(0))  # compiles
    for number in range(POSITIONS):
        state = agent.game.start(seed=1000 + number)
        began = time.process_time()
        plan = agent.plan(state)
        times.append(1000 * (time.process_time() - began))
        needed = moves_needed(agent.game, state.words)
        for action in plan:
            state.play(action)
        if state.over and state.scores[0] > -agent.game.parameters.get("limit", 50):
            lengths.append(len(plan))
            least.append(needed)
    return lengths, least, times
