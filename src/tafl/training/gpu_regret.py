"""Regret matching on a GPU: many agents at once, one game at a time each, learned as on the CPU."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tafl.boards import Game
from tafl.core.learn.regret import Regret, make_moves
from tafl.core.learn.regret_population import TABLES, RegretRows, train_agents
from tafl.core.learn.store import Store, fill_slots, rows_used
from tafl.errors import FullStore, InputError, LongEpisode
from tafl.runs.stores import arrays_of, fill_store, read_arrays
from tafl.settings.build import build_store, index_net, make_regret
from tafl.settings.model import Settings
from tafl.settings.seeds import TRAINING, stream
from tafl.training.device import check_room, device_code
from tafl.training.regret_learner import StoreLearner, full_store, long_episode

REGISTERS = 255  # of a thread
SPREAD = 2_048  # agents: with fewer each has its own block, and so more of a processor
THREADS = 32  # of a block with several agents


@cache
def kernel() -> Callable:
    """Return the kernel that lets agents learn."""
    made: Callable = device_code().make_kernel_of_threads(train_agents, REGISTERS)
    return made


class RegretPopulation:
    """Agents that learn the same game by regret matching, side by side."""

    copies: dict[int, Any] = {}  # noqa: RUF012 - no weights that workers would share

    def __init__(self, game: Game, settings: Sequence[Settings], tuples: Sequence[list[list[int]]]):
        self.game, self.settings, self.tuples = game, settings, tuples
        self.agents = self.room = len(settings)
        check_room(game, settings, tuples[0])
        cuda, nets = device_code(), [index_net(game, cells) for cells in tuples]
        if len({net.strides.shape for net in nets}) > 1 or len({net.size for net in nets}) > 1:
            raise InputError("agents that learn side by side need n-tuples of the same lengths")
        store = build_store(game, settings[0], tuples[0])
        ways: Any = map(np.array, zip(*map(make_regret, settings), strict=True))
        self.rows = RegretRows(
            strides=np.array([net.strides for net in nets]),
            base=np.array([net.base for net in nets]),
            rng=np.array([stream(one.seed, TRAINING, 0) for one in settings]),
            totals=np.zeros((self.agents, 1 + game.facts.players)),
            finished=np.zeros(self.agents, np.int64),
        )
        self.rules_there = cuda.to_device(game.rules)
        self.stores: Any = cuda.to_device(self._stacked(store))
        self.ways = cuda.to_device(Regret(*ways))
        self.moves = cuda.to_device(self._stacked(make_moves(game.facts, store.net)))
        self.there: Any = cuda.to_device(self.rows)
        self.episode, self.launches = 0, 0

    def _stacked(self, memory: Any) -> Any:
        """Return zeros for all agents in place of each array that one of them has."""
        stacked = {
            name: np.zeros((self.agents, *array.shape), array.dtype)
            for name, array in memory._asdict().items()
            if isinstance(array, np.ndarray)
        }
        return memory._replace(**stacked)

    def member(self, agent: int = 0, place: int = 0) -> "RegretMember":
        """Return an agent as a run sees its learner."""
        return RegretMember(self, agent)

    def learn(self, episodes: int) -> None:
        """Let every agent play more episodes."""
        self.launch(episodes)
        self.episode += episodes
        self.rows.totals[:] = self.there.totals.copy_to_host()

    def launch(self, episodes: int) -> None:
        """Start all threads, and wait for them."""
        threads = 1 if self.agents <= SPREAD else THREADS
        blocks = -(-self.agents // threads)
        arguments = (self.stores, self.ways, self.moves, self.there, self.episode, episodes)
        device_code().launch(kernel(), blocks, threads, self.rules_there, *arguments)
        self.launches += 1
        stopped = np.flatnonzero(self.there.finished.copy_to_host() < self.launches)
        if stopped.size:
            known = self.stores.tables.shape[1], self.stores.used.copy_to_host()[stopped[0], 0]
            if not self.tuples[0] and known[1] > known[0]:
                raise FullStore(full_store(self.game, known[0]))
            raise LongEpisode(long_episode(self.game))

    def store(self, agent: int) -> Store:
        """Return a copy of an agent's tables as they are now, with no room for more."""
        settings, cells = self.settings[agent], self.tuples[agent]
        used = int(self.stores.used[agent].copy_to_host()[0])
        few = settings.regret.model_copy(update={"states": max(1, used)})
        store = build_store(self.game, settings.model_copy(update={"regret": few}), cells)
        store.used[0] = used
        n = rows_used(store)
        self.stores.tables[agent][:n].copy_to_host(store.tables[:n])
        if not cells:
            self.stores.keys[agent][:n].copy_to_host(store.keys[:n])
        fill_slots(store)
        return store

    def put(self, agent: int, file: Path) -> None:
        """Upload what a checkpoint knows of an agent."""
        store = build_store(self.game, self.settings[agent], self.tuples[agent])
        fill_store(file, store)
        for name in TABLES:
            array = getattr(store, name)
            if array.size:
                getattr(self.stores, name)[agent].copy_to_device(array)
        found = read_arrays(file, ("rng.0", "totals.0"))
        self.there.rng[agent].copy_to_device(found["rng.0"])
        self.there.totals[agent].copy_to_device(found["totals.0"])
        self.rows.totals[agent] = found["totals.0"]


class RegretMember(StoreLearner):
    """One agent of a population, as a run sees its learner (`AnyLearner`)."""

    def __init__(self, population: RegretPopulation, agent: int = 0):
        self.population, self.agent = population, agent
        settings, tuples = population.settings[agent], population.tuples[agent]
        super().__init__(population.game, settings, tuples, [population.rows.totals[agent]])

    @property
    def episode(self) -> int:
        """Episodes learned; all agents of a population are equally far."""
        return self.population.episode

    @episode.setter
    def episode(self, episode: int) -> None:
        self.population.episode = episode

    @property
    def net(self) -> Store:
        """A copy of the tables as they are now."""
        return self.population.store(self.agent)

    def compile(self) -> None:
        """Play nothing, so that whatever comes next need not wait for the compiler."""
        self.population.launch(0)

    def learn(self, episodes: int) -> None:
        """Play more episodes, with all others of the population."""
        self.population.learn(episodes)

    def tensors(self) -> dict[str, np.ndarray]:
        """Return copies of the arrays of a checkpoint."""
        rng = self.population.there.rng[self.agent].copy_to_host()
        return arrays_of(self.net) | {"rng.0": rng, "totals.0": self.totals[0].copy()}

    def read(self, file: Path) -> None:
        """Continue from a checkpoint."""
        self.population.put(self.agent, file)
