"""Simulations per second of tafl's MCTS and of OpenSpiel's MCTSBot (C++), in one run on one core.

    pip install open_spiel
    python benchmarks/search_vs_openspiel.py [--rounds 5]

Both search the start position with random rollouts to the end, a new tree for every search, in
alternation; processor time is measured, and the median of the ratios is what counts. Then the time
that Max-N takes for TicTacToe's start position at full depth, with an empty table.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import tafl
from tafl.cli.bench import measure_maxn

# tafl's game, OpenSpiel's game, simulations of a search, the ratio to reach
GAMES = [
    ("tictactoe", "tic_tac_toe", 50_000, 2),
    ("connectfour", "connect_four", 20_000, 2),
    ("hex(size=6)", "hex(board_size=6)", 20_000, 2),
    ("othello", "othello", 1_000, 10),
]
DEEP = 1000  # plies: deeper than any game


def rate(search: Callable[[], object], simulations: int) -> float:
    """Simulations per second of one search."""
    began = time.process_time()
    search()
    return simulations / (time.process_time() - began)


def of_tafl(name: str, simulations: int) -> Callable[[], object]:
    """A search by tafl."""
    game = tafl.game(name)
    settings = f"iterations={simulations},tree_depth={DEEP},rollout_depth={DEEP}"
    agent, state = tafl.agent(f"mcts({settings})", game, seed=1), game.start()
    agent.act(state)  # compiles
    return lambda: agent.act(state)


def of_openspiel(name: str, simulations: int) -> Callable[[], object]:
    """A search by OpenSpiel."""
    import pyspiel

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)
    state = game.new_initial_state()
    return lambda: bot.mcts_search(state)


def main() -> int:
    """Prints a table; 1 if a ratio is not reached."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        sys.exit("search_vs_openspiel: OpenSpiel is missing; pip install open_spiel")
    reached = True
    print(f"{'game':14}{'tafl':>12}{'OpenSpiel':>12}{'ratio':>8}{'needed':>8}")
    for ours, theirs, simulations, needed in GAMES:
        pair = of_tafl(ours, simulations), of_openspiel(theirs, simulations)
        rates = [[rate(search, simulations) for search in pair] for _ in range(rounds)]
        a, b = (statistics.median(column) for column in zip(*rates, strict=True))
        ratio = statistics.median(x / y for x, y in rates)
        reached &= ratio >= needed
        print(f"{ours:14}{a:12,.0f}{b:12,.0f}{ratio:8.1f}{needed:8}", flush=True)
    seconds = measure_maxn()
    print(f"maxn solves tictactoe in {1000 * seconds:.2f} ms (needed: 10)")
    return 0 if reached and seconds < 0.01 else 1


if __name__ == "__main__":
    sys.exit(main())
