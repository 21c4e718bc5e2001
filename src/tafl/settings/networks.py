"""The kinds of networks besides n-tuples: what they are made with, and what they are able to do."""

from typing import Any

from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.core.approximators.contract import ABILITIES
from tafl.core.approximators.mlp import Mlp, make_mlp
from tafl.core.ntuple.net import Net
from tafl.errors import InputError
from tafl.settings.model import Settings
from tafl.settings.own_networks import make_own_network, own_network
from tafl.settings.seeds import WEIGHTS, derived
from tafl.settings.tables import Fields
from tafl.settings.values import MLP, TABLES

# What networks that have no other wishes learn with: steps that fall, no temporal coherence, and
# more exploration than tables need, since what a network learns of one state changes others, too.
STEPS = {"alpha": 0.1, "alpha_final": 0.003, "alpha_schedule": "geometric"}
EXPLORATION = {"epsilon": 0.3, "epsilon_final": 0.1}
UNITS = 64


def network_class(kind: str) -> Any:
    """Return the class of networks of a kind."""
    if kind == TABLES:
        return Net
    return Mlp if kind == MLP else own_network(kind)


def usual_settings(kind: str) -> Fields:
    """Return the default settings of a kind of network."""
    td = {"lambda": 0.0, **EXPLORATION, **STEPS, **network_class(kind).learning}
    units = {"units": UNITS} if kind == MLP else {}
    return {"network": {"kind": kind, **units}, "td": td, "coherence": {"transfer": "off"}}


def make_other(game: Game, settings: Settings, weights: bool) -> Any:
    """Return a network that is not one of n-tuples; without `weights` they may be 0."""
    network, seed = settings.network, derived(settings.seed, WEIGHTS)
    facts = with_boards(game.facts, network.symmetries)
    tanh = network.sigma == "tanh"
    if network.kind == MLP:
        assert network.units is not None
        return make_mlp(facts, network.units, seed, tanh=tanh, weights=weights)
    return make_own_network(network.kind, facts, seed)


def check_abilities(game: Game, settings: Settings) -> None:
    """Refuse what the kind of network is not able to do."""
    kind, td = settings.network.kind, settings.td
    if settings.network.shared:
        _check_shared(game, settings)
    if kind == TABLES:
        return
    if settings.algo == "regret":
        raise InputError(f"network.kind = {kind} has no effect with regret, which needs {TABLES}")
    asked = {
        "actions": settings.algo in ("sarsa", "q"),
        "traces": td.lambda_ > 0,
        "coherence": settings.coherence.transfer != "off",
        "cuda": settings.device == "cuda",
    }
    for ability, wanted in asked.items():
        if wanted and ability not in network_class(kind).learns_by:
            raise InputError(
                f"network.kind = {kind} does not learn with {ABILITIES[ability]}; "
                f"use network.kind = {TABLES}, or {WITHOUT[ability]}"
            )


def _check_shared(game: Game, settings: Settings) -> None:
    """Refuse one network for all players where that cannot be."""
    if game.facts.seats is None:
        raise InputError(f"network.shared needs facts with seats, which {game.name} does not have")
    if settings.algo != "td" or settings.network.kind != TABLES:
        raise InputError(f"network.shared needs algo = td and network.kind = {TABLES}")


WITHOUT = {
    "actions": "algo = td",
    "traces": "td.lambda = 0",
    "coherence": "coherence.transfer = off",
    "cuda": "device = cpu",
}
