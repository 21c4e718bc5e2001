"""Reading results of others, and asking rules in plain Python what they say about a state."""

import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np

from tafl.core.games.rules import parameters

DATA = Path(__file__).parent / "data"


def read(name):
    """The text of a file, compressed or not."""
    raw = (DATA / name).read_bytes()
    return (gzip.decompress(raw) if name.endswith(".gz") else raw).decode()


def read_lines(name):
    """The JSON documents of a file, one a line."""
    return [json.loads(line) for line in read(name).splitlines()]


def facts_of(rules):
    """The facts of a game, computed once."""
    return _facts(type(rules), *parameters(rules).items())


@cache
def _facts(game_class, *chosen):
    return game_class(**dict(chosen)).facts()


def legal_actions(rules, state):
    """The actions that may be played, none at the end."""
    if rules.over(state):
        return []
    return [a for a in range(facts_of(rules).actions) if rules.legal(state, a)]


def cells_of(rules, state):
    """What stands on each cell."""
    return [int(rules.cell(state, c)) for c in range(facts_of(rules).cells)]


def played(rules, state, action):
    """The afterstate, as a new state."""
    after = state.copy()
    rules.play(after, action)
    return after


def start(rules):
    """The start position, without chance."""
    state = np.zeros(facts_of(rules).words, np.int64)
    rules.start(state)
    return state


def position(rules, cells, player=0):
    """The state with these cells."""
    state = np.zeros(facts_of(rules).words, np.int64)
    rules.position(state, cells, player)
    return state
