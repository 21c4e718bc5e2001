"""A network in training: blocks of episodes in compiled code, on one or several threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import TrainedAgent
from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.core.compile import interruptible
from tafl.core.learn.adapt import MOST_MOVES, TD
from tafl.core.learn.q import train_q
from tafl.core.learn.sarsa import train_sarsa
from tafl.core.learn.td import train_td
from tafl.core.learn.work import make_work
from tafl.core.ntuple.layout import Layout
from tafl.core.ntuple.net import Net
from tafl.core.ntuple.value import LARGE
from tafl.errors import EndlessGame
from tafl.runs.checkpoint import load
from tafl.settings.build import build, weights_of
from tafl.settings.model import Settings
from tafl.settings.seeds import TRAINING, stream

KERNELS = {"td": train_td, "sarsa": train_sarsa, "q": train_q}

# What outlives an episode in a thread's scratch memory: the afterstates still eligible (D20).
TRACE = ("trace", "counts", "slopes", "length", "head")
MIDDLE = ("keep", "middle")  # and a position to begin the next one with, where one may
CHUNK = 2**22


def outlives(td: TD) -> tuple[str, ...]:
    """Return the names of what outlives an episode."""
    return TRACE + MIDDLE if td.start_again > 0 else TRACE


class AnyLearner(Protocol):
    """A learner: a network on the CPU (`Learner`) or a GPU (`Member`), or `RegretLearner`."""

    tuples: list[list[int]]
    episode: int  # how many were learned

    @property
    def net(self) -> Any: ...  # the network, or the tables of regret matching
    @property
    def moves(self) -> int: ...
    @property
    def scores(self) -> list[float]: ...
    def compile(self) -> None: ...
    def learn(self, episodes: int) -> None: ...
    def used(self, net: Any) -> float: ...
    def player(self, net: Any, seed: int) -> TrainedAgent: ...
    def tensors(self) -> dict[str, np.ndarray]: ...
    def read(self, file: Path) -> None: ...


class Counts:
    """The counts of what learns: moves, scores, and how many weights there are."""

    def __init__(
        self, game: Game, settings: Settings, tuples: list[list[int]], totals: list[np.ndarray]
    ):
        self.game, self.tuples, self.totals = game, tuples, totals  # each has moves, then scores
        self.weights = weights_of(game, settings, tuples)

    @property
    def moves(self) -> int:
        """Moves played so far."""
        return int(sum(totals[0] for totals in self.totals))

    @property
    def scores(self) -> list[float]:
        """The final scores of all episodes so far, added up for each player, in points."""
        return [self.game.points(total) for total in np.sum(self.totals, axis=0)[1:]]


class NetLearner(Counts):
    """A network in training: its agent, and its weights in use."""

    td: TD

    def player(self, net: Any, seed: int) -> LearnedAgent:
        """Return the agent with this network or a copy of it."""
        return LearnedAgent(self.game, net, self.td, seed)

    def used(self, net: Any) -> float:
        """Return the share of the weights that are not 0 in the network or a copy of it."""
        w, width = net.weights.reshape(-1), net.width
        used = sum(
            int(np.count_nonzero(w[i : i + CHUNK * width : width]))
            for i in range(0, w.size, CHUNK * width)
        )
        return used / self.weights


def share_episodes(
    learn: Callable[[int, int, int], None], threads: int, first: int, episodes: int
) -> None:
    """Call learn(thread, first, episodes) in each thread, with a share of the episodes."""
    if threads == 1:
        learn(0, first, episodes)
        return
    bounds = [first + episodes * k // threads for k in range(threads + 1)]
    counts = [b - a for a, b in pairwise(bounds)]

    def learn_all() -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(learn, range(threads), bounds, counts))

    interruptible(learn_all)


def endless(game: Game) -> str:
    """Return the message about an episode that does not end."""
    return (
        f"{game.name}: an episode was not over after {MOST_MOVES:,} moves; "
        "let the rules end every game, for example after a number of moves"
    )


class Learner(NetLearner):
    """The tables of a network and everything else that changes while it learns."""

    def __init__(self, game: Game, settings: Settings, tuples: list[list[int]]):
        threads = range(settings.threads)
        totals = [np.zeros(1 + game.facts.players) for _ in threads]
        super().__init__(game, settings, tuples, totals)
        self.kernel, self.ends = KERNELS[settings.algo], settings.ends
        self.net, self.td, horizon = build(game, settings, tuples)
        self.layout = None
        kept = self.td.trace_across_episodes and horizon > 1  # as positions, in checkpoints, too
        if isinstance(self.net, Net) and self.net.weights.size > LARGE and not kept:
            facts = with_boards(game.facts, settings.network.symmetries)
            self.layout = Layout(facts, tuples, self.net, settings.network.hash_bits or 0)
            self.net = self.layout.side_by_side()
        backward = self.td.backward
        self.works = [make_work(game.facts, self.net, horizon, backward) for _ in threads]
        self.rngs = [stream(settings.seed, TRAINING, k) for k in threads]
        self.episode = 0

    def learn(self, episodes: int) -> None:
        """Play more episodes of one stage; threads share them and one table, without locks."""
        share_episodes(self._learn, len(self.works), self.episode, episodes)
        self.episode += episodes

    def compile(self) -> None:
        """Play nothing, so that whatever comes next need not wait for the compiler."""
        self._learn(0, 0, 0)

    def _learn(self, k: int, first: int, episodes: int) -> None:
        rules, net, work = self.game.rules, self.net, self.works[k]
        rng, totals = self.rngs[k], self.totals[k]
        end = next((end for end in self.ends if first < end), self.ends[-1])
        try:
            self.kernel(rules, net, self.td, work, first, episodes, end, rng, totals)
        except EndlessGame:
            raise EndlessGame(endless(self.game)) from None

    @property
    def active(self) -> float:
        """Share of the weights that are not 0."""
        return self.used(self.net)

    def tensors(self) -> dict[str, np.ndarray]:
        """Return the arrays of a checkpoint: the weights, table by table, and all that changes."""
        weights = self.net.weights.reshape(-1)
        return self._tensors(self.layout.apart(weights) if self.layout else weights)

    def _tensors(self, weights: np.ndarray) -> dict[str, np.ndarray]:
        arrays = {"weights": weights}
        for k, work in enumerate(self.works):
            arrays |= {f"rng.{k}": self.rngs[k], f"totals.{k}": self.totals[k]}
            arrays |= {f"{name}.{k}": getattr(work, name) for name in outlives(self.td)}
        return arrays

    def read(self, file: Path) -> None:
        """Continue from a checkpoint."""
        if self.layout is None:
            load(file, self._tensors(self.net.weights.reshape(-1)))
            return
        weights = np.empty_like(self.net.weights)
        load(file, self._tensors(weights))
        self.layout.put(weights, self.net.weights)
