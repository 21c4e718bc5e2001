"""Start positions of games, as moves from the start of the game.

start          the start position
first-moves    the start position, and those after every first move
half-board     the start position, and those after first moves on or above the diagonal of a square
               board (Hex: the other half is the same by symmetry)
start-or-first at random, the start position or one after a random first move
all:K          all sequences of K moves; a position counts once for each sequence that reaches it
K              K random moves, different in every round

In games of chance every round has its own seed, and all its games begin in one position.
"""

import re
from collections.abc import Sequence
from math import isqrt
from numbers import Integral
from typing import Any

import numpy as np

from tafl.agents import Agent, make_agent
from tafl.arena.contest import after, derived_seeds, play_on
from tafl.arena.records import Moves, Task
from tafl.arguments import argument
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.errors import InputError, check_type

NAMED = {"start": 0, "half-board": 0, "first-moves": 1, "start-or-first": 1}  # moves
MOST_DRAWS = 1000
MOST_SEQUENCES = 20_000
MOST_PLIES = 1_000  # before a game begins
MOST_GAMES = 1_000_000  # of a match

Starts = str | int
Begun = list[tuple[Moves, int | None]]  # moves before games begin, and their seed


def start_moves(game: Game, starts: Starts, number: int, seed: int = 0) -> list[Moves]:
    """Return the moves to each start position; `number` of them if they are random.

    >>> import tafl
    >>> len(start_moves(tafl.game("othello"), "all:4", 1))
    244
    """
    plies = _plies(starts)
    if starts == "start":
        return [[]]
    if starts == "first-moves":
        return [*sequences(game, 0, seed), *sequences(game, 1, seed)]
    if starts == "half-board":
        return [[], *([cell] for cell in _half_board(game))]
    if starts == "start-or-first":
        rng, later = np.random.default_rng(seed), sequences(game, 1, seed)
        if not later:  # every first move ends the game
            return [[]] * number
        drawn = rng.integers(2 * len(later), size=number)
        return [later[k] if k < len(later) else [] for k in drawn]
    if isinstance(starts, str):
        found = sequences(game, plies, seed)
        if not found:
            raise InputError(f"{game.name} is always over after {plies} moves; start after fewer")
        return found
    agent = make_agent("random", game, seed)
    return [_random_moves(game, agent, plies, seed + k) for k in range(number)]


class Tasks(Sequence[Task]):
    """The games of a match, each made on request to save memory."""

    def __init__(self, begun: Begun, rounds: int, players: int, roles: Sequence[int]):
        self.begun, self.rounds, self.players, self.roles = begun, rounds, players, roles

    def __len__(self) -> int:
        return self.rounds * len(self.roles)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        round_, turn = divmod(range(len(self))[index], len(self.roles))
        number = round_ * self.players + self.roles[turn]
        return Task(number, *self.begun[round_ % len(self.begun)])

    def numbered(self, number: int) -> Task | None:
        """Return the game of this number, or None."""
        round_, role = divmod(number, self.players)
        if not 0 <= round_ < self.rounds or role not in self.roles:
            return None
        found: Task = self[round_ * len(self.roles) + self.roles.index(role)]
        return found


def make_tasks(game: Game, games: int, starts: Starts, seed: int, role: int | None = None) -> Tasks:
    """Return at least this many games: every start in each rotation, or in that of one role."""
    players = game.facts.players
    roles = range(players) if role is None else [role]
    check_type("games", games, Integral)
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"games must be 1 to {MOST_GAMES:,}, not {games:,}")
    rounds = -(-games // len(roles))
    begun: Begun = []
    if game.has_chance and starts != "start":
        while len(begun) < rounds:
            chance = derived_seeds(seed, len(begun), 1)[0]
            begun += [(moves, chance) for moves in start_moves(game, starts, 1, chance)]
    else:
        begun = [(moves, None) for moves in start_moves(game, starts, rounds, seed)]
    return Tasks(begun, len(begun) * -(-rounds // len(begun)), players, roles)


def sequences(game: Game, plies: int, seed: int = 0) -> list[Moves]:
    """Return all sequences of this many moves after which the game is not over."""
    found: list[tuple[Moves, State]] = [([], game.start(seed))]
    for _ in range(plies):
        if not found:
            break
        choices = [(moves, state, state.legal_actions) for moves, state in found]
        if sum(len(actions) for *_, actions in choices) > MOST_SEQUENCES:
            text = f"{game.name} has more than {MOST_SEQUENCES:,} sequences of {plies} moves"
            raise InputError(f"{text}; use fewer, or random ones ({argument('starts', plies)})")
        found = [
            ([*moves, action], after(state, [action]))
            for moves, state, actions in choices
            for action in actions
        ]
    return [moves for moves, state in found if not state.over]


def _plies(starts: Starts) -> int:
    """Return the number of moves before a game begins; refuse an unknown start."""
    plies = NAMED.get(str(starts), -1)
    if isinstance(starts, int) and not isinstance(starts, bool):
        plies = starts
    elif re.fullmatch(r"all:\d{1,9}", str(starts), re.ASCII):
        plies = int(str(starts).removeprefix("all:"))
    if plies > MOST_PLIES:
        raise InputError(f"games may start after at most {MOST_PLIES:,} moves, not {plies:,}")
    if plies < 0:
        named = "start, first-moves, start-or-first, half-board"
        others = "all:K for all sequences of K moves, or a number of random moves"
        raise InputError(f"unknown start {starts!r}; use {named}, {others}")
    return plies


def _half_board(game: Game) -> list[int]:
    facts, size = game.facts, isqrt(game.facts.cells)
    if size * size != facts.cells or facts.actions != facts.cells:
        raise InputError(f"half-board needs moves on a square board, which {game.name} is not")
    start = game.start()
    upper = (size * row + column for row in range(size) for column in range(row, size))
    return [cell for cell in upper if cell in start.legal_actions]


def _random_moves(game: Game, agent: Agent, plies: int, seed: int) -> Moves:
    """Return random moves after which the game is not over."""
    for _ in range(MOST_DRAWS):
        state = play_on([agent] * game.facts.players, game.start(seed), plies=plies)
        if not state.over:
            return state.history
    raise InputError(f"{game.name} is over after {plies} random moves; start after fewer")
