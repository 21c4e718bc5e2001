"""Games of other libraries, learned by tafl through the library's public interface.

A library makes every move, so such games are slow. Kernels call `Bridge.answer` for a move; it
writes all that rules ask about into the state (`core/games/foreign.py`), from a position of the
library that it finds by the moves so far. What agents see are the library's observations
(`Encoding`).
"""

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict
from ctypes import c_int64, c_void_p, cast
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from tafl.adapters.encoding import Encoding
from tafl.core.compile.primitives import CALLBACK
from tafl.core.compile.stop import FAILURES
from tafl.core.games import foreign
from tafl.core.games.foreign import BITS, HEAD, LENGTH, OVER, PLAYER, POINT, START, WAITS
from tafl.core.games.rules import Facts
from tafl.errors import InputError

LONGEST = 1_000  # actions and chance events of a game; a longer one ends there
GAMES, POSITIONS = 20, 2_000  # random games that show what observations look like
KEPT = 10_000  # positions of the library that are kept
EVENT = 8  # bytes of an event of the history
SHARES = 2.0**53  # of random numbers for chance

BRIDGES: dict[str, "Bridge"] = {}  # by the name of the game


class Position(ABC):
    """A position of another library; it never changes."""

    player: int  # who is to move; who moved last before chance and after the end
    over: bool
    scores: list[float]
    legal: list[int]  # none before chance and after the end
    chance: list[tuple[int, float]]  # outcomes and their probabilities, if chance comes next
    observation: np.ndarray

    def names(self) -> dict[int, str]:
        """Return the names of legal actions, where the library has names."""
        return {}

    @abstractmethod
    def after(self, event: int) -> "Position":
        """Return the position after an action, or after an outcome of chance."""


class Library(ABC):
    """A game of another library: what tafl asks it."""

    name: str  # as in `tafl.game(name)`
    package: str  # which contains the library
    players: int
    actions: int
    score_range: tuple[float, float] | None  # None: that of the random games
    zero_sum: bool | None
    longest: int  # actions and chance events of a game
    planes: int | None  # the axis of planes in observations, such as one per kind of piece

    @abstractmethod
    def start(self) -> Position:
        """Return the start."""

    def drawing(self, position: Position) -> str:
        """Return a position as text."""
        return str(position)


def rules_of(library: Library) -> Any:
    """Return the rules of a library's game for kernels, the same ones for the same name."""
    if library.name not in BRIDGES:
        BRIDGES[library.name] = Bridge(library)
    return BRIDGES[library.name].rules()


class Bridge:
    """Answers kernels that play a foreign game, and states its facts."""

    def __init__(self, library: Library):
        self.library, self.root = library, library.start()
        self.longest = min(library.longest, LONGEST)
        positions, moves, seconds = survey(library, self.root, self.longest)
        self.seconds = seconds / max(1, moves)  # of a move that is tried
        self.has_chance = any(position.chance for position in positions)
        seen = np.array([position.observation for position in positions])
        self.encoding = Encoding(seen, library.planes)
        self._names = action_names(positions)
        self.unit = score_unit(library, positions)
        self.words_of_legal = -(-library.actions // BITS)
        self.head = HEAD + library.players + self.words_of_legal + self.encoding.cells + 1
        self.facts = self._facts()
        self._size = self.facts.words
        self._kept: OrderedDict[bytes, tuple[Position, np.ndarray]] = OrderedDict()
        self._start = self.head_of(self.root)
        self._callback = CALLBACK(self.answer)  # must live as long as its address is used
        self.address = int(cast(self._callback, c_void_p).value or 0)
        foreign.SOURCES[self.address] = self

    def rules(self) -> Any:
        """Return the rules of the game for kernels."""
        door = np.array([self.address, self.library.players, self.words_of_legal], np.int64)
        door.flags.writeable = False
        unit = np.array([self.unit])
        return (foreign.ForeignWithChance if self.has_chance else foreign.Foreign)(door, unit)

    def answer(self, address: int, number: int) -> int:
        """Make the move that a kernel asks for; return 1 if the library has failed."""
        try:
            self.move((c_int64 * self._size).from_address(address), number)
        except BaseException as error:  # the kernel ends, and raises it
            FAILURES.append(self.failure(error))
            return 1
        return 0

    def failure(self, error: BaseException) -> BaseException:
        """Return what is raised for an exception of the library: one line, if it is an error."""
        if isinstance(error, InputError) or not isinstance(error, Exception):
            return error
        text = str(error).strip().partition("\n")[0]
        return InputError(f"{self.library.name} has failed: {type(error).__name__}: {text}")

    def move(self, memory: Any, number: int) -> None:
        """Write the position after an action, a random number for chance, or the start."""
        words = np.frombuffer(memory, np.int64)
        if number == START:
            words[:] = 0
            words[: self.head] = self._start
            return
        length, before = int(words[LENGTH]), self.head + int(words[LENGTH])
        history = words[self.head : before].tobytes()
        event = number
        if number < 0:
            event = -1 - drawn(self.position(history).chance, (-2 - number) / SHARES)
        _, head = self.entry(history, event)
        words[: self.head] = head
        words[before], words[LENGTH] = event, length + 1
        if length + 1 >= self.longest:
            words[OVER], words[WAITS] = 1, 0

    def position(self, history: bytes) -> Position:
        """Return the library's position after these events."""
        if not history:
            return self.root
        if kept := self._kept.get(history):  # another thread may drop it at any time
            return kept[0]
        last = int.from_bytes(history[-EVENT:], "little", signed=True)
        return self.entry(history[:-EVENT], last)[0]

    def entry(self, history: bytes, event: int) -> tuple[Position, np.ndarray]:
        """Return the position after one more event, and the first words of its state."""
        key = history + event.to_bytes(EVENT, "little", signed=True)
        if kept := self._kept.get(key):
            return kept
        before = self.position(history)
        after = before.after(event if event >= 0 else before.chance[-1 - event][0])
        self._kept[key] = found = after, self.head_of(after)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def head_of(self, position: Position) -> np.ndarray:
        """Return the words of a state before its history."""
        players, first = self.library.players, HEAD + self.library.players
        words = np.zeros(self.head, np.int64)
        words[PLAYER], words[OVER] = position.player, position.over
        words[WAITS] = bool(position.chance)
        words[HEAD:first] = [round(score * POINT) for score in position.scores]
        for action in position.legal:
            words[first + action // BITS] |= 1 << (action % BITS)
        cells = words[first + self.words_of_legal :]
        cells[:-1] = self.encoding.cells_of(position.observation)
        cells[-1] = players if position.chance else position.player
        return words

    def drawing(self, words: np.ndarray) -> str:
        """Return the position of a state as text."""
        history = words[self.head : self.head + int(words[LENGTH])].tobytes()
        return self.library.drawing(self.position(history))

    def action_name(self, action: int) -> str:
        """Return the name of an action as one word."""
        return self._names.get(action, str(action))

    def _facts(self) -> Facts:
        library, encoding = self.library, self.encoding
        low, high = library.score_range or (-1 / self.unit, 1 / self.unit)
        return Facts(
            players=library.players,
            actions=library.actions,
            cells=encoding.cells + 1,
            values=max(encoding.values, library.players + 1, 2),
            words=self.head + self.longest,
            score_range=(low * self.unit, high * self.unit),
            score_unit=self.unit,
            zero_sum=library.zero_sum,
            neighbours=[*encoding.neighbours, []] if encoding.neighbours else [],
        )


def survey(library: Library, start: Position, longest: int) -> tuple[list[Position], int, float]:
    """Play random games; return their positions, the number of moves and the seconds they took."""
    rng, positions, moves, began = Random(1), [], 0, perf_counter()
    for _ in range(GAMES):
        position, length = start, 0
        positions.append(start)
        while not position.over and length < longest and len(positions) < POSITIONS:
            if position.chance:
                event = position.chance[drawn(position.chance, rng.random())][0]
            else:
                event = rng.choice(position.legal)
            position, length, moves = position.after(event), length + 1, moves + 1
            positions.append(position)
            if not (position.over or position.chance or position.legal):
                raise InputError(f"{library.name}: a player to move has no legal action")
    return positions, moves, perf_counter() - began


def drawn(chance: list[tuple[int, float]], share: float) -> int:
    """Return the place of the outcome that a random number from 0 to 1 chooses.

    >>> [drawn([(7, 0.25), (9, 0.75)], share) for share in (0.0, 0.2, 0.3, 0.999)]
    [0, 0, 1, 1]
    """
    for place, (_, probability) in enumerate(chance):
        share -= probability
        if share < 0:
            return place
    return len(chance) - 1


def score_unit(library: Library, positions: list[Position]) -> float:
    """Return the score of one point, so that scores are from -1 to 1."""
    seen = library.score_range or [score for one in positions for score in one.scores]
    return 1.0 / max(1.0, *(abs(score) for score in seen))


def action_names(positions: list[Position]) -> dict[int, str]:
    """Return the names of actions that these positions tell, each of one action only."""
    said: dict[int, set[str]] = {}
    for position in positions:
        for action, name in position.names().items():
            said.setdefault(action, set()).add("_".join(name.replace(",", ".").split()))
    found = {action: common_name(names) for action, names in said.items()}
    counts = Counter(found.values())
    return {a: name for a, name in found.items() if counts[name] == 1 and not name.isdecimal()}


def common_name(names: set[str]) -> str:
    """Return what the names of an action have in common: players and captures are left out.

    >>> common_name({"b3a2", "b3a2*"}), common_name({"x(0.1)", "o(0.1)"}), common_name({"a", "b"})
    ('b3a2', '(0.1)', '')
    """
    shortest = min(names, key=len)
    if all(name.startswith(shortest) for name in names):
        return shortest
    return shortest[1:].lstrip("_") if len({name[1:] for name in names}) == 1 else ""
