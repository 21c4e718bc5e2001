"""What trained agents can do, with the settings as the authors ran them, and what FARL does for it."""

import gzip
import json
from pathlib import Path

import numpy as np

import tafl
from tafl.agents.exact import ExactAgent
from tafl.arena import evaluate

SEEDS = range(10)
DATA = Path(__file__).parent / "data"


def trained(game, seed, folder, farl=True, algo="td", preset="as-run", **options):
    """The agent of one run that is not evaluated on its way."""
    options.setdefault("evaluation", {"every": 10**9, "opponents": ["random"], "games": 10})
    out = folder / f"{algo}-{farl}-{seed}"
    return tafl.train(
        game, algo=algo, preset=preset, seed=seed, out=out, farl=farl, **options
    ).agent


def tictactoe_win_rate(folder, **options):
    """Against exact play, from the empty board and the nine first moves, in both roles."""
    game = tafl.game("tictactoe")
    agents = [trained(game, seed, folder, episodes=10_000, **options) for seed in SEEDS]
    return np.mean([evaluate(game, agent, "exact", 100)["win_rate"] for agent in agents])


def share_of_winning_moves(game, agent, follow):
    """How often an agent picks a winning move in the winning states that it can meet.

    The other player does anything; the agent itself plays as it does (follow = "own"), or has
    played winning moves so far, any of them (follow = "winning").
    """
    exact, shares = ExactAgent(game), []
    for role in range(2):
        seen, stack = set(), [game.start()]
        while stack:
            state = stack.pop()
            if state.over or state.words.tobytes() in seen:
                continue
            seen.add(state.words.tobytes())
            moves = state.legal_actions
            if state.player == role:
                winning = [a for a, value in exact.values(state).items() if value == 1]
                if winning:
                    shares.append(right(agent.values(state), winning))
                moves = best(agent.values(state)) if follow == "own" else winning or moves
            stack += [state.afterstate(a) for a in moves]
    return np.mean(shares)


def best(values):
    """The actions with the highest value."""
    return [a for a, value in values.items() if value == max(values.values())]


def right(values, good):
    """How likely a greedy player with these values picks one of the good actions."""
    return sum(a in good for a in best(values)) / len(best(values))


def nim_shares(folder, **options):
    """Following its own moves, and following winning moves."""
    game = tafl.game("nim")
    agents = [trained(game, seed, folder, episodes=20_000, **options) for seed in SEEDS]
    return [
        np.mean([share_of_winning_moves(game, agent, follow) for agent in agents])
        for follow in ("own", "winning")
    ]


def nim3p_reward(folder, **options):
    """Against two exact players from the start and all first moves, in all seats."""
    game = tafl.game("nim3p")
    agents = [trained(game, seed, folder, episodes=300_000, **options) for seed in SEEDS]
    return np.mean([evaluate(game, agent, "exact", 480)["mean"] for agent in agents])


def test_tictactoe_is_learned_with_farl_and_not_without(tmp_path):
    assert tictactoe_win_rate(tmp_path) >= 0.49
    assert tictactoe_win_rate(tmp_path, farl=False) <= 0.30


def test_nim_is_learned_with_farl_and_not_without(tmp_path):
    own, winning = nim_shares(tmp_path)
    assert own >= 0.99
    assert winning >= 0.98
    assert nim_shares(tmp_path, farl=False)[1] <= 0.65


def test_nim3p_is_learned_with_farl_and_not_without(tmp_path):
    assert nim3p_reward(tmp_path) >= 0.33
    assert nim3p_reward(tmp_path, farl=False) <= 0.10


def critical_positions(game):
    """Positions where not all moves keep the outcome, with those that do; from a perfect solver."""
    with gzip.open(DATA / "c4_positions.jsonl.gz", "rt") as lines:
        for line in lines:
            position = json.loads(line)
            state = game.start()
            for column in position["moves"]:
                state.play(int(column) - 1)
            if set(position["best_outcome"]) != set(state.legal_actions):
                yield state, set(position["best_outcome"])


def test_connectfour_keeps_the_outcome_in_critical_positions(tmp_path):
    game = tafl.game("connectfour")
    agent = trained(game, 1, tmp_path, preset="paper", episodes=150_000)
    shares = [right(agent.values(state), good) for state, good in critical_positions(game)]
    assert len(shares) == 522
    assert np.mean(shares) >= 0.84
