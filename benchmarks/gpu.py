"""Moves per second of learning on a GPU, and what launches are made of.

    python benchmarks/gpu.py GAME ALGO AGENTS GAMES [THREADS]

AGENTS agents learn side by side, each with GAMES games at a time on its tables (1: the exact mode),
as-run settings, seeds 0, 1, ...; THREADS of a block, otherwise as many as training takes.
"""

import sys
from time import perf_counter

import tafl
from tafl.settings.presets import compose
from tafl.training.gpu import Population
from tafl.training.plan import make_plan, option_tree

SECONDS = 2.0  # of the launch that counts


def measure(name: str, algo: str, agents: int, games: int, threads: int = 0) -> str:
    """One line: moves per second of all agents, of one, and the time of a move."""
    game = tafl.game(name)
    settings = compose(game, "as-run", None, option_tree(algo=algo, episodes=5_000_000))
    tuples = make_plan(game, settings).tuples
    seeds = [settings.model_copy(update={"seed": seed}) for seed in range(agents)]
    population = Population(game, seeds, [tuples] * agents, games=games, threads=threads)
    start = perf_counter()
    population.launch(0)
    compilation = perf_counter() - start
    episodes, seconds, moves = games, 0.0, 0.0
    while seconds < SECONDS / 2:
        before = moves_of(population)
        start = perf_counter()
        population.launch(episodes)
        seconds = perf_counter() - start
        population.episode += episodes
        moves = moves_of(population) - before
        episodes = max(2 * games, min(20 * episodes, int(episodes * SECONDS / seconds)))
    rate = moves / seconds
    return (
        f"{name} {algo}, {agents} agents, {games} games at a time, {population.threads} threads: "
        f"{rate / 1e6:.2f} M moves/s in all, {rate / agents / 1e3:.1f} k each, "
        f"{1e6 * agents * games / rate:.2f} us a move; compiled in {compilation:.1f} s"
    )


def moves_of(population: Population) -> float:
    """Moves that all blocks have played."""
    return float(population.there.totals.copy_to_host()[:, 0].sum())


if __name__ == "__main__":
    print(measure(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
