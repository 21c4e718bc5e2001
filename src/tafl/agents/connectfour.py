"""Perfect players of ConnectFour.

`ab` plays any move that keeps the outcome; `ab-dl` prefers fast wins and slow losses. Both break
ties at random. studies/make/connectfour_book.py made the opening book.
"""

import lzma
import threading
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tafl.agents.agent import SearchAgent, limited
from tafl.boards.game import Game
from tafl.core.games.connectfour import CELLS, COLS, ConnectFour
from tafl.core.random import uniform
from tafl.core.search.connectfour import HIGHEST, Solver, make_solver, move_scores, position_score
from tafl.core.search.connectfour_board import COLUMN, HEIGHT, by_columns, reachable, winning

BOOK = Path(__file__).parent / "data" / "connectfour-12.book.xz"
BOOK_PLIES = (8, 12)


@cache
def book() -> tuple[np.ndarray, np.ndarray]:
    """Return the keys of the opening book, in ascending order, and their scores."""
    rows = np.frombuffer(lzma.decompress(BOOK.read_bytes()), np.uint8).reshape(8, -1)
    steps = sum(rows[i].astype(np.int64) << 8 * i for i in range(7))
    return np.cumsum(steps), rows[7].view(np.int8)


_shared = threading.local()


def solver() -> Solver:
    """Return the solver of this thread, which all agents share."""
    if not hasattr(_shared, "solver"):
        _shared.solver = make_solver(*book(), sum(1 << n for n in BOOK_PLIES))
    found: Solver = _shared.solver
    return found


class PerfectAgent(SearchAgent):
    """A perfect player that does not distinguish scores beyond `reach`."""

    plays = ConnectFour
    reach: int

    def _search(self, words: np.ndarray) -> int:
        return self._within(words, -self.reach, self.reach)

    def _within(self, words: np.ndarray, low: int, high: int) -> int:
        found = self._actions, self._values
        return int(move_scores(self.game.rules, solver(), words, low, high, *found))

    def _search_best(self, words: np.ndarray) -> int:
        low, high = -self.reach, self.reach
        best = int(position_score(self.game.rules, solver(), words, low, high))
        return self._within(words, max(best - 1, low), best)


class ABAgent(PerfectAgent):
    """A perfect player with values 1 for a winning move, 0 for a draw, -1 for a losing one.

    >>> import tafl
    >>> game = tafl.game("connectfour")
    >>> tafl.agent("ab", game).values(game.start())
    {0: -1.0, 1: -1.0, 2: 0.0, 3: 1.0, 4: 0.0, 5: -1.0, 6: -1.0}
    """

    reach = 1


@dataclass(eq=False, repr=False)
class ABDLAgent(PerfectAgent):
    """A perfect player that prefers fast wins and slow losses: k wins with its k-th last stone.

    It sees `near` stones ahead; while fewer than `blind` stones are on the board, only up to stone
    number `blind`. Later wins count as equal. The paper's player had 13 and 8, because of its
    opening book (D28). With probability `error` it plays a random safe move if there is one.

    >>> import tafl
    >>> game = tafl.game("connectfour")
    >>> tafl.agent("ab-dl", game).values(game.start())
    {0: -2.0, 1: -1.0, 2: 0.0, 3: 1.0, 4: 0.0, 5: -1.0, 6: -2.0}
    >>> tafl.agent("ab-dl(blind=8)", game).values(game.start())
    {0: -1.0, 1: -1.0, 2: 0.0, 3: 1.0, 4: 0.0, 5: -1.0, 6: -1.0}
    """

    game: Game
    seed: int = 0
    _: KW_ONLY
    blind: int = limited(0, 0, CELLS)
    near: int = limited(CELLS, 1, CELLS)
    error: float = limited(0.0, 0, 1)

    reach = HIGHEST

    def _search(self, words: np.ndarray) -> int:
        count = super()._search(words)
        stones, sight = self._sight(words)
        if sight < CELLS:
            scores = self._values[:count]
            # the k-th last of 21 stones is the (22 - k)-th
            first = (scores > 0) == (stones % 2 == 0)
            late = 2 * (HIGHEST + 1 - np.abs(scores)) - first > sight
            scores[late] = np.sign(scores[late])
        return count

    def _search_best(self, words: np.ndarray) -> int:
        with np.errstate(over="ignore"):
            errs = self.error > 0 and uniform(self.rng) < self.error
        if errs and (safe := list(safe_moves(words))):
            self._actions[: len(safe)], self._values[: len(safe)] = safe, 0.0
            return len(safe)
        limited = self._sight(words)[1] < CELLS
        return self._search(words) if limited else super()._search_best(words)

    def _sight(self, words: np.ndarray) -> tuple[int, int]:
        """Return the number of stones, and that up to which it sees."""
        stones = sum(int(word).bit_count() for word in words[:2])
        return stones, self.blind if stones < self.blind else stones + self.near


def safe_moves(words: np.ndarray) -> Iterator[int]:
    """Yield moves that win, or after which the other player cannot win at once.

    >>> import tafl
    >>> list(safe_moves(tafl.position("connectfour: a d a d a d").words))  # win, or block d
    [0, 3]
    >>> list(safe_moves(tafl.position("connectfour: d d e e c").words))  # b and f both win
    []
    """
    mover = int(words[2]) & 1
    own, other = (by_columns(int(words[player])) for player in (mover, 1 - mover))
    taken = own | other
    for action in range(COLS):
        stone = reachable(taken) & (COLUMN << HEIGHT * action)
        wins = winning(own, taken) & stone
        loses = winning(other, taken | stone) & reachable(taken | stone)
        if stone and (wins or not loses):
            yield action
