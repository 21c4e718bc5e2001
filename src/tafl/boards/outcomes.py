"""Check that outcomes() and outcome() of a game agree with its chance()."""

from collections import Counter
from collections.abc import Callable
from math import inf, log

import numpy as np

from tafl.boards.game import Game
from tafl.core.games.rules import one_outcome

ENOUGH_STATES = 100  # in a game
MOST_OUTCOMES = 5_000  # of all of them; a state with more is left out
DRAWS = 400  # at the start, and at the first later state with several outcomes
DEVIATIONS = 6  # standard deviations between a frequency and its probability
SURPRISE = DEVIATIONS**2 / 2  # the same as a probability of exp(-18), which fits rare outcomes, too

Report = Callable[[str, str], None]  # is called with the kind of a fault and its text


class OutcomeProbe:
    """Compares the enumeration of chance with chance itself."""

    def __init__(self, game: Game, fault: Report):
        self.game, self.fault = game, fault
        self.looked, self.left = 0, MOST_OUTCOMES
        self.compared = False

    def look_at_start(self, before: np.ndarray, following: np.ndarray) -> None:
        """Check the chance before the first move."""
        if type(self.game.rules).outcomes is not one_outcome:
            self._look(before, following)
            self.compared = False  # dice are not the deal

    def look(self, after: np.ndarray, following: np.ndarray) -> None:
        """Check an afterstate and the state that chance has made of it."""
        if type(self.game.rules).outcomes is one_outcome or self.game.call("over", after):
            return
        self.looked += 1
        if self.looked <= ENOUGH_STATES:
            self._look(after, following)

    def _look(self, after: np.ndarray, following: np.ndarray) -> None:
        """Compare the outcomes of an afterstate, unless they are too many, with one of chance."""
        self.left -= int(self.game.call("outcomes", after))
        if self.left < 0:
            return
        probabilities = self._enumerate(after)
        total = sum(probabilities.values())
        if abs(total - 1) > 1e-9:
            self.fault("outcomes", f"the probabilities of all outcomes add up to {total:g}, not 1")
        elif following.tobytes() not in probabilities:
            self.fault("outcomes", "chance() made a state that is not among the outcomes")
        elif len(probabilities) > 1 and not self.compared:
            self.compared = True
            self._compare(after, probabilities)

    def _enumerate(self, after: np.ndarray) -> Counter[bytes]:
        """Return the probability of every next state."""
        probabilities: Counter[bytes] = Counter()
        for i in range(int(self.game.call("outcomes", after))):
            state = after.copy()
            probability = float(self.game.call("outcome", state, i))
            probabilities[state.tobytes()] += probability  # type: ignore[assignment]
        return probabilities

    def _compare(self, after: np.ndarray, probabilities: Counter[bytes]) -> None:
        """Draw many times and compare frequencies with probabilities."""
        rng, counts = np.array([1], np.uint64), Counter[bytes]()
        for _ in range(DRAWS):
            state = after.copy()
            self.game.call("chance", state, rng)
            counts[state.tobytes()] += 1
        for state_bytes in probabilities.keys() | counts.keys():
            p, count = probabilities[state_bytes], counts[state_bytes]
            if surprise(count, DRAWS, p) > SURPRISE:
                text = f"outcome() gives probability {p:.3g} to a state that chance() made"
                self.fault("outcomes", f"{text} {count} times in {DRAWS}")
                return


def surprise(count: int, draws: int, p: float) -> float:
    """Return how unlikely such a frequency is: its probability is at most exp(-surprise).

    >>> surprise(200, 400, 0.5), surprise(260, 400, 0.5) > SURPRISE, surprise(1, 400, 0.0)
    (0.0, True, inf)
    """
    expected, others = draws * p, draws * (1 - p)
    if (count > 0 and expected <= 0) or (count < draws and others <= 0):
        return inf
    pairs = ((count, expected), (draws - count, others))
    return sum(found * log(found / wanted) for found, wanted in pairs if found > 0)
