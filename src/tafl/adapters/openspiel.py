"""OpenSpiel: tafl's agents as bots, and OpenSpiel's bots and policies as agents of tafl.

Bots play OpenSpiel's version of a game, in C++, if it has one and the moves so far are known;
otherwise they play tafl's version.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tafl.adapters.doors import AnyGame, agent_text
from tafl.adapters.openspiel_games import SpielGame, SpielState, make
from tafl.adapters.openspiel_names import openspiel_name
from tafl.agents import Agent
from tafl.agents.agent import GameAgent, draw_action
from tafl.agents.spec import make_agent, make_from
from tafl.arena.contest import view
from tafl.boards.game import Game
from tafl.boards.load import load_game
from tafl.boards.state import State
from tafl.core.random import below
from tafl.errors import InputError, missing

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel", "openspiel") from None

__all__ = ["agent", "bot", "make"]

SEEDS = 2**31


def bot(
    agent: str | Path | Agent, player: int = 0, *, game: AnyGame | None = None, seed: int = 0
) -> "AgentBot":
    """Return an agent of tafl as a bot: from the folder of a run, a text, or an agent.

    It plays tafl's game in OpenSpiel, or OpenSpiel's game with the same rules.

    >>> import pyspiel
    >>> bots = [bot("maxn(depth=9)", player, game="tictactoe") for player in (0, 1)]
    >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    >>> pyspiel.evaluate_bots(state, bots, 1)
    [0.0, 0.0]
    """
    if isinstance(agent, str | Path):
        agent = make_agent(agent_text(agent), game, seed)
    own = getattr(agent, "game", None) if game is None else load_game(game)
    if own is None:
        raise InputError("this agent does not say which game it plays; pass game=")
    return AgentBot(agent, own, player)


class AgentBot(pyspiel.Bot):
    """A bot that plays the moves of an agent of tafl."""

    def __init__(self, agent: Agent, game: Game, player: int):
        super().__init__()
        self.agent, self.game, self.player = agent, game, player

    def step(self, state: Any) -> int:
        """Return the action of the agent."""
        if state.current_player() != self.player:
            raise InputError(f"this bot is player {self.player}, not {state.current_player()}")
        first = int(state.legal_actions()[0])
        if first >= self.game.facts.actions:  # OpenSpiel's pass, which our rules leave out
            return first
        return self.agent.act(view(position_here(self.game, state)))

    # a bot without memory has nothing to do here
    def restart(self) -> None: ...

    def restart_at(self, state: Any) -> None: ...

    def inform_action(self, state: Any, player: int, action: int) -> None: ...


def agent(player: Any, game: AnyGame, seed: int = 0) -> GameAgent:
    """Return an agent from OpenSpiel's policy, or from a function that makes a bot.

    The function takes a player and a seed. It makes a new bot for every move, so that moves depend
    only on the position and the seed.

    >>> import pyspiel, tafl
    >>> uniform = agent(pyspiel.make_uniform_random_bot, "tictactoe")
    >>> tafl.match("tictactoe", ["exact", uniform], games=10).mean > 0
    True
    """
    kind = PolicyAgent if hasattr(player, "action_probabilities") else BotAgent
    return kind(load_game(game), player, seed)


class SpielAgent(GameAgent):
    """An agent that sees positions as states of OpenSpiel."""

    @cached_property
    def _theirs(self) -> Any:
        """Return OpenSpiel's game with the same rules, or None."""
        name = openspiel_name(self.game)
        return None if name is None else pyspiel.load_game(name)

    @cached_property
    def _ours(self) -> SpielGame:
        return make(self.game)

    def _position(self, state: State) -> Any:
        state = view(state)
        if self._theirs is not None and state.from_start:
            return position_there(self._theirs, state)
        return SpielState.of(self._ours, state)

    def _draw_seed(self) -> int:
        with np.errstate(over="ignore"):
            return int(below(self.rng, SEEDS))


@dataclass(eq=False, repr=False)
class BotAgent(SpielAgent):
    """An agent that plays the moves of a bot; `values` are 1 for its move and 0 for others."""

    game: Game
    make_bot: Callable[[int, int], Any]
    seed: int = 0

    def _rate(self, state: State) -> dict[int, float]:
        chosen = self._act(state)
        return {action: float(action == chosen) for action in state.legal_actions}

    def _act(self, state: State) -> int:
        bot = self.make_bot(state.player, self._draw_seed())
        return int(bot.step(self._position(state)))


@dataclass(eq=False, repr=False)
class PolicyAgent(SpielAgent):
    """An agent that draws its moves from a policy; `values` are the probabilities."""

    game: Game
    original: Any
    seed: int = 0

    def _rate(self, state: State) -> dict[int, float]:
        found = self.original.action_probabilities(self._position(state))
        return {action: float(found.get(action, 0.0)) for action in state.legal_actions}

    def _policy(self, state: State) -> dict[int, float]:
        return self._rate(state)

    def _act(self, state: State) -> int:
        return draw_action(self._rate(state), self.rng)


@dataclass(eq=False, repr=False)
class SpielMCTS(SpielAgent):
    """OpenSpiel's Monte Carlo tree search with random rollouts; a new tree for every move.

    >>> import tafl
    >>> search = tafl.agent("openspiel:mcts(simulations=200)", "connectfour", seed=1)
    >>> search.act(tafl.position("connectfour: d c d c d a"))  # the fourth in a column
    3
    """

    sees_all = True

    game: Game
    seed: int = 0
    _: KW_ONLY
    simulations: int = 1000
    c: float = 2.0
    rollouts: int = 1
    solve: bool = True

    def _check_game(self) -> None:
        if self.simulations < 1 or self.rollouts < 1:
            raise InputError("simulations and rollouts must be 1 or more")
        rewards = make(self.game).get_type().reward_model
        if rewards != pyspiel.GameType.RewardModel.TERMINAL:
            early = "has rewards on the way, which OpenSpiel's MCTS refuses"
            raise InputError(f"{self.game.name} {early}")

    def _rate(self, state: State) -> dict[int, float]:
        unit = self.game.facts.score_unit
        tried = {child.action: child for child in self._search(state).children}
        low = self.game.facts.score_range[0]
        means = {a: child.total_reward / child.explore_count * unit
                 for a, child in tried.items() if child.explore_count}  # fmt: skip
        return {action: means.get(action, low) for action in state.legal_actions}

    def _act(self, state: State) -> int:
        return int(self._search(state).best_child().action)

    def _search(self, state: State) -> Any:
        """Return the root of the search tree of a position."""
        there = self._position(state)
        search = self._in_python if isinstance(there, SpielState) else self._in_cpp
        return search(there.get_game(), self._draw_seed()).mcts_search(there)

    def _in_cpp(self, game: Any, seed: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(self.rollouts, seed)
        megabytes, verbose = 1000, False
        return pyspiel.MCTSBot(
            game, evaluator, self.c, self.simulations, megabytes, self.solve, seed, verbose
        )

    def _in_python(self, game: Any, seed: int) -> Any:
        """Return the search in Python: that in C++ cannot play games written in Python."""
        from open_spiel.python.algorithms import mcts

        chance = np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(self.rollouts, chance)
        return mcts.MCTSBot(game, self.c, self.simulations, evaluator, self.solve, chance)


# name -> module and class, as in agents/spec.py
BOTS = {"mcts": f"{__name__}:SpielMCTS"}


def named(game: Game, bot: str, seed: int = 0) -> Agent:
    """Return the agent `openspiel:BOT`, such as `openspiel:mcts(simulations=1000)`."""
    return make_from(BOTS, bot, game, seed)


def position_here(game: Game, there: Any) -> State:
    """Return a state of OpenSpiel as one of tafl."""
    if isinstance(there, SpielState):
        return there.tafl
    name = openspiel_name(game)
    if name is None or str(pyspiel.load_game(name)) != str(there.get_game()):
        raise InputError(f"this bot plays {game.name}, not OpenSpiel's {there.get_game()}")
    state = game.start()
    for action in there.history():
        if action < game.facts.actions:  # no pass
            state.play(action)
    return state


def position_there(game: Any, state: State) -> Any:
    """Return a state of tafl as one of OpenSpiel, by replaying its moves."""
    there = game.new_initial_state()
    actions = state.game.facts.actions
    for action in state.history:
        there.apply_action(action)
        if not there.is_terminal() and there.legal_actions()[0] >= actions:
            there.apply_action(there.legal_actions()[0])  # a pass, which our rules leave out
    return there
