"""The GPU: whether there is one, and how many agents have room in its memory."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from tafl.arguments import argument
from tafl.boards import Game
from tafl.core.ntuple.net import Net, floats
from tafl.errors import InputError
from tafl.settings.build import build_net, gigabytes, horizon, make_td
from tafl.settings.model import Settings

SPARE = 2**28  # bytes of the device for machine code and stacks


def device_code() -> Any:
    """Return the module that drives the GPU, or refuse in one line that says what is missing."""
    wanted = argument("device", "cuda")
    if find_spec("numba_cuda") is None:
        needs = "needs numba-cuda, which is not installed: pip install 'tafl[gpu]'"
        raise InputError(f"{wanted} {needs}")
    try:
        from tafl.core.compile import cuda
    except Exception as error:  # whatever its parts, or the driver, may raise
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{wanted}: numba-cuda is installed, but fails: {cause}") from None
    if reason := cuda.missing():
        raise InputError(f"{wanted}: {reason}; leave it out to train on the CPU")
    return cuda


def agents_that_fit(game: Game, settings: Settings, net: Net) -> int:
    """Return the number of agents with such networks that fit into the device's memory."""
    facts = game.facts
    backward = make_td(settings).backward
    rows = 1 + facts.actions + facts.players * (1 + horizon(settings.td) + backward)
    block = net.base.nbytes * rows + 8 * facts.actions * (facts.words + 3) + 2048
    block += 16 * facts.players * backward
    tables = 4 * floats(game.facts, net)
    agent = tables + net.strides.nbytes + settings.threads * block
    between = tables // net.width  # the weights of an agent on their way to an evaluation
    return max(0, int((device_code().memory() - SPARE - between) // agent))


def check_device(game: Game, settings: Settings, tuples: list[list[int]]) -> None:
    """Refuse a run that has no GPU, or that does not fit into its memory."""
    check_room(game, [settings], build_net(game, settings, tuples, tables=False))


def check_room(game: Game, settings: Sequence[Settings], net: Net) -> None:
    """Refuse a population that the memory of the device has no room for."""
    fit, agents = agents_that_fit(game, settings[0], net), len(settings)
    if agents > fit:
        free = gigabytes(device_code().memory())
        need = gigabytes(4 * agents * floats(game.facts, net))
        few = f"{fit} would fit" if fit else "use shorter or fewer n-tuples"
        raise InputError(
            f"{agents} agent{'s' * (agents > 1)} need {need} of the memory of the GPU, "
            f"but only {free} is free; {few}"
        )
