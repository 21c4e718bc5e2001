"""How long the perfect ConnectFour players take for a move, by the number of stones on the board.

    python benchmarks/connectfour_moves.py [--positions 300] [--seed 1]

Random positions that nobody has won on the way, each met with an empty table, as if it were the
first of a game; in a game the table remembers much, and moves take less. Processor time, one core.
"""

import argparse
import time

import numpy as np

import tafl
from tafl.agents import Agent
from tafl.agents.connectfour import solver
from tafl.games import State

GAME = tafl.game("connectfour")
STONES = range(36)  # the rest takes no time


def drawn(stones: int, rng: np.random.Generator) -> State:
    """A random position of so many stones where nobody has won or has let the other one win."""
    while True:
        state = GAME.start()
        for _ in range(stones):
            quiet = [a for a in state.legal_actions if not state.afterstate(a).over]
            if not quiet:
                break
            state.play(int(rng.choice(quiet)))
        else:
            return state


def seconds(agent: Agent, state: State) -> float:
    """What one move takes, with an empty table."""
    solver().table[:] = 0
    began = time.process_time()
    agent.act(state)
    return time.process_time() - began


def main() -> None:
    """Prints a table in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    agents = [tafl.agent(name, GAME) for name in ("ab", "ab-dl")]
    for agent in agents:
        agent.act(GAME.start())  # reads the book and the machine code
    print(f"{'stones':>6}{'ab: mean':>12}{'worst':>10}{'ab-dl: mean':>15}{'worst':>10}")
    for stones in STONES:
        states = [drawn(stones, rng) for _ in range(options.positions)]
        times = 1000 * np.array([[seconds(agent, state) for agent in agents] for state in states])
        (a, b), (worst_a, worst_b) = times.mean(axis=0), times.max(axis=0)
        print(f"{stones:6}{a:12.2f}{worst_a:10.1f}{b:15.2f}{worst_b:10.1f}", flush=True)


if __name__ == "__main__":
    main()
