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
from tafl.settings.build import build, horizon, make_td
from tafl.settings.model import Settings
from tafl.settings.seeds import TRAINING, stream
from tafl.training.learner import KERNELS, TRACE, Learner

SECONDS = 1.0  # of a launch: a signal waits for its end
WARP, MOST_WARPS = 32, 8


@cache
def kernel(algo: str, shared: bool, *sizes: int) -> Callable:
    """The kernel of an algorithm for games and networks of these sizes."""
    from tafl.core.compile import cuda

    made: Callable = cuda.make_kernel(population(KERNELS[algo], *sizes), shared)
    return made


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
        self.threads = threads or threads_for(self.net.base.size, game.facts.actions)
        seeds = [stream(s.seed, TRAINING, g) for s in settings for g in range(games)]
        self.rows = make_rows(game, self.net, self.horizon, np.concatenate(seeds))
        self.there: Any = cuda.to_device(self.rows)
        self.rules_there = cuda.to_device(game.rules)
        self._settle(tuples)
        self.episode, self.launches, self.rate = 0, 0, 0.0

    def _settle(self, tuples: Sequence[list[list[int]]]) -> None:
        """Brings the networks and settings of all agents to the device."""
        from tafl.core.compile import cuda

        weights = cuda.empty(self.agents * self.size, np.float32)
        made: dict[str, tuple[Net, Any]] = {}  # agents often have the same network
        nets, tds = [], []
        for k, (settings, cells) in enumerate(zip(self.settings, tuples, strict=True)):
            key = f"{settings.network} {settings.coherence} {settings.algo} {cells}"
            if key not in made:
                net, _, _ = build(self.game, settings, cells)
                if shape(net) != shape(self.net) or horizon(settings.td) != self.horizon:
                    raise InputError("agents that learn side by side need networks of one shape")
                made[key] = net, cuda.on_device(net.weights)
            weights[k * self.size : (k + 1) * self.size].copy_to_device(made[key][1])
            nets.append(made[key][0])
            tds.append(make_td(settings))
        stacked: dict[str, Any] = {
            name: np.array([getattr(net, name) for net in nets]) for name in PER_AGENT
        }
        none = {"weights": np.zeros(0, np.float32), "rows": np.zeros(0, np.uint32)}
        net = self.net._replace(**none, **stacked)
        self.net_there: Net = cuda.to_device(net)._replace(weights=weights)
        columns: Any = map(np.array, zip(*tds, strict=True))
        self.td_there: TD = cuda.to_device(TD(*columns))

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
        sizes = sizes_of(self.game, self.net, self.horizon)
        run = kernel(self.settings[0].algo, self.games > 1, *sizes)
        arguments = (self.net_there, self.td_there, self.there, self.games, self.size, end)
        cuda.launch(run, self.agents * self.games, self.threads, self.rules_there, *arguments)
        self.launches += 1
        if (self.there.finished.copy_to_host() < self.launches).any():
            raise EndlessGame(
                f"{self.game.name}: an episode was not over after {MOST_MOVES:,} moves; "
                "let the rules end every game, for example after a number of moves"
            )

    def tables(self, agent: int) -> Any:
        """The weights of an agent, on the device."""
        return self.net_there.weights[agent * self.size : (agent + 1) * self.size]

    def fetch(self) -> Rows:
        """What outlives a launch, from the device: of all blocks, as a CPU's learner has it."""
        for name in OUTLIVES:
            getattr(self.rows, name)[:] = getattr(self.there, name).copy_to_host()
        compact(self.rows.trace, self.rows.counts)
        return self.rows

    def bring(self) -> None:
        """The same, to the device."""
        for name in OUTLIVES:
            getattr(self.there, name).copy_to_device(getattr(self.rows, name))


class DeviceLearner(Learner):
    """A Learner on a GPU: as many games at a time share its tables as settings.threads says."""

    def __init__(self, game: Game, settings: Settings, tuples: list[list[int]]):
        self.ahead = False  # is the device ahead of the arrays here?
        self.lent = False  # may somebody have written to them?
        super().__init__(game, settings, tuples)
        self.population = Population(game, [settings], [tuples], games=settings.threads)

    @property
    def net(self) -> Net:
        """The network; its tables are fetched from the device when somebody asks for them."""
        self._fetch()
        return self._net

    @net.setter
    def net(self, net: Net) -> None:
        self._net = net

    def compile(self) -> None:
        """Plays nothing, so that whatever comes next need not wait for the compiler."""
        self.population.launch(0)

    def learn(self, episodes: int) -> None:
        """Plays more episodes of one stage."""
        if self.lent:
            self._bring()
        self.population.episode = self.episode
        self.population.learn(episodes)
        self.episode, self.ahead, self.lent = self.episode + episodes, True, False
        for k, totals in enumerate(self.population.there.totals.copy_to_host()):
            self.totals[k][:] = totals

    def _fetch(self) -> None:
        """What the device has learned comes to the arrays here."""
        if self.ahead:
            self._net.weights[:] = self.population.tables(0).copy_to_host()
            rows = self.population.fetch()
            for k, work in enumerate(self.works):
                self.rngs[k][0] = rows.rng[k]
                for name in TRACE:
                    getattr(work, name)[:] = getattr(rows, name)[k]
            self.ahead = False

    def _bring(self) -> None:
        """What was read into the arrays here goes to the device."""
        rows = self.population.rows
        for k, work in enumerate(self.works):
            rows.rng[k], rows.totals[k] = self.rngs[k][0], self.totals[k]
            for name in TRACE:
                getattr(rows, name)[k] = getattr(work, name)
        self.population.bring()
        self.population.tables(0).copy_to_device(self._net.weights)

    def tensors(self) -> dict[str, np.ndarray]:
        """A checkpoint is written from these arrays and read into them, as on the CPU."""
        self._fetch()
        self.lent = True
        return super().tensors()


def compact(trace: np.ndarray, counts: np.ndarray) -> None:
    """Positions without the empty places between them, as the CPU keeps them."""
    for place in zip(*np.nonzero(counts), strict=True):
        row = trace[place][: counts[place]]
        kept = row[row != EMPTY]
        trace[place][: kept.size], counts[place] = kept, kept.size


PER_AGENT = ("strides", "base", "rate")
OUTLIVES = (*TRACE, "rng", "totals")


def sizes_of(game: Game, net: Net, horizon: int) -> tuple[int, ...]:
    """What a kernel is made for."""
    facts = game.facts
    return facts.words, facts.players, facts.actions, net.base.size, horizon


def make_rows(game: Game, net: Net, horizon: int, rng: np.ndarray) -> Rows:
    """Memory of all blocks, one for each generator, as it is before the first episode."""
    blocks = rng.size
    work = make_work(game.facts, net, horizon)._asdict()
    rows: dict[str, Any] = {
        name: np.zeros((blocks, *work[name].shape), work[name].dtype)
        for name in Rows._fields
        if name in work
    }
    rows |= {name: np.zeros(blocks, np.int64) for name in ("first", "episodes", "finished")}
    rows |= {"rng": rng, "totals": np.zeros((blocks, 1 + game.facts.players))}
    return Rows(**rows)


def shape(net: Net) -> tuple:
    """What is the same for all agents of a population."""
    plain = {name: v for name, v in net._asdict().items() if not isinstance(v, np.ndarray)}
    return (net.weights.size, net.strides.shape, *plain.values())


def threads_for(indices: int, actions: int) -> int:
    """Threads of a block: one for each index and a warp for each candidate, up to a limit."""
    return WARP * min(MOST_WARPS, max(-(-indices // WARP), actions))
