"""What a page can train: networks and settings of learning, ready for the kernels."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import numpy as np

from tafl.agents.exact import solution
from tafl.boards import Game
from tafl.core.compile.cache import source_digest
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import without_sums
from tafl.core.search.foresee import make_trained
from tafl.errors import InputError
from tafl.page.pack import Bytes, blank, packed
from tafl.page.program import LEARNERS
from tafl.page.small_agents import blanked
from tafl.runs.checkpoint import Header
from tafl.settings.build import build, make_tuples, weights_of
from tafl.settings.model import Settings
from tafl.settings.presets import MOVES, compose, defaults, usual_episodes
from tafl.settings.seeds import TRAINING, stream
from tafl.settings.tables import Fields, merged

MOST_FLOATS = 60_000_000  # of a network that a tab should learn with
SEEDS = range(1, 11)
PATTERNS = 1_000_000  # of cells: with more, nobody tries to solve a game
QUICK = 4_000_000  # moves that a visitor waits for


def trainings(game: Game, algorithms: Iterable[str], kept: Bytes) -> list[dict[str, Any]]:
    """The usual settings of each algorithm; where they need too much, with a usual network."""
    found: list[dict[str, Any]] = []
    algorithms = list(algorithms)
    if not algorithms:
        return found
    exact, quick = exactly_playable(game), usual_episodes(game) * QUICK // MOVES
    for algo in algorithms:
        for network in ({}, {"network": usual_network(game)}):
            settings = compose(game, overrides={"algo": algo, **network})
            tuples = make_tuples(game, settings)
            width = settings.coherence.width
            if weights_of(game, settings, tuples) * width <= MOST_FLOATS:
                shown = {"exact": exact, "quick": min(settings.episodes, quick)}
                found.append({**training(game, settings, tuples, kept), **shown})
                break
    return found


def usual_network(game: Game) -> Fields:
    """The network that a game without a preset begins with, but for its sigma."""
    network: Fields = defaults(game, episodes=1)["network"]
    return {name: network[name] for name in ("tuples", "number", "length")}


def training(
    game: Game, settings: Settings, tuples: list[list[int]], kept: Bytes
) -> dict[str, Any]:
    """One way to learn: memory for it, and for the agent that comes out."""
    facts = game.facts
    net, td, horizon = build(game, settings, tuples)
    plain = without_sums(net)
    trained = make_trained(facts, blanked(plain), td, make_work(facts, plain))
    player = packed(trained, kept)
    player["net"]["weights"] = blank(plain.weights)
    learner = {
        "net": packed(blanked(net), kept),
        "td": packed(td, kept),
        "work": packed(make_work(facts, net, horizon, td.backward), kept),
    }
    learner["net"]["weights"] = blank(net.weights) | beginning(net.weights, net.width)
    return {
        "algo": settings.algo,
        "kernel": LEARNERS[settings.algo],
        "weights": weights_of(game, settings, tuples),
        "tuples": len(tuples),
        "streams": [str(stream(seed, TRAINING)[0]) for seed in SEEDS],
        "learner": learner,
        "player": player,
        "header": header(game, settings, tuples),
    }


def beginning(weights: np.ndarray, width: int) -> dict[str, Any]:
    """What weights are before learning: the same few numbers again and again."""
    first = weights[:width].tolist()
    return {"repeat": first} if any(first) else {}


def exactly_playable(game: Game) -> bool:
    """Is the game small enough to be measured against perfect play?"""
    facts = game.facts
    if facts.players * facts.values**facts.cells > PATTERNS:
        return False
    try:
        solution(game)
    except InputError:
        return False
    return True


def header(game: Game, settings: Settings, tuples: list[list[int]]) -> dict[str, str]:
    """What the file of an agent says about itself; the page fills in what it has learned."""
    tree = merged(settings.tree(), {"coherence": {"transfer": "off"}})
    known = Header(
        tafl=version("tafl"),
        game=game.name,
        source=source_digest(type(game.rules)),  # type: ignore[arg-type]
        settings=tree,
        tuples=tuples,
        episode=0,
        moves=0,
        seconds=0.0,
        evaluations=0,
    )
    return known.metadata()
