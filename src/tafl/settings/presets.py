"""Settings to begin with: the paper's for its games, and sensible ones for your own game.

The files in `presets` are named GAME.PRESET.toml; `paper` is the appendix of the paper, `as-run`
what its authors ran, and `best` the strongest that we found (docs/science/strength.md).
"""

import math
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from tafl.agents import make_agent
from tafl.arena import play_on
from tafl.arguments import argument
from tafl.boards import Game
from tafl.boards.groups import with_boards
from tafl.core.games.rules import Facts
from tafl.errors import InputError
from tafl.settings.model import Settings
from tafl.settings.networks import usual_settings
from tafl.settings.own_networks import full_name, load_network
from tafl.settings.sections import Learning
from tafl.settings.tables import Fields, joined, merged, read_toml, run_of
from tafl.settings.values import LINES, MLP, names_own_file
from tafl.tuples import fixed, lines, names

FOLDER = files(__package__).joinpath("presets")
STANDARDS = ("paper", "usual", "large")  # presets that a game is trained with where none is named
POINTS = 10  # of a learning curve
MOVES = 20_000_000  # of a training
FOREIGN_MOVES = 100_000  # of one where another library makes the moves
TRIED, LONG = 20, 500  # random games that show how long games are, and their most moves
MOST_WEIGHTS = 50_000_000  # of a default network
LINE_WEIGHTS = 500_000  # of a table for a line of a game
FEWEST_LINES = 8  # besides those that symmetric boards make the same
# Games at a time on a GPU: as strong as one after the other, by benchmarks/gpu.py. Without temporal
# coherence nothing damps games that correct the same error together.
GAMES_AT_A_TIME, UNDAMPED_GAMES = 256, 4
MOST_BOARDS = 120  # symmetric boards that pay, by studies/symmetries


def compose(
    game: Game,
    preset: str | None = None,
    settings: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Return the settings of a run: a preset or a settings file, and what overrides it.

    Without either, it is the game's preset `paper` or `usual`, if there is one that fits its board;
    those are for n-tuples, so other networks begin with settings that any game gets.

    >>> import tafl
    >>> compose(tafl.game("hex"), overrides={"td": {"alpha": 2.5}}).td.alpha
    2.5
    """
    if settings is not None and preset is not None:
        raise InputError("use either a settings file or a preset, not both")
    overrides = overrides or {}
    file = read_toml(settings) if settings is not None else {}
    said = merged(file, overrides)  # and not merely usual
    kind = named_kind(said)
    usual = "regret" if game.hides and kind is None else "td"
    plain = settings is not None or (preset is None and kind is not None)
    tree = None if plain else _preset_tree(game, preset, said.get("algo", usual))
    fits = tree.get("episodes") if tree else None  # what the preset's evaluations are made for
    if tree is None:
        tree = merged(defaults(game, said.get("episodes")), file)
        if settings is None and kind is None and said.get("algo", usual) == "td":
            tree = joined(tree, _shared(game.facts))  # a file of before says nothing of it
    if kind is not None:
        by_user = "kind" in _table(overrides, "network")
        load_network(kind, None if by_user else run_of(settings))
        tree = merged(merged(tree, usual_settings(kind)), said)
        overrides = merged(overrides, {"network": {"kind": kind}})
    tree = merged({"algo": usual, **tree}, {**overrides, "game": game.name})
    if tree.get("device") == "cuda":
        damped = _table(tree, "coherence").get("transfer") != "off"
        games = GAMES_AT_A_TIME if damped else UNDAMPED_GAMES
        tree.setdefault("threads", 1 if tree["algo"] == "regret" else games)
    composed = Settings.of(tree)
    _refuse_useless(composed, overrides)
    _refuse_starts(game, composed)
    if composed.episodes != fits and "every" not in _table(said, "evaluation"):
        # a learning curve has about this many points, however long the run is
        every = max(1, composed.episodes // POINTS)
        evaluation = composed.evaluation.model_copy(update={"every": every})
        composed = composed.model_copy(update={"evaluation": evaluation})
    return composed


def _refuse_starts(game: Game, settings: Settings) -> None:
    """Refuse starts near the goal of a puzzle where there are none, or nothing learns from them."""
    if settings.start.walks and settings.algo != "td":
        raise InputError(f"start.walks has no effect with {settings.algo}; remove it")
    if settings.start.scramble and not game.scrambles:
        text = f"start.scramble needs a puzzle whose rules have scramble(), unlike {game.name}"
        raise InputError(f"{text}; remove it")


def named_kind(said: Mapping[str, Any]) -> str | None:
    """Return the kind of network that settings name, if it is not one of n-tuples."""
    kind = _table(said, "network").get("kind")
    if not isinstance(kind, str) or not (kind == MLP or names_own_file(kind)):
        return None  # the model refuses what it does not know
    return full_name(kind)


def _preset_tree(game: Game, preset: str | None, algo: str) -> Fields | None:
    """Return the settings of a preset, or of the standard one if that fits the board."""
    name = preset or _standard(game)
    return read_preset(game, name, algo) if name else None


def _table(tree: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = tree.get(name, {})
    return found if isinstance(found, Mapping) else {}


# Settings of [td] that have no effect with an algorithm; presets have them all the same.
USELESS = {
    "td": ("reuse_action",),
    "sarsa": (
        "farl_terminal",
        "afterstates",
        "learn_from_start",
        "zero_next",
        "zero_terminal",
        "backward",
    ),
}
USELESS["q"] = (*USELESS["sarsa"], *USELESS["td"])
LEARNING = [field.alias or name for name, field in Learning.model_fields.items()]
USELESS["regret"] = tuple(name for name in LEARNING if name not in ("farl_others", "gamma"))


def _useless_tables(settings: Settings) -> list[str]:
    """Return the tables that have no effect with an algorithm."""
    if settings.algo != "regret":
        return ["regret"]
    return ["start", "coherence", *["network"] * (settings.regret.store == "exact")]


def _refuse_useless(settings: Settings, overrides: Mapping[str, Any]) -> None:
    """Refuse a setting that has no effect; FARL on or off means both of its parts."""
    algo, asked = settings.algo, _table(overrides, "td")
    for table in _useless_tables(settings):
        for name in _table(overrides, table):
            raise InputError(f"{table}.{name} has no effect with {_learner(settings)}; remove it")
    for name in USELESS[algo]:
        both = name == "farl_terminal" and asked.get("farl_others") == asked.get(name)
        if name in asked and not both:
            raise InputError(f"td.{name} has no effect with {algo}; remove it")


def _learner(settings: Settings) -> str:
    """Return the algorithm and, with regret matching, where it keeps what it learns."""
    store = f" and regret.store = {settings.regret.store}" if settings.algo == "regret" else ""
    return settings.algo + store


def presets_of(game: Game) -> list[str]:
    """Return the presets that a game has."""
    stem = game.name.partition("(")[0] + "."
    found = [file.name for file in FOLDER.iterdir() if file.name.endswith(".toml")]
    return sorted(n.removeprefix(stem).removesuffix(".toml") for n in found if n.startswith(stem))


def read_preset(game: Game, preset: str, algo: str = "td") -> Fields:
    """Return the settings in a preset; its tables [sarsa] and [q] are what those algorithms add."""
    known = presets_of(game)
    if not known:
        raise InputError(f"{game.name} has no presets; remove {argument('preset')}")
    if preset not in known:
        raise InputError(f"{game.name} has no preset {preset!r}; it has: {', '.join(known)}")
    name = f"{game.name.partition('(')[0]}.{preset}.toml"
    tree = tomllib.loads(FOLDER.joinpath(name).read_text(encoding="utf-8"))
    apart = {other: tree.pop(other, {}) for other in ("sarsa", "q")}
    return merged(tree, apart.get(algo, {}))


def _standard(game: Game) -> str | None:
    """Return the standard preset of a game if its n-tuples are for a board like this one."""
    for preset in set(STANDARDS) & set(presets_of(game)):
        tuples = read_preset(game, preset)["network"]["tuples"]
        if tuples not in names() or _has_cells(tuples, game.facts):
            return preset
    return None


def _has_cells(name: str, facts: Facts) -> bool:
    try:
        fixed(name, facts)
    except InputError:
        return False
    return True


def defaults(game: Game, episodes: int | None = None) -> Fields:
    """Settings for any game: n-tuples sized to the board, and temporal coherence.

    They are the lines of the game or, if it has none, random: a table has at most 100,000 weights,
    and a cell is in about as many n-tuples as one has cells.
    """
    facts = game.facts
    low, high = facts.score_range
    episodes = episodes or usual_episodes(game)
    return {
        "episodes": episodes,
        "td": {"alpha": 1.0, "alpha_final": 0.5, "epsilon": 0.1, "epsilon_final": 0.0},
        "network": {
            **(_lines(facts) or random_tuples(facts)),
            "sigma": "tanh" if low >= -1 and high <= 1 else "identity",
            "symmetries": MOST_BOARDS if len(facts.symmetries) > MOST_BOARDS else True,
        },
        "evaluation": {"every": 1, "opponents": ["random", *_searchers(game)]},
    }


def random_tuples(facts: Facts) -> Fields:
    """Return default n-tuples that do not depend on what decides the game."""
    length = _length(facts, 100_000)
    return {
        "tuples": "random-walk" if any(facts.neighbours) else "random-points",
        "number": 1 if length == facts.cells else _number(facts, length),
        "length": length,
    }


def _lines(facts: Facts) -> Fields:
    """Return default n-tuples of lines, if there are enough and tables have room for one."""
    length = _length(facts, LINE_WEIGHTS)
    if not facts.lines or length < max(map(len, facts.lines)):
        return {}
    few = with_boards(facts, MOST_BOARDS)
    return {"tuples": LINES, "length": length} if len(lines(few)) >= FEWEST_LINES else {}


def _length(facts: Facts, weights: int) -> int:
    """Return how many cells an n-tuple has if a table has at most this many weights."""
    return max(1, min(facts.cells, 8, int(math.log(weights, max(2, facts.input_values)))))


def _shared(facts: Facts) -> Fields:
    """Return that three and more players share a network where seats are interchangeable."""
    return {"network": {"shared": True}} if facts.seats and facts.players > 2 else {}


def _searchers(game: Game) -> list[str]:
    """Return an opponent that looks ahead: an agent that beats random may know little."""
    fast = not (game.hides or game.foreign)
    return ["mcts(iterations=100)"] if game.facts.players > 1 and fast else []


def _number(facts: Facts, length: int) -> int:
    """Return the number of n-tuples: one per cell, unless that takes too much memory."""
    weights: int = facts.players * facts.input_values**length
    boards = min(len(facts.symmetries), MOST_BOARDS)
    return max(1, min(facts.cells, MOST_WEIGHTS // weights, MOST_WEIGHTS // (boards * facts.cells)))


def usual_episodes(game: Game) -> int:
    """Return the episodes of about a minute on one core, by the length of random games.

    Games of other libraries take longer.

    >>> import tafl
    >>> usual_episodes(tafl.game("hex(size=3)"))
    3000000
    """
    agents = [make_agent("random", game, seed=1)] * game.facts.players
    games = [play_on(agents, game.start(seed), plies=LONG) for seed in range(TRIED)]
    length = sum(len(state.history) for state in games) / TRIED
    moves = FOREIGN_MOVES if game.foreign else MOVES
    return int(float(f"{moves / max(1, length):.1g}"))
