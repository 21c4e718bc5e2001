"""Trained agents inside a page: small, and with the same moves."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.boards import Game, State
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.random import below, uniform
from tafl.core.search.foresee import make_trained
from tafl.errors import InputError
from tafl.page.pack import Bytes, packed, packed_weights
from tafl.runs.agents import load_agent

POSITIONS = 10_000  # in which weights of 16 bits must lead to the same moves
TIE = 5e-7  # of the range of scores: sums of the same weights in another order differ as much
EXPLORED = 0.5  # of the moves that lead to them are random


@dataclass(frozen=True)
class Small:
    """An agent as a page has it."""

    agent: LearnedAgent
    bits: int  # of a weight
    label: str

    @property
    def text(self) -> str:
        """What was checked, for people."""
        used = np.count_nonzero(self.agent.net.weights)
        if self.bits == 16:
            said = f"16 bits each, which changes no move in {POSITIONS:,} positions"
        else:
            said = "32 bits each, as 16 would change moves"
        return f"{used:,} weights that are not 0, {said}"

    def document(self, kept: Bytes) -> dict[str, Any]:
        """All that the page has to know."""
        facts, net, td = self.agent.game.facts, self.agent.net, self.agent.td
        trained = packed(make_trained(facts, blanked(net), td, make_work(facts, net)), kept)
        trained["net"]["weights"] = packed_weights(net.weights, self.bits, kept)
        return {"label": self.label, "bits": self.bits, "trained": trained}


def load_small(path: Path, label: str) -> Small:
    """The agent of a run or a file, in as few bits as its moves allow."""
    agent = load_agent(path)
    plain = LearnedAgent(agent.game, without_sums(agent.net), agent.td, 0, agent.name)
    rounded = plain.net._replace(weights=plain.net.weights.astype(np.float16).astype(np.float32))
    halved = LearnedAgent(agent.game, rounded, agent.td, 0, agent.name)
    return Small(plain, 16 if same_moves(plain, halved) else 32, label)


def without_sums(net: Net) -> Net:
    """The same network without the sums of temporal coherence: they are only for learning."""
    if net.width == 1:
        return net
    return net._replace(
        weights=net.weights[:: net.width].copy(),
        strides=net.strides // net.width,
        base=net.base // np.uint32(net.width),
        rows=net.rows // np.uint32(net.width),
        size=net.size // net.width,
        width=1,
    )


def blanked(net: Net) -> Net:
    """The network without its weights: they are packed apart."""
    return net._replace(weights=np.zeros(0, np.float32))


def same_moves(agent: LearnedAgent, other: LearnedAgent, positions: int = POSITIONS) -> bool:
    """Does one agent never play, in this many positions, what the other would not?"""
    if not np.isfinite(other.net.weights).all():
        return False
    low, high = map(agent.game.points, agent.game.facts.score_range)
    tie = TIE * (high - low)
    found = zip(range(positions), some_positions(agent), strict=False)
    return all(best(other, state) <= best(agent, state, tie) for _, state in found)


def best(agent: LearnedAgent, state: State, tie: float = 0.0) -> set[int]:
    """The actions with the highest value, or one so near that it is a matter of rounding."""
    values = agent.values(state)
    top = max(values.values())
    return {action for action, value in values.items() if value >= top - tie}


def some_positions(agent: LearnedAgent) -> Iterator[State]:
    """Positions of games, without end; some of their moves are the agent's, others random."""
    rng = np.array([1], np.uint64)
    while True:
        with np.errstate(over="ignore"):
            state = agent.game.start(seed=int(below(rng, 2**31)))
            while not state.over:
                yield state
                legal = state.legal_actions
                random = uniform(rng) < EXPLORED
                state.play(legal[below(rng, len(legal))] if random else agent.act(state))


def check_game(small: Small, game: Game, path: Path) -> None:
    """Refuses an agent of another game."""
    if small.agent.game != game:
        raise InputError(f"{path} was trained on {small.agent.game.name}, not {game.name}")
