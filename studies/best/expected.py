"""The expected score of an agent, computed instead of played: for small games without chance.

Every agent plays each of its best actions with the same probability, as in games. All positions
that can come up are looked at, so the result has no error, and a mistake cannot hide by chance.
"""

from statistics import mean

from tafl.agents.agent import Agent, GameAgent
from tafl.arena.contest import after
from tafl.arena.starts import sequences
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.errors import InputError

MOST_STATES = 100_000  # that can come up


def expected_scores(agent: GameAgent, opponent: Agent, starts: str = "start") -> list[float]:
    """The mean score of an agent in each role, in points; the opponent plays all others.

    >>> import tafl
    >>> players = [tafl.agent(name, "tictactoe") for name in ("exact", "random")]
    >>> expected_scores(players[0], players[0], "first-moves")
    [0.0, 0.0]
    >>> [round(score, 4) for score in expected_scores(*players)]
    [0.9678, 0.7775]
    """
    game = agent.game
    if game.has_chance:
        raise InputError(f"{game.name} is a game of chance: its scores are not computed")
    begun = [(share, after(game.start(), moves)) for share, moves in _weighted(game, starts)]
    found = []
    for role in range(game.facts.players):
        players = [agent if p == role else opponent for p in range(game.facts.players)]
        lines = Lines(players, role)
        found.append(sum(share * lines.score(state) for share, state in begun))
    return found


def _weighted(game: Game, starts: str) -> list[tuple[float, list[int]]]:
    """Return the probability of each sequence of first moves."""
    first = sequences(game, 1)
    if starts == "start":
        return [(1.0, [])]
    if starts == "first-moves":
        return [(1 / (len(first) + 1), moves) for moves in ([], *first)]
    if starts == "start-or-first":
        return [(0.5, []), *((0.5 / len(first), moves) for moves in first)]
    raise InputError(f"scores are computed from start, first-moves or start-or-first, not {starts}")


class Lines:
    """All lines that some players may play, and what they bring one of them."""

    def __init__(self, players: list[Agent], role: int):
        self.players, self.role = players, role
        self.known: dict[bytes, float] = {}

    def score(self, state: State) -> float:
        """Return the expected scores from this position."""
        key = state.words.tobytes()
        if key not in self.known:
            if len(self.known) >= MOST_STATES:
                raise InputError(
                    f"more than {MOST_STATES:,} states can come up; play games instead"
                )
            self.known[key] = self._score(state)
        return self.known[key]

    def _score(self, state: State) -> float:
        if state.over:
            return state.scores[self.role]
        values = self.players[state.player].values(state)
        top = max(values.values())
        best = [action for action, value in values.items() if value == top]
        return mean(self.score(state.afterstate(action)) for action in best)
