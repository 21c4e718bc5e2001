"""Games of OpenSpiel with their own rules: `openspiel:breakthrough(rows=6,columns=6)`."""

from typing import Any

import numpy as np

from tafl.adapters.foreign import Library, Position, rules_of
from tafl.boards.spec import suggestion
from tafl.errors import InputError, missing

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel", "openspiel") from None


class SpielPosition(Position):
    """A state of OpenSpiel."""

    def __init__(self, state: Any, mover: int = 0):
        self.state = state
        self.over = state.is_terminal()
        self.chance = state.chance_outcomes() if state.is_chance_node() else []
        plays = not self.over and not self.chance
        self.player = state.current_player() if plays else mover
        self.legal = state.legal_actions() if plays else []
        self.scores = state.returns()
        shape = state.get_game().observation_tensor_shape()
        self.observation = np.array(state.observation_tensor(0), np.float32).reshape(shape)

    def names(self) -> dict[int, str]:
        """Return the names of the legal actions."""
        return {a: str(self.state.action_to_string(self.player, a)) for a in self.legal}

    def after(self, event: int) -> "SpielPosition":
        """Return the state after an action or an outcome of chance."""
        return SpielPosition(self.state.child(event), self.player)

    def __str__(self) -> str:
        return str(self.state)


class SpielLibrary(Library):
    """A game of OpenSpiel."""

    package = "open-spiel"
    planes = 0

    def __init__(self, text: str):
        self.game = game = loaded(text)
        self.name = f"openspiel:{str(game).removesuffix('()')}"
        refuse(self.name, game)
        self.players, self.actions = game.num_players(), game.num_distinct_actions()
        self.score_range = game.min_utility(), game.max_utility()
        zero = game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
        self.zero_sum = True if zero else None
        self.longest = game.max_game_length() + game.max_chance_nodes_in_history()

    def start(self) -> SpielPosition:
        return SpielPosition(self.game.new_initial_state())


def loaded(text: str) -> Any:
    """Return a game of OpenSpiel."""
    known = pyspiel.registered_names()
    name = text.partition("(")[0]
    if name not in known:  # OpenSpiel would print all names
        hint = suggestion(name, known, "pyspiel.registered_names() lists them")
        raise InputError(f"OpenSpiel has no game {name!r}; {hint}")
    try:
        return pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        first = str(error).strip().partition("\n")[0]
        raise InputError(f"OpenSpiel refuses {text!r}: {first}") from None


def refuse(name: str, game: Any) -> None:
    """Refuse games that tafl cannot learn in this way."""
    kind, types = game.get_type(), pyspiel.GameType
    if kind.dynamics != types.Dynamics.SEQUENTIAL:
        raise InputError(f"{name} has simultaneous moves; tafl learns games with one at a time")
    if kind.information != types.Information.PERFECT_INFORMATION:
        raise InputError(f"{name} hides information; tafl learns other games of OpenSpiel")
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        raise InputError(f"{name} does not list the outcomes of its chance, which tafl needs")
    if not kind.provides_observation_tensor:
        raise InputError(f"{name} has no observation tensor, which agents would see")


def named(name: str, given: dict[str, Any]) -> Any:
    """Return the rules of the game with this name and these parameters."""
    inside = ",".join(f"{key}={value}" for key, value in given.items())
    return rules_of(SpielLibrary(f"{name}({inside})" if inside else name))
