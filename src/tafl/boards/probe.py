"""Checks of single positions and moves of a game, in plain Python."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from tafl.boards.game import Game
from tafl.boards.outcomes import OutcomeProbe, Report
from tafl.boards.state import EVERYTHING
from tafl.errors import GameError

EPSILON = 1e-9
SOME_ACTIONS = 3
BITS = 64  # of a mask

Position = tuple[np.ndarray, np.ndarray]  # words and rng


class Words(np.ndarray):
    """A state that refuses fractions, which NumPy would round silently."""

    def __setitem__(self, key: Any, value: Any) -> None:
        given = np.asarray(value)
        if given.dtype.kind in "fc" and given.size:
            raise TypeError(f"a state holds whole numbers, and {value} is none: use // and int()")
        super().__setitem__(key, value)

    def fill(self, value: Any) -> None:
        """Set all words."""
        self[...] = value


class WriteOnly(np.ndarray):
    """An array that cannot be read: on a GPU other threads write it at the same time."""

    def __getitem__(self, key: Any) -> Any:
        raise TypeError("moves() must write to out, never read it")


@dataclass
class Seen:
    """The answers of the rules about a position."""

    over: bool
    player: int
    legal: list[int]
    scores: list[float]
    cells: list[int]
    inputs: list[int]  # the cells as networks see them


class Probe:
    """Queries the rules of a game, and calls fault(kind, text) for each impossible answer."""

    def __init__(self, game: Game, fault: Report):
        self.game, self.facts, self.fault = game, game.facts, fault
        self.outcomes = OutcomeProbe(game, fault)
        rules = type(game.rules)
        self.input = "cell" if rules.input is rules.cell else "input"

    def start(self, seed: int) -> Position:
        """Return the start position; check that it does not depend on the state before."""
        clean = np.zeros(self.facts.words, np.int64).view(Words)
        used = np.full(self.facts.words, 0x0123456789ABCDEF, np.int64).view(Words)
        rng = np.array([seed], np.uint64)
        for words in (clean, used):
            self.game.call("start", words)
        if not np.array_equal(clean, used):
            word = int(np.argmax(clean != used))
            self.fault("start", f"start() does not set word {word} of the state")
        following, rng = self._chance(clean, rng)
        self.outcomes.look_at_start(clean, following)
        return following, rng

    def look(self, words: np.ndarray, draw: bool = False) -> Seen:
        """Return the answers of the rules, asked twice about a read-only state, and check them."""
        with read_only(words):
            seen = self._ask(words)
            if self._ask(words) != seen:
                self.fault("unstable", "the rules give different answers for the same state")
            if draw:
                self._check_texts(words, seen)
            self._check_mask(words, seen)
            self._check_moves(words, seen)
            self._check_packed(words, seen.inputs)
        self._check(seen)
        return seen

    def move(self, words: np.ndarray, rng: np.ndarray, action: int) -> Position:
        """Return the position after an action, and check it."""
        after, again = words.copy(), words.copy()
        for copy in (after, again):
            self.game.call("play", copy, action)
        if not np.array_equal(after, again):
            self.fault("play", f"play({action}) gives different results for the same state")
        following, rng = self._chance(after, rng)
        self.outcomes.look(after, following)
        self._check_end(after, following)
        seen = [(s, self._cells(s, self.input)) for s in (words, after, following)]
        self._check_packed(*seen[1])
        for (before, old), (later, new) in combinations(seen, 2):
            self._check_changed(before, later, old, new)
        return following, rng

    def crash(self, error: GameError) -> None:
        """Report an exception in the rules."""
        if "read-only" in str(error.__cause__):
            self.fault("writes", f"{str(error).partition(': ')[0]}: it must not write to the state")
        else:
            self.fault("crash", str(error))

    def _ask(self, words: np.ndarray) -> Seen:
        def call(method: str, *arguments: int) -> Any:
            return self.game.call(method, words, *arguments)

        over, cells = bool(call("over")), self._cells(words)
        return Seen(
            over=over,
            player=call("player"),
            legal=[] if over else [a for a in range(self.facts.actions) if call("legal", a)],
            scores=[call("score", p) for p in range(self.facts.players)],
            cells=cells,
            inputs=cells if self.input == "cell" else self._cells(words, self.input),
        )

    def _check(self, seen: Seen) -> None:
        """Report impossible answers."""
        facts = self.facts
        if not seen.over and not _is_below(seen.player, facts.players):
            self.fault("player", f"player() is {seen.player}, not one of 0 to {facts.players - 1}")
        if not seen.over and not seen.legal:
            self.fault("stuck", "there is no legal action, but the game is not over")
        low, high = facts.score_range
        for p, score in enumerate(seen.scores):
            if not _is_number(score) or not low - EPSILON <= score <= high + EPSILON:
                self.fault("score", f"score({p}) is {score}, outside score_range {low} to {high}")
        for p, team in enumerate(facts.teams):
            mate = facts.teams.index(team)
            if seen.scores[p] != seen.scores[mate]:
                both = f"their scores are {seen.scores[mate]} and {seen.scores[p]}"
                self.fault("teams", f"players {mate} and {p} are a team, but {both}")
        numbers = all(_is_number(score) for score in seen.scores)
        if facts.is_zero_sum and numbers and abs(sum(seen.scores)) > EPSILON:
            total = f"the scores add up to {sum(seen.scores):g}, not to 0"
            self.fault("zero_sum", f"{total}; set zero_sum=False in facts()")
        for name, values, count in (
            ("cell", seen.cells, facts.values),
            (self.input, seen.inputs, facts.input_values),
        ):
            for c, value in enumerate(values):
                if not _is_below(value, count):
                    self.fault(name, f"{name}({c}) is {value}, not one of 0 to {count - 1}")

    def _check_mask(self, words: np.ndarray, seen: Seen) -> None:
        """Check that legal_mask() has the bits of the legal actions, and no others."""
        mask = -1 if seen.over else int(self.game.call("legal_mask", words))
        wrong = mask ^ sum(1 << action for action in seen.legal)
        if mask != -1 and wrong & 0xFFFFFFFFFFFFFFFF:
            action = (wrong & -wrong).bit_length() - 1
            self.fault("legal_mask", f"legal_mask() and legal() do not agree on action {action}")

    def _check_moves(self, words: np.ndarray, seen: Seen) -> None:
        """Check that moves() lists the legal actions in ascending order, and never reads `out`."""
        if seen.over or not self.game.lists_moves:
            return
        out = np.zeros(self.facts.actions, np.int64).view(WriteOnly)
        count = self.game.call("list_moves", words, out)
        listed = np.asarray(out)[: max(0, count)].tolist()
        if len(listed) != count or listed != seen.legal:
            shown = f"moves() lists {_shown(listed)}, but the legal actions are"
            self.fault("moves", f"{shown} {_shown(seen.legal)}")

    def _check_packed(self, words: np.ndarray, cells: list[Any]) -> None:
        """Check that word 0 holds the cells as `Facts.packed` describes."""
        if self.facts.packed is not None:
            packed = self.facts.packed.cells(words[0], self.facts.cells)
            for c, (value, there) in enumerate(zip(cells, packed, strict=True)):
                if value != there:
                    text = f"{self.input}({c}) is {value}, but by packed it is {there}"
                    self.fault("packed", text)
                    return

    def _check_texts(self, words: np.ndarray, seen: Seen) -> None:
        eyes = range(EVERYTHING, self.facts.players)
        arguments = [(words, eye) for eye in eyes] if self.game.hides else [(words,)]
        if hasattr(self.game.rules, "draw"):
            for each in arguments:
                if not isinstance(self.game.call("draw", *each), str):
                    self.fault("draw", "draw() does not return text")
        for action in range(self.facts.actions):
            if not isinstance(self.game.call("action_name", action), str):
                self.fault("action_name", f"action_name({action}) does not return text")
                return
        known: dict[str, int] = {}
        for action in seen.legal:
            name = self.game.action_name(action)
            other = known.setdefault(name.strip().casefold(), action)
            if other != action:
                text = f"the legal actions {other} and {action} are both called {name!r}"
                self.fault("names", f"{text}: players cannot tell them apart")

    def _chance(self, words: np.ndarray, rng: np.ndarray) -> Position:
        """Return the state after chance; check that it draws from rng alone."""
        results = []
        for _ in range(2):
            copy, own_rng = words.copy(), rng.copy()
            self.game.call("chance", copy, own_rng)
            results.append((copy, own_rng))
        if not all(map(np.array_equal, *results)):
            self.fault("chance", "chance() gives different results for the same state and rng")
        return results[0]

    def _check_end(self, after: np.ndarray, following: np.ndarray) -> None:
        """Check that a finished game stays finished, with the same scores."""
        if not self.game.call("over", after):
            return
        if not self.game.call("over", following):
            self.fault("reopened", "the game was over, but after chance() it is not")
        for p in range(self.facts.players):
            first, later = (self.game.call("score", words, p) for words in (after, following))
            if first != later:
                text = f"score({p}) changes after the end, from {first} to {later}"
                self.fault("score after the end", text)

    def _cells(self, words: np.ndarray, method: str = "cell") -> list[Any]:
        return [self.game.call(method, words, c) for c in range(self.facts.cells)]

    def _check_changed(
        self, before: np.ndarray, after: np.ndarray, old: list[Any], new: list[Any]
    ) -> None:
        """Check that changed() names cells only, and all of the first 64 that differ."""
        with read_only(before, after):
            mask = int(self.game.call("changed", before, after))
        if mask == -1:
            return
        mask &= 0xFFFFFFFFFFFFFFFF
        if mask >> self.facts.cells:
            cell, last = mask.bit_length() - 1, self.facts.cells - 1
            self.fault("changed", f"changed() names cell {cell}, but the cells are 0 to {last}")
        for c, (value, later) in enumerate(zip(old[:BITS], new[:BITS], strict=True)):
            if value != later and not mask >> c & 1:
                self.fault("changed", f"changed() leaves out cell {c}, which did change")


def some(actions: list[int]) -> list[int]:
    """Return a few of the actions, spread over all of them."""
    return actions[:: 1 + len(actions) // SOME_ACTIONS]


def _shown(actions: list[int]) -> str:
    """Return the first actions of a list."""
    return " ".join(map(str, actions[:10])) + (" ..." if len(actions) > 10 else "") or "none"


@contextmanager
def read_only(*arrays: np.ndarray) -> Iterator[None]:
    """Let nothing write to arrays."""
    for array in arrays:
        array.flags.writeable = False
    try:
        yield
    finally:
        for array in arrays:
            array.flags.writeable = True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and isfinite(value)


def _is_below(value: Any, limit: int) -> bool:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and 0 <= value < limit
