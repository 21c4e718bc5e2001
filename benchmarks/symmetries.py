"""How many symmetric boards pay? Sim (tests/sim.py, 720 symmetries) after equal times of learning.

    python benchmarks/symmetries.py      writes results/symmetries.json, prints the table

More boards learn more from each position, and fewer positions fit into the time. Measured is the
share of right moves in positions where a move can be wrong, by exhaustive search; the settings
are those of any game without a preset.
"""

import json
import time
from pathlib import Path
from random import Random

import numpy as np

import tafl
from right_moves import right
from tafl.agents.learned import LearnedAgent
from tafl.boards import Game, State
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

HOME = Path(__file__).resolve().parent.parent
STORE = HOME / "results" / "symmetries.json"
BOARDS = (1, 2, 6, 24, 120, 720)
SECONDS = (2, 20)  # of processor time
SEEDS = (1, 2, 3)
POSITIONS = 300


def critical_positions(game: Game) -> list[tuple[State, set[int]]]:
    """Random positions where some moves keep the outcome and some do not, with those that do."""
    exact, choice, found = tafl.agent("alphabeta(depth=15)", game), Random(1), []
    while len(found) < POSITIONS:
        state = game.start()
        for _ in range(choice.randint(3, 10)):
            if not state.over:
                state.play(choice.choice(state.legal_actions))
        values = exact.values(state)
        if len(set(values.values())) > 1:
            best = max(values.values())
            found.append((state, {a for a, value in values.items() if value == best}))
    return found


def trained(game: Game, boards: int, seconds: float, seed: int) -> Learner:
    """A network that has learned for so long, with all rates on schedule."""
    rate = 0.0
    for wanted in (0.3, seconds):  # the first tells how many episodes fit into the time
        episodes = max(1, int(rate * wanted)) if rate else 20
        options = {"seed": seed, "episodes": episodes, "network": {"symmetries": boards}}
        plan = make_plan(game, compose(game, overrides=options))
        learner = Learner(game, plan.settings, plan.tuples)
        learner.compile()
        began = time.process_time()
        while learner.episode < episodes or (not rate and time.process_time() - began < wanted):
            learner.learn(episodes)
        rate = learner.episode / (time.process_time() - began)
    return learner


def main() -> None:
    """Trains and measures everything."""
    game = tafl.game(str(HOME / "tests" / "sim.py"))
    positions, table = critical_positions(game), []
    for seconds in SECONDS:
        for boards in BOARDS:
            shares, moves = [], []
            for seed in SEEDS:
                learner = trained(game, boards, seconds, seed)
                agent = LearnedAgent(game, learner.net, learner.td, seed)
                shares.append(np.mean([right(agent.values(s), good) for s, good in positions]))
                moves.append(learner.moves)
            row = {"seconds": seconds, "boards": boards, "moves": int(np.mean(moves))}
            error = np.std(shares, ddof=1) / np.sqrt(len(shares))
            table.append(
                row | {"right": round(float(np.mean(shares)), 3), "error": round(float(error), 3)}
            )
            print(table[-1], flush=True)
    STORE.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
