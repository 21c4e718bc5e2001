"""Regret matching in training: the tables of information states, learned in compiled code."""

from pathlib import Path

import numpy as np

from tafl.agents.regret import RegretAgent
from tafl.boards import Game
from tafl.core.learn.regret import MOST_MOVES, make_moves, train_regret
from tafl.core.learn.store import Store, rows_used
from tafl.errors import EndlessGame, FullStore, LongEpisode
from tafl.runs.stores import arrays_of, fill_store, read_arrays
from tafl.settings.build import build_store, make_regret
from tafl.settings.model import Settings
from tafl.settings.seeds import TRAINING, stream
from tafl.training.learner import AnyLearner, Counts, Learner, endless


class RegretLearner(Counts):
    """The store of regret matching and everything else that changes while it learns."""

    def __init__(self, game: Game, settings: Settings, tuples: list[list[int]]):
        super().__init__(game, settings, tuples, [np.zeros(1 + game.facts.players)])
        self.kernel, self.way = train_regret, make_regret(settings)
        self.net = build_store(game, settings, tuples)
        self.work = make_moves(game.facts, self.net.net)
        self.rng = stream(settings.seed, TRAINING, 0)
        self.episode = 0

    def compile(self) -> None:
        """Play nothing, so that whatever comes next need not wait for the compiler."""
        self.learn(0)

    def learn(self, episodes: int) -> None:
        """Play more episodes."""
        name, rules, totals = self.game.name, self.game.rules, self.totals[0]
        learned = self.net, self.way, self.work
        try:
            self.kernel(rules, *learned, self.episode, episodes, self.rng, totals)
        except FullStore:
            raise FullStore(
                f"{name} has more information states than regret.states = {self.weights:,}; "
                'raise it, or use regret.store = "n-tuples"'
            ) from None
        except LongEpisode:
            raise LongEpisode(
                f"{name}: a player has more than {MOST_MOVES:,} moves in an episode, too many "
                "for regret; use another algo"
            ) from None
        except EndlessGame:
            raise EndlessGame(endless(self.game)) from None
        self.episode += episodes

    def used(self, net: Store) -> float:
        """Return the share of the rows that are in use."""
        rows = rows_used(net) if not self.tuples else np.count_nonzero(net.tables.any(axis=(1, 2)))
        return float(rows / self.weights)

    def player(self, net: Store, seed: int) -> RegretAgent:
        """Return the agent with these tables."""
        return RegretAgent(self.game, net, seed)

    def tensors(self) -> dict[str, np.ndarray]:
        """Return the arrays of a checkpoint."""
        return arrays_of(self.net) | {"rng.0": self.rng, "totals.0": self.totals[0]}

    def read(self, file: Path) -> None:
        """Continue from a checkpoint."""
        fill_store(file, self.net)
        arrays = read_arrays(file, ("rng.0", "totals.0"))
        self.rng[:], self.totals[0][:] = arrays["rng.0"], arrays["totals.0"]


def learner_on_cpu(game: Game, settings: Settings, tuples: list[list[int]]) -> AnyLearner:
    """Return what learns with these settings, on the CPU."""
    kind = RegretLearner if settings.algo == "regret" else Learner
    return kind(game, settings, tuples)
