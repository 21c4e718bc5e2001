"""Progress of a training: a bar in a terminal, otherwise a line every half minute."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tafl.arena.exploitability import BEST_RESPONSE
from tafl.files import replacing
from tafl.numbers import number, score
from tafl.settings.tables import Fields

if TYPE_CHECKING:
    from tafl.runs.run import Run
from tafl.terminal import printable, raw

SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Shows nothing; the others say more."""

    def begin(self, episode: int, total: int) -> None:
        """Training starts, or continues, at this episode."""

    def block(self, episode: int, moves: int) -> None:
        """This many episodes are finished, with this many moves in all."""

    def say(self, text: str) -> None:
        """Something worth a line."""

    def evaluated(self, run: "Run", line: Fields) -> None:
        """A run has this evaluation."""

    def saved(self, run: "Run", episode: int) -> None:
        """A run has a checkpoint of this episode."""

    def end(self) -> None:
        """Training is over, however it ended."""


class Lines(Progress):
    """Progress for files and pipes: a line at most every half minute."""

    def __init__(self, unit: str = "episodes", clock: Callable[[], float] = time.monotonic) -> None:
        self.unit, self.clock = unit, clock

    def begin(self, episode: int, total: int) -> None:
        self.total, self.first = total, -1

    def block(self, episode: int, moves: int) -> None:
        now = self.clock()
        if self.first < 0:  # until here it was compiling
            self.first, self.began, self.shown = episode, now, now
        elif now - self.shown >= SECONDS_BETWEEN_LINES and episode > self.first:
            self.shown = now
            rate = (episode - self.first) / (now - self.began)
            left = (self.total - episode) / rate
            done = f"{episode:,} of {self.total:,} {self.unit}"
            speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
            self.say(f"{done}, {speed} {self.unit}/s, {duration(left)} left")

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


class Bar(Progress):
    """Progress for terminals: a bar with rate and time left."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(file=raw(sys.stderr)),
        )
        self.last: tuple[float, int] | None = None

    def begin(self, episode: int, total: int) -> None:
        self.task = self.bar.add_task("compiling", total=total, completed=episode, rate="")
        self.bar.start()

    def block(self, episode: int, moves: int) -> None:
        now = time.monotonic()
        fields: dict[str, Any] = {}
        if self.last is None or now - self.last[0] > 1:
            if self.last is not None:
                seconds = now - self.last[0]
                fields["rate"] = f"{(moves - self.last[1]) / seconds:,.0f} moves/s"
            self.last = now, moves
        self.bar.update(self.task, description="learning", completed=episode, **fields)

    def say(self, text: str) -> None:
        self.bar.console.print(printable(text), highlight=False, markup=False)

    def end(self) -> None:
        self.bar.stop()


class ProgressFile(Progress):
    """A file with the episodes and moves so far, for other processes."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "progress"

    def block(self, episode: int, moves: int) -> None:
        with replacing(self.file, durable=False) as file:
            file.write(f"{episode} {moves}")

    def end(self) -> None:
        with suppress(PermissionError):  # Windows: a process reads it
            self.file.unlink(missing_ok=True)

    def read(self) -> tuple[int, int] | None:
        """Episodes and moves, if a process is at work."""
        try:
            episode, moves = self.file.read_text().split()
        except (FileNotFoundError, PermissionError):  # Windows: it is being replaced
            return None
        return int(episode), int(moves)


def progress_for_person(unit: str = "episodes") -> Progress:
    """Return a bar on a terminal, otherwise lines."""
    return Bar() if sys.stderr.isatty() else Lines(unit)


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(75), duration(7500)
    ('1:15', '2:05:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def shown(line: Fields) -> str:
    """Return an evaluation as one line of text."""
    results, gains = [], []
    for result in line["results"]:
        if result["opponent"] == BEST_RESPONSE:
            gains.append(f"; exploitability {number(-result['mean'])}")
        else:
            mean = score(result["mean"], result["standard_error"])
            results.append(f"{mean} against {result['opponent']}")
    text = f"episode {line['episode']:,}: mean score {', '.join(results)}{''.join(gains)}"
    return text.replace(" against alone", "")
