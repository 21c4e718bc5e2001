"""From settings to what kernels take: n-tuples, network, settings of TD; and their memory."""

import math
from typing import Any

import numpy as np
import psutil

from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.core.learn.adapt import TD
from tafl.core.learn.regret import MOST_MOVES, Regret
from tafl.core.learn.store import Store, make_store, store_bytes
from tafl.core.ntuple.net import Coherence, Net, floats, make_net
from tafl.core.ntuple.tables import GAP, MOST, entries
from tafl.errors import InputError
from tafl.settings.model import Settings
from tafl.settings.networks import make_other
from tafl.settings.sections import Learning
from tafl.settings.seeds import TUPLES, derived
from tafl.settings.values import LINES, RANDOM_TUPLES, SINGLE, TABLES
from tafl.tuples import checked, fixed, lines, random_points, random_walk

FEWER = "shorter or fewer n-tuples, or hash them with network.hash_bits"
PROCESS = 250 * 2**20  # bytes: Python, Numba and the compiled code


def build(game: Game, settings: Settings, tuples: list[list[int]]) -> tuple[Any, TD, int]:
    """Return the network, the settings of TD-learning, and the horizon of eligibility."""
    return build_net(game, settings, tuples), make_td(settings), horizon(settings.td)


def build_net(game: Game, settings: Settings, tuples: list[list[int]], tables: bool = True) -> Any:
    """Return the network; without `tables` one of n-tuples has no weights, and others zeros."""
    network = settings.network
    if network.kind != TABLES:
        return make_other(game, settings, tables)
    return make_net(
        with_boards(game.facts, network.symmetries),
        tuples,
        by_action=settings.algo in ("sarsa", "q"),
        tanh=network.sigma == "tanh",
        coherence=Coherence(**settings.coherence.model_dump()),
        hash_bits=network.hash_bits or 0,
        tables=tables,
        shared=network.shared,
    )


def with_weights(game: Game, net: Any, weights: np.ndarray) -> Any:
    """Return the network with these weights, one after the other; refuse those of another one."""
    tables = isinstance(net, Net)
    if weights.size != (floats(game.facts, net) if tables else net.weights.size):
        raise InputError("its weights are of another network")
    return net._replace(weights=weights if tables else weights.reshape(net.weights.shape))


def index_net(game: Game, tuples: list[list[int]]) -> Net:
    """Return how to index the n-tuples of regret matching; none stand for exact states."""
    return make_net(game.facts, tuples, symmetries=False, tables=False)


def build_store(game: Game, settings: Settings, tuples: list[list[int]]) -> Store:
    """Return the empty tables of regret matching."""
    return make_store(game.facts, index_net(game, tuples), settings.regret.states)


def make_regret(settings: Settings) -> Regret:
    """Return the settings of regret matching as kernels take them."""
    said, td = settings.regret, settings.td
    rates = {"alpha": said.alpha, "epsilon": said.epsilon, "floor": said.floor}
    return Regret(**rates, gamma=td.gamma, farl=td.farl_others)


def make_td(settings: Settings) -> TD:
    """Return the settings of learning as kernels take them; most have the same name there."""
    td, start = settings.td, settings.start
    same = {name: getattr(td, name) for name in TD._fields if name in Learning.model_fields}
    others = {
        "alpha_linear": td.alpha_schedule == "linear",
        "lam": td.lambda_,
        "reset": td.eligibility == "reset",
        "learn_from_random": td.learn_from_random_moves,
        "backward": td.backward if settings.algo == "td" else 0,
        "start_plies": start.plies,
        "start_probability": start.probability,
        "start_again": start.again,
        "start_scramble": start.scramble,
        "start_walks": start.walks,
    }
    return TD(**same | others)


def horizon(td: Learning) -> int:
    """Return the number of afterstates that an error reaches: those with lambda^k >= the cut."""
    return 1 if td.lambda_ == 0 else 1 + int(math.log(td.horizon_cut) / math.log(td.lambda_))


def make_tuples(game: Game, settings: Settings) -> list[list[int]]:
    """Return the n-tuples that the settings name, or draw."""
    network = settings.network
    if settings.algo == "regret" and settings.regret.store == "exact":
        return []
    if network.kind != TABLES:
        return []
    if network.tuples == SINGLE:
        return [[c] for c in range(game.facts.cells)]
    if isinstance(network.tuples, list):
        return checked(network.tuples, game.facts)
    if network.tuples == LINES:
        boards = False if settings.algo == "regret" else network.symmetries
        return lines(with_boards(game.facts, boards), network.length)
    if network.tuples not in RANDOM_TUPLES:
        return fixed(network.tuples, game.facts)
    draw = random_walk if network.tuples == "random-walk" else random_points
    assert network.number is not None
    assert network.length is not None
    return draw(game.facts, network.number, network.length, derived(settings.seed, TUPLES))


def stored_tuples(game: Game, settings: Settings, tuples: list[list[int]]) -> list[list[int]]:
    """Return the n-tuples of a stored network if they fit the game; some networks have none."""
    none = settings.algo == "regret" or settings.network.kind != TABLES
    return tuples if none and tuples == [] else checked(tuples, game.facts)


def outputs(game: Game, settings: Settings) -> int:
    """Number of tables of each n-tuple: one, or one per player, and for Q also per action."""
    by_action = settings.algo in ("sarsa", "q")
    networks = 1 if settings.network.shared else game.facts.players
    return networks * (game.facts.actions if by_action else 1)


def weights_of(game: Game, settings: Settings, tuples: list[list[int]]) -> int:
    """Number of weights of all players; with regret matching, of rows at most."""
    if settings.algo == "regret" and not tuples:
        return settings.regret.states
    if settings.network.kind != TABLES:
        return int(make_other(game, settings, False).weights.size)
    return outputs(game, settings) * sum(sizes_of_tables(game, settings, tuples))


def sizes_of_tables(game: Game, settings: Settings, tuples: list[list[int]]) -> list[int]:
    """Return the number of weights in the table of each n-tuple."""
    values, bits = game.facts.input_values, settings.network.hash_bits or 0
    return [int(entries(values, len(cells), bits)) for cells in tuples]


def floats_of(game: Game, settings: Settings, tuples: list[list[int]]) -> int:
    """Return the number of floats in the tables of all players, with the gaps between them."""
    if settings.network.kind != TABLES:
        return weights_of(game, settings, tuples)
    table = sum(size + GAP for size in sizes_of_tables(game, settings, tuples))
    return outputs(game, settings) * settings.coherence.width * table


def memory_needed(game: Game, settings: Settings, tuples: list[list[int]]) -> int:
    """Bytes that a run needs, most of them for the tables."""
    if settings.algo == "regret":
        tables = store_bytes(game.facts, index_net(game, tuples), settings.regret.states)
        moves = MOST_MOVES * 8 * (3 * game.facts.actions + len(tuples))
        return PROCESS + tables + settings.threads * moves
    if settings.network.kind != TABLES:
        net = make_other(game, settings, False)
        return int(PROCESS + net.weights.nbytes + 4 * net.code_size() * game.facts.actions)
    facts = with_boards(game.facts, settings.network.symmetries)
    floats = floats_of(game, settings, tuples)
    if floats > MOST:
        raise InputError(
            f"the tables of these n-tuples would have {floats:,} numbers, more than the limit of "
            f"{MOST:,}; use {FEWER}"
        )
    indices = len(tuples) * len(facts.symmetries)
    each = 1 + horizon(settings.td) + make_td(settings).backward
    rows = facts.actions + facts.players * each  # of scratch memory
    return PROCESS + 4 * (floats + indices * (facts.cells + settings.threads * rows))


def check_memory(needed: int, less: str = FEWER) -> int:
    """Bytes that the machine has available, if they are enough."""
    available: int = psutil.virtual_memory().available
    if needed > available:
        raise InputError(
            f"this run needs {gigabytes(needed)} of memory, but only {gigabytes(available)} "
            f"is available; use {less}"
        )
    return available


def gigabytes(size: int) -> str:
    """Return a number of bytes as people read it.

    >>> gigabytes(547_000_000)
    '0.55 GB'
    """
    return f"{size / 1e9:.2f} GB"
