"""The demo: three games, trained with and without FARL."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tafl.arena import match
from tafl.pictures.curves import Line, Panel, draw_curves
from tafl.runs.curves import Curve, joined, scores
from tafl.runs.run import Run
from tafl.training.training import train

POINTS = 10  # of a learning curve
WAYS = {"FARL": True, "no FARL": False}
COLOURS = {"FARL": "tab:red", "no FARL": "tab:blue"}


@dataclass(frozen=True)
class Measure:
    """A measure of an agent's strength."""

    text: str
    key: str  # of an evaluation
    best: float  # the value of perfect play


@dataclass(frozen=True)
class Lesson:
    """A game, the length of its training, and the evaluation of its agents."""

    game: str
    episodes: int
    seeds: int
    opponent: str
    games: int
    measure: Measure


AGAINST_PERFECT = Measure("win rate vs perfect play", "win_rate", 0.5)
AGAINST_TWO = Measure("reward vs two perfect players", "mean", 0.4)
AGAINST_RANDOM = Measure("win rate vs random play", "win_rate", 1.0)
LESSONS = (
    Lesson("tictactoe", 10_000, 3, "exact", 100, AGAINST_PERFECT),
    Lesson("nim3p", 100_000, 3, "exact", 100, AGAINST_TWO),
    Lesson("connectfour", 200_000, 1, "random", 1000, AGAINST_RANDOM),
)


@dataclass(frozen=True)
class Learned:
    """The runs of a lesson, with and without FARL."""

    lesson: Lesson
    runs: dict[str, list[Run]]

    @property
    def curves(self) -> dict[str, Curve]:
        """Return the learning curves with and without FARL."""
        vs, key = self.lesson.opponent, self.lesson.measure.key
        return {
            way: joined(way, [scores(run, vs, key) for run in runs])
            for way, runs in self.runs.items()
        }


def learn_both_ways(lesson: Lesson, folder: Path, share: float) -> Learned:
    """Train with and without FARL, each with all seeds, for a share of the episodes."""
    episodes = int(lesson.episodes * share)
    evaluation = {"opponents": [lesson.opponent], "games": lesson.games}
    evaluation |= {"every": episodes // POINTS}
    learned: dict[str, list[Run]] = {}
    for way, farl in WAYS.items():
        stem = f"{lesson.game}-{way.lower().replace(' ', '-')}"
        learned[way] = [
            train(
                lesson.game,
                preset="paper",
                episodes=episodes,
                seed=seed,
                out=folder / f"{stem}-{seed}",
                farl=farl,
                evaluation=evaluation,
            )
            for seed in range(1, lesson.seeds + 1)
        ]
    return Learned(lesson, learned)


def duel(first: Run, second: Run) -> tuple[float, int]:
    """Return the number of games that the first agent wins (a draw is half a win), and of all."""
    # from one start, two agents without chance would repeat one game
    found = match(first.game, [first.agent, second.agent], games=1, starts="all:2")
    return float(found.wins[:, 0].sum()), len(found.records)


def plot(learned: Sequence[Learned], path: Path) -> None:
    """Save the learning curves as a picture."""
    panels = []
    for one in learned:
        lines = [Line(way, curve, COLOURS[way]) for way, curve in one.curves.items()]
        measure = one.lesson.measure
        panels.append(Panel(one.lesson.game, measure.text, lines, measure.best))
    draw_curves(panels, path)
