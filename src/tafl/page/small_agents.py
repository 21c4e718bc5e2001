"""Trained agents inside a page: compact, and with the same moves."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import RegretAgent, TrainedAgent
from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.boards.spec import parse
from tafl.core.learn.regret import make_moves
from tafl.core.learn.store import REGRETS, Store, rows_used
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import seat_tables
from tafl.core.search.foresee import make_trained
from tafl.page.pack import Bytes, packed, packed_weights
from tafl.page.program import blanked
from tafl.runs.champions import champion, champion_file, read_card
from tafl.runs.small import POSITIONS, fewest_bits
from tafl.runs.trained_agents import agent_settings, load_agent
from tafl.settings.model import Settings

DOUBLE = 64  # bits of a number in the tables of regret matching
MOST_BOARDS = 16  # symmetric boards, for which all groups are computed


@dataclass(frozen=True)
class Small:
    """An agent of a page, with as few bits per weight as its moves allow."""

    agent: TrainedAgent
    bits: int
    label: str
    settings: Settings | None = None  # that it was trained with, if they are known

    @property
    def text(self) -> str:
        """Describe the weights for people."""
        if isinstance(self.agent, RegretAgent):
            return f"{rows_used(self.agent.store):,} rows with values and a policy"
        used = np.count_nonzero(self.agent.net.weights)
        if self.bits == 16:
            checked = f"16 bits each, which changes no move in {POSITIONS:,} positions"
        else:
            checked = "32 bits each, as 16 would change moves"
        return f"{used:,} weights that are not 0, {checked}"

    def document(self, kept: Bytes) -> dict[str, Any]:
        """Return the agent as the page reads it."""
        if isinstance(self.agent, RegretAgent):
            trained = mixed(self.agent, kept)
        else:
            trained = greedy(self.agent, self.bits, kept)
        return {"label": self.label, "bits": self.bits, "trained": trained}


def greedy(agent: LearnedAgent, bits: int, kept: Bytes) -> dict[str, Any]:
    """Return the memory of a network."""
    facts, net, td = agent.game.facts, agent.net, agent.td
    trained: dict[str, Any]
    trained = packed(make_trained(facts, blanked(net), td, make_work(facts, net)), kept)
    trained["net"]["weights"] = packed_weights(net.weights, bits, kept)
    return trained


def mixed(agent: RegretAgent, kept: Bytes) -> dict[str, Any]:
    """Return the memory of an agent of regret matching, without regrets."""
    facts, store = agent.game.facts, played(agent.store)
    asked = make_moves(facts, store.net, moves=1)
    return {"store": packed(store, kept), "work": packed(asked, kept)}


def played(store: Store) -> Store:
    """Return the rows of a store that are in use, with what is needed to play."""
    rows = rows_used(store)
    tables = store.tables[:rows].copy()
    tables[:, REGRETS] = 0.0
    return store._replace(tables=tables, keys=store.keys[: store.used[0]])


def load_small(path: Path, label: str) -> Small:
    """Load the agent of a run or a file, with as few bits as its moves allow."""
    agent = load_agent(path)
    if isinstance(agent, RegretAgent):
        return Small(agent, DOUBLE, label)
    return Small(agent, fewest_bits(agent), label, agent_settings(path))


def load_champion(game: Game, label: str) -> Small:
    """Load the champion of a game; its card has the number of bits."""
    agent = champion(game)
    return Small(agent, read_card(champion_file(parse(game.name)[0])).bits, label)


def networks(game: Game) -> dict[str, Any]:
    """Return the parts of networks, for agent files that a visitor opens in the page."""
    facts = game.facts
    both = list(zip(facts.symmetries, facts.action_symmetries, strict=True))
    groups = []  # the boards of a network with at most 0, 1, 2, ... symmetric boards
    for most in range(len(both) if len(both) <= MOST_BOARDS else 2):
        few = with_boards(facts, most)
        pairs = zip(few.symmetries, few.action_symmetries, strict=True)
        groups.append([both.index(pair) for pair in pairs])
    seats, places = seat_tables(facts, facts.seats is not None)
    return {
        "seats": seats.ravel().tolist(),
        "places": places.ravel().tolist(),
        "values": facts.input_values,
        "boards": facts.symmetries,
        "turned": facts.action_symmetries,
        "groups": groups,
    }
