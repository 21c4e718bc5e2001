"""Positions of a game, in plain Python."""

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from tafl.errors import GameError, IllegalAction, InputError

if TYPE_CHECKING:
    from tafl.boards.game import Game

MOST_LISTED = 20
EVERYTHING = -1  # a player who sees all, for `draw`

Past = tuple["Past", int, np.ndarray, np.ndarray] | None  # before it, action, words and rng before


class State:
    """A position; `play` changes it, `undo` takes it back.

    >>> import tafl
    >>> state = tafl.game("connectfour").start()
    >>> state.play("d")  # or state.play(3)
    >>> state.player, state.legal_actions, state.history
    (1, [0, 1, 2, 3, 4, 5, 6], [3])
    """

    __slots__ = ("_past", "from_start", "game", "rng", "words")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, game: "Game", words: np.ndarray, rng: np.ndarray, *, from_start: bool = False
    ):
        self.game = game
        self.words = words  # int64[words]: the state of the rules
        self.rng = rng  # uint64[1]: the random generator
        self._past: Past = None
        self.from_start = from_start  # does history begin at the start of the game?

    @property
    def player(self) -> int:
        """Return the player to move: 0, 1, ..."""
        return int(self._number("player"))

    @property
    def over(self) -> bool:
        """Return whether the game is finished."""
        return bool(self._ask("over"))

    @property
    def legal_actions(self) -> list[int]:
        """Return the actions that can be played, none when the game is over."""
        if self.over:
            return []
        if self.game.lists_moves:
            return self.game.listed(self.words)
        return [a for a in range(self.game.facts.actions) if self._ask("legal", a)]

    @property
    def legal_moves(self) -> dict[int, str]:
        """Return the legal actions and their names.

        >>> import tafl
        >>> tafl.position("tictactoe: b2 a1 c3 a3 c1").legal_moves
        {1: 'b3', 3: 'a2', 5: 'c2', 7: 'b1'}
        """
        return {action: self.game.action_name(action) for action in self.legal_actions}

    @property
    def scores(self) -> list[float]:
        """Return the score of each player so far, in points."""
        points = self.game.points
        return [points(self._number("score", p)) for p in range(self.game.facts.players)]

    @property
    def cells(self) -> list[int]:
        """Return the value of each cell."""
        return [int(self._number("cell", c)) for c in range(self.game.facts.cells)]

    def seen_by(self, player: int) -> list[int]:
        """Return the value of each cell as a player sees it.

        >>> import tafl
        >>> tafl.position("nim: 0").seen_by(1) == tafl.position("nim: 0").cells
        True
        """
        cells = range(self.game.facts.cells)
        return [int(self._number("sees", player, c)) for c in cells]

    def notices(self, player: int, action: int) -> bool:
        """Return whether a player sees which action the player to move plays here.

        In a game with hidden information it may not: then another action looks the same to it.
        """
        if not self.game.hides or player == self.player:
            return True
        after = self.afterstate(action).seen_by(player)
        others = (self.afterstate(a) for a in self.legal_actions if a != action)
        return all(other.seen_by(player) != after for other in others)

    def redealt(self, player: int, seed: int) -> "State":
        """Return a position that a player cannot tell from this one, drawn at random.

        It has no history and no random generator of this game, which would show what is hidden.
        """
        rng = np.array([seed], np.uint64)
        other = State(self.game, self.words.copy(), rng, from_start=False)
        self.game.call("redeal", other.words, player, rng)
        return other

    @property
    def history(self) -> list[int]:
        """Return the actions played since the start, or since the position was set up."""
        actions, past = [], self._past
        while past is not None:
            past, action = past[:2]
            actions.append(action)
        return actions[::-1]

    @property
    def text(self) -> str:
        """Return the position as a line for `tafl.position`: its moves, or its words.

        >>> import tafl
        >>> tafl.position("connectfour: 3 3 2").text
        'connectfour: d d c'
        >>> tafl.game("nim").position([0, 2, 1], player=1).text
        'nim(heaps=3,stones=5,take=5,misere=false) @ 0 2 1 1 3'
        """
        if self.from_start and not self.game.has_chance:
            names = [self.game.action_name(action) for action in self.history]
            between = ", " if any(" " in name for name in names) else " "
            return f"{self.game.name}: {between.join(names)}".rstrip()
        words = " ".join(f"{int(word) & 0xFFFFFFFFFFFFFFFF:x}" for word in self.words)
        return f"{self.game.name} @ {words}"

    def play(self, action: int | str) -> None:
        """Play an action, then chance; an illegal action leaves the state as it was.

        >>> import tafl
        >>> tafl.game("tictactoe").start().play(9)
        Traceback (most recent call last):
        tafl.errors.IllegalAction: there is no action 9; the actions of tictactoe are 0 to 8
        """
        after = self.afterstate(action)
        self.game.call("chance", after.words, after.rng)
        self.words, self.rng, self._past = after.words, after.rng, after._past

    def undo(self) -> None:
        """Take back the last action and the chance after it.

        >>> import tafl
        >>> state = tafl.position("tictactoe: b2 a1")
        >>> state.undo()
        >>> state.text
        'tictactoe: b2'
        """
        if self._past is None:
            raise InputError("there is no action to take back")
        self._past, _, self.words, self.rng = self._past

    def afterstate(self, action: int | str) -> "State":
        """Return the state after an action, before chance."""
        checked = self.action(action)
        after = self.copy()
        self.game.call("play", after.words, checked)
        after._past = self._past, checked, self.words, self.rng
        return after

    def copy(self) -> "State":
        """Return an independent state with the same history and random generator."""
        copy = State(self.game, self.words.copy(), self.rng.copy(), from_start=self.from_start)
        copy._past = self._past
        return copy

    def __deepcopy__(self, memo: object) -> "State":
        return self.copy()  # a game never changes

    def action(self, action: int | str) -> int:
        """Return the number of a legal action; refuse others.

        >>> import tafl
        >>> start = tafl.game("tictactoe").start()
        >>> start.action(4), start.action("4"), start.action("B2")
        (4, 4, 4)
        """
        if isinstance(action, str):
            return self._named(action)
        last = self.game.facts.actions - 1
        try:
            number = index(action)
            if isinstance(action, bool):
                raise TypeError
        except TypeError:
            raise IllegalAction(f"an action must be a whole number, not {action!r}") from None
        if not 0 <= number <= last:
            known = f"the actions of {self.game.name} are 0 to {last}"
            raise IllegalAction(f"there is no action {number}; {known}")
        if self.over:
            raise IllegalAction(f"the game is over; action {number} cannot be played")
        if not self._ask("legal", number):
            legal = self.legal_actions
            more = " ..." if len(legal) > MOST_LISTED else ""
            listed = " ".join(map(str, legal[:MOST_LISTED])) + more
            raise IllegalAction(f"action {number} is not legal here; legal actions: {listed}")
        return number

    def _named(self, name: str) -> int:
        """Return the legal action with this number or name."""
        wanted = name.strip().casefold()
        if wanted.isascii() and wanted.removeprefix("-").isdecimal() and len(wanted) < MOST_LISTED:
            return self.action(int(wanted))
        for action, text in self.legal_moves.items():
            if wanted == text.casefold():
                return action
        if self.over:
            raise IllegalAction(f"the game is over; {name.strip()!r} cannot be played")
        raise IllegalAction(f"{name.strip()!r} is not legal here; legal actions: {listed(self)}")

    def _ask(self, method: str, *arguments: int) -> Any:
        return self.game.call(method, self.words, *arguments)

    def _number(self, method: str, *arguments: int) -> Any:
        value = self._ask(method, *arguments)
        if not isinstance(value, int | float | np.number):
            raise GameError(f"{self.game.name}: {method}() returned {value!r} instead of a number")
        return value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and np.array_equal(self.words, other.words)

    def __repr__(self) -> str:
        return f"tafl.position({self.text!r})"

    def __str__(self) -> str:
        return self.drawn()

    def drawn(self, player: int | None = None) -> str:
        """Return the position as text, as a player sees it; without a player all of it."""
        if hasattr(self.game.rules, "draw"):
            if self.game.hides:
                return str(self._ask("draw", EVERYTHING if player is None else player))
            return str(self._ask("draw"))
        return " ".join(map(str, self.cells if player is None else self.seen_by(player)))

    def _repr_svg_(self) -> str:
        """Return the position as a picture, for notebooks."""
        from tafl.boards.picture import svg

        return svg(self)


def listed(state: State) -> str:
    """Return a list of the legal actions by number and name, or `none`."""
    moves = state.legal_moves.items()
    return ", ".join(f"{a} ({name})" if str(a) != name else name for a, name in moves) or "none"
