"""Measure learning on a GPU: how fast, and is the agent as strong as one that learned game by game?

    python -m benchmarks.gpu speed GAME AGENTS GAMES [ALGO [THREADS]]    moves per second
    python -m benchmarks.gpu strength GAME SEEDS GAMES [EPISODES]        agents judged after it
    python -m benchmarks.gpu strength GAME SEED cpu [EPISODES]           the same on one core
    python -m benchmarks.gpu table1 FOLDER SECONDS                       Table 1 as a whole
    python -m benchmarks.gpu report                                      writes the two pages

AGENTS agents learn side by side, each with GAMES games at a time on its tables (1: the exact mode),
with the settings as-run and seeds 1, 2, ...; THREADS of a block, otherwise as many as training
takes. What is measured is added to what is stored. The time of a training is that
of learning alone; compilation is stated. FOLDER is where `tafl reproduce table1 --device cuda
--learners td-farl,td-no-farl --out FOLDER` has stored its runs, whose training took SECONDS.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import tafl
from benchmarks.store import store, stored
from studies.right_moves.measure import right_moves
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.reproduction.cells import values
from tafl.reproduction.runs import load_results
from tafl.settings.build import make_tuples
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.training.device import device_code
from tafl.training.gpu import Population
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

SECONDS = 2.0  # of the launch that counts
# Episodes, and what is judged: the opponent and the number of games, or the way of `judge`.
PLAN: dict[str, tuple[int, str, int]] = {
    "connectfour": (5_000_000, "right moves", 0),
    "hex": (300_000, "mcts(iterations=1000)", 100),
    "othello": (250_000, "bench", 200),
    "2048": (200_000, "alone", 2_000),
    "nim3p": (300_000, "exact", 480),
    "nim": (100_000, "exact", 480),
    "tictactoe": (30_000, "exact", 480),
}
Line = dict[str, Any]


def settings_for(game: tafl.Game, seeds: Iterable[int], games: int, **options: Any) -> list:
    """Return the settings of agents that learn side by side."""
    tree = option_tree(device="cuda", threads=games, **options)
    return [compose(game, "as-run", None, tree | {"seed": seed}) for seed in seeds]


def populate(game: tafl.Game, settings: list[Settings], threads: int = 0) -> Population:
    """Return agents on the device."""
    population = Population(game, settings, [make_tuples(game, s) for s in settings])
    population.threads = threads or population.threads
    return population


def speed(name: str, agents: int, games: int, algo: str = "td", threads: int = 0) -> Line:
    """Measure the moves per second of all agents, when they know something already."""
    game = tafl.game(name)
    chosen = settings_for(game, range(1, agents + 1), games, algo=algo, episodes=5_000_000)
    population = populate(game, chosen, threads)
    start = perf_counter()
    population.launch(0)
    compilation = perf_counter() - start
    population.episode = 200 * games  # all games at a time
    episodes, seconds, moves = games, 0.0, 0.0
    while seconds < SECONDS / 2:
        before = moves_of(population)
        start = perf_counter()
        population.launch(episodes)
        seconds = perf_counter() - start
        population.episode += episodes
        moves = moves_of(population) - before
        episodes = max(2 * games, min(20 * episodes, int(episodes * SECONDS / seconds)))
    return {
        "kind": "speed",
        "device": device_code().device_name(),
        "game": name,
        "algo": algo,
        "agents": agents,
        "games": games,
        "threads": population.threads,
        "moves_per_second": round(moves / seconds),
        "microseconds": round(1e6 * agents * games * seconds / moves, 3),
        "compilation": round(compilation, 1),
    }


def moves_of(population: Population) -> float:
    """Return the moves that all blocks have played."""
    return float(population.there.totals.copy_to_host()[:, 0].sum())


def strength(name: str, seeds: int, games: str, episodes: int = 0) -> list[Line]:
    """Train agents to their end and judge them."""
    game = tafl.game(name)
    episodes = episodes or PLAN[name][0]
    if games == "cpu":
        settings = compose(game, "as-run", None, option_tree(seed=seeds, episodes=episodes))
        learner = Learner(game, settings, make_plan(game, settings).tuples)
        learner.compile()
        start = perf_counter()
        learner.learn(episodes)
        seconds, moves = perf_counter() - start, learner.moves
        agents = [LearnedAgent(game, learner.net, learner.td, seeds)]
        several = [settings]
    else:
        several = settings_for(game, range(1, seeds + 1), int(games), episodes=episodes)
        population = populate(game, several)
        population.launch(0)
        start = perf_counter()
        learn(population, episodes)
        seconds, moves = perf_counter() - start, moves_of(population) / seeds
        made = (population.network(k, k) for k in range(seeds))
        td = Learner(game, several[0].model_copy(update={"threads": 1}), population.tuples[0]).td
        agents = [LearnedAgent(game, net, td, k + 1) for k, net in enumerate(made)]
    common = {"kind": "strength", "game": name, "games": games, "episodes": episodes}
    common |= {"agents": len(agents), "seconds": round(seconds, 2), "moves": round(moves)}
    return [
        common | {"seed": s.seed, "strength": judge(game, agent)}
        for s, agent in zip(several, agents, strict=True)
    ]


def learn(population: Population, episodes: int) -> None:
    """Learn in launches of about a second, as in training."""
    count = population.games
    while population.episode < episodes:
        start = perf_counter()
        count = min(count, episodes - population.episode)
        population.learn(count)
        count = min(2 * count, max(population.games, int(count / (perf_counter() - start))))


def judge(game: tafl.Game, agent: LearnedAgent) -> float:
    """Return the share of right moves in critical positions (ConnectFour), or a score."""
    _, opponent, games = PLAN[game.name.partition("(")[0]]
    if opponent == "right moves":
        return right_moves(agent, game).share
    if opponent == "alone":
        return evaluate(agent, games=games, seed=1).mean
    return evaluate(agent, opponent, games, seed=1).mean


def table1_lines(folder: str, seconds: str) -> list[Line]:
    """Return what the runs of Table 1 have come to on a GPU."""
    lines: list[Line] = [{"kind": "table 1, training", "seconds": float(seconds)}]
    for run in load_results(Path(folder) / "results"):
        found = {n["opponent"]: values([run], n["opponent"]) for n in run["numbers"]}
        line = {"kind": "table 1", "game": run["row"], "variant": run["variant"]}
        line |= {"seed": run["seed"], "games": run["settings"]["threads"], "moves": run["moves"]}
        line |= {"seconds": run["training_seconds"], "device": run["environment"]["gpu"]}
        line["numbers"] = {opponent: one[0] for opponent, one in found.items() if one}
        lines.append(line)
    return lines


def main(words: list[str]) -> None:
    """Measure, print and store."""
    kind, *rest = words
    if kind == "report":
        from benchmarks.gpu_page import write

        write()
        return
    if kind == "speed":
        name, agents, games, *more = rest
        threads = int(more[1]) if len(more) > 1 else 0
        lines = [speed(name, int(agents), int(games), *more[:1], threads=threads)]
    elif kind == "table1":
        lines = table1_lines(*rest)
    else:
        name, seeds, games, *more = rest
        lines = strength(name, int(seeds), games, *map(int, more))
    for line in lines:
        print(json.dumps(line), flush=True)
    store("gpu", [*stored("gpu", []), *lines])


if __name__ == "__main__":
    main(sys.argv[1:])
