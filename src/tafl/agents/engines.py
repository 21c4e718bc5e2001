"""External engines: programs started once and driven over pipes.

An engine that hangs, dies, answers nonsense or plays an illegal move is killed and raises an
`EngineError`; the next question starts a new one.
"""

import os
import queue
import shlex
import shutil
import subprocess
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Any, Self

from tafl.agents.agent import GameAgent
from tafl.boards.state import State
from tafl.core.games.othello import Othello
from tafl.errors import EngineError, InputError, MissingEngine
from tafl.processes import Guarded

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian keeps them, often not on the PATH
LONGEST = 1 << 20  # bytes of an answer
PIECE = 1 << 16  # bytes read at once: as much as a pipe holds
PIECES = 16  # read ahead
SHOWN = 60  # characters of a strange answer
GRACE = 1.0  # seconds to read the output of an engine that has ended
STDIN, STDOUT, STDERR = range(3)

Heard = tuple[int, bytes]  # a pipe of an engine and its output; empty at its end


class Engine:
    """A running program that reads commands and writes answers."""

    def __init__(self, command: Sequence[str], timeout: float, folder: Path | None = None):
        self.timeout = timeout
        pipe = subprocess.PIPE
        program = Guarded(command, stdin=pipe, stdout=pipe, stderr=pipe, folder=folder)
        self._process, self._pipes = program.process, Pipes(program.process)
        self.end = weakref.finalize(self, _end, program, self._pipes)
        try:
            program.confirm()
        except OSError as error:
            self.end()
            raise EngineError(f"{command[0]} cannot be started: {error.strerror}") from None
        self._answer = self._complaints = b""  # unread output of stdout and stderr
        self._asked, self._deadline, self._length = "", 0.0, 0

    def send(self, line: str) -> None:
        """Send a command; its answer must come within the timeout."""
        self._asked, self._deadline, self._length = line, monotonic() + self.timeout, 0
        self._pipes.commands.put(f"{line}\n".encode())

    def read_line(self) -> str:
        """Return the next line of the answer to the last command."""
        while b"\n" not in self._answer:
            self._listen()
        line, _, self._answer = self._answer.partition(b"\n")
        return line.decode(errors="replace").rstrip()

    def _listen(self) -> None:
        """Read the next piece of output, from stdout or stderr."""
        left = self._deadline - monotonic()
        try:
            pipe, piece = self._pipes.heard.get(timeout=left)
        except (queue.Empty, ValueError):  # the deadline has passed
            why = f"did not answer {self._asked!r} within {self.timeout:g} seconds"
            raise self.failed(why) from None
        if pipe == STDERR:
            self._complaints = (self._complaints + piece)[-PIECE:]
            return
        if not piece:
            raise self.failed(self._ending())
        self._answer += piece
        self._length += len(piece)
        if self._length > LONGEST:
            raise self.failed(f"never ended its answer to {self._asked!r}")

    def _ending(self) -> str:
        """Return how the engine ended, with its last line on stderr."""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        pieces = [piece for pipe, piece in self._pipes.drain() if pipe == STDERR]
        words = b"".join([self._complaints, *pieces]).decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(words) if line.strip()), "")
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return f"ended with {how}" + (f": {shown(last)}" if last else "")

    def failed(self, what: str) -> EngineError:
        """Kill the engine and return the error to raise."""
        self.end()
        return EngineError(f"the engine {what}")


class Pipes:
    """Three threads that write to a program and read from it, since Windows cannot poll pipes.

    Output is read at most `PIECES` pieces ahead.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.commands: queue.SimpleQueue[bytes] = queue.SimpleQueue()  # an empty command ends it
        self.heard: queue.Queue[Heard] = queue.Queue(PIECES)
        work: list[tuple[Any, ...]] = [
            (_write, process.stdin, STDIN, self.commands),
            (_read, process.stdout, STDOUT),
            (_read, process.stderr, STDERR),
        ]
        self.threads = [
            threading.Thread(target=target, args=[self.heard, *arguments], daemon=True)
            for target, *arguments in work
        ]
        for thread in self.threads:
            thread.start()

    def drain(self) -> list[Heard]:
        """Return the rest of the output of a program that has ended, and close its pipes."""
        self.commands.put(b"")
        found, deadline = [], monotonic() + GRACE
        while any(thread.is_alive() for thread in self.threads) and monotonic() < deadline:
            with suppress(queue.Empty):
                found.append(self.heard.get(timeout=0.01))
        while not self.heard.empty():
            found.append(self.heard.get())
        return found


def _write(
    heard: "queue.Queue[Heard]", pipe: IO[bytes], number: int, commands: "queue.SimpleQueue[bytes]"
) -> None:
    with suppress(OSError), pipe:
        while command := commands.get():
            pipe.write(command)
            pipe.flush()
        return
    heard.put((number, b""))  # it reads no more commands


def _read(heard: "queue.Queue[Heard]", pipe: IO[bytes], number: int) -> None:
    with pipe:
        piece = b"begin"
        while piece:
            piece = os.read(pipe.fileno(), PIECE)
            heard.put((number, piece))


def _end(program: Guarded, pipes: Pipes) -> None:
    """Kill an engine and its child processes, and close its pipes."""
    program.end()
    pipes.drain()


class EngineAgent(GameAgent):
    """Base of agents that ask an engine for its move in Othello."""

    plays = Othello
    timeout: float  # seconds that an answer may take

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.timeout <= 86_400:
            limits = "above 0 and at most 86,400 seconds"
            raise InputError(f"timeout must be {limits}, not {self.timeout:g}")
        self._engine: Engine | None = None
        self._last: tuple[bytes, int] | None = None  # position and answer

    def twin(self) -> Self:
        """Return this agent, so that only one program runs."""
        return self

    def _rate(self, state: State) -> dict[int, float]:
        """Return 1 for the engine's move and 0 for the others."""
        action = self._act(state)
        return {a: float(a == action) for a in state.legal_actions}

    def _act(self, state: State) -> int:
        """Return the engine's move; the last answer is cached."""
        position = state.words.tobytes()
        if self._last is None or self._last[0] != position:
            self._last = None
            if self._engine is None or not self._engine.end.alive:
                self._engine = self._start()
            self._last = position, self._ask(self._engine, state)
        return self._last[1]

    def _start(self) -> Engine:
        """Start an engine that is ready to play."""
        raise NotImplementedError

    def _ask(self, engine: Engine, state: State) -> int:
        """Ask the engine for its move in a position."""
        raise NotImplementedError


def checked(engine: Engine, state: State, move: str) -> int:
    """Return the legal action of this name."""
    names = {state.game.action_name(action): action for action in state.legal_actions}
    if move.lower() not in names:
        raise engine.failed(f"played the illegal move {shown(move)}")
    return names[move.lower()]


def find_program(command: str, install: str) -> list[str]:
    """Return the words of a command, the first as a path; `install` is a hint for errors."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{command!r} is not a valid command: {error}") from None
    if not words:
        raise InputError(f"the command is empty; {install}")
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    path = shutil.which(os.path.expanduser(words[0]), path=folders)
    if path is None:
        raise MissingEngine(f"{words[0]} is not installed; {install}")
    return [str(Path(path).absolute()), *words[1:]]


def shown(text: str) -> str:
    """Return an unexpected answer in quotes, shortened."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
