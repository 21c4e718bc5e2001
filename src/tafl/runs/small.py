"""Compact weight storage: only non-zero weights, in 16 bits where no move changes.

gaps      uint8: how many zeros are in front of each of them, and behind the last one; 255 means
          255 zeros, and that the number goes on in the next byte
values    float16 or float32: these weights, one after the other
"""

from collections.abc import Iterator, Mapping

import numpy as np

from tafl.agents.agent import best_actions
from tafl.agents.learned import LearnedAgent
from tafl.boards import State
from tafl.core.random import below, uniform
from tafl.runs.tensors import DamagedError

POSITIONS = 10_000  # in which weights of 16 bits must lead to the same moves
TIE = 5e-7  # of the range of scores: sums of the same weights in another order differ as much
EXPLORED = 0.5  # of the moves that lead to them are random
MORE = 255
CHUNK = 2**20  # gaps that are looked at in one go
TYPES = {16: np.float16, 32: np.float32}


def packed(weights: np.ndarray, bits: int) -> dict[str, np.ndarray]:
    """Return the compact form of the weights, rounded to this many bits."""
    weights = weights.reshape(-1).astype(TYPES[bits])
    places = np.flatnonzero(weights)
    zeros = np.diff(places, prepend=-1, append=weights.size) - 1
    full = zeros // MORE
    gaps = np.full(zeros.size + full.sum(), MORE, np.uint8)
    gaps[np.cumsum(full + 1) - 1] = zeros % MORE
    return {"gaps": gaps, "values": weights[places]}


def unpack(arrays: Mapping[str, np.ndarray], weights: np.ndarray) -> None:
    """Fill the weights, which are 0; refuse arrays of another size."""
    gaps, values = arrays["gaps"], arrays["values"]
    check_size(gaps, weights.size)
    if values.size != np.count_nonzero(gaps < MORE) - 1:
        raise DamagedError("its arrays gaps and values do not fit each other")
    place = done = 0
    for first in range(0, gaps.size, CHUNK):  # places take 24 times the room of gaps
        piece = gaps[first : first + CHUNK]
        ends = np.flatnonzero(piece < MORE)
        places = place + np.cumsum(piece, dtype=np.int64)[ends] + np.arange(ends.size)
        count = min(ends.size, values.size - done)  # the last gap is behind the last weight
        weights[places[:count]] = values[done : done + count]
        place, done = place + int(piece.sum(dtype=np.int64)) + ends.size, done + count


def check_size(gaps: np.ndarray, size: int) -> None:
    """Refuse gaps that are not those of this many weights."""
    found = int(gaps.sum(dtype=np.int64)) + np.count_nonzero(gaps < MORE) - 1
    if gaps.size == 0 or gaps[-1] == MORE or found != size:
        raise DamagedError("its array gaps is of another network")


def keep_most_used(weights: np.ndarray, uses: np.ndarray, count: int) -> None:
    """Keep the `count` most-used weights; set the others to 0."""
    active = np.flatnonzero(weights)
    by_use = active[np.argsort(-uses[active], kind="stable")]
    weights[by_use[count:]] = 0


def fewest_bits(agent: LearnedAgent) -> int:
    """16 if no move changes in 10,000 positions when weights are rounded to that, else 32."""
    with np.errstate(over="ignore"):  # too large for 16 bits is infinite: another agent
        rounded = agent.net.weights.astype(np.float16).astype(np.float32)
    other = LearnedAgent(agent.game, agent.net._replace(weights=rounded), agent.td)
    return 16 if same_moves(agent, other) else 32


def same_moves(agent: LearnedAgent, other: LearnedAgent, positions: int = POSITIONS) -> bool:
    """Tell whether both agents play the same moves in this many positions."""
    if not np.isfinite(other.net.weights).all():
        return False
    low, high = map(agent.game.points, agent.game.facts.score_range)
    tie = TIE * (high - low)
    found = zip(range(positions), some_positions(agent), strict=False)
    return all(_best(other, state) <= _best(agent, state, tie) for _, state in found)


def _best(agent: LearnedAgent, state: State, tie: float = 0.0) -> set[int]:
    """Return the actions with the highest value, or one so near that it is a matter of rounding."""
    values = agent.values(state)
    top = values[best_actions(values)[0]]
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
