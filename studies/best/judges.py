"""Judging agents in games: what they win, and how many of their moves are right."""

from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tafl
from studies.opponents import ERRORS, gtp_rhino, has_gtp_rhino
from studies.right_moves.measure import SOLVED, right_moves
from tafl.agents.learned import LearnedAgent
from tafl.arena import Result, evaluate
from tafl.runs.run import Run

Fields = dict[str, Any]

CONNECTFOUR_GAMES = 500  # of each measurement
PLAYED = {  # opponent, games, start positions
    "hex": ("mcts(iterations=10000)", 132, "half-board"),
    "othello": ("bench(own=not-next)", 488, "all:4"),
    "2048": ("", 2_000, "start"),
}
GAMES = [*PLAYED, "connectfour"]


class Adopted(NamedTuple):
    """An agent in a file, with what a run has that is judged."""

    path: Path
    agent: LearnedAgent
    game: tafl.Game


def judged(run: Run | Adopted, seed: int, workers: int = 1) -> list[Fields]:
    """Return the fields of all measurements of an agent; `seed` is that of the games."""
    name = run.game.name.partition("(")[0]
    found = connectfour(run, seed, workers) if name == "connectfour" else played(run, seed, workers)
    for fields in found:
        fields["condition"] = {**fields["condition"], "game_seed": seed}
    if run.game.name in SOLVED:
        found += right_moves(run.agent, run.game).fields()
    return found


def connectfour(run: Run | Adopted, seed: int, workers: int) -> list[Fields]:
    """Play first against perfect play, and second against perfect play that errs."""
    text = f"run:'{run.path}'"
    how: Fields = {"starts": "start", "roles": "first", "seed": seed, "workers": workers}
    how |= {"game": run.game}
    first = evaluate(text, "ab-dl", CONNECTFOUR_GAMES, **how)
    found = won_and_drawn(first, 0, "first", "ab-dl")
    for error in ERRORS:
        opponent = f"ab-dl(error={error})"
        second = evaluate(opponent, text, CONNECTFOUR_GAMES, **how)
        found += won_and_drawn(second, 1, "second", opponent)
    return found


def won_and_drawn(result: Result, agent: int, role: str, against: str) -> list[Fields]:
    """Return the shares of games that an agent wins and draws."""
    scores = result.scores[:, agent]
    about = {"against": against, "condition": {"role": role, "starts": "start"}}
    wins, draws = (share(float(np.mean(scores == score)), len(scores)) for score in (1, 0))
    return [{"metric": "wins", **wins, **about}, {"metric": "draws", **draws, **about}]


def played(run: Run | Adopted, seed: int, workers: int) -> list[Fields]:
    """Play the opponent of the paper's table, all roles; alone, for points."""
    game = run.game
    name = game.name.partition("(")[0]
    opponent, games, starts = PLAYED[name]
    text, condition = f"run:'{run.path}'", {"starts": starts}
    how: Fields = {"starts": starts, "seed": seed, "workers": workers, "game": game}
    if game.facts.players == 1:
        alone = evaluate(text, games=games, **how)
        scored = {"metric": "score", "value": alone.mean, "error": alone.error, "n": games}
        return [{**scored, "condition": condition}]
    opponents = [opponent]
    if name == "othello" and has_gtp_rhino():
        opponents.append(gtp_rhino(1))
    return [
        {
            "metric": "win_rate",
            **share(evaluate(text, one, games, **how).win_rate, games),
            "against": one,
            "condition": condition,
        }
        for one in opponents
    ]


def share(value: float, games: int) -> Fields:
    """Return a share of games with its standard error."""
    return {"value": value, "error": sqrt(value * (1 - value) / games), "n": games}
