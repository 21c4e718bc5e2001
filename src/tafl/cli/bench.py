"""`tafl bench [GAME ...]`"""

import json as reader
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.boards import Game

WARM_UP = 5_000  # episodes: an empty network is faster than one that has learned something
ON_A_GPU = 200  # more of them for each game at a time, until all are played
Row = dict[str, Any]

Seconds = Annotated[float, Parameter(help="Seconds of the processor for each measurement.")]
Search = Annotated[bool, Parameter(negative=(), help="Measure search instead of learning.")]
Algo = Annotated[Literal["td", "sarsa", "q"], Parameter(help="Which algorithm learns.")]
Threads = Annotated[
    int | None, Parameter(help="Games at a time that train one network (1; on a GPU 256).")
]
Device = Annotated[Literal["cpu", "cuda"], Parameter(help="Where to learn: cpu, or cuda (a GPU).")]
Wasm = Annotated[
    bool, Parameter(negative=(), help="Measure learning in WebAssembly, too (in Node).")
]
Against = Annotated[
    Path | None, Parameter(help="What an earlier bench --json has printed: ratios to that.")
]


def bench(
    *games: str,
    search: Search = False,
    algo: Algo = "td",
    threads: Threads = None,
    device: Device = "cpu",
    wasm: Wasm = False,
    seconds: Seconds = 3.0,
    against: Against = None,
    json: Json = False,
) -> None:
    """Measure how fast learning, or search, is on this machine.

    Shows moves and episodes per second when learning with the paper's settings. With --search,
    shows simulations per second of mcts from the start position, those of OpenSpiel's MCTSBot if
    it is installed, and the time that maxn takes to solve TicTacToe. Time is that of the
    processor, so that other work on the machine matters little; with several threads, it is what
    they take together divided by their number. That of a GPU is by the clock.

    Parameters
    ----------
    games
        Games, or files with games (default: the seven of the paper).
    """
    from tafl.boards import load_game
    from tafl.cli.search_speed import measure_maxn, measure_search
    from tafl.core.games import PAPER
    from tafl.runs.folder import environment
    from tafl.settings.presets import GAMES_AT_A_TIME

    if not 0 < seconds <= 3600:
        raise InputError(f"--seconds must be above 0 and at most 3600, not {seconds:g}")
    _refuse_what_does_not_fit(search, wasm, algo, threads or 1, device)
    before = read_rates(against, search) if against else None
    loaded = [load_game(name) for name in games or PAPER]
    threads = threads or (GAMES_AT_A_TIME if device == "cuda" else 1)
    measurement: Callable[[Game, float], Row] = (
        measure_search if search else partial(measure, algo=algo, threads=threads, device=device)
    )
    rows = [measurement(game, seconds) for game in loaded]
    if wasm:
        _add_wasm(loaded, rows, seconds, algo)
    for row in rows:
        if before is not None and row["game"] in before:
            row["against"] = rate(row) / before[row["game"]]
    where = environment(device)
    what = {} if search else {"algo": algo, "threads": threads}
    document: Row = {"environment": where, **what, "games": rows}
    if search:
        document["maxn_seconds"] = measure_maxn()
    if json:
        print_json(document)
        return
    print_table(*table(rows), title=where.get("gpu", where["processor"]))
    if search:
        print(f"maxn solves tictactoe in {1000 * document['maxn_seconds']:.2f} ms")


def _refuse_what_does_not_fit(
    search: bool, wasm: bool, algo: str, threads: int, device: str
) -> None:
    """Options that say nothing about what is measured are a mistake."""
    if search and (algo, threads) != ("td", 1):
        raise InputError("--algo and --threads are about learning: leave out --search")
    if search and device != "cpu":
        raise InputError("search runs on the CPU: leave out --device or --search")
    if wasm and (search or threads != 1 or device != "cpu"):
        raise InputError("--wasm is about learning on one core: leave out the others")
    if wasm:
        from tafl.cli.page_speed import node

        node()  # or says that it is missing, before anything is measured


def _add_wasm(games: "list[Game]", rows: list[Row], seconds: float, algo: str) -> None:
    """Adds to each row how fast the same learning is as WebAssembly."""
    from tafl.cli.page_speed import measure_wasm

    for game, row in zip(games, rows, strict=True):
        found = measure_wasm(game, seconds, algo, WARM_UP)["moves_per_second"]
        row |= {"wasm": round(found), "wasm_ratio": found / rate(row)}


COLUMNS = {
    "game": "game",
    "moves_per_second": "moves/s",
    "episodes_per_second": "episodes/s",
    "moves_per_episode": "moves per episode",
    "simulations_per_second": "mcts simulations/s",
    "openspiel": "OpenSpiel",
    "ratio": "ratio",
    "wasm": "WebAssembly moves/s",
    "wasm_ratio": "of the CPU's",
    "against": "against before",
}


def table(rows: list[Row]) -> tuple[list[str], list[list[Any]]]:
    """Columns and rows; what no row has is left out."""
    keys = [key for key in COLUMNS if any(key in row for row in rows)]
    return [COLUMNS[key] for key in keys], [[row.get(key, "") for key in keys] for row in rows]


def rate(row: Row) -> float:
    """What is measured of a game, in things per second."""
    return float(row.get("moves_per_second") or row["simulations_per_second"])


def read_rates(path: Path, search: bool) -> dict[str, float]:
    """The rate of each game, from what `bench --json` has printed."""
    try:
        rows = reader.loads(path.read_bytes())["games"]
        if any(("simulations_per_second" in row) != search for row in rows):
            raise InputError(f"--against {path}: one is about search, the other about learning")
        return {str(row["game"]): rate(row) for row in rows}
    except OSError as error:
        raise InputError(f"--against {path}: {error.strerror}") from None
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"--against {path}: this is not what bench --json prints") from None


def measure(
    game: "Game",
    seconds: float,
    algo: str = "td",
    threads: int = 1,
    device: str = "cpu",
) -> Row:
    """The speed of learning one game, after a warm-up."""
    from tafl.cli.search_speed import processor_time
    from tafl.settings.presets import compose
    from tafl.training.plan import make_learner, make_plan, option_tree

    options = option_tree(algo=algo, threads=threads, device=device)
    plan = make_plan(game, compose(game, overrides=options))
    learner = make_learner(plan.game, plan.settings, plan.tuples)
    learner.compile()
    learner.learn(WARM_UP if device == "cpu" else WARM_UP + ON_A_GPU * threads)
    first_episode, first_move = learner.episode, learner.moves
    block, passed = threads, 0.0
    while passed < seconds:
        learn = partial(learner.learn, block)
        passed += elapsed(learn) if device == "cuda" else processor_time(learn) / threads
        # the rest in ever smaller steps, so that long blocks do not overshoot
        done = learner.episode - first_episode
        block = max(threads, min(done, int(done * (seconds - passed) / max(passed, 1e-9))))
    episodes, moves = learner.episode - first_episode, learner.moves - first_move
    return {
        "game": game.name,
        "moves_per_second": round(moves / passed),
        "episodes_per_second": round(episodes / passed),
        "moves_per_episode": moves / episodes,
    }


def elapsed(action: Callable[[], None]) -> float:
    """Seconds by the clock: a processor that waits for a GPU is not busy."""
    began = perf_counter()
    action()
    return perf_counter() - began
