"""The contract of a game: a NamedTuple class marked with @rules, and the facts that it states.

The fields of the class are the game's parameters. The game's name has their values; of those in a
tuple `quiet` of the class, only what is not as usual. These methods are scalar, allocate nothing,
and run compiled:

    start(state)            the start position; what is random about it comes from chance
    player(state)           who is to move
    legal(state, action)    is this action legal? (asked only while the game is not over)
    play(state, action)     the deterministic part: state becomes the afterstate
    chance(state, rng)      the random part: afterstate becomes next state           (optional)
    over(state)             is the game finished?
    score(state, player)    the cumulative reward of a player
    cell(state, c)          the value of cell c: 0 ... values-1
    input(state, c)         its value for networks, if that is not the same:         (optional)
                            0 ... input_values-1
    changed(before, after)  bit mask of the cells that may differ; pays off if a     (optional)
                            move changes few of many cells; it has room for the
                            first 64, others are always compared
    legal_mask(state)       bit mask of the legal actions; pays off if there are     (optional)
                            many, up to 64
    moves(state, out)       writes the legal actions into out, in ascending order,   (optional)
                            and returns how many; pays off if there are far more
                            actions than legal ones, as where a piece goes from a
                            cell to a cell. It must not read out: on a GPU several
                            threads write it at once
    scramble(state, moves,  writes a position that this many random moves lead to    (optional)
             rng)           from the goal of a puzzle, as a start with no moves made
    outcomes(state)         the number of chance outcomes of an afterstate           (optional)
    outcome(state, i)       applies the i-th and returns its probability             (optional)

A game with hidden information, such as cards, also has these two. All dealing is chance, also
before the first move.

    sees(state, player, c)      the value of cell c as far as the player knows it, and whatever the
                                player has seen before; cell(state, c) is the truth
    redeal(state, player, rng)  draws again all that the player cannot know, with the probabilities
                                of the deal; what the player sees stays as it is

These run as plain Python:

    facts()                        a `Facts`
    draw(state)                    the position as text; in a game with hidden information
                                   draw(state, player): as the player sees it, -1 sees all
    board()                        a `Board`: what it looks like (see board.py)      (optional)
    action_name(action)            how people write the action                       (optional)
    sign(player)                   the sign of the player's stones in the drawing    (optional)
    position(state, cells, player) sets up a position from cell values; ValueError   (optional)
                                   if no sequence of moves leads to it
    reached(state)                 what people count of a game besides its score,    (optional)
                                   a number such as the largest tile
    rotate(state)                  gives each player the next one's seat; needed     (optional)
                                   where the facts have `seats`
    validate()                     ValueError for parameters that make no sense      (optional)

A state is an int64 array of `facts().words` words, all 0 before `start`.
"""

from collections import namedtuple
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from tafl.core.compile.methods import METHODS
from tafl.core.games.reserved import PLAIN, refuse_reserved

Table = np.ndarray  # a field of this type is a read-only table, not a parameter of the game

REQUIRED = ("start", "player", "legal", "play", "over", "score", "cell", "facts")


@dataclass(frozen=True)
class Packed:
    """Cells side by side in word 0 of a state: cell c is `bits` bits from bit c * bits on.

    >>> Packed(bits=2, values=[0, 1, 2, 2]).cells(0b11_01_10, 3)
    [2, 1, 2]
    """

    bits: int  # 1, 2, 4 or 8
    values: list[int]  # what each pattern of bits stands for

    def cells(self, word: int, count: int) -> list[int]:
        """Return the values of the first cells of a word."""
        mask = (1 << self.bits) - 1
        return [self.values[(int(word) >> c * self.bits) & mask] for c in range(count)]


@dataclass(frozen=True)
class Seats:
    """A move of each player to the next seat: player 0 becomes player 1.

    Value v of a cell becomes `values[v]`, what lies on cell c goes to cell `cells[c]`, and action a
    becomes `actions[a]`; without cells or actions they stay. Values of `fixed` cells, such as dice,
    are not of players.
    """

    values: list[int]
    cells: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    fixed: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Facts:
    """Facts of a game that are known before it is played.

    >>> facts = Facts(players=2, actions=9, cells=9, values=3, words=4)
    >>> facts.score_range, facts.is_zero_sum, len(facts.symmetries)
    ((-1.0, 1.0), True, 1)

    `symmetries[s][c]` is the cell whose value is on cell c of the s-th equivalent board, and
    playing action a corresponds to playing `action_symmetries[s][a]` there. Both start with the
    identity.
    """

    players: int
    actions: int
    cells: int
    values: int
    words: int
    score_range: tuple[float, float] = (-1.0, 1.0)
    symmetries: list[list[int]] = field(default_factory=list)
    action_symmetries: list[list[int]] = field(default_factory=list)
    neighbours: list[list[int]] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)  # cells that decide the game together
    score_unit: float = 1.0  # the score that is one point as people count it
    packed: Packed | None = None  # cells side by side in a word; pays off if moves change many
    # for boards that are drawn without board(): the kind of a cell that is not one of the board
    # ("die", or "off": not drawn), the player and the text of a value, (from, to) of an action
    kinds: dict[int, str] = field(default_factory=dict)
    pieces: dict[int, tuple[int, str]] = field(default_factory=dict)
    from_to: dict[int, tuple[int, int]] = field(default_factory=dict)
    teams: list[int] = field(default_factory=list)  # of each player; a team wins together
    zero_sum: bool | None = None  # None: of two players with scores from -x to x
    input_values: int = 0  # the values of input(), if there are fewer than of cell()
    seats: Seats | None = (
        None  # all seats are interchangeable, so that one network can serve all players
    )

    def __post_init__(self):
        object.__setattr__(self, "input_values", self.input_values or self.values)
        if not self.symmetries:
            object.__setattr__(self, "symmetries", [list(range(self.cells))])
        if not self.action_symmetries:
            object.__setattr__(
                self, "action_symmetries", [list(range(self.actions))] * len(self.symmetries)
            )

    @property
    def is_zero_sum(self) -> bool:
        """Return whether the scores of all players add up to 0."""
        low, high = self.score_range
        return self.players == 2 and low == -high if self.zero_sum is None else self.zero_sum


def no_chance(self, state, rng):
    """Leave the afterstate as it is, in a game without chance."""


def unlisted(self, state, out):
    """Return -1: the rules do not list their legal actions, so all actions are tried."""
    return -1


def one_outcome(self, state):
    """Return 1, the number of outcomes in a game without chance."""
    return 1


def no_scramble(self, state, moves, rng):
    """Leave the start as it is, in a game that is not solved backwards."""


def sees_all(self, state, player, c):
    """Return the value of a cell, in a game without hidden information."""
    return self.cell(state, c)


def nothing_hidden(self, state, player, rng):
    """Leave the state as it is, in a game without hidden information."""


SIGNS = ".xo#@"  # of an empty cell, then of the players


def never(self, state):
    """Return False: compiled code leaves out the branch, as in games without sees() or rotate()."""
    return False


def always(self, state):
    """Return True, in a game with hidden information (sees) or interchangeable seats (rotate)."""
    return True


def sign_of_player(self, player):
    """Return the sign of the player's stones."""
    return SIGNS[1 + player]


def start_empty(self, state):
    """Return the start position of a board without stones, where player 0 begins."""
    state[:] = 0


OPTIONAL = {
    "chance": no_chance,
    "changed": lambda self, before, after: -1,  # unknown: all cells are compared
    "legal_mask": lambda self, state: -1,  # unknown: all actions are tried
    "list_moves": unlisted,
    "outcomes": one_outcome,
    "outcome": lambda self, state, i: 1.0,
    "sees": sees_all,
    "redeal": nothing_hidden,
    "scramble": no_scramble,
    "action_name": lambda self, action: str(action),
    "sign": lambda self, player: "",
    "validate": lambda self: None,
}


def rules_like(other: Any) -> Any:
    """Mark a class of rules that takes over what it does not define itself from another one."""

    def complete(game_class: Any) -> Any:
        for name in (*METHODS, *PLAIN):
            method = getattr(other, name, None)
            default = other.cell if name == "input" else OPTIONAL.get(name)
            if method not in (None, default) and not hasattr(game_class, name):
                setattr(game_class, name, method)
        return rules(game_class)

    return complete


def rules(game_class: Any) -> Any:
    """Mark a class of rules, and complete it with defaults."""
    if not hasattr(game_class, "_fields"):
        name = game_class.__name__
        raise TypeError(f"{name} must be a NamedTuple; write class {name}(NamedTuple)")
    refuse_reserved(game_class)
    missing = [name for name in REQUIRED if not callable(getattr(game_class, name, None))]
    if missing:
        name, needed = game_class.__name__, ", ".join(REQUIRED)
        raise TypeError(f"{name} has no method {missing[0]}(); a game needs {needed}")
    for one, other in (("sees", "redeal"), ("redeal", "sees")):
        if hasattr(game_class, one) and not hasattr(game_class, other):
            name = game_class.__name__
            raise TypeError(f"{name} has {one}() but no {other}(); hidden information needs both")
    game_class.hides = always if hasattr(game_class, "sees") else never
    game_class.rotates = always if hasattr(game_class, "rotate") else never
    if not game_class._fields:
        game_class = _with_a_field(game_class)
    if isinstance(getattr(game_class, "moves", None), FunctionType):  # it may be a parameter
        game_class.list_moves = game_class.moves
    for name, default in {**OPTIONAL, "input": game_class.cell}.items():
        if not hasattr(game_class, name):
            setattr(game_class, name, default)
    game_class.quiet = getattr(game_class, "quiet", ())
    game_class.is_rules = True
    return game_class


def _with_a_field(game_class):
    """Add a hidden field to a game without parameters: compiled code cannot pass empty tuples."""
    plain = namedtuple("plain", [])
    made = namedtuple(game_class.__name__, ["nothing"], defaults=[0])
    for name, value in vars(game_class).items():
        if name not in vars(plain) or name in ("__doc__", "__module__"):
            setattr(made, name, value)
    made.__qualname__ = game_class.__qualname__
    return made


def parameters(game) -> dict[str, Any]:
    """Return the parameters of a game; quiet ones only if they differ from the default."""
    usual = {name: game._field_defaults[name] for name in game.quiet}
    return {
        name: value
        for name, value in zip(game._fields, game, strict=True)
        if not isinstance(value, np.ndarray) and name != "nothing" and usual.get(name) != value
    }
