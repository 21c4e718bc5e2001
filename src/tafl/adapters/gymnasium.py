"""A game as a Gymnasium environment: you play one role, agents play the others.

Importing this module registers all games: `gymnasium.make("tafl/2048-v0")`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tafl.adapters.doors import AnyGame
from tafl.adapters.views import MODES, checked_mode, mask, planes, rendered, shape, show
from tafl.agents import Agent, make_agent
from tafl.arena.contest import begin, view
from tafl.arena.match import separate
from tafl.boards.game import Game
from tafl.boards.load import load_game
from tafl.core.games import GAMES
from tafl.errors import InputError, missing

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ImportError:
    raise missing("Gymnasium", "gymnasium") from None

Step = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class GameEnv(gymnasium.Env):
    """Observations are planes, rewards are points, `info["action_mask"]` has the legal actions.

    An illegal action ends the game with the lowest possible score.
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012 - as in theirs

    def __init__(
        self,
        game: AnyGame,
        opponents: Sequence[str | Agent] | None = None,
        role: int | None = 0,
        render_mode: str | None = None,
        **parameters: Any,
    ):
        self.game = load_game(game, **parameters)
        facts = self.game.facts
        if role is not None and role not in range(facts.players):
            raise InputError(f"role must be 0 to {facts.players - 1}, or None, not {role!r}")
        self.render_mode = checked_mode(render_mode)
        self.observation_space = Box(0, 1, shape(facts), np.int8)
        self.action_space = Discrete(facts.actions)
        self._opponents = seated(self.game, opponents)
        self._fixed, self.role = role, role or 0
        self._lowest = self.game.points(facts.score_range[0])
        self.state, self._score, self._ended = self.game.start(), 0.0, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a new game, up to your first move; the seed determines all chance."""
        super().reset(seed=seed)
        players = self.game.facts.players
        drawn = int(self.np_random.integers(players))
        self.role = drawn if self._fixed is None else self._fixed
        self.state = self.game.start(self._seed())
        for agent in self._opponents:
            begin(agent, self._seed())
        self._score = self.state.scores[self.role]
        self._let_others_move()
        self._ended = False
        show(self.state, self.render_mode, self.role)
        return planes(self.state, self.role), self._info()

    def step(self, action: int) -> Step:
        """Play your action, and those of the others up to your next one.

        An episode that has ended, also by an illegal action, stays ended until `reset`.
        """
        playing = not self._ended and not self.state.over
        illegal = playing and action not in self.state.legal_actions
        if playing and not illegal:
            self.state.play(action)
            self._let_others_move()
        if not self._ended:
            score = self._lowest if illegal else self.state.scores[self.role]
            reward, self._score = score - self._score, score
            self._ended = illegal or self.state.over
        else:
            reward = 0.0
        show(self.state, self.render_mode, self.role)
        info = {**self._info(), "illegal": illegal}
        return planes(self.state, self.role), reward, self._ended, False, info

    def action_masks(self) -> np.ndarray:
        """Return the legal actions in the format of MaskablePPO."""
        return mask(self.state, self.role).astype(bool)

    def render(self) -> str | np.ndarray | None:
        """Return text (render_mode="ansi") or pixels ("rgb_array") for your role."""
        return rendered(self.state, self.render_mode, self.role)

    def _let_others_move(self) -> None:
        """Play until it is your turn; opponent i has the role i + 1 after yours."""
        while not self.state.over and self.state.player != self.role:
            after = (self.state.player - self.role) % self.game.facts.players
            self.state.play(self._opponents[after - 1].act(view(self.state)))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": mask(self.state, self.role)}

    def _seed(self) -> int:
        return int(self.np_random.integers(2**63))


def seated(game: Game, opponents: Sequence[str | Agent] | None) -> list[Agent]:
    """Return the agents in the other roles, each with a separate random generator."""
    others = game.facts.players - 1
    wanted = ["random"] * others if opponents is None else list(opponents)
    if len(wanted) != others:
        raise InputError(f"{game.name} needs {others} opponents, not {len(wanted)}")
    return [make_agent(one, game) if isinstance(one, str) else separate(one) for one in wanted]


for name in GAMES:
    gymnasium.register(f"tafl/{name}-v0", f"{__name__}:GameEnv", kwargs={"game": name})
