"""tafl's games as games of OpenSpiel, registered as `tafl_hex`, `tafl_nim`, ...

A state of OpenSpiel contains one of tafl. Chance is a separate move in OpenSpiel, so rules with
chance need `outcomes` and `outcome`.
"""

from contextlib import suppress
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

# Bounds that OpenSpiel needs and rules do not state: moves of a game, outcomes of chance
MOST_MOVES, MOST_OUTCOMES = 1_000_000, 65_536
TRIED = 3  # random games that show whether there are rewards before the end

registered: dict[str, type] = {}  # rules by their names in OpenSpiel


class SpielGame(pyspiel.Game):
    """A game of tafl, which is in `tafl`; each class of rules has a subclass."""

    rules: ClassVar[type]

    def __init__(self, parameters: dict[str, Any] | None = None):
        self.tafl = load_game(self.rules, **(parameters or {}))
        kind = game_type(name_of(self.tafl), self.tafl, scores_early(self.tafl))
        facts = self.tafl.facts
        low, high = map(self.tafl.points, facts.score_range)
        info = pyspiel.GameInfo(
            num_distinct_actions=facts.actions,
            max_chance_outcomes=MOST_OUTCOMES if self.tafl.has_chance else 0,
            num_players=facts.players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if facts.is_zero_sum else None,
            max_game_length=MOST_MOVES,
        )
        super().__init__(kind, info, parameters or {})

    def new_initial_state(self) -> "SpielState":
        """Return the start, before chance."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Return an observer of states."""
        if params:
            raise InputError(f"observers of tafl's games have no parameters, not {params}")
        return Observer(self.tafl)


class SpielState(pyspiel.State):
    """A position of tafl, which is in `tafl`."""

    def __init__(self, game: SpielGame):
        super().__init__(game)
        words = np.zeros(game.tafl.facts.words, np.int64)
        game.tafl.call("start", words)
        self.tafl = State(game.tafl, words, np.zeros(1, np.uint64), from_start=True)
        self._before = [0.0] * game.tafl.facts.players  # scores before the last move
        self._waits = has_outcomes(self.tafl)  # for chance

    @classmethod
    def of(cls, game: SpielGame, state: State) -> "SpielState":
        """Return a position of tafl as one of OpenSpiel, without its history."""
        made = cls(game)
        made.tafl, made._before, made._waits = state.copy(), state.scores, False
        return made

    def current_player(self) -> int:
        """Return the player to move, or the number of chance or of the end."""
        if self._waits:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.tafl.over else self.tafl.player

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return not self._waits and self.tafl.over

    def _legal_actions(self, player: int) -> list[int]:
        return self.tafl.legal_actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
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
        """Return the points of the last move."""
        scores = zip(self.tafl.scores, self._before, strict=True)
        return [now - before for now, before in scores]

    def returns(self) -> list[float]:
        """Return the points so far."""
        return self.tafl.scores

    def __str__(self) -> str:
        whose = "chance" if self._waits else f"player {self.tafl.player}"
        return f"{self.tafl}\n{'game over' if self.is_terminal() else whose}"


class Observer:
    """An observer that sees a position as planes."""

    def __init__(self, game: Game):
        self.tensor = np.zeros(int(np.prod(shape(game.facts))), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape(game.facts))}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a state into the tensor."""
        self.dict["observation"][:] = planes(state.tafl, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees of the state: a text for each information state."""
        if not state.tafl.game.hides:
            return str(state)
        seen = " ".join(map(str, state.tafl.seen_by(player)))
        return f"{state.tafl.drawn(player)}\nplayer {player} sees {seen}"


def make(game: AnyGame, **changes: Any) -> SpielGame:
    """Return a game of tafl as one of OpenSpiel."""
    loaded = load_game(game, **changes)
    register(loaded)
    made: SpielGame = pyspiel.load_game(name_of(loaded), loaded.parameters)
    return made


def register(game: Game) -> None:
    """Register a game in OpenSpiel, with its default parameters."""
    name, rules = name_of(game), type(game.rules)
    if registered.get(name, rules) is not rules:
        raise InputError(f"OpenSpiel knows another game as {name}: rename one of the classes")
    if name not in registered:
        about = game_type(name, load_game(rules))
        registered[name] = rules
        pyspiel.register_game(about, type(f"SpielGame_{name}", (SpielGame,), {"rules": rules}))


def name_of(game: Game) -> str:
    """Return the name of a game in OpenSpiel, from its name or that of its class.

    >>> import tafl
    >>> name_of(tafl.game("hex(size=6)"))
    'tafl_hex'
    """
    name = game.name.partition("(")[0]
    return f"tafl_{name if name in GAMES else type(game.rules).__name__}"


def game_type(name: str, game: Game, early: bool = True) -> Any:
    """Return OpenSpiel's facts about a kind of games; `early`: rewards come before the end."""
    kind, players = pyspiel.GameType, game.facts.players
    if game.has_chance and type(game.rules).outcomes is one_outcome:
        raise InputError(f"{game.name} has chance but does not tell its outcomes() and outcome()")
    chance, rewards, sums = kind.ChanceMode, kind.RewardModel, kind.Utility
    information = kind.Information
    return kind(
        short_name=name,
        long_name=f"{name.removeprefix('tafl_')} of tafl",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if game.has_chance else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if game.hides
        else information.PERFECT_INFORMATION,
        utility=sums.ZERO_SUM if game.facts.is_zero_sum else sums.GENERAL_SUM,
        reward_model=rewards.REWARDS if early else rewards.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=game.hides,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game.rules),
    )


def scores_early(game: Game) -> bool:
    """Tell whether a player scores before the end, from a few random games."""
    for seed in range(TRIED):
        state, chance = game.start(seed), np.random.default_rng(seed)
        while not state.over:
            if any(state.scores):
                return True
            state.play(int(chance.choice(state.legal_actions)))
    return False


def has_outcomes(state: State) -> bool:
    """Tell whether chance comes next."""
    return state.game.has_chance and not state.over


for name in GAMES:
    with suppress(InputError):  # it does not tell its outcomes: `make` says so
        register(load_game(name))
