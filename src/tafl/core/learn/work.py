"""Scratch memory of one learner or player: everything a kernel writes to besides the weights."""

from typing import NamedTuple

import numpy as np

from tafl.core.ntuple.update import seen_slots


class Work(NamedTuple):
    """Arrays that a kernel uses and nobody else reads.

    The candidates are the afterstates of the current state, one row each; `last` is the player's
    previous afterstate, or state and action, as positions in the weights; `trace` holds those that
    eligibility reaches back to, newest at `head`.
    """

    state: np.ndarray  # int64[words]: s_t
    now: np.ndarray  # uint32[K]: its indices
    actions: np.ndarray  # int64[actions]: the candidates' actions
    afters: np.ndarray  # int64[actions, words]: the candidates
    indices: np.ndarray  # uint32[actions, K]
    activations: np.ndarray  # float32[actions]
    made: np.ndarray  # int64[1]: how many candidates were made ahead
    moved: np.ndarray  # bool[players]: has s_last[p] a value?
    explored: np.ndarray  # bool[players]: was a_last[p] random?
    scores: np.ndarray  # float64[players]: score when p last moved
    last: np.ndarray  # uint32[players, K]: s_last[p], a_last[p]
    sums: np.ndarray  # float32[2, K]: scratch of `change`
    seen: np.ndarray  # uint32[slots]: scratch of `distinct`, none for few boards
    trace: np.ndarray  # uint32[players, horizon, K]: distinct positions
    counts: np.ndarray  # int64[players, horizon]: how many
    slopes: np.ndarray  # float32[players, horizon]: sigma'
    length: np.ndarray  # int64[players]: how many states are eligible
    head: np.ndarray  # int64[players]: the newest of them
    queue: np.ndarray  # uint32[players, backward, K]: afterstates that wait, oldest first ...
    gained: np.ndarray  # float64[players, backward]: ... the rewards before them ...
    links: np.ndarray  # int64[players, backward]: ... and what of them those before learn from
    waiting: np.ndarray  # int64[players]: how many wait
    keep: np.ndarray  # int64[1]: before which move to keep the position; 0 before the first episode
    middle: np.ndarray  # int64[words]: a position of the last episode


def make_work(facts, net, horizon: int = 1, backward: int = 0) -> Work:
    """Scratch memory for a game and a network."""
    K = net.base.size
    n, a, words = facts.players, facts.actions, facts.words
    return Work(
        state=np.zeros(words, np.int64),
        now=np.zeros(K, np.uint32),
        actions=np.zeros(a, np.int64),
        afters=np.zeros((a, words), np.int64),
        indices=np.zeros((a, K), np.uint32),
        activations=np.zeros(a, np.float32),
        made=np.zeros(1, np.int64),
        moved=np.zeros(n, np.bool_),
        explored=np.zeros(n, np.bool_),
        scores=np.zeros(n, np.float64),
        last=np.zeros((n, K), np.uint32),
        sums=np.zeros((2, K), np.float32),
        seen=np.zeros(seen_slots(net), np.uint32),
        trace=np.zeros((n, horizon, K), np.uint32),
        counts=np.zeros((n, horizon), np.int64),
        slopes=np.zeros((n, horizon), np.float32),
        length=np.zeros(n, np.int64),
        head=np.zeros(n, np.int64),
        queue=np.zeros((n, backward, K), np.uint32),
        gained=np.zeros((n, backward), np.float64),
        links=np.zeros((n, backward), np.int64),
        waiting=np.zeros(n, np.int64),
        keep=np.zeros(1, np.int64),
        middle=np.zeros(words, np.int64),
    )
