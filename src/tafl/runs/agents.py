"""Trained agents: in the folder of a run, or in a file of their own.

Such a file has the form of a checkpoint, with the weights alone: what is only needed to learn on
is left out.
"""

import os
from dataclasses import replace
from pathlib import Path

from tafl.agents.learned import LearnedAgent
from tafl.boards import Game, load_game
from tafl.errors import InputError
from tafl.files import replacing
from tafl.runs.checkpoint import load, read_sound
from tafl.runs.run import Run
from tafl.runs.tensors import DamagedError, write_tensors
from tafl.settings.build import build
from tafl.settings.model import Fields, Settings, merged


def load_agent(path: str | Path) -> LearnedAgent:
    """A trained agent, from the folder of its run or from a file of its own.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=f"{folder}/run")
    ...     save_agent(run, f"{folder}/nim.agent")
    ...     agent = tafl.load(f"{folder}/nim.agent")
    >>> agent.values(agent.game.start()) == run.agent.values(run.game.start())
    True
    """
    path = Path(path)
    return _from_file(path) if os.path.isfile(path) else Run.open(path).agent


def save_agent(run: Run, path: str | Path) -> None:
    """Writes the agent of a run to a file of its own.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tafl.save(tafl.train("nim", episodes=10, out=f"{folder}/run"), f"{folder}/nim.agent")
    ...     tafl.agent(f"run:{folder}/nim.agent").game.name
    'nim(heaps=3,stones=5,take=5,misere=false)'
    """
    net, found = run.agent.net, run.checkpoint()
    assert found is not None  # it is where the agent comes from
    header = replace(found[1], settings=_without_coherence(found[1].settings))
    with replacing(Path(path), "wb") as file:
        weights = net.weights[:: net.width].copy()
        write_tensors(file, {"weights": weights}, header.metadata())


def _from_file(path: Path) -> LearnedAgent:
    try:
        header = read_sound(path)
    except DamagedError as error:
        raise InputError(f"{path} is not the file of an agent: {error}") from None
    settings = Settings.of(header.settings)
    game = load_game(settings.game)
    net, td, _ = build(game, settings, header.tuples)
    load(path, {"weights": net.weights})
    return LearnedAgent(game, net, td, settings.seed, f"run:{path}")


def _without_coherence(settings: Fields) -> Fields:
    """Settings of a network that has a number for each weight and no more."""
    return merged(settings, {"coherence": {"transfer": "off"}})


def trained(game: Game | None, path: str, seed: int = 0) -> LearnedAgent:
    """`run:PATH`: the agent of a run as of its last checkpoint, or of a file."""
    agent = load_agent(path)
    if game is not None and agent.game != game:
        raise InputError(f"it has learned {agent.game.name}, not {game.name}")
    return LearnedAgent(agent.game, agent.net, agent.td, seed, f"run:{path}")
