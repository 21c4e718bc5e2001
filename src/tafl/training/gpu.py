"""Networks in training on a GPU: many agents at once, or one that plays many games at a time.

Each game is played by a block of threads (`core/learn/population.py`). With one game at a time the
tables of an agent change as on the CPU, and the same seed gives the same bits; several games at a
time share their agent's tables.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from tafl.boards import Game
from tafl.core.compile.thread_block import MOST_WARPS
from tafl.core.learn.adapt import MOST_MOVES, TD
from tafl.core.learn.population import PARTS, Rows, population, rows_of
from tafl.core.learn.work import Work, make_work
from tafl.core.ntuple.net import Net, floats
from tafl.core.ntuple.update import EMPTY
from tafl.errors import EndlessGame, InputError
from tafl.processes import SharedArray
from tafl.runs.checkpoint import load
from tafl.settings.build import build_net, horizon, make_td
from tafl.settings.model import Settings
from tafl.settings.seeds import TRAINING, stream
from tafl.training.device import check_room, device_code
from tafl.training.learner import KERNELS, NetLearner, outlives

RAMP = 100  # episodes that a network has seen for each game that is played at a time
GROWTH = 8  # a launch has at most this share of the episodes before it while games are added
# Registers of a thread: with fewer, more blocks run at a time, but each more slowly. That pays
# where threads wait for memory, because tables of this size fit in no cache (2048: 1.2 times).
REGISTERS, FEW_REGISTERS, LARGE = 128, 64, 2**28

PER_AGENT = ("strides", "base", "rate")


@cache
def kernel(algo: str, shared: bool, registers: int, *sizes: int) -> Callable:
    """Return the kernel of an algorithm for games and networks of these sizes."""
    blocks = population(KERNELS[algo], shared, *sizes)
    made: Callable = device_code().make_kernel(blocks, shared, registers)
    return made


class Population:
    """Agents that learn the same game with the same shape of network, side by side."""

    def __init__(self, game: Game, settings: Sequence[Settings], tuples: Sequence[list[list[int]]]):
        cuda = device_code()
        first = settings[0]
        self.game, self.settings, self.tuples = game, settings, tuples
        self.games, self.ends, self.agents = first.threads, first.ends, len(settings)
        self.net, self.horizon = build_net(game, first, tuples[0], tables=False), horizon(first.td)
        self.size = floats(game.facts, self.net)
        check_room(game, settings, tuples[0])
        self.threads = threads_for(cuda.LANES, self.net.base.size, game.facts.actions)
        seeds = [stream(s.seed, TRAINING, g) for s in settings for g in range(self.games)]
        self.backward = make_td(first).backward
        work = make_work(game.facts, self.net, self.horizon, self.backward)
        self.rows = make_rows(game, work, np.concatenate(seeds))
        self.there: Any = cuda.to_device(self.rows)
        self.rules_there = cuda.to_device(game.rules)
        self.nets: list[Net] = []  # without weights
        self.copies: dict[int, SharedArray] = {}  # weights of agents, for others to see
        self.pinned: list[Any] = []
        self.between: Any = None  # the weights of an agent, on the device
        self._settle()
        self.episode, self.launches = 0, 0

    def _settle(self) -> None:
        """Bring the networks and settings of all agents to the device."""
        cuda = device_code()
        weights = cuda.empty(self.agents * self.size, np.float32)
        begun: dict[str, Any] = {}  # tables as they are before the first episode
        for k, (settings, cells) in enumerate(zip(self.settings, self.tuples, strict=True)):
            net = build_net(self.game, settings, cells, tables=False)
            learning = horizon(settings.td), make_td(settings).backward
            if shape(net) != shape(self.net) or learning != (self.horizon, self.backward):
                raise InputError("agents that learn side by side need networks of one shape")
            key = f"{settings.coherence}"
            if key not in begun:
                begun[key] = cuda.to_device(build_net(self.game, settings, cells).weights)
            self.tables_in(weights, k).copy_to_device(begun[key])
            self.nets.append(net)
        stacked: dict[str, Any] = {
            name: np.array([getattr(net, name) for net in self.nets]) for name in PER_AGENT
        }
        net = self.nets[0]._replace(rows=np.zeros(0, np.uint32), **stacked)
        self.net_there: Net = cuda.to_device(net)._replace(weights=weights)
        columns: Any = map(np.array, zip(*map(make_td, self.settings), strict=True))
        self.td_there: TD = cuda.to_device(TD(*columns))

    def member(self, agent: int = 0, place: int = 0) -> "Member":
        """Return an agent as a run sees its learner."""
        return Member(self, agent, place)

    def learn(self, episodes: int) -> None:
        """Let every agent play more episodes of one stage; launches grow as games are added."""
        last = self.episode + episodes
        while self.episode < last:
            count, games = last - self.episode, self.at_a_time()
            if games < self.games:
                count = min(count, max(games, self.episode // GROWTH))
            self.launch(count)
            self.episode += count
        self.rows.totals[:] = self.there.totals.copy_to_host()

    def at_a_time(self) -> int:
        """Return the number of concurrent games of an agent: few while it knows little.

        Games that begin together do not know what the others learn; that matters most at first.
        """
        return min(self.games, 1 + self.episode // RAMP)

    def launch(self, episodes: int) -> None:
        """Return one launch: the blocks of an agent share the episodes."""
        total = next((end for end in self.ends if self.episode < end), self.ends[-1])
        games, last = self.at_a_time(), self.episode + episodes
        # several blocks begin with a part of the episodes, and take the rest one by one
        begun = min(episodes, max(games, episodes // PARTS)) if self.games > 1 else episodes
        shares = self.episode + begun * np.arange(games + 1) // games
        first, count = np.zeros((2, self.games), np.int64)
        first[:games], count[:games] = shares[:-1], np.diff(shares)
        self.there.first.copy_to_device(np.tile(first, self.agents))
        self.there.episodes.copy_to_device(np.tile(count, self.agents))
        self.there.free.copy_to_device(np.full(self.rows.free.size, shares[-1]))
        sizes = sizes_of(self.game, self.net, self.horizon)
        registers = FEW_REGISTERS if 4 * self.size > LARGE else REGISTERS
        run = kernel(self.settings[0].algo, self.games > 1, registers, *sizes)
        arguments = (self.net_there, self.td_there, self.there, self.games, self.size)
        blocks = self.agents * self.games
        device_code().launch(run, blocks, self.threads, self.rules_there, *arguments, total, last)
        self.launches += 1
        if (self.there.finished.copy_to_host() < self.launches).any():
            raise EndlessGame(
                f"{self.game.name}: an episode was not over after {MOST_MOVES:,} moves; "
                "let the rules end every game, for example after a number of moves"
            )

    @property
    def room(self) -> int:
        """Return how many copies of an agent's tables fit into memory."""
        return max(1, int(psutil.virtual_memory().available // 2 // (4 * self.size)))

    def tables(self, agent: int) -> Any:
        """Return the weights of an agent, on the device."""
        return self.tables_in(self.net_there.weights, agent)

    def tables_in(self, weights: Any, agent: int) -> Any:
        """Return the part of all weights that is an agent's."""
        return weights[agent * self.size : (agent + 1) * self.size]

    def network(self, agent: int, place: int = 0) -> Net:
        """Return a copy of an agent's network as it is now, without what is only for learning.

        It takes the place of an earlier copy: memory that a device can write to is dear.
        """
        cuda, net = device_code(), self.nets[agent]
        size = self.size // net.width
        if self.between is None:
            self.between = cuda.empty(size, np.float32)
        if place not in self.copies:
            self.copies[place] = SharedArray(size)
            self.pinned.append(cuda.pinned(self.copies[place].array))
        weights = self.copies[place].array
        cuda.copy_here(self.tables(agent), net.width, self.between, weights)
        return net.plain()._replace(weights=weights)

    def tensors(self, agent: int) -> dict[str, np.ndarray]:
        """Copy of all that changes of an agent, as a CPU's learner names it."""
        arrays = {"weights": self.tables(agent).copy_to_host()}
        names = self.outlives(agent)
        for k, b in enumerate(self.blocks(agent)):
            found = {name: field(self.there, name)[b : b + 1].copy_to_host() for name in names}
            compact(found["trace"], found["counts"])
            arrays |= {f"{name}.{k}": found[name][0] for name in names if name != "rng"}
            arrays[f"rng.{k}"] = found["rng"]
        return arrays

    def put(self, agent: int, arrays: dict[str, np.ndarray]) -> None:
        """Upload all that changes of an agent to the device."""
        self.tables(agent).copy_to_device(arrays["weights"])
        for k, b in enumerate(self.blocks(agent)):
            for name in self.outlives(agent):
                array = np.reshape(arrays[f"{name}.{k}"], field(self.rows, name)[b : b + 1].shape)
                field(self.there, name)[b : b + 1].copy_to_device(array)
            self.rows.totals[b] = arrays[f"totals.{k}"]

    def outlives(self, agent: int) -> tuple[str, ...]:
        """Return the names of what outlives a launch, of each block of an agent."""
        return (*outlives(make_td(self.settings[agent])), "rng", "totals")

    def blocks(self, agent: int) -> range:
        """Return the blocks that play an agent's games."""
        return range(agent * self.games, (agent + 1) * self.games)


class Member(NetLearner):
    """One agent of a population, as a run sees its learner (`AnyLearner`)."""

    def __init__(self, population: Population, agent: int = 0, place: int = 0):
        self.population, self.agent, self.place = population, agent, place
        settings, tuples = population.settings[agent], population.tuples[agent]
        totals = [population.rows.totals[b] for b in population.blocks(agent)]
        super().__init__(population.game, settings, tuples, totals)
        self.td = make_td(settings)

    @property
    def episode(self) -> int:
        """Episodes learned; all agents of a population are equally far."""
        return self.population.episode

    @episode.setter
    def episode(self, episode: int) -> None:
        self.population.episode = episode

    @property
    def net(self) -> Net:
        """A copy of the network as it is now, in place of the last one."""
        return self.population.network(self.agent, self.place)

    def compile(self) -> None:
        """Play nothing, so that whatever comes next need not wait for the compiler."""
        self.population.launch(0)

    def learn(self, episodes: int) -> None:
        """Play more episodes of one stage, with all others of the population."""
        self.population.learn(episodes)

    def tensors(self) -> dict[str, np.ndarray]:
        """Return copies of the arrays that change: a checkpoint is written from them."""
        return self.population.tensors(self.agent)

    def read(self, file: Path) -> None:
        """Continue from a checkpoint."""
        arrays = self.tensors()
        load(file, arrays)
        self.population.put(self.agent, arrays)


def compact(trace: np.ndarray, counts: np.ndarray) -> None:
    """Positions without the empty places between them, as the CPU keeps them."""
    for place in zip(*np.nonzero(counts), strict=True):
        row = trace[place][: counts[place]]
        kept = row[row != EMPTY]
        trace[place][: kept.size], counts[place] = kept, kept.size


def sizes_of(game: Game, net: Net, horizon: int) -> tuple[int, ...]:
    """Return the sizes that a kernel is compiled for."""
    facts = game.facts
    return facts.words, facts.players, facts.actions, facts.cells, net.base.size, horizon


def make_rows(game: Game, work: Work, rng: np.ndarray) -> Rows:
    """Memory of all blocks, one for each generator, as it is before the first episode."""
    first, episodes, free, finished = np.zeros((4, rng.size), np.int64)
    return Rows(
        work=rows_of(work, rng.size),
        rng=rng,
        totals=np.zeros((rng.size, 1 + game.facts.players)),
        first=first,
        episodes=episodes,
        free=free,
        finished=finished,
    )


def field(rows: Rows, name: str) -> Any:
    """Return an array of all blocks, by its name."""
    return getattr(rows.work if name in Work._fields else rows, name)


def shape(net: Net) -> tuple:
    """Return the properties that all networks of a population share."""
    plain = {name: v for name, v in net._asdict().items() if not isinstance(v, np.ndarray)}
    return (net.strides.shape, *plain.values())


def threads_for(lanes: int, indices: int, actions: int) -> int:
    """Threads of a block: one for each index and a warp for each candidate, up to a limit."""
    return lanes * min(MOST_WARPS, max(-(-indices // lanes), actions))
