"""Programs of others that play: started once, spoken to over pipes, killed when they misbehave.

Whatever an engine does, whoever asked it gets an answer or, after a while, an `EngineError` in one
line: when it hangs, dies, answers nonsense or plays an illegal move. It is then gone, and another
one is started when the agent is asked again.
"""

import os
import select
import shlex
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO

from tafl.core.games.othello import Othello
from tafl.errors import EngineError, InputError
from tafl.games.game import Game
from tafl.games.state import State

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian keeps them, often not on the PATH
LONGEST = 1 << 20  # bytes of an answer
SHOWN = 60  # characters of a strange answer


class Engine:
    """A running program that reads commands and writes answers."""

    def __init__(self, command: Sequence[str], timeout: float, folder: Path | None = None):
        self.timeout = timeout
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the engine runs
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                cwd=folder,
            )
        except OSError as error:
            raise EngineError(f"{command[0]} cannot be started: {error.strerror}") from None
        self._buffer, self._asked, self._deadline = b"", "", 0.0
        self.end = weakref.finalize(self, _end, self._process, self._errors)

    def send(self, line: str) -> None:
        """Sends a command; its answer must come within the timeout."""
        self._asked, self._deadline = line, monotonic() + self.timeout
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(f"{line}\n".encode())
            stdin.flush()
        except OSError:
            raise self.failed(self._obituary()) from None

    def read_line(self) -> str:
        """The next line of the answer to the last command."""
        while b"\n" not in self._buffer:
            self._buffer += self._read()
            if len(self._buffer) > LONGEST:
                raise self.failed(f"answered {self._asked!r} without an end")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.decode(errors="replace").rstrip()

    def _read(self) -> bytes:
        stdout = self._process.stdout
        assert stdout is not None
        ready = select.poll()
        ready.register(stdout, select.POLLIN)
        left = self._deadline - monotonic()
        if left <= 0 or not ready.poll(1000 * left):
            raise self.failed(f"did not answer {self._asked!r} within {self.timeout:g} seconds")
        piece = os.read(stdout.fileno(), 1 << 16)
        if not piece:
            raise self.failed(self._obituary())
        return piece

    def _obituary(self) -> str:
        """How it died, with the last thing that it said about it."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._errors.seek(0)
        words = self._errors.read()[-LONGEST:].decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(words) if line.strip()), "")
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return f"ended with {how}" + (f": {shown(last)}" if last else "")

    def failed(self, what: str) -> EngineError:
        """Kills the engine; the error to raise."""
        error = EngineError(f"the engine {what}")
        self.end()
        return error


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    """Kills a process and all that it has started, and closes what led to it."""
    import psutil

    with suppress(psutil.Error):
        family = psutil.Process(process.pid).children(recursive=True)
        for child in family:
            with suppress(psutil.Error):
                child.kill()
    process.kill()
    for pipe in (process.stdin, process.stdout, errors):
        with suppress(OSError):  # what it did not read is lost
            assert pipe is not None
            pipe.close()
    process.wait()


class EngineAgent:
    """What agents of all protocols have in common: they play Othello, and know only their move."""

    def __init__(self, game: Game, command: str, timeout: float, install: str):
        if not isinstance(game.rules, Othello):
            raise InputError(f"this agent plays othello, not {game.name}")
        if not 0 < timeout <= 86_400:
            raise InputError(f"timeout must be from 0 to 86,400 seconds, not {timeout:g}")
        self.game, self.timeout = game, timeout
        self.command = find_program(command, install)
        self._engine: Engine | None = None
        self._last: tuple[bytes, int] | None = None  # position and answer

    def values(self, state: State) -> dict[int, float]:
        """1 for the move that the engine plays, 0 for the others: that is all it tells."""
        if state.over:
            return {}
        action = self.act(state)
        return {a: float(a == action) for a in state.legal_actions}

    def act(self, state: State) -> int:
        """The engine's move; asked twice in a row about a position, it is not asked again."""
        if state.game != self.game:
            raise InputError(f"this agent plays {self.game.name}, not {state.game.name}")
        if state.over:
            raise InputError("the game is over: there is no action to choose")
        position = state.words.tobytes()
        if self._last is None or self._last[0] != position:
            self._last = None
            if self._engine is None or not self._engine.end.alive:
                self._engine = self._start()
            self._last = position, self._ask(self._engine, state)
        return self._last[1]

    def _start(self) -> Engine:
        """A new engine, ready to play."""
        raise NotImplementedError

    def _ask(self, engine: Engine, state: State) -> int:
        """The engine's move in a position."""
        raise NotImplementedError


def checked(engine: Engine, state: State, move: str) -> int:
    """The action that is written like this, if it is a legal one."""
    names = {state.game.action_name(action): action for action in state.legal_actions}
    if move.lower() not in names:
        raise engine.failed(f"plays {shown(move)}, which is illegal here")
    return names[move.lower()]


def find_program(command: str, install: str) -> list[str]:
    """The words of a command, the first one as a path; `install` says what to do without it."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{command!r} is no command: {error}") from None
    if not words:
        raise InputError(f"there is no command; {install}")
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    path = shutil.which(os.path.expanduser(words[0]), path=folders)
    if path is None:
        raise EngineError(f"{words[0]} is not installed; {install}")
    return [str(Path(path).absolute()), *words[1:]]


def shown(text: str) -> str:
    """A strange answer, in quotes and not too long."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
