"""Agents that Stable-Baselines3 or its contrib package has trained with `tafl.gymnasium`.

Such a file contains a pickle: loading it can execute any code, so load only files that you trust.
"""

from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from tafl.adapters.views import mask, planes, shape
from tafl.agents.agent import GameAgent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.boards.trust import code_digest
from tafl.errors import InputError, missing

Algorithm = Literal["MaskablePPO", "PPO", "A2C", "DQN"]


@dataclass(eq=False, repr=False)
class SB3Agent(GameAgent):
    """Plays the most probable action of a trained policy, or that of the highest Q-value."""

    game: Game
    path: str
    seed: int = 0
    _: KW_ONLY
    algorithm: Algorithm = "MaskablePPO"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.model = load(self.path, self.algorithm)
        self.name = f"sb3:{self.path}"
        facts = self.game.facts
        seen, actions = self.model.observation_space.shape, int(self.model.action_space.n)
        if (seen, actions) != (shape(facts), facts.actions):
            raise InputError(f"this agent was not trained on {self.game.name}")

    @staticmethod
    def code(path: str, **options: object) -> str:
        """Return a hash of the file: it contains a pickle, which can run any code."""
        return code_digest(model_files(path))

    def _rate(self, state: State) -> dict[int, float]:
        """Return the probability of each action, or its Q-value in the unit of the rules."""
        import torch

        policy = self.model.policy
        seen, _ = policy.obs_to_tensor(planes(state, state.player))
        allowed = {"action_masks": mask(state, state.player)[None].astype(bool)}
        with torch.no_grad():
            if self.algorithm == "DQN":
                found = policy.q_net(seen)[0] * self.game.facts.score_unit
            else:
                masked = allowed if self.algorithm == "MaskablePPO" else {}
                found = policy.get_distribution(seen, **masked).distribution.probs[0]
        return {action: float(found[action]) for action in state.legal_actions}


def model_files(path: str) -> list[str]:
    """Return the files that Stable-Baselines3 may read a model from."""
    return [path, f"{path}.zip"]


def load(path: str, algorithm: Algorithm) -> Any:
    """Load a model that was saved with `model.save(path)`."""
    package = "sb3_contrib" if algorithm == "MaskablePPO" else "stable_baselines3"
    try:
        kind = getattr(import_module(package), algorithm)
    except ImportError:
        raise missing("Stable-Baselines3", "sb3") from None
    if not any(Path(file).is_file() for file in model_files(path)):
        raise InputError(f"there is no file {path}")
    try:
        return kind.load(path, device="cpu")
    except Exception as error:
        raise InputError(f"{path} is not a model of {algorithm}: {error}") from None
