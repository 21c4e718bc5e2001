"""Measure what `moves`, a list of the legal actions, brings to games with many actions.

    python -m benchmarks.moves      about ten minutes; for docs/science/speed.md

Each game is measured with its method `moves` and without it, in turn, in processor time: learning
with default settings, and games of a random player against mcts(iterations=1000). Both learn and
play the same, to the bit.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import tafl
from benchmarks.compare import interval
from benchmarks.store import store
from tafl.runs.folder import environment
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

ROOT = Path(__file__).resolve().parent.parent
GAMES = {
    "Brandubh": ROOT / "tests" / "games" / "brandubh.py",
    "Halma 6x6": ROOT / "tests" / "games" / "halma.py",
    "checkers 6x6": ROOT / "tests" / "games" / "checkers.py",
    "Breakthrough": ROOT / "src" / "tafl" / "core" / "games" / "breakthrough.py",
}
ROUNDS, SECONDS, WARM_UP = 9, 1.0, 50  # pieces of learning, of this length; episodes before them
PLAYED = 4  # games
AGENTS = ("random", "mcts(iterations=1000)")


def without_moves(path: Path, folder: Path) -> Path:
    """Return a copy of the rules whose list of moves has another name."""
    copy = folder / path.name
    copy.write_text(path.read_text().replace("def moves(", "def unused("))
    return copy


class Subject:
    """A game with its learner."""

    def __init__(self, path: Path):
        self.game = tafl.game(str(path))
        plan = make_plan(self.game, compose(self.game))
        self.learner = Learner(self.game, plan.settings, plan.tuples)
        self.learner.learn(WARM_UP)

    def learn(self, episodes: int) -> tuple[int, float]:
        """Return the moves of these episodes and the time they took."""
        before, began = self.learner.moves, time.process_time()
        self.learner.learn(episodes)
        return self.learner.moves - before, time.process_time() - began

    def play(self) -> float:
        """Return the time of a game of the search, as a mean."""
        tafl.agent(AGENTS[1], self.game).act(self.game.start())  # compiles
        began = time.process_time()
        tafl.match(self.game, AGENTS, games=PLAYED)
        return (time.process_time() - began) / PLAYED


def measure(path: Path, folder: Path) -> dict[str, Any]:
    """Return the speed of a game without and with its list of moves."""
    before, after = Subject(without_moves(path, folder)), Subject(path)
    spent = before.learn(WARM_UP)[1]
    after.learn(WARM_UP)
    pieces = max(1, round(WARM_UP * SECONDS / spent))
    rates = []
    for n in range(ROUNDS):
        order = (before, after) if n % 2 == 0 else (after, before)
        done = {id(subject): subject.learn(pieces) for subject in order}
        rates.append([moves / spent for moves, spent in (done[id(before)], done[id(after)])])
    ratios = [b / a for a, b in rates]
    weights = [subject.learner.tensors()["weights"] for subject in (before, after)]
    assert (weights[0] == weights[1]).all(), "a list of moves changes what is learned"
    return {
        "actions": after.game.facts.actions,
        "before": round(statistics.median(a for a, _ in rates)),
        "after": round(statistics.median(b for _, b in rates)),
        "ratio": statistics.median(ratios),
        "interval": interval(ratios),
        "game_before": round(before.play(), 3),
        "game_after": round(after.play(), 3),
    }


def main() -> None:
    """Measure the games named, or all."""
    found: dict[str, Any] = {"processor": environment()["processor"], "games": {}}
    for name in sys.argv[1:] or GAMES:
        with tempfile.TemporaryDirectory() as folder:
            found["games"][name] = measure(GAMES[name], Path(folder))
        print(name, found["games"][name], flush=True)
        store("moves", found)


if __name__ == "__main__":
    main()
