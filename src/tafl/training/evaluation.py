"""Evaluations of a run, here or in workers.

In most games Python plays, and only one thread of a process at a time. So where many agents learn
side by side, workers evaluate them. The weights lie in memory that all of these processes see.
"""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import TrainedAgent
from tafl.agents.spec import AGENTS
from tafl.arena import evaluate
from tafl.arena.exploitability import BEST_RESPONSE, exploitability
from tafl.boards import Game
from tafl.core.learn.adapt import TD
from tafl.processes import SharedArray, shared_array
from tafl.runs.run import Run
from tafl.settings.build import build_net, make_td
from tafl.settings.tables import Fields
from tafl.workers import Pool

if TYPE_CHECKING:
    from tafl.training.plan import Plan

RUNS = 1_000  # that a process remembers


def play_evaluation(run: "Run | Plan", net: Any, td: TD, seed: int) -> list[Fields]:
    """Play the games of an evaluation; return what came of them against each opponent."""
    return judge(run, LearnedAgent(run.game, net, td, seed), seed)


def judge(run: "Run | Plan", agent: TrainedAgent, seed: int) -> list[Fields]:
    """Play the games of an evaluation with an agent."""
    how = run.settings.evaluation
    results = [
        evaluate(agent, vs, how.games, starts=how.starts, roles=how.roles, seed=seed)
        for vs in how.opponents
    ]
    measured = [against_best_response(run.game, agent)] if how.exploitability else []
    return [result.document() for result in results] + measured


def against_best_response(game: Game, agent: TrainedAgent) -> Fields:
    """Return the exploitability of an agent as a score: minus what a best response gains."""
    found = exploitability(agent, game)
    roles = [-player.gain for player in found.players]
    return {
        "opponent": BEST_RESPONSE,
        "mean": -found.exploitability,
        "standard_error": 0.0,
        "roles": roles,
    }


def play_in_worker(
    pool: Pool, run: Run, tuples: list[list[int]], weights: SharedArray, seed: int
) -> list[Fields]:
    """Let a worker play the games of an evaluation, and wait for what came of them."""
    task: Fields = {"path": str(run.path.resolve()), "tuples": tuples, "weights": weights.address}
    task |= {"seed": seed, "known": AGENTS}
    found: list[Fields] = pool.call(f"{__name__}:play_with_shared_weights", task)
    return found


def play_with_shared_weights(
    path: str, tuples: list[list[int]], weights: str, seed: int, known: dict[str, str]
) -> list[Fields]:
    """Play the games of an evaluation in a worker."""
    AGENTS.update(known)
    run = _opened(path)
    run.load_network()
    net = build_net(run.game, run.settings, tuples, tables=False).plain()
    net = net._replace(weights=shared_array(weights))
    return play_evaluation(run, net, make_td(run.settings), seed)


@lru_cache(RUNS)
def _opened(path: str) -> Run:
    return Run.open(Path(path))
