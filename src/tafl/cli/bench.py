"""`tafl bench [GAME ...]`"""

import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.boards import Game

WARM_UP = 5_000  # episodes: an empty network is faster than one that has learned something

Seconds = Annotated[float, Parameter(help="Seconds to measure each game for.")]
Search = Annotated[bool, Parameter(negative=(), help="Measure search instead of learning.")]


def bench(*games: str, search: Search = False, seconds: Seconds = 3.0, json: Json = False) -> None:
    """Measure how fast learning, or search, is on one core of this machine.

    Shows moves and episodes per second when learning with the paper's settings. With --search,
    shows simulations per second of mcts from the start position, those of OpenSpiel's MCTSBot if
    it is installed, and the time that maxn takes to solve TicTacToe.

    Parameters
    ----------
    games
        Games, or files with games (default: all games of tafl).
    """
    from tafl.boards import load_game
    from tafl.cli.search_speed import measure_maxn, measure_search
    from tafl.core.games import GAMES
    from tafl.runs.folder import environment

    if not 0 < seconds <= 3600:
        raise InputError(f"--seconds must be above 0 and at most 3600, not {seconds:g}")
    loaded = [load_game(name) for name in games or GAMES]
    rows = [(measure_search if search else measure)(game, seconds) for game in loaded]
    document: dict[str, Any] = {"environment": environment(), "games": rows}
    if search:
        document["maxn_seconds"] = measure_maxn()
    if json:
        print_json(document)
        return
    print_table(*table(rows, search), title=environment()["processor"])
    if search:
        print(f"maxn solves tictactoe in {1000 * document['maxn_seconds']:.2f} ms")


def table(rows: list[dict[str, Any]], search: bool) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows."""
    if not search:
        columns = ["game", "moves/s", "episodes/s", "moves per episode"]
        return columns, [list(row.values()) for row in rows]
    columns = ["game", "mcts simulations/s"]
    if any("openspiel" in row for row in rows):
        columns += ["OpenSpiel", "ratio"]
    keys = ["game", "simulations_per_second", "openspiel", "ratio"][: len(columns)]
    return columns, [[row.get(key, "") for key in keys] for row in rows]


def measure(game: "Game", seconds: float) -> dict[str, Any]:
    """The speed of learning one game, after a warm-up."""
    from tafl.settings.presets import compose
    from tafl.training.learner import Learner
    from tafl.training.plan import make_plan

    plan = make_plan(game, compose(game))
    learner = Learner(game, plan.settings, plan.tuples)
    learner.learn(WARM_UP)
    first_episode, first_move = learner.episode, learner.moves
    block, passed = 1, 0.0
    began = time.perf_counter()
    while passed < seconds:
        learner.learn(block)
        passed = time.perf_counter() - began
        # the rest in ever smaller steps, so that long blocks do not overshoot
        done = learner.episode - first_episode
        block = max(1, min(done, int(done * (seconds - passed) / passed)))
    episodes, moves = learner.episode - first_episode, learner.moves - first_move
    return {
        "game": game.name,
        "moves_per_second": round(moves / passed),
        "episodes_per_second": round(episodes / passed),
        "moves_per_episode": moves / episodes,
    }
