"""A game as a PettingZoo environment (AEC): any number of players, each with a mask.

Importing this module registers all games: `pettingzoo.make("aec", "tafl/nim3p_v0")`.
"""

from typing import Any

import numpy as np

from tafl.adapters.doors import AnyGame
from tafl.adapters.views import MODES, checked_mode, mask, planes, rendered, shape, show
from tafl.boards.load import load_game
from tafl.core.games import GAMES
from tafl.errors import missing

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.env_registry import register
    from pettingzoo.utils import wrappers
except ImportError:
    raise missing("PettingZoo", "pettingzoo") from None


def make(game: AnyGame, render_mode: str | None = None, **parameters: Any) -> Any:
    """Return the environment inside PettingZoo's checks.

    As in PettingZoo's games, an illegal action ends the game, with the lowest possible score.
    """
    env = GameEnv(game, render_mode, **parameters)
    lowest = env.game.points(env.game.facts.score_range[0])
    illegal = wrappers.TerminateIllegalWrapper(env, illegal_reward=lowest)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(illegal))


class GameEnv(AECEnv):
    """Observations are planes and a mask; rewards are the points of the last move."""

    def __init__(self, game: AnyGame, render_mode: str | None = None, **parameters: Any):
        super().__init__()
        self.game = load_game(game, **parameters)
        facts = self.game.facts
        self.metadata = {
            "name": self.game.name,
            "render_modes": MODES,
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = [f"player_{p}" for p in range(facts.players)]
        space = Dict(
            observation=Box(0, 1, shape(facts), np.int8),
            action_mask=Box(0, 1, (facts.actions,), np.int8),
        )
        self.state_space = Box(0, 1, shape(facts), np.int8)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: Discrete(facts.actions) for agent in self.possible_agents}
        self._chance = np_random()[0]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; the seed determines all chance."""
        if seed is not None:
            self._chance = np_random(seed)[0]
        self.position = self.game.start(int(self._chance.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._finish_step()

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move; after the end, each agent steps once with None."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        before = self.position.scores
        self.position.play(action)  # type: ignore[arg-type]
        for agent, score, earlier in zip(self.agents, self.position.scores, before, strict=True):
            self.rewards[agent] = score - earlier
            self.terminations[agent] = self.position.over
        self._accumulate_rewards()
        self._finish_step()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the position as an agent sees it, and its legal actions."""
        player = self.possible_agents.index(agent)
        seen = planes(self.position, player)
        return {"observation": seen, "action_mask": mask(self.position, player)}

    def state(self) -> np.ndarray:
        """Return what all players together see: the true cells, and who is to move."""
        return planes(self.position, self.position.player, everything=True)

    def render(self) -> str | np.ndarray | None:
        """Return text (render_mode="ansi") or pixels ("rgb_array") for the player to move."""
        return rendered(self.position, self.render_mode, self.position.player)

    def close(self) -> None:
        pass

    def _finish_step(self) -> None:
        self.agent_selection = self.possible_agents[self.position.player]
        show(self.position, self.render_mode, self.position.player)


for name in GAMES:
    register("aec", f"tafl/{name}_v0", f"{__name__}:make", kwargs={"game": name})
