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
from tafl.training.learner import AnyLearner, Counts, Learner, endless, share_episodes


def full_store(game: Game, states: int) -> str:
    """Return the message about a store without room."""
    return (
        f"{game.name} has more information states than regret.states = {states:,}; "
        'raise it, or use regret.store = "n-tuples"'
    )


def long_episode(game: Game) -> str:
    """Return the message about an episode with too many moves of a player."""
    return (
        f"{game.name}: a player has more than {MOST_MOVES:,} moves in an episode, too many "
        "for regret; use another algo"
    )


class StoreLearner(Counts):
    """A store of regret matching in training: its agent, and its rows in use."""

    def used(self, net: Store) -> float:
        """Return the share of the rows that are in use."""
        rows = rows_used(net) if not self.tuples else np.count_nonzero(net.tables.any(axis=(1, 2)))
        return float(rows / self.weights)

    def player(self, net: Store, seed: int) -> RegretAgent:
        """Return the agent with these tables."""
        return RegretAgent(self.game, net, seed)


class RegretLearner(StoreLearner):
    """The store of regret matching and everything else that changes while it learns."""

    def __init__(self, game: Game, settings: Settings, tuples: list[list[int]]):
        threads = range(settings.threads)
        totals = [np.zeros(1 + game.facts.players) for _ in threads]
        super().__init__(game, settings, tuples, totals)
        self.kernel, self.way = train_regret, make_regret(settings)
        self.net = build_store(game, settings, tuples)
        self.works = [make_moves(game.facts, self.net.net) for _ in threads]
        self.rngs = [stream(settings.seed, TRAINING, k) for k in threads]
        self.episode = 0

    def compile(self) -> None:
        """Play nothing, so that whatever comes next need not wait for the compiler."""
        self.learn(0)

    def learn(self, episodes: int) -> None:
        """Play more episodes; threads share them and the tables, without locks."""
        try:
            share_episodes(self._learn, len(self.works), self.episode, episodes)
        except FullStore:
            raise FullStore(full_store(self.game, self.weights)) from None
        except LongEpisode:
            raise LongEpisode(long_episode(self.game)) from None
        except EndlessGame:
            raise EndlessGame(endless(self.game)) from None
        self.episode += episodes

    def _learn(self, k: int, first: int, episodes: int) -> None:
        learned, alone = (self.net, self.way, self.works[k]), (self.rngs[k], self.totals[k])
        self.kernel(self.game.rules, *learned, first, episodes, *alone)

    def tensors(self) -> dict[str, np.ndarray]:
        """Return the arrays of a checkpoint."""
        return arrays_of(self.net) | self._streams()

    def _streams(self) -> dict[str, np.ndarray]:
        rngs = {f"rng.{k}": rng for k, rng in enumerate(self.rngs)}
        return rngs | {f"totals.{k}": totals for k, totals in enumerate(self.totals)}

    def read(self, file: Path) -> None:
        """Continue from a checkpoint."""
        fill_store(file, self.net)
        streams = self._streams()
        for name, array in read_arrays(file, tuple(streams)).items():
            streams[name][:] = array


def learner_on_cpu(game: Game, settings: Settings, tuples: list[list[int]]) -> AnyLearner:
    """Return what learns with these settings, on the CPU."""
    kind = RegretLearner if settings.algo == "regret" else Learner
    return kind(game, settings, tuples)
