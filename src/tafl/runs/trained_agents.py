"""Trained agents: in the folder of a run, or in their own file.

Such a file has the form of a checkpoint, with the weights alone: what is only needed to learn on
is left out. A champion's file stores its weights compactly (small.py).
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import RegretAgent, TrainedAgent
from tafl.boards import Game
from tafl.boards.load import load_stored
from tafl.errors import InputError, check_type
from tafl.files import replacing
from tafl.runs.checkpoint import Header, check_finite, load, load_column, read_header, read_sound
from tafl.runs.run import Run
from tafl.runs.small import check_size, unpack
from tafl.runs.stores import PLAYED, read_arrays, read_store
from tafl.runs.tensors import DamagedError, array_types, read_array, write_tensors
from tafl.settings.build import (
    PROCESS,
    build,
    check_memory,
    floats_of,
    memory_needed,
    stored_tuples,
)
from tafl.settings.model import Settings
from tafl.settings.own_networks import load_network
from tafl.settings.tables import merged

INDICES = 2**26  # bytes for the indices of a small network
VALUES = ("float16", "float32")  # types of compact weights


def load_agent(path: str | Path) -> TrainedAgent:
    """Return a trained agent, from the folder of its run or from its own file.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=f"{folder}/run")
    ...     save_agent(run, f"{folder}/nim.agent")
    ...     agent, start = tafl.load(f"{folder}/nim.agent"), run.game.start()
    ...     agent.values(start) == run.agent.values(start)
    True
    """
    check_type("a run or an agent", path, str, os.PathLike)
    path = Path(path)
    return _from_file(path) if os.path.isfile(path) else Run.open(path).agent


def agent_settings(path: str | Path) -> Settings:
    """Return the settings of a run, or of an agent's file that is known to be sound."""
    path = Path(path)
    return Settings.of(read_header(path).settings) if path.is_file() else Run.open(path).settings


def save_agent(run: Run, path: str | Path) -> None:
    """Write the agent of a run to its own file.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tafl.save(tafl.train("nim", episodes=10, out=f"{folder}/run"), f"{folder}/nim.agent")
    ...     tafl.agent(f"run:{folder}/nim.agent").game.name
    'nim(heaps=3,stones=5,take=5,misere=false)'
    """
    check_type("run", run, Run)
    if run.settings.algo == "regret":
        source, header = run.learned()
        arrays = read_arrays(source, ("keys", *PLAYED))
    else:
        header, weights = plain_weights(run)
        arrays = {"weights": weights}
    with replacing(Path(path), "wb") as file:
        write_tensors(file, arrays, header.metadata())


def plain_weights(run: Run) -> tuple[Header, np.ndarray]:
    """Return the last checkpoint of a run without what is only needed to learn on."""
    if run.settings.algo == "regret":
        raise InputError(f"{run.path} was trained with regret; it has no network of values")
    source, header = run.learned()
    plain = merged(header.settings, {"coherence": {"transfer": "off"}})
    return replace(header, settings=plain), load_column(source, run.settings.coherence.width)


def uses(run: Run) -> np.ndarray:
    """Return how much each weight was used: the sum of its changes, if that was counted."""
    width = run.settings.coherence.width
    used: np.ndarray = np.abs(load_column(run.learned()[0], width, width - 1))
    return used


def _from_file(path: Path) -> TrainedAgent:
    try:
        header = read_sound(path)
        with path.open("rb") as file:
            types = array_types(file)
    except DamagedError as error:
        raise InputError(f"{path} is not the file of an agent: {error}") from None
    settings = Settings.of(header.settings)
    game = load_stored(settings.game, str(path))
    load_network(settings.network.kind, str(path))
    try:
        tuples = stored_tuples(game, settings, header.tuples)
    except InputError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if settings.algo == "regret":
        store = read_store(path, game, tuples)
        return RegretAgent(game, store, settings.seed, f"run:{path}")
    try:
        size = floats_of(game, settings, tuples)
        arrays = _packed_arrays(path, types, size) if "values" in types else None
        room = path.stat().st_size if arrays is None else 4 * size
        _check_room(game, settings, tuples, 4 * size, room)
    except (DamagedError, InputError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    net, td, _ = build(game, settings, tuples)
    if arrays is None:
        load(path, {"weights": net.weights.reshape(-1)})
    else:
        _unpack(path, arrays, net.weights.reshape(-1))
    return LearnedAgent(game, net, td, settings.seed, f"run:{path}")


def _check_room(
    game: Game, settings: Settings, tuples: list[list[int]], weights: int, room: int
) -> None:
    """Refuse a network of more bytes than its file explains, before memory is taken."""
    alone = settings.model_copy(update={"threads": 1})  # it plays one game, however it was trained
    needed = memory_needed(game, alone, tuples) - PROCESS
    if weights > room or needed > 2 * room + INDICES:
        raise DamagedError("its weights are of another network")
    check_memory(needed)


def _packed_arrays(path: Path, types: Mapping[str, str], size: int) -> dict[str, np.ndarray]:
    """Return compact arrays; refuse those that are not of this many weights."""
    if types["values"] not in VALUES:
        raise DamagedError(f"its array values is of the type {types['values']}")
    arrays = {}
    for name, dtype in (("gaps", "uint8"), ("values", types["values"])):
        with path.open("rb") as file:
            arrays[name] = read_array(file, name, dtype)
        if name == "gaps":
            check_size(arrays["gaps"], size)
    return arrays


def _unpack(path: Path, arrays: Mapping[str, np.ndarray], weights: np.ndarray) -> None:
    try:
        unpack(arrays, weights)
    except DamagedError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    check_finite(path, weights)


def trained(game: Game | None, path: str, seed: int = 0) -> TrainedAgent:
    """`run:PATH`: the agent of a run as of its last checkpoint, or of a file."""
    agent = load_agent(path)
    if game is not None and agent.game != game:
        raise InputError(f"this agent was trained on {agent.game.name}, not {game.name}")
    return replace(agent, seed=seed, name=f"run:{path}")
