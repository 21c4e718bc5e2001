"""Games of PettingZoo with their own rules: `pettingzoo:tictactoe_v3`, `pettingzoo:NAME/ID`.

An environment knows no start from a position, so it is copied for each move that is tried. Its
rules must be repeatable, and show all players all moves: tafl refuses others.
"""

import ast
import re
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from tafl.adapters.foreign import LONGEST, Library, Position, rules_of
from tafl.boards.spec import suggestion
from tafl.errors import InputError, missing

try:
    from gymnasium.spaces import Discrete, Space
    from pettingzoo import make
    from pettingzoo.env_registry.registration import aec_registry
except ImportError:
    raise missing("PettingZoo", "pettingzoo") from None

USUAL = "classic"  # the namespace of games that are named without one
SEEDS, TRIED = (1, 2), 5  # of environments that are compared; games that show whether they differ


class ZooPosition(Position):
    """An environment (AEC), with the scores so far."""

    chance: list[tuple[int, float]] = []  # noqa: RUF012 - never changed: there is none

    def __init__(self, env: Any, scores: list[float], mover: int = 0):
        self.env, self.scores = env, scores
        agents = env.possible_agents
        self.over = all(ended(env, agent) for agent in agents)
        self.player = mover if self.over else agents.index(env.agent_selection)
        self.legal = [] if self.over else legal_actions(env)
        self.observation = seen_by(env, agents[0])

    def after(self, event: int) -> "ZooPosition":
        """Return the position after an action."""
        env = copied(self.env)
        env.step(event)
        rewards = [float(env.rewards.get(agent, 0.0)) for agent in env.possible_agents]
        scores = [score + reward for score, reward in zip(self.scores, rewards, strict=True)]
        while env.agents and ended(env, env.agent_selection):
            if all(ended(env, agent) for agent in env.agents):
                break
            env.step(None)  # this agent is out, and others go on
        return ZooPosition(env, scores, self.player)

    def __str__(self) -> str:
        """Return the number of the first plane of the observation that is set on each square."""
        if self.observation.ndim != 3:
            return " ".join(f"{number:g}" for number in self.observation.flat)
        planes = self.observation != 0
        signs = np.where(planes.any(axis=2), planes.argmax(axis=2).astype(str), ".")
        return "\n".join(" ".join(row) for row in signs)


class ZooLibrary(Library):
    """A game of PettingZoo."""

    package = "pettingzoo"
    score_range = None
    zero_sum = None
    longest = LONGEST

    def __init__(self, name: str, given: dict[str, Any]):
        self.env_id, self.given = env_id(name), {key: typed(value) for key, value in given.items()}
        inside = ",".join(f"{key}={value}" for key, value in given.items())
        short = self.env_id.removeprefix(f"{USUAL}/")
        self.name = f"pettingzoo:{short}({inside})" if inside else f"pettingzoo:{short}"
        env = self.reset(SEEDS[0])
        space = env.action_space(env.possible_agents[0])
        if not isinstance(space, Discrete):
            raise InputError(f"{self.name} has actions that are not numbered: {space}")
        self.players, self.actions = len(env.possible_agents), int(space.n)
        shape = seen_by(env, env.possible_agents[0]).shape
        self.planes = 2 if len(shape) == 3 else 0 if len(shape) == 2 else None
        refuse(self)

    def reset(self, seed: int) -> Any:
        """Return an environment at the start of a game."""
        env = made(self.env_id, self.given)
        env.reset(seed=seed)
        return env

    def start(self) -> ZooPosition:
        env = self.reset(SEEDS[0])
        return ZooPosition(env, [0.0] * self.players)


def named(name: str, given: dict[str, Any]) -> Any:
    """Return the rules of the game with this name and these parameters."""
    return rules_of(ZooLibrary(name, given))


def env_id(name: str) -> str:
    """Return the name of an environment in PettingZoo's list."""
    if name.startswith("tafl/"):
        import tafl.adapters.pettingzoo  # noqa: F401 - puts tafl's games there
    full = name if "/" in name else f"{USUAL}/{name}"
    known = [re.sub(r"-(v\d+)$", r"_\1", one) for one in aec_registry]
    if full not in known:
        hint = suggestion(full, known, "pettingzoo.pprint_registry() lists them")
        raise InputError(f"PettingZoo has no environment {full!r}; {hint}")
    return full


def made(name: str, given: dict[str, Any]) -> Any:
    """Return an environment without the wrappers that check its use."""
    try:
        return make("aec", name, **given).unwrapped
    except Exception as error:  # of any package that it needs, or of its parameters
        first = str(error).strip().partition("\n")[0]
        raise InputError(f"PettingZoo cannot make {name}: {first}") from None


def typed(value: Any) -> Any:
    """Return a parameter as Python writes it, or as text.

    >>> typed("9"), typed("true"), typed("ansi")
    (9, True, 'ansi')
    """
    try:
        return ast.literal_eval(str(value).capitalize() if str(value).isalpha() else str(value))
    except (ValueError, SyntaxError):
        return value


def copied(env: Any) -> Any:
    """Return a copy of an environment in the middle of a game.

    The deepcopy of some environments (EzPickle) is a new game; spaces never change.
    """
    values = vars(env)
    kept = {key: value for key, value in values.items() if is_space(value)}
    copy = object.__new__(type(env))
    vars(copy).update(deepcopy({key: values[key] for key in values if key not in kept}), **kept)
    return copy


def is_space(value: Any) -> bool:
    """Return whether a value is a space, or a dictionary of spaces by agent."""
    one = next(iter(value.values()), None) if isinstance(value, dict) else value
    return isinstance(one, Space)


def ended(env: Any, agent: str) -> bool:
    """Return whether the game is over for an agent."""
    return bool(env.terminations.get(agent, True) or env.truncations.get(agent, True))


def seen_by(env: Any, agent: str) -> np.ndarray:
    """Return the observation of an agent as numbers."""
    seen = env.observe(agent)
    return np.array(seen["observation"] if isinstance(seen, dict) else seen)


def legal_actions(env: Any) -> list[int]:
    """Return the legal actions of the agent to move; all of them if nothing masks any."""
    agent = env.agent_selection
    seen = env.observe(agent)
    mask = seen.get("action_mask") if isinstance(seen, dict) else None
    if mask is None:
        mask = env.infos.get(agent, {}).get("action_mask")
    return list(range(env.action_space(agent).n)) if mask is None else np.flatnonzero(mask).tolist()


def views(env: Any) -> list[bytes]:
    """Return what all agents see."""
    return [seen_by(env, agent).tobytes() for agent in env.possible_agents]


def refuse(library: ZooLibrary) -> None:
    """Refuse what tafl cannot learn in this way: chance, hidden information, simultaneous moves."""
    choices, after = legal_actions(library.reset(SEEDS[0]))[:TRIED], set()
    for action in choices:
        env = library.reset(SEEDS[0])
        env.step(action)
        after.add(str(views(env)))
    if len(choices) > 1 and len(after) == 1:
        text = "hides what a player does: it has simultaneous moves or hidden information"
        raise InputError(f"{library.name} {text}, which tafl does not learn through PettingZoo")
    rng = Random(1)
    for _ in range(TRIED):
        one, other = (library.reset(seed) for seed in SEEDS)
        for _ in range(LONGEST):
            if views(one) != views(other):
                text = "has chance or hidden cards, which tafl does not learn through PettingZoo"
                raise InputError(f"{library.name} {text}")
            if any(ended(one, agent) for agent in one.possible_agents):
                break
            action = rng.choice(legal_actions(one))
            one.step(action)
            other.step(action)
    try:
        copied(one)
    except Exception as error:  # of anything that it contains
        raise InputError(f"{library.name} cannot be copied, which tafl needs: {error}") from None
