"""Tafl's games as games of OpenSpiel, registered as `tafl_hex`, `tafl_nim`, ...

A state of theirs keeps one of ours. What chance adds to a move is a move of its own there, so
rules with chance have to tell its outcomes.
"""

from typing import Any, ClassVar

import numpy as np

from tafl.adapters.doors import AnyGame
from tafl.adapters.views import planes, shape
from tafl.boards.game import Game
from tafl.boards.load import load_game
from tafl.boards.state import State
from tafl.core.games import GAMES
from tafl.core.games.rules import one_outcome, parameters
from tafl.errors import InputError, missing

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel", "openspiel") from None

# OpenSpiel wants bounds that rules do not state: of moves in a game, and of outcomes of chance.
MOST_MOVES, MOST_OUTCOMES = 1_000_000, 65_536
TRIED = 3  # random games that tell whether there are rewards on the way

registered: dict[str, type] = {}  # by their names there


class SpielGame(pyspiel.Game):
    """A game of tafl; `tafl` is what it is made of. There is a class of its own for all rules."""

    rules: ClassVar[type]

    def __init__(self, parameters: dict[str, Any] | None = None):
        self.tafl = load_game(self.rules, **(parameters or {}))
        kind = game_type(name_of(self.tafl), self.tafl, scores_early(self.tafl))
        super().__init__(kind, game_info(self.tafl), parameters or {})

    def new_initial_state(self) -> "SpielState":
        """The start, before what chance adds to it."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Who looks at states."""
        if params:
            raise InputError(f"observers of tafl's games have no parameters, not {params}")
        return Observer(self.tafl)


class SpielState(pyspiel.State):
    """A position; `tafl` is the same as one of ours."""

    def __init__(self, game: SpielGame):
        super().__init__(game)
        self.tafl = bare_start(game.tafl)
        self._before = [0.0] * game.tafl.facts.players  # scores before the last move
        self._waits = has_outcomes(self.tafl)  # for chance

    @classmethod
    def of(cls, game: SpielGame, state: State) -> "SpielState":
        """A position of ours as one of theirs; its past is not known there."""
        made = cls(game)
        made.tafl, made._before, made._waits = state.copy(), state.scores, False
        return made

    def current_player(self) -> int:
        """Who is to move, be it chance."""
        if self._waits:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.tafl.over else self.tafl.player

    def is_terminal(self) -> bool:
        """Is the game finished?"""
        return not self._waits and self.tafl.over

    def _legal_actions(self, player: int) -> list[int]:
        return self.tafl.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All that may happen now, with its probability."""
        call, words = self.tafl.game.call, self.tafl.words
        count = int(call("outcomes", words))
        return [(i, float(call("outcome", words.copy(), i))) for i in range(count)]

    def _apply_action(self, action: int) -> None:
        if self._waits:
            self.tafl.game.call("outcome", self.tafl.words, action)
            self._waits = False
            return
        self._before = self.tafl.scores
        self.tafl = self.tafl.afterstate(action)
        self._waits = has_outcomes(self.tafl)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self.tafl.game.action_name(action)

    def rewards(self) -> list[float]:
        """The points of the last move."""
        scores = zip(self.tafl.scores, self._before, strict=True)
        return [now - before for now, before in scores]

    def returns(self) -> list[float]:
        """The points so far."""
        return self.tafl.scores

    def __str__(self) -> str:
        whose = "chance" if self._waits else f"player {self.tafl.player}"
        return f"{self.tafl}\n{'game over' if self.is_terminal() else whose}"


class Observer:
    """Sees a position as planes, from the side of a player."""

    def __init__(self, game: Game):
        self.tensor = np.zeros(int(np.prod(shape(game.facts))), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape(game.facts))}

    def set_from(self, state: SpielState, player: int) -> None:
        """Looks at a state."""
        self.dict["observation"][:] = planes(state.tafl, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The state as text."""
        return str(state)


def make(game: AnyGame, **changes: Any) -> SpielGame:
    """A game of ours as one of theirs."""
    loaded = load_game(game, **changes)
    register(loaded)
    made: SpielGame = pyspiel.load_game(name_of(loaded), loaded.parameters)
    return made


def register(game: Game) -> None:
    """Makes a game known there, with its usual parameters."""
    name, rules = name_of(game), type(game.rules)
    if registered.get(name, rules) is not rules:
        raise InputError(f"OpenSpiel knows another game as {name}: rename one of the classes")
    if name not in registered:
        registered[name] = rules
        kind = type(f"SpielGame_{name}", (SpielGame,), {"rules": rules})
        pyspiel.register_game(game_type(name, load_game(rules)), kind)


def name_of(game: Game) -> str:
    """What a game of ours is called there: its own name, or that of its class.

    >>> import tafl
    >>> name_of(tafl.game("hex(size=6)"))
    'tafl_hex'
    """
    name = game.name.partition("(")[0]
    return f"tafl_{name if name in GAMES else type(game.rules).__name__}"


def game_type(name: str, game: Game, early: bool = True) -> Any:
    """What OpenSpiel wants to know about all games of a kind; are there rewards on the way?"""
    kind, players = pyspiel.GameType, game.facts.players
    if game.has_chance and type(game.rules).outcomes is one_outcome:
        raise InputError(f"{game.name} has chance but does not tell its outcomes() and outcome()")
    chance, rewards, sums = kind.ChanceMode, kind.RewardModel, kind.Utility
    return kind(
        short_name=name,
        long_name=f"{name.removeprefix('tafl_')} of tafl",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.has_chance else chance.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=sums.ZERO_SUM if game.facts.is_zero_sum else sums.GENERAL_SUM,
        reward_model=rewards.REWARDS if early else rewards.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game.rules),
    )


def game_info(game: Game) -> Any:
    """What OpenSpiel wants to know about one game."""
    low, high = map(game.points, game.facts.score_range)
    return pyspiel.GameInfo(
        num_distinct_actions=game.facts.actions,
        max_chance_outcomes=MOST_OUTCOMES if game.has_chance else 0,
        num_players=game.facts.players,
        min_utility=low,
        max_utility=high,
        utility_sum=0.0 if game.facts.is_zero_sum else None,
        max_game_length=MOST_MOVES,
    )


def scores_early(game: Game) -> bool:
    """Does anybody score before the end? A few random games tell."""
    for seed in range(TRIED):
        state, chance = game.start(seed), np.random.default_rng(seed)
        while not state.over:
            if any(state.scores):
                return True
            state.play(int(chance.choice(state.legal_actions)))
    return False


def bare_start(game: Game) -> State:
    """The start of a game before chance."""
    words = np.zeros(game.facts.words, np.int64)
    game.call("start", words)
    return State(game, words, np.zeros(1, np.uint64), from_start=True)


def has_outcomes(state: State) -> bool:
    """Is there something that only chance decides?"""
    game = state.game
    return game.has_chance and not state.over


for name in GAMES:
    register(load_game(name))
