"""Train Sim with different numbers of symmetric boards and measure right moves.

python -m studies symmetries run
"""

import time
from pathlib import Path
from random import Random

import numpy as np

import tafl
from studies.records import Measurement, append, machine, read
from studies.right_moves.measure import right
from tafl.agents.learned import LearnedAgent
from tafl.arena.statistics import standard_error
from tafl.boards import Game, State
from tafl.errors import InputError
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

RESULTS = Path(__file__).with_name("results.jsonl")
GAME = "sim"
BOARDS = (1, 2, 6, 24, 120, 720)
SECONDS = (2, 20)  # of processor time
SEEDS = (1, 2, 3)
POSITIONS = 300

Solved = list[tuple[State, set[int]]]  # positions, and the moves that keep the outcome


def main(arguments: list[str]) -> None:
    """Train and measure what is not stored."""
    if arguments:
        raise InputError("symmetries run takes no options")
    game = tafl.game(GAME)
    stored = {(one.seconds, one.overrides["network.symmetries"]) for one in read(RESULTS)}
    missing = [(s, b) for s in SECONDS for b in BOARDS if (s, b) not in stored]
    positions = critical_positions(game) if missing else []
    for seconds, boards in missing:
        found = measured(game, positions, seconds, boards)
        append(RESULTS, [found])
        print(f"{boards} boards, {seconds} s: {found.value:.3f}", flush=True)


def critical_positions(game: Game) -> Solved:
    """Return random positions where some moves keep the outcome and some do not."""
    exact, choice = tafl.agent("alphabeta(depth=15)", game), Random(1)
    found: Solved = []
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


def measured(game: Game, positions: Solved, seconds: int, boards: int) -> Measurement:
    """Return the mean share of right moves over seeds, and its standard error."""
    shares, moves = [], []
    for seed in SEEDS:
        learner = trained(game, boards, seconds, seed)
        agent = LearnedAgent(game, learner.net, learner.td, seed)
        shares.append(float(np.mean([right(agent.values(s), good) for s, good in positions])))
        moves.append(learner.moves)
    return Measurement(
        study="symmetries",
        game=GAME,
        metric="right_moves",
        value=round(float(np.mean(shares)), 3),
        error=round(standard_error(shares), 3),
        n=POSITIONS,
        overrides={"network.symmetries": boards},
        moves=int(np.mean(moves)),
        seconds=seconds,
        **machine(),
    )


def trained(game: Game, boards: int, seconds: float, seed: int) -> Learner:
    """Return a network that has learned for so long, with all rates on schedule."""
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
