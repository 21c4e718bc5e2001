"""The GPU: whether there is one, and how many agents have room in its memory."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from tafl.arguments import argument
from tafl.boards import Game
from tafl.core.ntuple.net import floats
from tafl.errors import InputError
from tafl.settings.build import PROCESS, build_net, gigabytes, horizon, make_td, memory_needed
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


def agents_that_fit(game: Game, settings: Settings, tuples: list[list[int]]) -> int:
    """Return the number of agents with such tables that fit into the device's memory."""
    free = device_code().memory() - SPARE
    if settings.algo == "regret":
        return max(0, int(free // (memory_needed(game, settings, tuples) - PROCESS)))
    facts, net = game.facts, build_net(game, settings, tuples, tables=False)
    backward = make_td(settings).backward
    rows = 1 + facts.actions + facts.players * (1 + horizon(settings.td) + backward)
    block = net.base.nbytes * rows + 8 * facts.actions * (facts.words + 3) + 2048
    block += 16 * facts.players * backward
    tables = 4 * floats(game.facts, net)
    agent = tables + net.strides.nbytes + settings.threads * block
    between = tables // net.width  # the weights of an agent on their way to an evaluation
    return max(0, int((free - between) // agent))


def check_device(game: Game, settings: Settings, tuples: list[list[int]]) -> None:
    """Refuse a run that has no GPU, or that does not fit into its memory."""
    check_room(game, [settings], tuples)


def check_room(game: Game, settings: Sequence[Settings], tuples: list[list[int]]) -> None:
    """Refuse a population that the memory of the device has no room for."""
    first, agents = settings[0], len(settings)
    fit = agents_that_fit(game, first, tuples)
    if agents > fit:
        free, each = gigabytes(device_code().memory()), memory_needed(game, first, tuples) - PROCESS
        cure = "use shorter or fewer n-tuples"
        if first.algo == "regret":
            cure = "lower regret.states" if not tuples else cure
        else:
            each = 4 * floats(game.facts, build_net(game, first, tuples, tables=False))
        need, few = gigabytes(agents * each), f"{fit} would fit" if fit else cure
        raise InputError(
            f"{agents} agent{'s' * (agents > 1)} need {need} of the memory of the GPU, "
            f"but only {free} is free; {few}"
        )
