"""Solved positions of ConnectFour that no setting was chosen on.

python -m studies.approximators.positions
"""

import json
from functools import cache
from pathlib import Path
from random import Random

import tafl
from studies.right_moves.measure import right
from tafl.agents import Agent
from tafl.boards import Game, State

FILE = Path(__file__).with_name("positions.jsonl")
NUMBER, SEED, PLIES = 500, 20261119, (8, 30)


def write() -> None:
    """Write random positions where some moves keep the outcome and some do not."""
    game, random = tafl.game("connectfour"), Random(SEED)
    perfect = tafl.agent("ab", game)
    with FILE.open("w", encoding="utf-8") as file:
        found = 0
        while found < NUMBER:
            state = game.start()
            for _ in range(random.randint(*PLIES)):
                if not state.over:
                    state.play(random.choice(state.legal_actions))
            if state.over:
                continue
            values = perfect.values(state)
            good = [action for action, value in values.items() if value == max(values.values())]
            if len(good) < len(values):
                file.write(json.dumps({"moves": list(state.history), "good": good}) + "\n")
                found += 1


@cache
def positions(game: Game) -> list[tuple[State, set[int]]]:
    """Return the positions, each with the moves that keep the outcome."""
    found = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        stored = json.loads(line)
        state = game.start()
        for action in stored["moves"]:
            state.play(action)
        found.append((state, set(stored["good"])))
    return found


def share_of_right_moves(agent: Agent, game: Game) -> float:
    """Return the share of positions in which a greedy agent keeps the outcome."""
    found = [right(agent.values(state), good) for state, good in positions(game)]
    return sum(found) / len(found)


if __name__ == "__main__":
    write()
