"""The tour of the README: three games learned with FARL and without, and what that changes."""

from dataclasses import dataclass
from math import nan
from pathlib import Path
from statistics import fmean, stdev

from tafl.arena import play_on, start_positions
from tafl.experiments.progress import Progress
from tafl.experiments.run import Run
from tafl.experiments.training import train

POINTS = 10  # of a learning curve
WAYS = {"FARL": True, "no FARL": False}
COLOURS = {"FARL": "tab:red", "no FARL": "tab:blue"}


@dataclass(frozen=True)
class Lesson:
    """How long a game is learned, and how the agent's strength is measured."""

    game: str
    episodes: int
    seeds: int
    opponent: str
    games: int
    measure: str
    key: str  # of an evaluation
    best: float  # what perfect play gets, or would get


LESSONS = (
    Lesson("tictactoe", 10_000, 3, "exact", 100, "win rate vs perfect play", "win_rate", 0.5),
    Lesson("nim3p", 100_000, 3, "exact", 100, "reward vs two perfect players", "mean", 0.4),
    Lesson("connectfour", 200_000, 1, "random", 1000, "win rate vs random play", "win_rate", 1.0),
)


@dataclass(frozen=True)
class Curve:
    """What the runs of one way to learn reached: mean and standard error, nan for one seed."""

    episodes: list[int]
    means: list[float]
    errors: list[float]
    runs: list[Run]


@dataclass(frozen=True)
class Outcome:
    """The curves of a lesson, by way to learn."""

    lesson: Lesson
    curves: dict[str, Curve]


def learn_both_ways(lesson: Lesson, folder: Path, share: float, progress: Progress) -> Outcome:
    """Trains with FARL and without, each with all seeds, for a share of the episodes."""
    episodes = int(lesson.episodes * share)
    evaluation = {"opponents": [lesson.opponent], "games": lesson.games}
    evaluation |= {"every": episodes // POINTS}
    curves = {}
    for way, farl in WAYS.items():
        stem = f"{lesson.game}-{way.lower().replace(' ', '-')}"
        runs = [
            train(
                lesson.game,
                preset="paper",
                episodes=episodes,
                seed=seed,
                out=folder / f"{stem}-{seed}",
                farl=farl,
                progress=progress,
                evaluation=evaluation,
            )
            for seed in range(1, lesson.seeds + 1)
        ]
        curves[way] = curve(runs, lesson.key)
    return Outcome(lesson, curves)


def curve(runs: list[Run], key: str) -> Curve:
    """The learning curve of several seeds."""
    evaluations = [run.metrics for run in runs]
    values = [[line["results"][0][key] for line in lines] for lines in evaluations]
    points = list(zip(*values, strict=True))
    errors = [stdev(point) / len(point) ** 0.5 if len(point) > 1 else nan for point in points]
    episodes = [line["episode"] for line in evaluations[0]]
    return Curve(episodes, [fmean(point) for point in points], errors, runs)


def duel(first: Run, second: Run) -> tuple[float, int]:
    """Games that the first agent wins against the second, a draw as one half; and games played."""
    scores = []
    # from one start, two sure players would repeat one game
    for position in start_positions(first.game, "all:2", 1):
        scores.append(play_on([first.agent, second.agent], position)[1].scores[0])
        scores.append(play_on([second.agent, first.agent], position)[1].scores[1])
    return sum((score + 1) / 2 for score in scores), len(scores)


def plot(outcomes: list[Outcome], path: Path) -> None:
    """Saves the learning curves as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 3.6), layout="constrained")
    for axes, outcome in zip(figure.subplots(1, len(outcomes)), outcomes, strict=True):
        lesson = outcome.lesson
        for way, c in outcome.curves.items():
            colour = COLOURS[way]
            axes.errorbar(c.episodes, c.means, c.errors, color=colour, label=way, capsize=2)
        axes.axhline(lesson.best, color="grey", linestyle=":", label="perfect")
        axes.set(title=lesson.game, xlabel="episodes", ylabel=lesson.measure)
        axes.set(xlim=(0, None), ylim=(0, 1.05 * lesson.best))
        axes.grid(alpha=0.3)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.locator_params(axis="x", nbins=5)
    figure.axes[-1].legend(loc="lower right")
    figure.savefig(path, dpi=120)
