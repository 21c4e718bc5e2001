"""Checks of a game: random games, and the faults that they find in its rules.

Rules run first in plain Python, where mistakes can be caught. Rules that pass are compiled, and
have to give the same results. Only the first fault of each kind is reported.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from numbers import Integral
from pathlib import Path
from random import Random

import numpy as np

from tafl.arguments import argument
from tafl.boards.game import Game, checked_seed
from tafl.boards.groups import generators
from tafl.boards.load import load_game
from tafl.boards.oddities import Lookalikes, Played, oddities
from tafl.boards.probe import Probe, Seen, some
from tafl.boards.redeals import CALLS, QUICK_CALLS, Survey
from tafl.boards.seats import SeatProbe
from tafl.boards.symmetry import SymmetryProbe
from tafl.boards.views import ViewProbe
from tafl.boards.watchdog import Watchdog
from tafl.core.compile import examine
from tafl.core.play.replay import look_around, make_trace, make_views, replay
from tafl.errors import FaultyGame, GameError, InputError, check_type

MOST_MOVES = 10_000  # of one game
LONG_GAME = 500  # moves; a longer game is only played to its end
QUICK_GAMES, QUICK_SECONDS = 20, 0.3  # limits of a quick check
ENOUGH_MOVES = 2_000  # of all games
ROUNDING = 1e-12  # compiled sums may be added up in another order
ENOUGH_POSITIONS = 200  # for symmetries, position() and draw(), which take longer


@dataclass(frozen=True)
class Fault:
    """A mistake in the rules, and the moves that show it."""

    text: str
    seed: int | None = None
    moves: tuple[int, ...] | None = None

    def __str__(self) -> str:
        if self.moves is None:
            return self.text
        words = " ".join(map(str, self.moves))
        moves = argument("moves", words) if self.moves else "at the start"
        return f"{self.text}; {argument('seed', self.seed)} {moves}"


@dataclass
class Findings:
    """The findings of a check; a correct game has no faults."""

    game: str
    games: int = 0
    moves: int = 0
    faults: dict[str, Fault] = field(default_factory=dict)  # by kind
    notes: list[str] = field(default_factory=list)

    def add(
        self, kind: str, text: str, seed: int | None = None, moves: Sequence[int] | None = None
    ) -> None:
        """Note a fault, unless there is one of its kind already."""
        where = None if moves is None else tuple(moves)
        self.faults.setdefault(kind, Fault(text, seed, where))


def check(spec: str | Path | type | Game, games: int = 50, seed: int = 0) -> Findings:
    """Play random games and report what is wrong with the rules.

    >>> check("tictactoe", games=3).faults
    {}
    """
    check_type("games", games, Integral)
    if games < 1:
        raise InputError(f"games must be at least 1, not {games}")
    checked_seed(seed)
    try:
        game = load_game(spec)
    except GameError as error:
        findings = Findings(str(spec))
        findings.add("load", str(error))
        return findings
    findings = Findings(game.name)
    symmetries, played = generators(game.facts), dict[int, Played]()
    lookalikes = Lookalikes(game)
    for number in range(seed, seed + games):
        # the game after an endless one would be endless too
        if findings.moves >= ENOUGH_MOVES or "endless" in findings.faults:
            break
        played[number] = _play(game, findings, number, symmetries, lookalikes)
    if game.hides and not findings.faults:
        findings.notes += _check_redeals(game, findings, seed, CALLS)
    if not findings.faults:
        findings.notes += [*oddities(game, list(played.values())), *lookalikes.notes.values()]
        _compare_compiled(game, findings, played)
    return findings


def _check_redeals(game: Game, findings: Findings, seed: int, calls: int) -> list[str]:
    """Check what redeals make of positions of random games; return notes."""
    survey = Survey(game, calls)
    try:
        with Watchdog(game):
            survey.play(seed)
            for flaw in survey.flaws():
                findings.add(flaw.kind, flaw.text, flaw.seed, flaw.moves)
    except GameError as error:
        findings.add("crash", str(error))
    return list(survey.forgetful())


def quick_check(game: Game) -> None:
    """Play a few random games in plain Python; raise a FaultyGame at the first fault.

    Compiled code trusts the rules: a fault in them may crash it, or make it run forever.

    >>> import tafl
    >>> quick_check(tafl.game("tictactoe"))
    """
    findings = Findings(game.name)
    end = time.monotonic() + QUICK_SECONDS
    for seed in range(QUICK_GAMES):
        _play(game, findings, seed, until=end)
        _refuse(findings)
        if time.monotonic() > end:
            break
    if game.hides:
        _check_redeals(game, findings, 0, QUICK_CALLS)
        _refuse(findings)


def _refuse(findings: Findings) -> None:
    """Raise a FaultyGame if there is a fault."""
    for fault in findings.faults.values():
        raise FaultyGame(f"{fault}; tafl check tells more")


class Inspector:
    """Looks at the positions of one random game; without `lookalikes` only briefly."""

    def __init__(
        self,
        game: Game,
        findings: Findings,
        seed: int,
        symmetries: Sequence[int],
        lookalikes: Lookalikes | None,
    ):
        self.findings, self.lookalikes = findings, lookalikes
        self.moves: list[int] = []
        self.probe = Probe(game, lambda kind, text: findings.add(kind, text, seed, self.moves))
        self.mirrors = SymmetryProbe(game, list(symmetries), self.probe.fault, findings.notes)
        self.views = ViewProbe(game, self.probe.fault)
        self.seats = SeatProbe(game, self.probe.fault)
        self._mover = -1  # who made the last move

    def look(self, words: np.ndarray, rng: np.ndarray) -> Seen:
        """Return what the rules say of a position, and note its faults."""
        closely = self.lookalikes is not None and self.findings.moves < ENOUGH_POSITIONS
        self.views.look(words, rng, closely=closely)
        seen = self.probe.look(words, draw=closely)
        if closely:
            self._try_some(words, rng, seen)
            self.mirrors.look(words, rng, seen, self.moves)
            self.seats.look(words, seen.legal)
        if seen.over and not self.moves:
            self.probe.fault("start over", "the game is over at the start")
        if self.lookalikes and seen.legal:
            self.lookalikes.look(words, rng, seen, self.moves, self._mover)
        self._mover = seen.player
        return seen

    def _try_some(self, words: np.ndarray, rng: np.ndarray, seen: Seen) -> None:
        """Try other actions than the one that will be played."""
        for action in some(seen.legal):
            self.moves.append(action)
            self.probe.move(words, rng, action)
            self.moves.pop()


def _play(
    game: Game,
    findings: Findings,
    seed: int,
    symmetries: Sequence[int] = (),
    lookalikes: Lookalikes | None = None,
    until: float = inf,
) -> Played:
    """Play one random game in plain Python, not longer than `until`."""
    inspector = Inspector(game, findings, seed, symmetries, lookalikes)
    moves, probe, choice = inspector.moves, inspector.probe, Random(seed)
    scores: set[tuple[float, ...]] = set()  # before the end
    findings.games += 1
    try:
        with Watchdog(game) as watchdog:
            words, rng = probe.start(seed)
            while time.monotonic() < until:
                seen = inspector.look(words, rng)
                if seen.over or not seen.legal:
                    return Played(moves, seen.scores, len(scores) > 1)
                scores.add(tuple(seen.scores))
                if len(moves) >= min(LONG_GAME, MOST_MOVES):
                    break
                moves.append(choice.choice(seen.legal))
                findings.moves += 1
                words, rng = probe.move(words, rng, moves[-1])
            if not _comes_to_an_end(game, words, rng, choice, len(moves)):
                text = f"a game that begins like this is not over after {MOST_MOVES:,} moves"
                findings.add("endless", text, seed, moves[:20])
    except GameError as error:
        if watchdog.found:
            probe.fault("endless", str(error))
        else:
            probe.crash(error)
    return Played(moves, [], len(scores) > 1)


def _comes_to_an_end(
    game: Game, words: np.ndarray, rng: np.ndarray, choice: Random, played: int
) -> bool:
    """Play on at random; return whether the game ends before it is too long."""
    for _ in range(played, MOST_MOVES):
        if game.call("over", words):
            return True
        n, first = game.facts.actions, choice.randrange(game.facts.actions)
        actions = ((first + i) % n for i in range(n))  # quick to find, but not always the first
        action = next((a for a in actions if game.call("legal", words, a)), None)
        if action is None:
            return True
        game.call("play", words, action)
        game.call("chance", words, rng)
    return bool(game.call("over", words))


def _compare_compiled(game: Game, findings: Findings, games: dict[int, Played]) -> None:
    """Replay games compiled and in plain Python, and report the first difference."""
    try:
        examine(game.rules)
    except GameError as error:
        findings.add("compile", str(error))
        return
    for seed, (moves, *_) in games.items():
        compiled, plain = make_trace(game.facts, len(moves)), make_trace(game.facts, len(moves))
        actions = np.array(moves, np.int64)
        replay(game.rules, actions, np.array([seed], np.uint64), compiled)
        with np.errstate(over="ignore"):
            replay.python(game.rules, actions, np.array([seed], np.uint64), plain)
        pairs = list(zip(plain._fields, plain, compiled, strict=True))
        if game.hides:
            pairs += _views(game, plain.words, seed)
        for name, ours, theirs in pairs:
            differ = np.argwhere(_differ(ours, theirs))
            if len(differ):
                at = tuple(int(i) for i in differ[0])
                what = f"{name}{list(at[1:]) or ''}"
                text = f"{what} is {ours[at]} in plain Python but {theirs[at]} compiled"
                findings.add("compiled", text, seed, moves[: at[0]])
                return


def _views(game: Game, words: np.ndarray, seed: int) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Return what players see, and redeals, in plain Python and compiled, with names."""
    views = make_views(game.facts, len(words)), make_views(game.facts, len(words))
    with np.errstate(over="ignore"):
        look_around.python(game.rules, words, np.array([seed], np.uint64), views[0])
    look_around(game.rules, words, np.array([seed], np.uint64), views[1])
    return list(zip(("sees", "redeal"), *views, strict=True))


def _differ(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return a mask of the entries that differ; floats may differ by rounding."""
    if ours.dtype.kind != "f":
        return np.asarray(ours != theirs)
    return np.asarray(~np.isclose(ours, theirs, rtol=1e-9, atol=ROUNDING))
