"""The options that several commands share."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.errors import IllegalAction, InputError
from tafl.settings import PRESETS
from tafl.terminal import printable, raw

if TYPE_CHECKING:
    from tafl.boards import Game, State


def _whole(kind: object, tokens: Any) -> int:
    """Return a whole number, also one that is written as 1e6 or 1_000_000."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():
            raise ValueError(f"{text} is not a whole number") from None
        return int(number)


SUCH_AGENTS = ', such as random, "mcts(iterations=1000)", run:runs/c4 or myagent.py:Centre.'

APPROXIMATOR = "File with your own approximator, such as mynet.py, instead of n-tuples."
Whole = Annotated[int, Parameter(converter=_whole)]
GAME = 'A game such as hex or "hex(size=6)", or the file of your own game, such as mygame.py.'
GameText = Annotated[str, Parameter(help=GAME)]
RunOrAgent = Annotated[Path, Parameter(help="Folder of a run, or file of an agent.")]
Seed = Annotated[int, Parameter(help="Random seed.")]
Algorithm = Annotated[str | None, Parameter(help="Learning algorithm: td, sarsa, q or regret.")]
Preset = Annotated[
    str | None,
    Parameter(help=f"Base settings: {', '.join(f'{k} ({v})' for k, v in PRESETS.items())}."),
]
MOVES = 'Moves from the start position, such as "3 3 2" or "d d c" (default: none).'
Moves = Annotated[str, Parameter(show_default=False, help=MOVES)]
VIEW = "Show only what this player sees, counted from 0 (default: everything)."
AsPlayer = Annotated[int | None, Parameter(show_default=False, help=VIEW)]
RecordFile = Annotated[
    Path | None, Parameter(help="File for the records of all games; tafl replay shows them.")
]
Starts = Annotated[
    int | str,
    Parameter(
        help="Start positions: start, first-moves, start-or-first, half-board, all:K (after every "
        "sequence of K moves) or K (after K random moves)."
    ),
]
Games = Annotated[
    int,
    Parameter(
        converter=_whole,
        help="Number of games, rounded up so that all starts and roles are played equally often.",
    ),
]
Changes = Annotated[list[str] | None, Parameter(name="--set", consume_multiple=True, negative=())]


@Parameter(name="*")
@dataclass(frozen=True)
class Learning:
    """The settings and the length of a training."""

    algo: Algorithm = None
    farl: bool | None = None
    """Let every player learn from the end of the game (Final Adaptation RL)."""
    preset: Preset = None
    approximator: Annotated[str | None, Parameter(help=APPROXIMATOR)] = None
    settings: Path | None = None
    """TOML file with settings instead of a preset, such as a run's settings.toml."""
    episodes: Whole | None = None
    """Number of self-play games to train with."""
    minutes: float | None = None
    """Train and evaluate for about this many minutes instead of --episodes."""
    seed: int | None = None
    """Random seed; the same seed gives the same agent."""
    threads: int | None = None
    """Number of games that train one agent at the same time (default: 1; on a GPU, for a single
    agent, 256, or 4 without temporal coherence); with several, results vary from run to run."""
    changes: Changes = None
    """Settings to change, such as td.alpha=0.5; `tafl settings GAME` lists all."""

    def has_usual_length(self, overrides: dict[str, Any]) -> bool:
        """Return whether nothing says how long the training is."""
        return self.settings is None and self.minutes is None and "episodes" not in overrides

    def tree(self, device: str | None) -> dict[str, Any]:
        """Return the options that are settings; those of --set are merged into them later."""
        from tafl.training.plan import option_tree

        names = ("algo", "farl", "episodes", "seed", "threads")
        tree = option_tree(device=device, **{name: getattr(self, name) for name in names})
        return tree | ({"network": {"kind": self.approximator}} if self.approximator else {})


@Parameter(name="*")
@dataclass(frozen=True)
class Place:
    """The device and the machines that compute runs."""

    device: Literal["cpu", "cuda"] | None = None
    """Device: cpu, or cuda for an NVIDIA GPU."""
    executor: Literal["local", "ray"] | None = None
    """Machines for several agents: local (this machine, the default) or ray (a Ray cluster)."""


def refuse_with_resume(kind: str, allowed: set[str], game: str | None, *groups: object) -> None:
    """Refuse the options of these groups, except those allowed: a stored run has its settings."""
    found = [item for group in groups for item in vars(group).items() if item[0] not in allowed]
    names = [name for name, value in found if value is not None]
    options = ["--set" if name == "changes" else f"--{name}" for name in names]
    for option in ["GAME"] if game else options:
        raise InputError(f"--resume uses the settings of the {kind}; remove {option}")


@Parameter(name="*")
@dataclass(frozen=True)
class ContestOptions:
    """The number of games, their starts, and the processes that play them."""

    games: Games = 100
    starts: Starts = "start"
    seed: Seed = 0
    workers: int | None = None
    """Number of processes; it does not change the result (default: one per core)."""

    @property
    def how(self) -> dict[str, Any]:
        """Return the keyword arguments of matches and tournaments."""
        from tafl.processes import cores

        return {**vars(self), "workers": cores() if self.workers is None else self.workers}


def position_after(game: "Game", moves: str, seed: int) -> "State":
    """Return the position after the moves of --moves."""
    from tafl.boards.load import after_moves

    try:
        return after_moves(game, moves, seed)
    except IllegalAction as error:
        raise InputError(f"--moves, {error}") from None


def checked_view(game: "Game", player: int | None) -> None:
    """Refuse an --as-player that the game does not have."""
    last = game.facts.players - 1
    if player is not None and not 0 <= player <= last:
        raise InputError(f"--as-player must be 0 to {last}, not {player}")


def say_progress(text: str) -> None:
    """Print progress on a terminal, in a line that the next one overwrites."""
    if sys.stderr.isatty():
        print(f"\r{printable(text)}\x1b[K", end="", file=raw(sys.stderr), flush=True)


def say_repeated(document: dict[str, Any]) -> None:
    """Print a warning if agents without chance repeated games: errors are then too small."""
    games, different = document["games"], document["different_games"]
    if different < games / 2:
        few = f"only {different:,} of {games:,} games are different"
        print(f"{few}; use other --starts for more variety")
