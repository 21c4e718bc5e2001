"""Measure from which table size on it is worth asking for weights ahead of their use.

    python -m benchmarks.prefetch      measures, stores and prints the table

Learning with n-tuples of growing length, without fetching and with fetching the weights of each
candidate before the first is evaluated (LARGE in core/ntuple/value.py). Two processes are measured
in turns, by their processor time.
"""

import multiprocessing
import os
import statistics
import tempfile
import time
from multiprocessing.connection import Connection

from benchmarks.store import store

NEVER, ALWAYS = 1 << 62, 0
KINDS = {"without": NEVER, "with": ALWAYS}
# game: number of n-tuples, their lengths
SIZES = {
    "connectfour": (40, (3, 5, 7, 9)),
    "othello": (30, (4, 6, 8, 10)),
    "2048": (8, (4, 5, 6)),
}
ROUNDS, SECONDS, WARM_UP = 25, 0.15, 2.0


def work(kind: str, cache: str, pipe: Connection) -> None:
    """Learn with one kind of fetching, as long as it is told to."""
    os.environ["TAFL_CACHE_DIR"] = cache
    import tafl
    from tafl.core.ntuple import net as nets
    from tafl.settings.presets import compose
    from tafl.training.learner import Learner
    from tafl.training.plan import make_plan

    nets.LARGE = KINDS[kind]
    learner, now = None, None
    for name, length, seconds in iter(pipe.recv, None):
        if (name, length) != now:
            now, learner, game = (name, length), None, tafl.game(name)
            tuples = {"tuples": "random-walk", "number": SIZES[name][0], "length": length}
            plan = make_plan(game, compose(game, overrides={"network": tuples}))
            learner = Learner(game, plan.settings, plan.tuples)
            learner.compile()
        first, began, block = learner.moves, time.process_time(), 1
        while (passed := time.process_time() - began) < seconds:
            learner.learn(block)
            block = min(2 * block, 100 if name != "2048" else 1)
        pipe.send(((learner.moves - first) / passed, learner.net.weights.size))


def measure(pipes: dict[str, Connection], name: str, length: int) -> dict:
    """Return the moves per second without fetching at one size, and the ratio with it."""
    rates: dict[str, list[float]] = {kind: [] for kind in pipes}
    floats = 0
    for seconds in (WARM_UP, *[SECONDS] * ROUNDS):
        for kind, pipe in pipes.items():
            pipe.send((name, length, seconds))
            rate, floats = pipe.recv()
            rates[kind].append(rate)
    pairs = list(zip(rates["without"], rates["with"], strict=True))[1:]
    speed = round(statistics.median(without for without, _ in pairs))
    ratio = round(statistics.median(fetched / without for without, fetched in pairs), 3)
    row = {"game": name, "length": length, "floats": floats}
    return row | {"moves_per_second": speed, "ratio": ratio}


def main() -> None:
    """Measure all sizes."""
    context, pipes, table = multiprocessing.get_context("spawn"), {}, []
    with tempfile.TemporaryDirectory() as folder:
        for number, kind in enumerate(KINDS):
            pipes[kind], other = context.Pipe()
            arguments = kind, f"{folder}/{number}", other
            context.Process(target=work, args=arguments, daemon=True).start()
        for name, (_, lengths) in SIZES.items():
            for length in lengths:
                table.append(measure(pipes, name, length))
                print(table[-1], flush=True)
        for pipe in pipes.values():
            pipe.send(None)
    store("prefetch", table)


if __name__ == "__main__":
    main()
