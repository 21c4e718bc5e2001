"""Check of a game's symmetries: a mirrored position has to behave like the position.

Checking the generators of the group is enough. Mirrored positions are set up with position() if the
rules have it, otherwise by mirrored moves, in games without chance and with a symmetric start.
"""

from collections.abc import Sequence

import numpy as np

from tafl.boards.game import Game
from tafl.boards.outcomes import Report
from tafl.boards.probe import Seen, some
from tafl.boards.state import State
from tafl.errors import GameError, InputError


class SymmetryProbe:
    """Compares positions with their mirror images, and with the results of position()."""

    def __init__(self, game: Game, numbers: Sequence[int], fault: Report, notes: list[str]):
        self.game, self.numbers, self.fault, self.notes = game, numbers, fault, notes
        self.images: dict[int, State] = {}  # of the current position, by symmetry

    def look(self, words: np.ndarray, rng: np.ndarray, seen: Seen, moves: Sequence[int]) -> None:
        """Check one position."""
        state = State(self.game, words, rng)
        if hasattr(self.game.rules, "position"):
            self._look_by_position(state, seen)
        elif self.game.has_chance and self.numbers:
            self._note("it is a game of chance")
        else:
            for s in self.numbers:
                self._look_by_moves(s, state, moves)

    def _look_by_position(self, state: State, seen: Seen) -> None:
        cells = state.cells
        base = self._position("position()", cells, seen.player)
        if base is None:
            return
        if (made := base.cells) != cells:
            c = next(c for c, value in enumerate(made) if value != cells[c])
            self.fault("position", f"position() puts {made[c]} on cell {c} instead of {cells[c]}")
            return
        for s in self.numbers:
            mirrored = [cells[c] for c in self.game.facts.symmetries[s]]
            image = self._position(f"symmetry {s}", mirrored, seen.player)
            if image is not None:
                self._compare(s, base, image)

    def _position(self, kind: str, cells: list[int], player: int) -> State | None:
        try:
            return self.game.position(cells, player)
        except GameError:
            raise
        except InputError as error:
            self.fault(kind, f"{kind} is wrong: it refuses {cells}, {error}")
            return None

    def _look_by_moves(self, s: int, state: State, moves: Sequence[int]) -> None:
        if not moves and self._difference(s, state, state):
            self._note("the start position is not symmetric")
        elif not moves:
            self.images[s] = state.copy()
        elif s in self.images:
            mirrored = self.game.facts.action_symmetries[s][moves[-1]]
            try:
                self.images[s].play(mirrored)
            except InputError as error:
                del self.images[s]
                self._broken(s, _unplayable(moves[-1], mirrored, error))
        if s in self.images:
            self._compare(s, state, self.images[s])

    def _note(self, why: str) -> None:
        note = f"not all symmetries were tested: {why}, and the rules have no position()"
        if note not in self.notes:
            self.notes.append(note)

    def _broken(self, s: int, problem: str) -> None:
        self.fault(f"symmetry {s}", f"symmetry {s} does not hold: {problem}")

    def _compare(self, s: int, base: State, image: State) -> None:
        """Check that the image has mirrored cells and actions, also after one move."""
        problem, legal = self._difference(s, base, image), base.legal_actions
        mirrored = self.game.facts.action_symmetries[s]
        if not problem and sorted(mirrored[a] for a in legal) != image.legal_actions:
            problem = f"the images of the legal actions are not legal (action_symmetries[{s}])"
        for action in some(legal):
            problem = problem or self._move_problem(s, base, image, action)
        if problem:
            self._broken(s, problem)

    def _move_problem(self, s: int, base: State, image: State, action: int) -> str:
        after, mirrored = base.afterstate(action), self.game.facts.action_symmetries[s][action]
        try:
            image_after = image.afterstate(mirrored)
        except GameError as error:
            return _unplayable(action, mirrored, error)
        problem = self._difference(s, after, image_after)
        rewards = np.subtract(after.scores, base.scores)
        if not problem and not np.allclose(rewards, np.subtract(image_after.scores, image.scores)):
            problem = "the rewards differ"
        return f"action {action} and its image {mirrored}: {problem}" if problem else ""

    def _difference(self, s: int, base: State, image: State) -> str:
        """Return why a state is not the mirror image of another; empty if it is."""
        cells, found = base.cells, image.cells
        wanted = [cells[c] for c in self.game.facts.symmetries[s]]
        if found != wanted:
            c = next(c for c, value in enumerate(found) if value != wanted[c])
            return f"cell {c} should be {wanted[c]}, but is {found[c]}"
        if image.over != base.over:
            return f"over is {image.over} instead of {base.over}"
        if not base.over and image.player != base.player:
            return f"player is {image.player} instead of {base.player}"
        return ""


def _unplayable(action: int, mirrored: int, error: Exception) -> str:
    return f"action {action} can be played, but its image {mirrored} cannot: {error}"
