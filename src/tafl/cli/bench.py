"""`tafl bench [GAME ...]`"""

import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.games import Game

WARM_UP = 5_000  # episodes: an empty network is faster than one that has learned something

Seconds = Annotated[float, Parameter(help="Measured time per game.")]


def bench(*games: str, seconds: Seconds = 3.0, json: Json = False) -> None:
    """Measure how fast this machine learns: moves and episodes per second, on one core.

    Parameters
    ----------
    games
        Names or files of games; all games of tafl without one. They learn with the settings of the
        paper.
    """
    from tafl.core.games import GAMES
    from tafl.experiments.run import environment
    from tafl.games import load_game

    if not 0 < seconds <= 3600:
        raise InputError(f"--seconds must be more than 0 and at most 3600, not {seconds:g}")
    loaded = [load_game(name) for name in games or GAMES]
    rows = [measure(game, seconds) for game in loaded]
    if json:
        print_json({"environment": environment(), "games": rows})
        return
    columns = ["game", "moves/s", "episodes/s", "moves per episode"]
    print_table(columns, [list(row.values()) for row in rows], title=environment()["processor"])


def measure(game: "Game", seconds: float) -> dict[str, Any]:
    """The speed of learning one game, after a warm-up."""
    from tafl.experiments.learner import Learner
    from tafl.experiments.presets import compose
    from tafl.experiments.training import make_plan

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
