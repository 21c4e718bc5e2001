"""The tables of regret matching in files: arrays in the order of first visits, or of n-tuples."""

from pathlib import Path

import numpy as np

from tafl.boards import Game
from tafl.core.learn.store import (
    AVERAGE,
    CRITIC,
    REGRETS,
    Store,
    fill_slots,
    key_size,
    make_store,
    rows_used,
    states_used,
)
from tafl.errors import InputError
from tafl.runs.checkpoint import all_finite
from tafl.runs.tensors import DamagedError, array_types, read_array
from tafl.settings.build import index_net

KINDS = {"critic": CRITIC, "average": AVERAGE, "regrets": REGRETS}
PLAYED = ("critic", "average")  # what an agent needs that learns no more


def read_store(path: Path, game: Game, tuples: list[list[int]]) -> Store:
    """Return what an agent needs of a file that was verified, with no room for more."""
    states = read_arrays(path, ("keys",))["keys"].size // key_size(game.facts)[1]
    store = make_store(game.facts, index_net(game, tuples), states)
    fill_store(path, store, PLAYED)
    return store


def arrays_of(store: Store) -> dict[str, np.ndarray]:
    """Return copies of the arrays that stand for a store."""
    n = rows_used(store)
    arrays = {name: store.tables[:n, kind].ravel() for name, kind in KINDS.items()}
    return {"keys": store.keys[: states_used(store)].ravel()} | arrays


def read_arrays(path: Path, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return arrays of a file that was verified."""
    try:
        with path.open("rb") as file:
            types = array_types(file)
        arrays = {}
        for name in names:
            with path.open("rb") as file:
                arrays[name] = read_array(file, name, types.get(name, "float64"))
    except DamagedError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    return arrays


def fill_store(path: Path, store: Store, kinds: tuple[str, ...] = tuple(KINDS)) -> None:
    """Fill an empty store from a file that was verified."""
    arrays = read_arrays(path, ("keys", *kinds))
    keys, actions = arrays["keys"], store.tables.shape[2]
    store.used[0] = states = keys.size // max(1, store.keys.shape[1])
    n = rows_used(store)
    sizes = {name: arrays[name].size for name in kinds}
    if states > store.keys.shape[0] or any(size != n * actions for size in sizes.values()):
        raise InputError(f"{path} cannot be read: its tables are of another game or store")
    store.keys[:states] = keys.reshape(states, store.keys.shape[1])
    for name in kinds:
        if not all_finite(arrays[name]):
            raise InputError(f"{path} holds numbers that are not finite")
        store.tables[:n, KINDS[name]] = arrays[name].reshape(n, actions)
    fill_slots(store)
