"""Tables of games whose agents are judged by computation: the presets `best`, and trials."""

from collections.abc import Iterable
from statistics import mean

from studies.best.plan import PRESET, SAME, Goal, goals, setup
from studies.best.played import settings_shown
from studies.records import Measurement, where
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table
from tafl.training.champion import short_time

COLUMNS = ["game", "measured", "best possible", "as-run", "as-run, as long as best", "best"]
COLUMNS += ["seeds at the best possible", "episodes", "training time of a run"]


def of(found: Iterable[Measurement], goal: Goal, trial: str) -> list[Measurement]:
    """Return the stored runs of a trial, or of the preset, by seed."""
    runs = where(found, game=goal.name, metric=goal.metric, **setup(trial))
    return sorted(runs, key=lambda run: run.seed or 0)


def best_table(found: list[Measurement]) -> tuple[list[str], list[list[str]]]:
    """Return the presets `best` beside as-run: columns and rows."""
    rows = []
    for goal in goals().values():
        runs = of(found, goal, PRESET)
        if runs:
            rows.append(
                [
                    goal.title,
                    f"{goal.measure}, games from `{goal.starts}`",
                    goal.cell(goal.ideal),
                    *(_shown(goal, of(found, goal, trial)) for trial in ("", goal.longer)),
                    _shown(goal, runs),
                    _perfect(goal, runs),
                    f"{runs[0].episodes:,}",
                    short_time(mean(run.seconds or 0.0 for run in runs)),
                ]
            )
    return COLUMNS, rows


def trial_table(goal: Goal, found: list[Measurement]) -> str:
    """Return every trial for a game, each change alone."""
    rows = []
    for trial in goal.trials:
        runs = of(found, goal, trial)
        if runs:
            worst = goal.cell(min(run.value for run in runs))
            moves = f"{mean(run.moves or 0 for run in runs):,.0f}"
            changed = settings_shown(runs[0])
            rows.append([changed, _perfect(goal, runs), _shown(goal, runs), worst, moves])
    columns = ["change", "seeds at the best possible", "mean", "worst seed", "moves of a training"]
    return f"### {goal.title}\n\n{markdown_table(columns, rows)}"


def _shown(goal: Goal, runs: list[Measurement]) -> str:
    values = [run.value for run in runs]
    return goal.cell(mean(values), standard_error(values)) if values else "-"


def _perfect(goal: Goal, runs: list[Measurement]) -> str:
    reached = sum(run.value > goal.ideal - SAME for run in runs)
    return f"{reached} of {len(runs)}"
