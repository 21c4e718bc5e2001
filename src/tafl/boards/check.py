"""Is this a correct game? Plays random games and reports what contradicts the contract of rules.

First in plain Python, where a mistake can be caught; only what passes there is compiled, and has to
say the same. Of each kind of fault the first example is reported, with the moves that show it.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from tafl.boards.game import Game
from tafl.boards.groups import generators
from tafl.boards.load import load_game
from tafl.boards.probe import Probe, Seen, some
from tafl.boards.symmetry import SymmetryProbe
from tafl.boards.watchdog import Watchdog
from tafl.core.compile import examine
from tafl.core.play.replay import make_trace, replay
from tafl.errors import FaultyGame, GameError

MOST_MOVES = 10_000  # of one game
LONG_GAME = 500  # moves; of more, only whether they come to an end
QUICK_GAMES, QUICK_SECONDS = 20, 0.3  # of a quick check, whichever is less
ENOUGH_MOVES = 2_000  # of all games
ROUNDING = 1e-12  # compiled sums may be added up in another order
ENOUGH_POSITIONS = 200  # for symmetries, position() and draw(), which take longer


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, and how to see it."""

    text: str
    seed: int | None = None
    moves: tuple[int, ...] | None = None

    def __str__(self) -> str:
        if self.moves is None:
            return self.text
        moves = f'--moves "{" ".join(map(str, self.moves))}"' if self.moves else "at the start"
        return f"{self.text}; --seed {self.seed} {moves}"


@dataclass
class Findings:
    """What a check found; no faults where the game is correct."""

    game: str
    games: int = 0
    moves: int = 0
    faults: dict[str, Fault] = field(default_factory=dict)  # by kind
    notes: list[str] = field(default_factory=list)

    def add(
        self, kind: str, text: str, seed: int | None = None, moves: Sequence[int] | None = None
    ) -> None:
        """Notes a fault, unless there is one of its kind already."""
        where = None if moves is None else tuple(moves)
        self.faults.setdefault(kind, Fault(text, seed, where))


def check(spec: str | Path | type | Game, games: int = 50, seed: int = 0) -> Findings:
    """Plays random games and reports what is wrong with the rules.

    >>> check("tictactoe", games=3).faults
    {}
    """
    try:
        game = load_game(spec)
    except GameError as error:
        findings = Findings(str(spec))
        findings.add("load", str(error))
        return findings
    findings = Findings(game.name)
    symmetries, played = generators(game.facts), dict[int, Played]()
    for number in range(seed, seed + games):
        # after an endless game the next one would take for ever, too
        if findings.moves >= ENOUGH_MOVES or "endless" in findings.faults:
            break
        played[number] = _play(game, symmetries, findings, number)
    if not findings.faults:
        findings.notes += _oddities(game, list(played.values()))
        _compare_compiled(game, findings, played)
    return findings


class Played(NamedTuple):
    """The moves of a random game, and the scores at its end, if it came to one."""

    moves: list[int]
    scores: list[float]


def _oddities(game: Game, games: list[Played]) -> Iterator[str]:
    """Yield what is allowed, but probably a mistake."""
    number = f"all {len(games)} games" if len(games) > 1 else "the one game"
    if max(len(played.moves) for played in games) == 1:
        yield f"{number} ended after one move: is over() right?"
    low, _ = game.facts.score_range
    ends = [played.scores for played in games if played.scores]
    alike = all(min(scores) == max(scores) > low for scores in ends)
    if game.facts.players > 1 and alike:
        yield f"all players had the same score at the end of {number}: is score() right?"


def quick_check(game: Game) -> None:
    """Plays a few random games in plain Python; raises a FaultyGame if a fault shows.

    Compiled code trusts the rules: with a fault in them it may crash, or never come back.

    >>> import tafl
    >>> quick_check(tafl.game("tictactoe"))
    """
    findings = Findings(game.name)
    end = time.monotonic() + QUICK_SECONDS
    for seed in range(QUICK_GAMES):
        _play(game, [], findings, seed, end)
        for fault in findings.faults.values():
            raise FaultyGame(f"{fault}; tafl check tells more")
        if time.monotonic() > end:
            return


def _play(
    game: Game, symmetries: list[int], findings: Findings, seed: int, until: float | None = None
) -> Played:
    """Play one random game in plain Python; after `until`, look at no more than that."""
    moves: list[int] = []
    probe = Probe(game, lambda kind, text: findings.add(kind, text, seed, moves))
    mirrors = SymmetryProbe(game, symmetries, probe.fault, findings.notes)
    choice = Random(seed)
    findings.games += 1
    try:
        with Watchdog(game) as watchdog:
            words, rng = probe.start(seed)
            while until is None or time.monotonic() < until:
                closely = findings.moves < ENOUGH_POSITIONS and until is None
                seen = probe.look(words, draw=closely)
                if closely:
                    _try_some(probe, words, rng, seen, moves)
                    mirrors.look(words, rng, seen, moves)
                if seen.over and not moves:
                    probe.fault("start over", "the game is over at the start")
                if seen.over or not seen.legal:
                    return Played(moves, seen.scores)
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
    return Played(moves, [])


def _comes_to_an_end(
    game: Game, words: np.ndarray, rng: np.ndarray, choice: Random, played: int
) -> bool:
    """Is a game over before it is too long? Played on at random, and not looked at."""
    for _ in range(played, MOST_MOVES):
        if game.call("over", words):
            return True
        n, first = game.facts.actions, choice.randrange(game.facts.actions)
        actions = ((first + i) % n for i in range(n))  # not all alike, but soon found
        action = next((a for a in actions if game.call("legal", words, a)), None)
        if action is None:
            return True
        game.call("play", words, action)
        game.call("chance", words, rng)
    return False


def _try_some(
    probe: Probe, words: np.ndarray, rng: np.ndarray, seen: Seen, moves: list[int]
) -> None:
    """Tries other actions than the one that will be played."""
    for action in some(seen.legal):
        moves.append(action)
        probe.move(words, rng, action)
        moves.pop()


def _compare_compiled(game: Game, findings: Findings, games: dict[int, Played]) -> None:
    """Replays games compiled and in plain Python: both have to say the same."""
    try:
        examine(game.rules)
    except GameError as error:
        findings.add("compile", str(error))
        return
    for seed, (moves, _) in games.items():
        compiled, plain = make_trace(game.facts, len(moves)), make_trace(game.facts, len(moves))
        actions = np.array(moves, np.int64)
        replay(game.rules, actions, np.array([seed], np.uint64), compiled)
        with np.errstate(over="ignore"):
            replay.python(game.rules, actions, np.array([seed], np.uint64), plain)
        for name, ours, theirs in zip(plain._fields, plain, compiled, strict=True):
            differ = np.argwhere(_differ(ours, theirs))
            if len(differ):
                at = tuple(int(i) for i in differ[0])
                what = f"{name}{list(at[1:]) or ''}"
                text = f"{what} is {ours[at]} in plain Python but {theirs[at]} compiled"
                findings.add("compiled", text, seed, moves[: at[0]])
                return


def _differ(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Where two arrays differ: whole numbers at all, others by more than rounding."""
    if ours.dtype.kind != "f":
        return np.asarray(ours != theirs)
    return np.asarray(~np.isclose(ours, theirs, rtol=1e-9, atol=ROUNDING))
