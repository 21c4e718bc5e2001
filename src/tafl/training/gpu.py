"""Networks in training on a GPU: many agents at once, or one that plays many games at a time.

Each game is played by a block of threads (`core/learn/population.py`). With one game at a time the
tables of an agent change as on the CPU, and the same seed gives the same bits; several games at a
time share their agent's tables.
"""

from collections.abc import Callable, Sequence
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from tafl.boards import Game
from tafl.core.learn.adapt import MOST_MOVES, TD
from tafl.core.learn.population import Rows, population
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.ntuple.update import EMPTY
from tafl.errors import EndlessGame, InputError
from tafl.settings.build import build, weights_of
from tafl.settings.model import Settings
from tafl.settings.seeds import TRAINING, stream
from tafl.training.learner import KERNELS, TRACE, Learner

SECONDS = 1.0  # of a launch: a signal waits for its end
WARP, MOST_THREADS = 32, 256


@cache
def kernel(algo: str, shared: bool, *sizes: int) -> Callable:
    """The kernel of an algorithm for games and networks of these sizes."""
    from tafl.core.compile import cuda

    return cuda.make_kernel(population(KERNELS[algo], *sizes), shared)


class Population:
    """Agents that learn the same game with the same shape of network, side by side."""

    def __init__(
        self,
        game: Game,
        settings: Sequence[Settings],
        tuples: Sequence[list[list[int]]],
        games: int = 1,
        threads: int = 0,
    ):
        from tafl.core.compile import cuda

        self.game, self.settings, self.games = game, settings, games
        self.agents, self.ends = len(settings), settings[0].ends
        self.net, _, self.horizon = build(game, settings[0], tuples[0])
        self.size = self.net.weights.size
        self.threads = threads or threads_for(self.net.base.size)
        self.rows = self._rows()
        self.there = cuda.to_device(self.rows)
        self._settle(tuples)
        self.episode, self.launches, self.rate = 0, 0, 0.0

    def _settle(self, tuples: Sequence[list[list[int]]]) -> None:
        """Brings the networks and settings of all agents to the device."""
        from tafl.core.compile import cuda

        weights = cuda.empty(self.agents * self.size, np.float32)
        nets, tds = [], []
        for k, (settings, cells) in enumerate(zip(self.settings, tuples, strict=True)):
            net, td, horizon = build(self.game, settings, cells)
            if shape(net) != shape(self.net) or horizon > self.horizon:
                raise InputError("agents that learn side by side need networks of the same shape")
            weights[k * self.size : (k + 1) * self.size].copy_to_device(net.weights)
            nets.append(net._replace(weights=None))
            tds.append(td)
        stacked = {name: np.array([getattr(n, name) for n in nets]) for name in PER_AGENT}
        net = self.net._replace(weights=None, **stacked)
        self.net_there: Net = cuda.to_device(net)._replace(weights=weights)
        self.td_there: TD = cuda.to_device(TD(*map(np.array, zip(*tds, strict=True))))

    def _rows(self) -> Rows:
        """Memory of all blocks, as it is before the first episode."""
        facts, blocks = self.game.facts, self.agents * self.games
        work = make_work(facts, self.net, self.horizon)._asdict()
        rows: dict[str, Any] = {
            name: np.zeros((blocks, *work[name].shape), work[name].dtype)
            for name in Rows._fields
            if name in work
        }
        seeds = [stream(s.seed, TRAINING, g) for s in self.settings for g in range(self.games)]
        rows |= {name: np.zeros(blocks, np.int64) for name in ("first", "episodes", "finished")}
        rows["rng"] = np.concatenate(seeds)
        rows["totals"] = np.zeros((blocks, 1 + facts.players))
        return Rows(**rows)

    def learn(self, episodes: int) -> None:
        """Every agent plays more episodes of one stage, in launches of about a second."""
        last = self.episode + episodes
        while self.episode < last:
            count = min(last - self.episode, max(self.games, int(self.rate * SECONDS)))
            start = perf_counter()
            self.launch(count)
            self.rate = max(1.0, count / (perf_counter() - start))
            self.episode += count

    def launch(self, episodes: int) -> None:
        """One launch: the blocks of an agent share the episodes."""
        from tafl.core.compile import cuda

        end = next((end for end in self.ends if self.episode < end), self.ends[-1])
        shares = self.episode + episodes * np.arange(self.games + 1) // self.games
        self.there.first.copy_to_device(np.tile(shares[:-1], self.agents))
        self.there.episodes.copy_to_device(np.tile(np.diff(shares), self.agents))
        facts = self.game.facts
        sizes = (facts.words, facts.players, facts.actions, self.net.base.size, self.horizon)
        run = kernel(self.settings[0].algo, self.games > 1, *sizes)
        arguments = (self.net_there, self.td_there, self.there, self.games, self.size, end)
        rules = cuda.to_device(self.game.rules)
        cuda.launch(run, self.agents * self.games, self.threads, rules, *arguments)
        self.launches += 1
        if (self.there.finished.copy_to_host() < self.launches).any():
            raise EndlessGame(
                f"{self.game.name}: an episode was not over after {MOST_MOVES:,} moves; "
                "let the rules end every game, for example after a number of moves"
            )

    def weights(self, agent: int) -> np.ndarray:
        """A copy of an agent's tables."""
        part = self.net_there.weights[agent * self.size : (agent + 1) * self.size]
        copy: np.ndarray = part.copy_to_host()
        return copy


PER_AGENT = ("strides", "base", "rate")


def shape(net: Net) -> tuple:
    """What is the same for all agents of a population."""
    plain = {name: v for name, v in net._asdict().items() if not isinstance(v, np.ndarray)}
    return (net.weights.size, net.strides.shape, *plain.values())


def threads_for(indices: int) -> int:
    """Threads of a block: one for each index, up to a limit."""
    return min(MOST_THREADS, -(-indices // WARP) * WARP)
