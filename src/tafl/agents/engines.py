"""External programs that play: started once, driven over pipes, killed when they misbehave.

Whatever an engine does, whoever asked it gets an answer or, after a while, an `EngineError` in one
line: when it hangs, dies, answers nonsense or plays an illegal move. It is then gone, and another
one is started when the agent is asked again.
"""

import os
import select
import shlex
import shutil
import subprocess
import weakref
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Self

from tafl.agents.agent import GameAgent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.games.othello import Othello
from tafl.errors import EngineError, InputError, MissingEngine
from tafl.processes import Guarded

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian keeps them, often not on the PATH
LONGEST = 1 << 20  # bytes of an answer
PIECE = 1 << 16  # bytes read at once: as much as a pipe holds
SHOWN = 60  # characters of a strange answer


class Engine:
    """A running program that reads commands and writes answers; what it starts ends with it."""

    def __init__(self, command: Sequence[str], timeout: float, folder: Path | None = None):
        self.timeout = timeout
        pipe = subprocess.PIPE
        program = Guarded(command, stdin=pipe, stdout=pipe, stderr=pipe, folder=folder)
        self._process = program.process
        self.end = weakref.finalize(self, _end, program)
        try:
            program.confirm()
        except OSError as error:
            self.end()
            raise EngineError(f"{command[0]} cannot be started: {error.strerror}") from None
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (end.fileno() for end in pipes if end)
        self._answer = self._complaints = b""  # what it wrote last on stdout and stderr
        self._asked, self._deadline, self._length = "", 0.0, 0
        self._ears = select.poll()
        self._ears.register(self._stdout, select.POLLIN)
        self._ears.register(self._stderr, select.POLLIN)

    def send(self, line: str) -> None:
        """Sends a command; its answer must come within the timeout."""
        self._asked, self._deadline, self._length = line, monotonic() + self.timeout, 0
        mouth = select.poll()
        mouth.register(self._stdin, select.POLLOUT)  # if there is room at all, a line has it
        self._wait(mouth)
        try:
            os.write(self._stdin, f"{line}\n".encode())
        except OSError:
            raise self.failed(self._obituary()) from None

    def read_line(self) -> str:
        """The next line of the answer to the last command."""
        while b"\n" not in self._answer:
            self._listen()
        line, _, self._answer = self._answer.partition(b"\n")
        return line.decode(errors="replace").rstrip()

    def _listen(self) -> None:
        """Takes what the engine says next, be it answer or complaint."""
        for pipe in self._wait(self._ears):
            piece = os.read(pipe, PIECE)
            if pipe == self._stderr:
                self._complaints = (self._complaints + piece)[-PIECE:]
                if not piece:
                    self._ears.unregister(pipe)
            elif piece:
                self._answer += piece
                self._length += len(piece)
            else:
                raise self.failed(self._obituary())
        if self._length > LONGEST:
            raise self.failed(f"never ended its answer to {self._asked!r}")

    def _wait(self, pipes: "select.poll") -> list[int]:
        """Those of the pipes that something can be done with."""
        left = self._deadline - monotonic()
        ready = pipes.poll(1000 * left) if left > 0 else []
        if not ready:
            raise self.failed(f"did not answer {self._asked!r} within {self.timeout:g} seconds")
        return [pipe for pipe, _ in ready]

    def _obituary(self) -> str:
        """How it died, with the last thing that it said about it."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        if any(pipe == self._stderr for pipe, _ in self._ears.poll(0)):
            self._complaints += os.read(self._stderr, PIECE)
        words = self._complaints.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(words) if line.strip()), "")
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return f"ended with {how}" + (f": {shown(last)}" if last else "")

    def failed(self, what: str) -> EngineError:
        """Kills the engine; the error to raise."""
        error = EngineError(f"the engine {what}")
        self.end()
        return error


def _end(program: Guarded) -> None:
    """Kills an engine and all that it has started, and closes its pipes."""
    program.end()
    for pipe in (program.process.stdin, program.process.stdout, program.process.stderr):
        assert pipe is not None
        pipe.close()


class EngineAgent(GameAgent):
    """What agents of all protocols have in common: they play Othello, and know only their move."""

    def __init__(self, game: Game, command: str, timeout: float, install: str):
        if not isinstance(game.rules, Othello):
            raise InputError(f"this agent plays othello, not {game.name}")
        if not 0 < timeout <= 86_400:
            raise InputError(f"timeout must be above 0 and at most 86,400 seconds, not {timeout:g}")
        super().__init__(game)
        self.timeout = timeout
        self.command = find_program(command, install)
        self._engine: Engine | None = None
        self._last: tuple[bytes, int] | None = None  # position and answer

    def twin(self) -> Self:
        """Itself: it draws nothing, and a second program would be one too many."""
        return self

    def _rate(self, state: State) -> dict[int, float]:
        """1 for the move that the engine plays, 0 for the others: it says no more."""
        action = self._act(state)
        return {a: float(a == action) for a in state.legal_actions}

    def _act(self, state: State) -> int:
        """The engine's move; asked twice in a row about a position, it is not asked again."""
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
        raise engine.failed(f"played the illegal move {shown(move)}")
    return names[move.lower()]


def find_program(command: str, install: str) -> list[str]:
    """The words of a command, the first one as a path; `install` says what to do without it."""
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
    """A strange answer, in quotes and not too long."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
