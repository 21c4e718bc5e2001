"""Contests: the one place where games between agents are played.

All chance of a game comes from the contest's seed and the game's number, in any process. In game
`number` of n players agent i is player (i + number) % n, so that n games in a row, a round, are one
start in all rotations.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from tafl.agents import Agent
from tafl.agents.learned import LearnedAgent
from tafl.agents.random import RandomAgent
from tafl.arena.records import Moves, Record, Task
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.play.greedy import make_games, play_random_players
from tafl.errors import AgentError, IllegalAction, Left, TakenBack, message

AT_ONCE = 1_000  # games that compiled code plays in a row
ROOM = 1 << 20  # for their moves
KINDS = 100  # different lists of scores that are shared
MOST_MOVES = 1_000_000  # of one game

Watch = Callable[[State, int], None]


def play_on(
    agents: Sequence[Agent],
    state: State,
    names: Sequence[str] = (),
    plies: int | None = None,
    watch: Watch = lambda state, action: None,
) -> State:
    """Play on to the end, or this many plies; return the last position.

    Each player has an agent. `watch` is called before every move.
    """
    state = state.copy()
    first = len(state.history)
    while not state.over and (plies is None or len(state.history) < first + plies):
        player = state.player
        try:
            action: Any = agents[player].act(view(state))
            if isinstance(action, str):  # a state would accept a name
                raise IllegalAction(f"an agent must return a whole number, not {action!r}")
            watch(state, action)
            state.play(action)
        except TakenBack:
            continue
        except Left:
            raise
        except Exception as error:
            number = len(state.history) - first + 1
            name = names[player] if names else type(agents[player]).__name__
            raise AgentError(f"move {number}: {name}: {message(error)}") from error
    return state


def view(state: State) -> State:
    """Return the position for the player to move, with nothing in it that the player cannot see."""
    if not state.game.hides:
        return state
    seed = derived_seeds(int(state.rng[0]), len(state.history), 1)[0]
    return state.redealt(state.player, seed)


class Contest:
    """Agents that play numbered games; `texts` let other processes make the same agents."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        names: Sequence[str],
        seed: int,
        texts: Sequence[str | None] = (),
    ):
        self.game, self.agents, self.names, self.seed = game, agents, names, seed
        self.texts = texts
        players = range(len(agents))
        self._orders = [[names[(p - r) % len(agents)] for p in players] for r in players]

    def play(self, tasks: Iterable[Task]) -> Iterator[Record]:
        """Play games in order, in compiled code if possible."""
        waiting: list[Task] = []
        learner = self._only_learner()
        for task in tasks:
            if learner is None or task.moves:
                yield self._play(task)
                continue
            waiting.append(task)
            if len(waiting) == AT_ONCE:
                yield from self._compiled(waiting, learner)
                waiting.clear()
        if learner is not None:
            yield from self._compiled(waiting, learner)

    def _play(self, task: Task) -> Record:
        chance, own = self._seeds(task)
        for agent, seed in zip(self.agents, own, strict=True):
            begin(agent, seed)
        players = [self.agents[i] for i in self._order(task)]
        start = after(self.game.start(chance), task.moves)
        try:
            state = play_on(players, start, self._seated(task))
        except AgentError as error:
            raise AgentError(f"game {task.number}, {error}") from error.__cause__
        return self._record(task, chance, state.history[len(task.moves) :], state.scores)

    def planned(self, task: Task) -> Record:
        """Return the record of a game before it is played."""
        return self._record(task, self._seeds(task)[0], [], [])

    def _record(self, task: Task, seed: int, moves: Moves, scores: list[float]) -> Record:
        return Record(
            game=self.game.name,
            number=task.number,
            seed=seed,
            agents=self._seated(task),
            start=task.moves,
            moves=moves,
            scores=scores,
        )

    def _order(self, task: Task) -> list[int]:
        """Return the agents that are player 0, 1, ..."""
        players = len(self.agents)
        return [(player - task.number) % players for player in range(players)]

    def _seated(self, task: Task) -> list[str]:
        """Return their names; games share these lists, which saves memory."""
        return self._orders[task.number % len(self.agents)]

    def _seeds(self, task: Task) -> tuple[int, list[int]]:
        """Return the seed of the game and that of each agent."""
        chance, *own = derived_seeds(self.seed, task.number, 1 + len(self.agents))
        return (chance if task.seed is None else task.seed), own

    def _only_learner(self) -> int | None:
        """Return the trained agent if all others are random, and nothing is hidden from it."""
        if self.game.hides:
            return None
        learners = [i for i, a in enumerate(self.agents) if type(a) is LearnedAgent]
        others = [a for a in self.agents if type(a) is RandomAgent]
        return learners[0] if len(learners) == 1 == len(self.agents) - len(others) else None

    def _compiled(self, tasks: Sequence[Task], learner: int) -> Iterator[Record]:
        """Play the same games as `_play` in compiled code."""
        agent = self.agents[learner]
        assert isinstance(agent, LearnedAgent)
        orders = [self._order(task) for task in tasks]
        seeds = [self._seeds(task) for task in tasks]
        rngs = [[chance, *(own[i] for i in order)]
                for (chance, own), order in zip(seeds, orders, strict=True)]  # fmt: skip
        roles = np.array([order.index(learner) for order in orders])
        done, room = 0, ROOM
        known: dict[tuple[float, ...], list[float]] = {}  # equal scores are one list
        while done < len(tasks):
            left = np.array(rngs[done:], np.uint64)[:, :, None]
            games = make_games(self.game.facts, roles[done:], left, room)
            count = play_random_players(self.game.rules, agent.net, agent.td, agent.work, games)
            if not count:  # one game needs more room
                if room >= MOST_MOVES:
                    raise AgentError(f"game {tasks[done].number}: not over after {room:,} moves")
                room *= 2
            first = 0
            for k in range(count):
                moves = games.moves[first : games.ends[k]].tolist()
                first = int(games.ends[k])
                scores = [self.game.points(score) for score in games.scores[k]]
                scores = known.setdefault(tuple(scores), scores) if len(known) < KINDS else scores
                yield self._record(tasks[done + k], seeds[done + k][0], moves, scores)
            done += count


def after(state: State, moves: Moves) -> State:
    """Return the position after moves."""
    state = state.copy()
    for action in moves:
        state.play(action)
    return state


def begin(agent: Agent, seed: int) -> None:
    """Seed the random generator of an agent."""
    rng = getattr(agent, "rng", None)
    if isinstance(rng, np.ndarray):
        rng[0] = seed


def derived_seeds(seed: int, number: int, count: int) -> list[int]:
    """Return independent seeds that depend only on a seed and a number."""
    sequence = np.random.SeedSequence(seed, spawn_key=(number,))
    return [int(word) for word in sequence.generate_state(count)]
