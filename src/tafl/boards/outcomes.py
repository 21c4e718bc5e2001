"""Check that outcomes() and outcome() of a game agree with its chance()."""

from collections import Counter
from collections.abc import Callable
from math import sqrt

import numpy as np

from tafl.boards.game import Game
from tafl.core.games.rules import one_outcome

ENOUGH_STATES = 100  # in a game
DRAWS = 400  # at the first state with several outcomes
DEVIATIONS = 6  # standard deviations between a frequency and its probability

Report = Callable[[str, str], None]  # is called with the kind of a fault and its text


class OutcomeProbe:
    """Compares the enumeration of chance with chance itself."""

    def __init__(self, game: Game, fault: Report):
        self.game, self.fault = game, fault
        self.looked = 0
        self.compared = False

    def look(self, after: np.ndarray, following: np.ndarray) -> None:
        """Check an afterstate and the state that chance has made of it."""
        if type(self.game.rules).outcomes is one_outcome or self.game.call("over", after):
            return
        self.looked += 1
        if self.looked > ENOUGH_STATES:
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
            if abs(count - DRAWS * p) > 1 + DEVIATIONS * sqrt(DRAWS * p * max(0.0, 1 - p)):
                text = f"outcome() gives probability {p:.3g} to a state that chance() made"
                self.fault("outcomes", f"{text} {count} times in {DRAWS}")
                return
