"""The plan of a run: everything is checked, and the memory estimated, before anything is made."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from tafl.agents.spec import check_agent
from tafl.arena.exploitability import game_tree
from tafl.arena.match import check_opponent, role_of
from tafl.arena.result import ALONE
from tafl.arena.starts import make_tasks
from tafl.boards import Game, load_game
from tafl.boards.check import quick_check
from tafl.boards.load import load_stored
from tafl.boards.spec import parse
from tafl.boards.trust import decisions
from tafl.core.compile.cache import source_digest
from tafl.core.games import GAMES
from tafl.errors import InputError, check_type
from tafl.runs.checkpoint import log
from tafl.settings.build import (
    check_memory,
    gigabytes,
    make_tuples,
    memory_needed,
    weights_of,
)
from tafl.settings.model import Settings
from tafl.settings.networks import check_abilities
from tafl.settings.presets import compose
from tafl.settings.tables import Fields, merged, read_toml, run_of
from tafl.settings.values import TABLES
from tafl.training.duration import episodes_in

MOST_MINUTES = 60 * 24 * 30


@dataclass(frozen=True)
class Plan:
    """A run that can be made: its settings fit the game and the machine."""

    game: Game
    settings: Settings
    tuples: list[list[int]]
    memory: int  # bytes needed
    available: int  # bytes the machine has

    @property
    def checkpoint(self) -> int:
        """Bytes of a checkpoint, about."""
        if self.settings.algo == "regret":
            rows = self._weights if self.tuples else 0  # exact ones come while it learns
            return 24 * self.game.facts.actions * rows
        return 4 * self.settings.coherence.width * self._weights

    @property
    def _weights(self) -> int:
        return weights_of(self.game, self.settings, self.tuples)

    def __str__(self) -> str:
        if self.settings.algo == "regret":
            return self._regret()
        weights, number, network = self._weights, len(self.tuples), self.settings.network
        where = f"{number} n-tuple{'s' * (number > 1)}"
        if network.kind != TABLES:
            where = f"an mlp of {network.units} hidden units" if network.units else network.kind
        return (
            f"{self.game.name}: {weights:,} weights in {where}; "
            f"needs {gigabytes(self.memory)} of memory ({gigabytes(self.available)} available)"
        )

    def _regret(self) -> str:
        """Return the plan of regret matching in one line."""
        known, number = self.settings.regret, len(self.tuples)
        of = f"{number} n-tuples" if number else f"up to {known.states:,} information states"
        hides = ", made for hidden information" if self.game.hides else ""
        return (
            f"{self.game.name}: regret matching (algo = regret{hides}) of {of}; needs at most "
            f"{gigabytes(self.memory)} of memory ({gigabytes(self.available)} available)"
        )


def make_plan(game: Game, settings: Settings, named_by: str | None = None) -> Plan:
    """Check everything that can be checked before a run begins.

    Settings that a stored run (`named_by`) contains, and not the user's command, run no code that
    is not trusted.
    """
    check_rules(game)
    tuples, memory, available = check_network(game, settings)
    check_opponents(game, settings, named_by)
    if settings.evaluation.exploitability:
        with _about("evaluation.exploitability"):
            game_tree(game)
    with _about("evaluation.roles"):
        role_of(game, settings.evaluation.roles, "it")
    with _about("evaluation.starts"):
        make_tasks(game, 1, settings.evaluation.starts or "start", seed=0)
    return Plan(game, settings, tuples, memory, available)


def check_opponents(game: Game, settings: Settings, named_by: str | None) -> None:
    """Refuse opponents that cannot play, and those that a stored file names if they need trust."""
    with _about("evaluation.opponents"):
        for named in settings.evaluation.opponents:
            if (opponent := check_opponent(game, named)) != ALONE:
                check_agent(opponent, game, named_by)


def check_network(game: Game, settings: Settings) -> tuple[list[list[int]], int, int]:
    """Return the n-tuples, the bytes that they need and those available; refuse too many."""
    check_abilities(game, settings)
    with _about("network.tuples"):
        tuples = make_tuples(game, settings)
    memory = memory_needed(game, settings, tuples)
    exact = settings.algo == "regret" and settings.regret.store == "exact"
    available = check_memory(memory, *["a lower regret.states"] * exact)
    if settings.device == "cuda":
        if game.hides and settings.algo != "regret":
            text = f"{game.name} hides information; use algo = regret or device = cpu"
            raise InputError(f"device = cuda: {text}")
        if game.foreign:
            raise InputError(f"device = cuda: {game.name} is Python; use device = cpu")
        from tafl.training.device import check_device

        check_device(game, settings, tuples)
    return tuples, memory, available


def checked_mark(game: Game) -> Path:
    """Return the empty file that says that these rules, with these parameters, were looked at."""
    source: str = source_digest(type(game.rules))  # type: ignore[arg-type]
    return decisions().parent / "checked" / f"{source}-{game.name.partition('(')[2][:100]}"


def check_rules(game: Game) -> None:
    """Refuse a user's game with a fault that would crash compiled code; once per source."""
    if parse(game.name)[0] in GAMES or game.foreign:
        return
    mark = checked_mark(game)
    with suppress(OSError):
        if mark.exists():
            return
    quick_check(game)
    with suppress(OSError):
        mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.touch()


@contextmanager
def _about(key: str) -> Iterator[None]:
    """Errors say which setting they are about."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def option_tree(farl: bool | None = None, **options: Any) -> Fields:
    """Return the options that are not None as settings; FARL off is both of its parts off."""
    tree: Fields = {name: value for name, value in options.items() if value is not None}
    if farl is not None:
        tree["td"] = {"farl_others": farl, "farl_terminal": farl}
    return tree


def prepare(
    game: Any,
    preset: str | None,
    settings: str | Path | None,
    overrides: Fields,
    minutes: float | None = None,
) -> Plan:
    """Return the plan of a new run; a settings file may name the game.

    Minutes become a number of episodes here, so that the settings alone reproduce the run.
    """
    loaded = game_for(game, settings)
    run = run_of(settings)
    composed = compose(loaded, preset, settings, overrides)
    said = "opponents" in overrides.get("evaluation", {})
    plan = make_plan(loaded, composed, None if said else run)
    warn(loaded, composed.algo)
    if minutes is None:
        return plan
    if "episodes" in overrides:
        raise InputError("use either episodes or minutes, not both")
    check_type("minutes", minutes, Real)
    if not 0 < minutes <= MOST_MINUTES:
        raise InputError(f"minutes must be above 0 and at most {MOST_MINUTES}, not {minutes}")

    def planned(episodes: float) -> Settings:
        number = max(1, _rounded(episodes))
        return compose(loaded, preset, settings, merged(overrides, {"episodes": number}))

    episodes = episodes_in(plan, minutes, planned)
    return make_plan(loaded, planned(episodes), None if said else run)


def warn(game: Game, algo: str) -> None:
    """Warn of a game that an algorithm learns badly, or that is slow."""
    if game.hides and algo != "regret":
        text = (
            "tafl: %s hides information, and greedy self-play does not mix its actions, so what %s "
            "learns can be exploited; use algo = regret"
        )
        log.warning(text, game.name, algo)
    if game.foreign:
        micro = 1e6 * game.rules.source().seconds
        text = "tafl: %s is slow: its library makes each move that is tried, in about %.0f µs"
        log.warning(text, game.name, micro)


def game_for(game: Any, settings: str | Path | None) -> Game:
    """Return the game of a new run; a settings file, perhaps that of another run, may name it."""
    named = read_toml(settings).get("game") if settings is not None else None
    if not isinstance(named, str | None):
        raise InputError(f"{settings}: game = {named!r}: must name a game")
    if named is None:
        if game is None:
            raise InputError("name a game, or a settings file that names one")
        return load_game(game)
    run = run_of(settings)
    of_file = load_stored(named, run) if run else load_game(named)
    loaded = of_file if game is None else load_game(game)
    if of_file.name != loaded.name:
        raise InputError(f"{settings} is for {named}, not for {loaded.name}")
    return loaded


def _rounded(number: float) -> int:
    """Rounded to two digits; more are not known."""
    return int(float(f"{number:.2g}"))
