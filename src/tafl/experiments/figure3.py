"""Figure 3 of the paper: TicTacToe, TD and SARSA, with and without FARL.

Each agent plays from the empty board and the nine first moves in both roles against a perfect
player; the best possible mean score is 0. One run is one line of a file, written when it ends, so
that interrupted work goes on where it stopped.
"""

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.experiments.learner import Learner
from tafl.experiments.presets import compose
from tafl.experiments.seeds import EVALUATION, derived
from tafl.experiments.settings import merged
from tafl.experiments.training import make_plan, option_tree
from tafl.games import load_game

CURVES = [(algo, farl) for algo in ("td", "sarsa") for farl in (True, False)]
SEEDS, EPISODES, EVERY = 25, 30_000, 500
GAMES = 20  # 10 start positions in 2 roles
Run = dict[str, Any]


def one_run(algo: str, farl: bool, seed: int, episodes: int) -> Run:
    """The learning curve of one agent, with the authors' settings of 2019 (without D2 and D15)."""
    game = load_game("tictactoe")
    options = option_tree(algo=algo, farl=farl, seed=seed, episodes=episodes)
    of_2019 = {"td": {"learn_from_start": False, "zero_terminal": True}} if algo == "td" else {}
    settings = compose(game, "as-run", None, merged(options, of_2019))
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    curve = []
    while learner.episode < episodes:
        learner.learn(min(EVERY, episodes - learner.episode))
        own = derived(seed, EVALUATION, learner.episode)
        agent = LearnedAgent(game, learner.net, learner.td, own)
        curve.append([learner.episode, evaluate(game, agent, "exact", GAMES, own)["mean"]])
    return {"algo": algo, "farl": farl, "seed": seed, "episodes": episodes, "curve": curve}


def stored(path: Path) -> list[Run]:
    """The runs in a file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def missing(runs: Iterable[Run], seeds: int, episodes: int) -> list[tuple[str, bool, int, int]]:
    """The runs that are not among those."""
    done = {(run["algo"], run["farl"], run["seed"], run["episodes"]) for run in runs}
    wanted = [(*curve, seed, episodes) for seed in range(seeds) for curve in CURVES]
    return [run for run in wanted if run not in done]


def reproduce(path: Path, seeds: int, episodes: int, processes: int) -> Iterator[Run]:
    """Makes the missing runs side by side and stores each as it comes."""
    todo = missing(stored(path), seeds, episodes)
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(one_run, *run) for run in todo]):
            with path.open("a") as file:
                file.write(json.dumps(future.result()) + "\n")
            yield future.result()


def name(algo: str, farl: bool) -> str:
    """How a curve is called.

    >>> name("td", False)
    'td no-farl'
    """
    return f"{algo} {'farl' if farl else 'no-farl'}"


def authors() -> dict[str, list[list[float]]]:
    """The authors' curves: episodes, mean, standard error."""
    text = files(__package__).joinpath("authors/fig3.json").read_text(encoding="utf-8")
    curves: dict[str, list[list[float]]] = json.loads(text)["curves"]
    return curves


def ours(runs: Iterable[Run]) -> dict[str, np.ndarray]:
    """For each curve: episodes, mean, standard error over seeds."""
    runs, curves = list(runs), {}
    for algo, farl in CURVES:
        own = [run["curve"] for run in runs if (run["algo"], run["farl"]) == (algo, farl)]
        if own:
            points = np.array(own)  # run, point, (episode, score)
            error = points[:, :, 1].std(0, ddof=1 if len(own) > 1 else 0) / np.sqrt(len(own))
            curves[name(algo, farl)] = np.stack(
                [points[0, :, 0], points[:, :, 1].mean(0), error], 1
            )
    return curves


def table(runs: list[Run]) -> list[list[str]]:
    """Curve, our end value, the authors', number of runs."""
    rows = []
    for curve, points in ours(runs).items():
        count = sum(name(run["algo"], run["farl"]) == curve for run in runs)
        mine, theirs = points[-1], authors()[curve][-1]
        rows.append(
            [
                curve,
                f"{mine[1]:+.3f} ± {mine[2]:.3f}",
                f"{theirs[1]:+.3f} ± {theirs[2]:.3f}",
                str(count),
            ]
        )
    return rows


def picture(runs: list[Run], path: Path) -> None:
    """Our curves with bands of one standard error, and the authors' as dots."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    curves = ours(runs)
    for panel, algo in zip(panels, ("td", "sarsa"), strict=True):
        for farl, colour in ((True, "tab:red"), (False, "tab:blue")):
            episodes, mean, error = curves[name(algo, farl)].T
            label = "FARL" if farl else "no FARL"
            panel.plot(episodes, mean, color=colour, label=label)
            panel.fill_between(episodes, mean - error, mean + error, color=colour, alpha=0.25)
            theirs = np.array(authors()[name(algo, farl)])
            panel.plot(*theirs[::3, :2].T, ".", color=colour, alpha=0.6, label=f"{label}, authors")
        panel.set(title=algo.upper(), xlabel="episodes", ylim=(-1, 0.05))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("mean score against perfect play")
    panels[1].legend(loc="lower right")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
