"""Trained agents inside a page: compact, and with the same moves."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import with_network
from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.boards.spec import parse
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.search.foresee import make_trained
from tafl.page.pack import Bytes, packed, packed_weights
from tafl.runs.champions import champion, champion_file, read_card
from tafl.runs.small import POSITIONS, fewest_bits
from tafl.runs.trained_agents import load_agent

MOST_BOARDS = 16  # symmetric boards, for which all groups are computed


@dataclass(frozen=True)
class Small:
    """An agent of a page, with as few bits per weight as its moves allow."""

    agent: LearnedAgent
    bits: int
    label: str

    @property
    def text(self) -> str:
        """Describe the weights for people."""
        used = np.count_nonzero(self.agent.net.weights)
        if self.bits == 16:
            checked = f"16 bits each, which changes no move in {POSITIONS:,} positions"
        else:
            checked = "32 bits each, as 16 would change moves"
        return f"{used:,} weights that are not 0, {checked}"

    def document(self, kept: Bytes) -> dict[str, Any]:
        """Return the agent as the page reads it."""
        facts, net, td = self.agent.game.facts, self.agent.net, self.agent.td
        trained = packed(make_trained(facts, blanked(net), td, make_work(facts, net)), kept)
        trained["net"]["weights"] = packed_weights(net.weights, self.bits, kept)
        return {"label": self.label, "bits": self.bits, "trained": trained}


def load_small(path: Path, label: str) -> Small:
    """Load the agent of a run or a file, with as few bits as its moves allow."""
    agent = with_network(load_agent(path))
    return Small(agent, fewest_bits(agent), label)


def load_champion(game: Game, label: str) -> Small:
    """Load the champion of a game; its card has the number of bits."""
    agent = champion(game)
    return Small(agent, read_card(champion_file(parse(game.name)[0])).bits, label)


def blanked(net: Net) -> Net:
    """Return the network without its weights, which are packed separately."""
    return net._replace(weights=np.zeros(0, np.float32))


def networks(game: Game) -> dict[str, Any]:
    """Return the parts of networks, for agent files that a visitor opens in the page."""
    facts = game.facts
    both = list(zip(facts.symmetries, facts.action_symmetries, strict=True))
    groups = []  # the boards of a network with at most 0, 1, 2, ... symmetric boards
    for most in range(len(both) if len(both) <= MOST_BOARDS else 2):
        few = with_boards(facts, most)
        pairs = zip(few.symmetries, few.action_symmetries, strict=True)
        groups.append([both.index(pair) for pair in pairs])
    return {
        "values": facts.input_values,
        "boards": facts.symmetries,
        "turned": facts.action_symmetries,
        "groups": groups,
    }
