"""Measure several threads on one network: how much faster, and is the agent as strong?

    python -m benchmarks.threads run       measures what is not stored
    python -m benchmarks.threads report    prints the table of docs/science/speed.md

Threads share the tables without locks, so a change can get lost and results vary from run to run.
Time is that of the processor divided by the number of threads: what each core is busy for. So other
work on the machine matters little, and waiting for one another's memory counts in full.
"""

import statistics
import sys
from functools import partial

import tafl
from benchmarks.store import store, stored
from studies.right_moves.measure import right_moves
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.cli.search_speed import processor_time
from tafl.reproduction.cells import markdown_table
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

PLAN = {"connectfour": 500_000, "2048": 10_000}  # episodes
THREADS, SEEDS = (1, 2), range(1, 6)
GREEDY = 500  # games of 2048


def strength(game: tafl.Game, agent: LearnedAgent) -> float:
    """Return the share of right moves in critical positions, or the points in 2048."""
    if game.name == "2048":
        return evaluate(agent, games=GREEDY, seed=1).mean
    return right_moves(agent, game).share


def measure(name: str, threads: int, seed: int) -> dict:
    """Measure one run."""
    game = tafl.game(name)
    options = option_tree(threads=threads, seed=seed, episodes=PLAN[name])
    settings = compose(game, "paper", None, options)
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    learner.compile()
    seconds, block = 0.0, PLAN[name] // 50
    while learner.episode < PLAN[name]:
        seconds += processor_time(partial(learner.learn, block)) / threads
    agent = LearnedAgent(game, learner.net, learner.td, seed)
    return {"moves_per_second": learner.moves / seconds, "strength": strength(game, agent)}


def run() -> None:
    """Measure in turns, so that what changes on the machine meets all numbers of threads."""
    found = stored("threads", {})
    for name in PLAN:
        for seed in SEEDS:
            for threads in THREADS:
                if (key := f"{name} {threads} {seed}") not in found:
                    found[key] = measure(name, threads, seed)
                    store("threads", found)
                    print(key, found[key], flush=True)


def shown(values: list[float], digits: str) -> str:
    """Return a mean and its standard error."""
    error = statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):{digits}} ± {error:{digits}}"


def report() -> str:
    """Return the table."""
    found, rows = stored("threads"), []
    for name, episodes in PLAN.items():
        runs = {t: [found[f"{name} {t} {seed}"] for seed in SEEDS] for t in THREADS}
        for threads, several in runs.items():
            pairs = zip(several, runs[1], strict=True)
            ratio = [one["moves_per_second"] / alone["moves_per_second"] for one, alone in pairs]
            digits = ",.0f" if name == "2048" else ".3f"
            strong = shown([one["strength"] for one in several], digits)
            rows.append([name, f"{episodes:,}", str(threads), shown(ratio, ".2f"), strong])
    return markdown_table(["game", "episodes", "threads", "moves/s, ratio", "strength"], rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        run()
    elif sys.argv[1:] == ["report"]:
        print(report())
    else:
        sys.exit(__doc__)
