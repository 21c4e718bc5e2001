"""Speed of search on one core, in processor time: for `tafl bench --search`.

Monte Carlo tree search from the start position, with random games to the end and a new tree for
every search; where OpenSpiel is installed, its MCTSBot (C++) does the same in alternation.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tafl.boards import Game

SIMULATIONS = 10_000  # of a search
DEEP = 1000  # plies: deeper than any game


def measure_search(game: "Game", seconds: float) -> dict[str, Any]:
    """Return simulations per second, and OpenSpiel's where it is installed and has the game."""
    from tafl.agents.trees import MCTSAgent

    agent = MCTSAgent(game, seed=1, iterations=SIMULATIONS, tree_depth=DEEP, rollout_depth=DEEP)
    state = game.start()
    agent.act(state)  # compiles
    theirs = openspiel_search(game)
    searches: list[Callable[[], object]] = [partial(agent.act, state)]
    searches += [] if theirs is None else [theirs]
    spent, rounds = [0.0] * len(searches), [0] * len(searches)
    while min(spent) < seconds:  # in turns, the one with the least time first
        k = spent.index(min(spent))
        spent[k] += processor_time(searches[k])
        rounds[k] += 1
    rates = [round(n * SIMULATIONS / passed) for n, passed in zip(rounds, spent, strict=True)]
    found: dict[str, Any] = {"game": game.name, "simulations_per_second": rates[0]}
    if theirs is not None:
        found |= {"openspiel": rates[1], "ratio": rates[0] / rates[1]}
    return found


def openspiel_search(game: "Game") -> Callable[[], object] | None:
    """Return the search of OpenSpiel's MCTSBot, with the same settings."""
    from tafl.adapters.openspiel_names import openspiel_name

    if (name := openspiel_name(game)) is None:
        return None
    try:
        import pyspiel
    except ImportError:
        return None
    loaded = pyspiel.load_game(name)
    rollouts, exploration, megabytes, seed = 1, 2.0, 1000, 1
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    solve = verbose = False
    bot = pyspiel.MCTSBot(
        loaded, evaluator, exploration, SIMULATIONS, megabytes, solve, seed, verbose
    )
    state = loaded.new_initial_state()
    return lambda: bot.mcts_search(state)


def measure_maxn(times: int = 20) -> float:
    """Return the seconds that Max-N needs to solve TicTacToe, with an empty table."""
    from tafl.agents.search import MaxNAgent
    from tafl.boards import load_game

    game = load_game("tictactoe")
    MaxNAgent(game, depth=9).act(game.start())  # compiles
    agents = [MaxNAgent(game, depth=9) for _ in range(times)]
    seconds = [processor_time(partial(agent.act, game.start())) for agent in agents]
    return sorted(seconds)[times // 2]


def processor_time(task: Callable[[], object]) -> float:
    """Return the processor time of a task in seconds."""
    began = time.process_time()
    task()
    return time.process_time() - began
