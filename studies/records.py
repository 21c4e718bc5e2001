"""One record of a measurement: the only format in which studies store numbers.

A study's results.jsonl has one measurement per line, sealed with a checksum. `metric` is a name
from METRICS, and the keys of `condition` are names from CONDITIONS. Whatever else the number
depends on has a field, so that nothing has to be parsed back from prose.
"""

import json
import shlex
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from tafl.boards import Game, load_game
from tafl.boards.spec import parse, unparse
from tafl.errors import InputError
from tafl.files import checksum, replacing, sealed, to_json
from tafl.runs.folder import environment
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.settings.tables import nested, parse_value, split_assignment

HOME = Path(__file__).resolve().parent

METRICS = {
    "active_weights": "share of weights that are not 0",
    "choices": "mean number of legal actions",
    "draws": "share of games drawn",
    "early_rewards": "share of games with rewards before the end",
    "ends_by_chance": "share of games that chance ends",
    "equal_score": "mean score that equal agents would have",
    "excess": "moves of solutions beyond the shortest ones, as a share of these",
    "first_mistakes": "number of games in which a move was the first mistake",
    "games_per_second": "games played in a second",
    "known": "share of the gain by true values that is left without FARL",
    "known_to_network": "known to a network, in positions that never come up again",
    "known_to_table": "known to a table of all positions",
    "knows_reply": "1 if the right reply has the highest value, else 0",
    "last_mover_draws": "share of games where the last mover draws",
    "last_mover_loses": "share of games where the last mover loses",
    "last_mover_wins": "share of games where the last mover wins",
    "loss": "what a strategy scores less than a given one, in points of a game",
    "milliseconds": "processor time of a move, mean",
    "milliseconds_worst": "processor time of a move, the longest",
    "nash_conv": "what players gain by best responses to the others, summed up, in points",
    "never_learned": "number of afterstates that no update has reached",
    "position_value": "value of a position in a player's table",
    "predicted_kept": "share of what FARL learns that a rule predicts without it",
    "reached": "share of games that reached a tile",
    "repeated_positions": "share of positions that came up before",
    "repeated_turns": "share of games where a player moves twice in a row",
    "right_moves": "share of right moves in solved positions",
    "rule_intercept": "of a straight line",
    "rule_mean": "mean of the values that a straight line was fitted to",
    "rule_slope": "of a straight line",
    "rule_spread": "root of the mean square of the distances from a straight line",
    "score": "mean score of a game, in points",
    "simulations_per_second": "simulations of a tree search in a second",
    "solved": "share of puzzles solved",
    "training_seconds": "processor time of a training",
    "win_rate": "share of games won, draws count half",
    "winning_moves": "share of winning moves in winning states",
    "wins": "share of games won",
}
CONDITIONS = {
    "algo": "algorithm that a number is about: td, sarsa, q",
    "begin": "value that all states have before learning",
    "boards": "symmetric boards of a network",
    "episode": "episodes before the measurement, where training went on after it",
    "equal": "what trainings have in common: time or episodes",
    "first_moves": "moves of a game, up to the one in question",
    "game_seed": "seed of the games played",
    "heap": "heap of Nim that a move takes from",
    "learner": "way to learn, as `tafl reproduce` names it",
    "length": "cells of an n-tuple",
    "network": "kind of network, as a study names it",
    "opening": "first moves of optimal play",
    "part": "part of a study that has several",
    "player": "player whose table is read",
    "position": "name of a position",
    "positions": "name of a set of positions",
    "role": "role of the agent: first, second, or its number",
    "six": "whether the six values of a key state begin as they should end",
    "starts": "start positions of games, as --starts takes them",
    "states": "states that a share is taken over",
    "stones": "number of stones on the board, or the fewest and the most of them",
    "tile": "tile of 2048",
    "tuples": "n-tuples of a network",
    "twists": "random quarter turns between the goal and the start",
    "width": "positions that a beam keeps",
}


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """One number, what it was measured on, and how."""

    study: str
    game: str  # with its parameters: hex(size=4)
    metric: str  # a name from METRICS
    value: float
    error: float | None = None  # standard error
    n: int | None = None  # games, positions or moves behind the value
    preset: str = ""  # "": the settings that any game gets
    overrides: dict[str, Any] = field(default_factory=dict)  # as --set; game.fold: of the game
    seed: int | None = None
    device: str = "cpu"
    threads: int | None = None  # games at a time; None: as many as usual
    episodes: int | None = None  # of the training; 0: untrained; None: as the settings say
    moves: int | None = None  # of the training
    seconds: float | None = None  # of the training
    side_by_side: int = 1  # trainings that shared these seconds on a GPU
    agent: str = "A"  # A is the trained one; puct(A,iterations=100) searches around it; "": none
    against: str = ""  # the opponent, an agent string
    condition: dict[str, Any] = field(default_factory=dict)  # {"role": "first", "starts": "start"}
    processor: str = ""
    commit: str = ""  # of tafl; "": stored before this was noted
    history: bool = False  # its settings no longer exist: kept, not repeatable

    @property
    def training(self) -> tuple[Any, ...]:
        """Return what tells one training from another, as a key of dictionaries."""
        changes = to_json(self.overrides)
        return self.game, self.preset, changes, self.seed, self.device, self.threads, self.episodes


FIELDS = tuple(one.name for one in fields(Measurement))


def results(study: str) -> Path:
    """Return the file in which a study stores its measurements."""
    return HOME / study / "results.jsonl"


def append(path: Path, measurements: Iterable[Measurement]) -> None:
    """Add measurements to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(map(line, measurements))
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def rewrite(path: Path, measurements: Iterable[Measurement]) -> None:
    """Replace all measurements of a file."""
    text = "".join(map(line, measurements))
    with replacing(path) as file:
        file.write(text)


def line(one: Measurement) -> str:
    """Return a measurement as a sealed line of JSON; fields with their default are left out."""
    _check(one)
    defaults = asdict(Measurement(study="", game="", metric="", value=0.0))
    kept = {name: value for name, value in asdict(one).items() if value != defaults[name]}
    kept["value"] = one.value
    return to_json(sealed(json.loads(to_json(kept)))) + "\n"


def read(path: Path) -> list[Measurement]:
    """Return all measurements of a file; a damaged line is refused."""
    if not path.exists():
        return []
    found = []
    for number, text in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
        try:
            values: dict[str, Any] = json.loads(text)
            if values.pop("check") != checksum(values) or not values.keys() <= set(FIELDS):
                raise ValueError
            one = Measurement(**values)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(f"{path}, line {number} is damaged: delete it") from None
        _check(one)
        found.append(one)
    return found


def _check(one: Measurement) -> None:
    """Refuse names that are not in the lists."""
    if one.metric not in METRICS:
        raise InputError(f"unknown metric {one.metric}; available: {', '.join(METRICS)}")
    for name in one.condition:
        if name not in CONDITIONS:
            raise InputError(f"unknown condition {name}; available: {', '.join(CONDITIONS)}")


def where(measurements: Iterable[Measurement], **wanted: Any) -> list[Measurement]:
    """Return the measurements that have these values in their fields or conditions.

    >>> one = Measurement(study="s", game="nim", metric="wins", value=0.5, condition={"role": 1})
    >>> where([one], game="nim", role=1) == [one], where([one], role=2)
    (True, [])
    """

    def fits(one: Measurement) -> bool:
        return all(
            (getattr(one, name) if name in FIELDS else one.condition.get(name)) == value
            for name, value in wanted.items()
        )

    return [one for one in measurements if fits(one)]


def by_training(measurements: Iterable[Measurement]) -> list[list[Measurement]]:
    """Return the measurements of each training together, in the order in which they begin."""
    found: dict[tuple[Any, ...], list[Measurement]] = {}
    for one in measurements:
        found.setdefault(one.training, []).append(one)
    return list(found.values())


def game_of(one: Measurement) -> Game:
    """Return the game, with the parameters that overrides give it."""
    name, changed = one.game, _parameters(one)
    return load_game(unparse(name, changed) if changed else name)


def settings_of(one: Measurement) -> Settings:
    """Return the settings of the training; InputError if they no longer exist."""
    given = {name: v for name, v in one.overrides.items() if not name.startswith("game.")}
    said = {"seed": one.seed, "threads": one.threads, "episodes": one.episodes or None}
    given |= {name: value for name, value in said.items() if value is not None}
    tree = nested(given | ({"device": one.device} if one.device != "cpu" else {}))
    return compose(game_of(one), one.preset or None, None, tree)


def marked(one: Measurement) -> Measurement:
    """Return a measurement that says whether its settings still exist."""
    try:
        settings_of(one)
    except InputError:
        return replace(one, history=True)
    return replace(one, history=False)


def assignments(overrides: dict[str, Any]) -> list[str]:
    """Return overrides as --set takes them.

    >>> assignments({"td.alpha": 0.5, "network.tuples": "hex-2", "td.zero_terminal": True})
    ['td.alpha=0.5', 'network.tuples=hex-2', 'td.zero_terminal=true']
    """

    def text(value: Any) -> str:
        return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))

    return [f"{name}={text(value)}" for name, value in overrides.items()]


def parse_overrides(changes: Iterable[str]) -> dict[str, Any]:
    """Return what --set takes as overrides.

    >>> parse_overrides(["td.alpha=0.5", "network.tuples=hex-2"])
    {'td.alpha': 0.5, 'network.tuples': 'hex-2'}
    """
    return {name: parse_value(text) for name, text in map(split_assignment, changes)}


def command(one: Measurement) -> str:
    """Return the command that trains the agent again.

    >>> about = {"study": "s", "metric": "wins", "value": 0.5, "preset": "best", "seed": 3}
    >>> command(Measurement(game="2048", overrides={"game.fold": 8192, "episodes": 9}, **about))
    "tafl train '2048(fold=8192)' --preset best --set episodes=9 --seed 3"
    """
    own = {name: value for name, value in one.overrides.items() if not name.startswith("game.")}
    if one.episodes not in (None, own.get("episodes"), _usual_episodes(one)):
        own = {"episodes": one.episodes, **own}
    words = ["tafl", "train", unparse(one.game, _parameters(one)), "--preset", one.preset]
    for change in assignments(own):
        words += ["--set", change]
    words += ["--seed", str(one.seed)] if one.seed is not None else []
    words += ["--device", one.device] if one.device != "cpu" else []
    words += ["--threads", str(one.threads)] if one.threads else []
    return shlex.join(words)


def parse_command(text: str) -> dict[str, Any]:
    """Return the fields of a training from the command that makes it.

    >>> parse_command("tafl train '2048(fold=8192)' --preset best --seed 3")
    {'game': '2048', 'overrides': {'game.fold': 8192}, 'preset': 'best', 'seed': 3}
    """
    _, _, spec, *options = shlex.split(text)
    game, parameters = parse(spec)
    overrides = {f"game.{name}": parse_value(value) for name, value in parameters.items()}
    found: dict[str, Any] = {"game": game, "overrides": overrides}
    for option, value in zip(options[::2], options[1::2], strict=True):
        if option == "--set":
            overrides |= parse_overrides([value])
        else:
            found[option.removeprefix("--")] = parse_value(value)
    return found


def _usual_episodes(one: Measurement) -> int | None:
    """Return the length of training that the other settings say, if they still exist."""
    try:
        return settings_of(replace(one, episodes=None)).episodes
    except InputError:
        return None


def _parameters(one: Measurement) -> dict[str, Any]:
    """Return the overrides that are parameters of the game."""
    named = {name.partition("game.")[2]: value for name, value in one.overrides.items()}
    return {name: value for name, value in named.items() if name}


@cache
def machine() -> dict[str, Any]:
    """Return where a measurement is made: the processor and the commit, for its record."""
    said = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=HOME, capture_output=True, text=True
    )
    return {"processor": environment()["processor"], "commit": said.stdout.strip()}
