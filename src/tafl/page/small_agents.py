"""Trained agents inside a page: small, and with the same moves."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.boards.spec import parse
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.search.foresee import make_trained
from tafl.errors import InputError
from tafl.page.pack import Bytes, packed, packed_weights
from tafl.runs.champions import champion, champion_file, read_card
from tafl.runs.small import POSITIONS, fewest_bits
from tafl.runs.trained_agents import load_agent

MOST_BOARDS = 16  # of which all groups are looked for


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
    return Small(agent, fewest_bits(agent), label)


def load_champion(game: Game, label: str) -> Small:
    """The champion of a game; how many bits its moves need is on its card."""
    agent = champion(game)
    return Small(agent, read_card(champion_file(parse(game.name)[0])).bits, label)


def blanked(net: Net) -> Net:
    """The network without its weights: they are packed apart."""
    return net._replace(weights=np.zeros(0, np.float32))


def networks(game: Game) -> dict[str, Any]:
    """What a network can be made of: for agents whose file is brought to the page."""
    facts = game.facts
    both = list(zip(facts.symmetries, facts.action_symmetries, strict=True))
    few_boards = range(len(both) if len(both) <= MOST_BOARDS else 2)
    chosen = [with_boards(facts, most) for most in few_boards]
    groups = [zip(few.symmetries, few.action_symmetries, strict=True) for few in chosen]
    return {
        "values": facts.values,
        "boards": facts.symmetries,
        "turned": facts.action_symmetries,
        "groups": [[both.index(board) for board in group] for group in groups],  # by how many
    }


def check_game(small: Small, game: Game, path: Path) -> None:
    """Refuses an agent of another game."""
    if small.agent.game != game:
        raise InputError(f"{path} was trained on {small.agent.game.name}, not {game.name}")
