"""Training in a page: networks and settings of learning, ready for the kernels."""

import re
from importlib.metadata import version
from typing import Any

from tafl.agents.exact import solution
from tafl.boards import Game
from tafl.core.compile.cache import source_digest
from tafl.core.learn.regret import make_moves
from tafl.core.learn.store import store_bytes
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.search.foresee import make_trained
from tafl.errors import InputError
from tafl.page.pack import Bytes, blank, packed
from tafl.page.program import LEARNERS, REGRET, blanked
from tafl.runs.checkpoint import Header
from tafl.settings.build import (
    build,
    build_store,
    index_net,
    make_regret,
    make_tuples,
    weights_of,
)
from tafl.settings.model import Settings
from tafl.settings.presets import MOVES, compose, defaults, usual_episodes
from tafl.settings.seeds import TRAINING, stream
from tafl.settings.tables import merged

MOST_FLOATS = 60_000_000  # of a network that a browser tab can train
SEEDS = range(1, 11)
PATTERNS = 1_000_000  # of cells: games with more are not solved
QUICK = 4_000_000  # moves of a short training


def trainings(
    game: Game, algorithms: list[str], kept: Bytes, trained: Settings | None = None
) -> list[dict[str, Any]]:
    """Return the usual settings of each algorithm, or those with a smaller network.

    If an agent has a network of another kind than n-tuples, they are those it was `trained` with.
    """
    if algorithms == ["regret"]:
        return [regret_training(game, kept)]
    found: list[dict[str, Any]] = []
    exact = bool(algorithms) and exactly_playable(game)
    for algo in algorithms:
        default = defaults(game, episodes=1)["network"]
        drawn = ("tuples", "number", "length")  # lines have no number
        smaller = {name: default[name] for name in drawn if name in default}
        for network in ({}, {"network": smaller}):
            try:
                settings = trained or compose(game, overrides={"algo": algo, **network})
            except InputError:  # the usual settings of this game are not for this algorithm
                break
            tuples = make_tuples(game, settings)
            if weights_of(game, settings, tuples) * settings.coherence.width <= MOST_FLOATS:
                quick = min(settings.episodes, usual_episodes(game) * QUICK // MOVES)
                shown = {"exact": exact, "quick": quick}
                found.append({**training(game, settings, tuples, kept), **shown})
                break
    return found


def training(
    game: Game, settings: Settings, tuples: list[list[int]], kept: Bytes
) -> dict[str, Any]:
    """Return the memory of a learner, and of the agent that it trains."""
    facts = game.facts
    net, td, horizon = build(game, settings, tuples)
    plain = net.plain()
    trained = make_trained(facts, blanked(plain), td, make_work(facts, plain))
    player = packed(trained, kept)
    player["net"]["weights"] = blank(plain.weights)
    learner = {
        "net": packed(blanked(net) if isinstance(net, Net) else net, kept),
        "td": packed(td, kept),
        "work": packed(make_work(facts, net, horizon, td.backward), kept),
    }
    if isinstance(net, Net):
        first = net.weights[: net.width].tolist()
        repeated = {"repeat": first} if any(first) else {}
        learner["net"]["weights"] = blank(net.weights) | repeated
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


def regret_training(game: Game, kept: Bytes) -> dict[str, Any]:
    """Return the memory of regret matching, and of the agent that it trains."""
    settings = compose(game, overrides={"algo": "regret"})
    row = store_bytes(game.facts, index_net(game, []), 1)
    rows = min(settings.regret.states, 4 * MOST_FLOATS // row)
    settings = compose(game, overrides={"algo": "regret", "regret": {"states": rows}})
    store, facts = build_store(game, settings, []), game.facts
    tables = {**blank(store), "net": packed(store.net, kept)}
    return {
        "algo": "regret",
        "kernel": REGRET["regret"],
        "weights": rows,
        "tuples": 0,
        "streams": [str(stream(seed, TRAINING)[0]) for seed in SEEDS],
        "learner": {
            "store": tables,
            "td": packed(make_regret(settings), kept),
            "work": blank(make_moves(facts, store.net)),
        },
        "player": {"store": tables, "work": blank(make_moves(facts, store.net, moves=1))},
        "header": header(game, settings, []),
        "exact": False,
        "quick": min(settings.episodes, usual_episodes(game) * QUICK // MOVES),
    }


def exactly_playable(game: Game) -> bool:
    """Tell whether the game is small enough to measure agents against perfect play."""
    facts = game.facts
    if game.hides or facts.players * facts.values**facts.cells > PATTERNS:
        return False
    try:
        solution(game)
    except InputError:
        return False
    return True


def header(game: Game, settings: Settings, tuples: list[list[int]]) -> dict[str, str]:
    """Return the header of an agent file; the page fills in the results of its training."""
    name = shown_name(game)
    tree = merged(settings.tree(), {"game": name, "coherence": {"transfer": "off"}})
    known = Header(
        tafl=version("tafl"),
        game=name,
        source=source_digest(type(game.rules)),  # type: ignore[arg-type]
        settings=tree,
        tuples=tuples,
        episode=0,
        moves=0,
        seconds=0.0,
        evaluations=0,
    )
    return known.metadata()


def shown_name(game: Game) -> str:
    """Return the name of a game without the folder of its file, which says nothing elsewhere.

    >>> from tafl.boards import load_game
    >>> shown_name(load_game("hex(size=4)"))
    'hex(size=4)'
    """
    return re.sub(r"^[^(]*[/\\\\]", "", game.name)
