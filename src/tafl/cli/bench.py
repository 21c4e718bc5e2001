"""`tafl bench [GAME ...]`"""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError
from tafl.files import parse_json, read_regular

if TYPE_CHECKING:
    from tafl.boards import Game

WARM_UP = 5_000  # episodes: an empty network is faster than one that has learned something
ON_A_GPU = 200  # more of them for each game at a time, until all are played
Row = dict[str, Any]

Switch = Annotated[bool, Parameter(negative=())]


@Parameter(name="*")
@dataclass(frozen=True)
class BenchOptions:
    """The subject of a measurement, and its length."""

    search: Switch = False
    """Measure search instead of learning."""
    algo: Literal["td", "sarsa", "q"] = "td"
    """Learning algorithm: td, sarsa or q."""
    threads: int | None = None
    """Number of games that train one network at the same time (default: 1; on a GPU 256)."""
    device: Literal["cpu", "cuda"] = "cpu"
    """Device: cpu, or cuda for an NVIDIA GPU."""
    wasm: Switch = False
    """Measure learning in WebAssembly, too (needs Node)."""
    seconds: float = 3.0
    """Processor time of each measurement, in seconds."""
    against: Path | None = None
    """Compare with a saved `bench --json` file."""

    def check(self) -> None:
        """Refuse options that have no effect on the measurement."""
        if not 0 < self.seconds <= 3600:
            raise InputError(f"--seconds must be above 0 and at most 3600, not {self.seconds:g}")
        threads = self.threads or 1
        if self.search and (self.algo, threads) != ("td", 1):
            raise InputError("--algo and --threads are about learning: leave out --search")
        if self.search and self.device != "cpu":
            raise InputError("search runs on the CPU: leave out --device or --search")
        if self.wasm and (self.search or threads != 1 or self.device != "cpu"):
            raise InputError("--wasm is about learning on one core: leave out the others")
        if self.wasm:
            from tafl.cli.page_speed import node

            node()  # or says that it is missing, before anything is measured

    @property
    def games_at_a_time(self) -> int:
        """Return how many games train one network together."""
        from tafl.settings.presets import GAMES_AT_A_TIME

        return self.threads or (GAMES_AT_A_TIME if self.device == "cuda" else 1)


def bench(*games: str, options: BenchOptions | None = None, json: Json = False) -> None:
    """Measure the speed of learning, or of search, on this machine.

    Shows moves and episodes per second when learning with the paper's settings. With --search,
    shows simulations per second of mcts from the start position, those of OpenSpiel's MCTSBot if
    it is installed, and the time that maxn takes to solve TicTacToe. CPU times are processor
    times, divided by the number of threads; GPU times are wall-clock times.

    Parameters
    ----------
    games
        Games, or files with games (default: the seven games of the paper).
    """
    from tafl.boards import load_game
    from tafl.cli.search_speed import measure_maxn
    from tafl.core.games import PAPER
    from tafl.runs.folder import environment

    options = options or BenchOptions()
    options.check()
    before = read_rates(options.against, options.search) if options.against else {}
    loaded = [load_game(name) for name in games or PAPER]
    rows = [measure_game(game, options) for game in loaded]
    for row in rows:
        if row["game"] in before:
            row["against"] = rate(row) / before[row["game"]]
    where = environment(options.device)
    learning = {"algo": options.algo, "threads": options.games_at_a_time}
    extra = {"maxn_seconds": measure_maxn()} if options.search else {}
    if json:
        what = {} if options.search else learning
        print_json({"environment": where, **what, "games": rows, **extra})
        return
    keys = [key for key in COLUMNS if any(key in row for row in rows)]
    cells = [[row.get(key, "") for key in keys] for row in rows]
    title = where.get("gpu", where["processor"])
    print_table([COLUMNS[key] for key in keys], cells, title=title)
    if extra:
        print(f"maxn solves tictactoe in {1000 * extra['maxn_seconds']:.2f} ms")


def measure_game(game: "Game", options: BenchOptions) -> Row:
    """Return the speed of search, or of learning, and of the same learning in WebAssembly."""
    from tafl.cli.page_speed import measure_wasm
    from tafl.cli.search_speed import measure_search

    if options.search:
        return measure_search(game, options.seconds)
    row = measure_learning(game, options)
    if options.wasm:
        wasm = measure_wasm(game, options.seconds, options.algo, WARM_UP)
        row |= {"wasm": round(wasm), "wasm_ratio": wasm / rate(row)}
    return row


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


def rate(row: Row) -> float:
    """Return moves per second, or simulations per second."""
    return float(row.get("moves_per_second") or row["simulations_per_second"])


def read_rates(path: Path, search: bool) -> dict[str, float]:
    """Return the rate of each game, from a saved `bench --json` file."""
    try:
        rows = parse_json(read_regular(path, follow=True))["games"]
        rates = {str(row["game"]): rate(row) for row in rows}
    except OSError as error:
        raise InputError(f"--against {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):  # InputError is one
        raise InputError(f"--against {path}: this is not what bench --json prints") from None
    if any(("simulations_per_second" in row) != search for row in rows):
        raise InputError(f"--against {path}: one is about search, the other about learning")
    return rates


def measure_learning(game: "Game", options: BenchOptions) -> Row:
    """Return the speed of learning one game, after a warm-up."""
    from tafl.settings.presets import compose
    from tafl.training.duration import make_learner
    from tafl.training.plan import make_plan, option_tree

    seconds, device, threads = options.seconds, options.device, options.games_at_a_time
    tree = option_tree(algo=options.algo, threads=threads, device=device)
    plan = make_plan(game, compose(game, overrides=tree))
    learner = make_learner(plan)
    learner.compile()
    learner.learn(WARM_UP if device == "cpu" else WARM_UP + ON_A_GPU * threads)
    first_episode, first_move = learner.episode, learner.moves
    block, passed = threads, 0.0
    # a processor that waits for a GPU is not busy
    clock, at_once = (perf_counter, 1) if device == "cuda" else (process_time, threads)
    while passed < seconds:
        began = clock()
        learner.learn(block)
        passed += (clock() - began) / at_once
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
