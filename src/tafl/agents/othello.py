"""Players of Othello that look one move ahead, with a table of cell values.

The value of a move is the sum over the mover's discs minus that over the other player's. GBG takes
the opponent of the next player for the mover, which is wrong after a pass and at the end (D27).
`bench` is the positional player of van der Ree and Wiering, "Reinforcement learning in the game of
Othello" (2013); the table of `heur` is symmetric.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tafl.agents.agent import SearchAgent
from tafl.boards.game import Game
from tafl.core.games.othello import Othello
from tafl.core.play.positional import positional_values

# fmt: off
BENCH = (
    ( 80, -26,  24,  -1,  -5,  28, -18,  76),
    (-23, -39, -18,  -9,  -6,  -8, -39,  -1),
    ( 46, -16,   4,   1,  -3,   6, -20,  52),
    (-13,  -5,   2,  -1,   4,   3, -12,  -2),
    ( -5,  -6,   1,  -2,  -3,   0,  -9,  -5),
    ( 48, -13,  12,   5,   0,   5, -24,  41),
    (-27, -53, -11,  -1, -11, -16, -58, -15),
    ( 87, -25,  27,  -1,   5,  36,  -3, 100),
)
HEUR = (
    (100, -25,  10,   5,   5,  10, -25, 100),
    (-25, -25,   2,   2,   2,   2, -25, -25),
    ( 10,   2,   5,   1,   1,   5,   2,  10),
    (  5,   2,   1,   2,   2,   1,   2,   5),
    (  5,   2,   1,   2,   2,   1,   2,   5),
    ( 10,   2,   5,   1,   1,   5,   2,  10),
    (-25, -25,   2,   2,   2,   2, -25, -25),
    (100, -25,  10,   5,   5,  10, -25, 100),
)
# fmt: on


@dataclass(eq=False, repr=False)
class PositionalAgent(SearchAgent):
    """Plays the move after which its discs have the highest value.

    >>> import tafl
    >>> game = tafl.game("othello")
    >>> tafl.agent("bench", game).values(game.start())
    {19: 5.0, 26: 6.0, 37: 0.0, 44: 0.0}
    >>> tafl.agent("heur", game).values(game.start())
    {19: 5.0, 26: 5.0, 37: 5.0, 44: 5.0}
    """

    game: Game
    seed: int = 0
    own: Literal["mover", "not-next"] = "mover"

    plays = Othello
    table: ClassVar[tuple[tuple[int, ...], ...]]

    def _make_memory(self) -> None:
        super()._make_memory()
        self._after = np.zeros(self.game.facts.words, np.int64)
        self.weights = np.array(self.table, np.float64).ravel()

    def _search(self, words: np.ndarray) -> int:
        how = self.game.rules, self.weights, self.own == "not-next"
        found = self._after, self._actions, self._values
        return int(positional_values(*how, words, *found))


class BenchAgent(PositionalAgent):
    """The player with the table of van der Ree and Wiering."""

    table = BENCH


class HeurAgent(PositionalAgent):
    """The player with a symmetric table."""

    table = HEUR
