"""Beam search over the values of a trained agent, for puzzles."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np

from tafl.agents.agent import limited
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import GuidedAgent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.play.greedy import action_values
from tafl.core.search.beam import Beam, beam_search, make_beam
from tafl.errors import InputError

MOST_WIDTH, MOST_PLIES = 4_000_000, 1_000
LESS = 1e-9  # other actions are worth less than the first one of a plan by at least this much
TRIED = 40  # moves that show whether there is chance after moves


@dataclass(eq=False, repr=False)
class BeamAgent(GuidedAgent):
    """Searches for the best way to the end of a puzzle, and keeps `width` positions at each ply.

    It plays the whole way that it found. Where it finds none, it plays like the trained agent.
    """

    game: Game
    agent: LearnedAgent
    seed: int = 0
    _: KW_ONLY
    width: int = limited(1000, 1, MOST_WIDTH)
    plies: int = limited(100, 1, MOST_PLIES)

    def _check_game(self) -> None:
        if self.game.facts.players != 1:
            raise InputError(f"beam is for puzzles of one player, not for {self.game.name}")
        if has_chance_after_moves(self.game):
            raise InputError(f"beam is for puzzles without chance, not for {self.game.name}")

    def _make_memory(self) -> None:
        super()._make_memory()
        self._way = np.zeros(self.plies, np.int64)
        self._planned: dict[bytes, int] = {}  # positions of the last plan, and what to play there

    @cached_property
    def _beam(self) -> Beam:
        return make_beam(self.game.facts, self.width, self.plies)

    def plan(self, state: State) -> list[int]:
        """Return the actions that lead to the best end that it finds; none if it finds none."""
        self._enter(state)
        with self._lock:
            return self._find(state.words)

    def _find(self, words: np.ndarray) -> list[int]:
        count = self._undisturbed(self._look_ahead, words)
        return [int(action) for action in self._way[:count]]

    def _look_ahead(self, words: np.ndarray) -> int:
        limits = self.plies, self.game.facts.cells
        found = self.rng, self._way
        return int(beam_search(self.game.rules, self.trained, self._beam, words, *limits, *found))

    def _act(self, state: State) -> int:
        if state.words.tobytes() not in self._planned:
            self._planned, words = {}, state.words.copy()
            for action in self._find(state.words):
                self._planned[words.tobytes()] = action
                self.game.call("play", words, action)
        planned = self._planned.get(state.words.tobytes())
        return super()._act(state) if planned is None else planned

    def _search(self, words: np.ndarray) -> int:
        net, td, work = self.trained.net, self.trained.td, self.trained.work
        count = self._look_ahead(words)
        work.state[:] = words
        found = self._actions, self._values
        n = int(action_values(self.game.rules, net, td, work, self.rng, *found))
        if count:
            worth = self._beam.best[0] - self._score_before(words)
            others = np.minimum(self._values[:n], worth - LESS)
            self._values[:n] = np.where(self._actions[:n] == self._way[0], worth, others)
        return n


def has_chance_after_moves(game: Game) -> bool:
    """Return whether chance does anything but begin the game, as far as some moves show it."""
    state = game.start(seed=1)
    for number in range(TRIED if game.has_chance else 0):
        if state.over:
            break
        legal = state.legal_actions
        after = state.afterstate(legal[number % len(legal)])
        state.play(legal[number % len(legal)])
        if not np.array_equal(state.words, after.words):
            return True
    return False
