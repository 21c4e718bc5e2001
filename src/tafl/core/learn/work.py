"""Scratch memory of one learner or player: everything a kernel writes to besides the weights."""

from typing import Annotated, Any, NamedTuple

from tafl.core.compile.thread_block import MOST_WARPS
from tafl.core.memory import Array, allocate

# Places of an array on a GPU (learn/population.py): one per thread, shared memory (NEAR), shared
# memory if there is room (SHARED), or global memory.
OWN, NEAR, SHARED, FAR = "own", "near", "shared", "far"
CPU = "cpu"  # not on a GPU


class Work(NamedTuple):
    """Private arrays of a kernel.

    What is kept of a state is its code, a row of K numbers (core/approximators/contract.py). The
    candidates are the afterstates of the current state, one row each; `last` is the player's
    previous afterstate, or state and action; `trace` holds those that eligibility reaches back to,
    newest at `head`.
    """

    state: Annotated[Array, "int64[words]", OWN]  # s_t
    now: Annotated[Array, "uint32[K]", SHARED]  # its code
    # the candidates: their actions, the afterstates themselves, ...
    actions: Annotated[Array, "int64[actions]", SHARED]
    afters: Annotated[Array, "int64[actions, words]", SHARED]
    codes: Annotated[Array, "uint32[actions, K]", SHARED]
    activations: Annotated[Array, "float32[actions]", SHARED]
    made: Annotated[Array, "int64[1]", CPU]  # how many candidates were made ahead
    moved: Annotated[Array, "bool[players]", OWN]  # has s_last[p] a value?
    explored: Annotated[Array, "bool[players]", OWN]  # was a_last[p] random?
    scores: Annotated[Array, "float64[players]", OWN]  # score when p last moved
    last: Annotated[Array, "uint32[players, K]", SHARED]  # s_last[p], a_last[p]
    memory: Annotated[Any, "", CPU]  # scratch of the approximator
    trace: Annotated[Array, "uint32[players, horizon, K]", SHARED]  # what its `change` needs
    counts: Annotated[Array, "int64[players, horizon]", OWN]  # how many of these numbers
    slopes: Annotated[Array, "float32[players, horizon]", OWN]  # sigma'
    length: Annotated[Array, "int64[players]", OWN]  # how many states are eligible
    head: Annotated[Array, "int64[players]", OWN]  # the newest of them
    # afterstates that wait, oldest first, the rewards before them, and what those before learn from
    queue: Annotated[Array, "uint32[players, backward, K]", FAR]
    gained: Annotated[Array, "float64[players, backward]", FAR]  # all threads write the same
    links: Annotated[Array, "int64[players, backward]", FAR]
    waiting: Annotated[Array, "int64[players]", OWN]  # how many wait
    # before which move to keep the position, 0 before the first episode; the one that was kept
    keep: Annotated[Array, "int64[1]", OWN]
    middle: Annotated[Array, "int64[words]", OWN]
    reach: Annotated[Array, "int64[1]", OWN]  # how far from the goal an episode begins, at most
    # in blocks an afterstate that is looked at; in games with hidden information the true state
    trial: Annotated[Array, "int64[words]", OWN]
    # only blocks use these: has `recall` been begun, what candidates are worth, and parts of the
    # activation that `recall` asks for
    recalled: Annotated[Array, "bool[1]", OWN]
    values: Annotated[Array, "float64[actions]", SHARED]
    parts: Annotated[Array, "float32[warps]", NEAR]


def make_work(facts, net, horizon: int = 1, backward: int = 0) -> Work:
    """Return scratch memory for a game and an approximator."""
    sizes = {"K": net.code_size(), "horizon": horizon, "backward": backward}
    sizes |= vars(facts) | {"warps": MOST_WARPS}
    return allocate(Work, sizes, memory=net.make_memory())
