"""Engines of the Go Text Protocol, version 2: `play black d3`, `genmove white`.

An engine keeps the board, so it receives all moves since its last one, passes included. Any other
position is reached by moves from the start, or set up in one command if the engine has one.
"""

import re
from dataclasses import KW_ONLY, dataclass

from tafl.agents.engines import Engine, EngineAgent, checked, find_program, shown
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.boards.trust import code_digest
from tafl.errors import EngineError

COLOURS = ("black", "white")
MOST_TRIED = 2_000  # positions on the way to another
SETUP = "grhino-setup_board"
INSTALL = "on Debian, apt install grhino installs gtp-rhino, an engine for Othello"


@dataclass(eq=False, repr=False)
class GtpAgent(EngineAgent):
    """Plays the moves of a program: `gtp(command='gtp-rhino --level=1')`."""

    game: Game
    seed: int = 0
    _: KW_ONLY
    command: str
    timeout: float = 60.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.program = find_program(self.command, INSTALL)
        self._board = self.game.start()  # as the engine sees it
        self._turn = 0  # the player to move, as the engine sees it

    @staticmethod
    def code(command: str, **options: object) -> str:
        """Return a hash of the command and of the files that it names."""
        return code_digest(find_program(command, INSTALL))

    def _start(self) -> Engine:
        engine = Engine(self.program, self.timeout)
        ask(engine, "boardsize 8")
        self._clear(engine)
        return engine

    def _ask(self, engine: Engine, state: State) -> int:
        moves = find_moves(self._board, state)
        if moves is None:
            self._clear(engine)
            moves = find_moves(self._board, state)
        if moves is None:
            self._set_up(engine, state)
        for action in moves or []:
            self._pass_until(engine, self._board.player)
            ask(engine, f"play {COLOURS[self._turn]} {self.game.action_name(action)}")
            self._turn = 1 - self._turn
            self._board.play(action)
        self._pass_until(engine, state.player)
        answer = ask(engine, f"genmove {COLOURS[self._turn]}").lower()
        if not re.fullmatch(r"[a-h][1-8]|pass|resign", answer):
            wrong = f"answered genmove with {shown(answer)}"
            raise engine.failed(f"{wrong} instead of a move such as d3")
        action = checked(engine, state, answer)
        self._board, self._turn = state.afterstate(action), 1 - self._turn
        return action

    def _clear(self, engine: Engine) -> None:
        ask(engine, "clear_board")
        self._board, self._turn = self.game.start(), 0

    def _set_up(self, engine: Engine, state: State) -> None:
        """Set up a position in one command."""
        if ask(engine, f"known_command {SETUP}") != "true":
            raise EngineError("GTP can only send moves, and none were found that lead here")
        discs = "".join(".XO."[cell] for cell in state.cells)
        ask(engine, f"{SETUP} {discs} {COLOURS[state.player]}")
        self._board, self._turn = state.copy(), state.player

    def _pass_until(self, engine: Engine, player: int) -> None:
        """Send a pass if the engine expects another player: our rules pass automatically."""
        if self._turn != player:
            answer(engine, f"play {COLOURS[self._turn]} pass")
            self._turn = player


def ask(engine: Engine, command: str) -> str:
    """Return the answer to a command that the engine must not refuse."""
    accepted, text = answer(engine, command)
    if not accepted:
        raise engine.failed(f"refused {command!r}: {shown(text)}")
    return text


def answer(engine: Engine, command: str) -> tuple[bool, str]:
    """Send a command; return whether the engine accepts it, and its answer."""
    engine.send(command)
    first = engine.read_line()
    while not first:  # some send empty lines before
        first = engine.read_line()
    found = re.fullmatch(r"([=?])\d*\s*(.*)", first)
    if not found:
        raise engine.failed(f"answered {command!r} with {shown(first)}, which is not GTP")
    text = [found[2]]
    while line := engine.read_line():
        text.append(line)
    return found[1] == "=", "\n".join(text)


def find_moves(board: State, target: State) -> list[int] | None:
    """Return moves that lead from one position of Othello to another, or None.

    Discs never vanish, so only cells with a disc at the end are tried.

    >>> import tafl
    >>> start = tafl.game("othello").start()
    >>> target = start.copy()
    >>> for action in (19, 18, 26):
    ...     target.play(action)
    >>> find_moves(start, target)
    [19, 18, 26]
    """
    taken = {c for c, cell in enumerate(target.cells) if cell in (1, 2)}
    if not {c for c, cell in enumerate(board.cells) if cell in (1, 2)} <= taken:
        return None
    waiting, seen = [(board, list[int]())], set[bytes]()
    while waiting and len(seen) < MOST_TRIED:
        state, moves = waiting.pop()
        if (state.words == target.words).all():
            return moves
        if state.words.tobytes() not in seen:
            seen.add(state.words.tobytes())
            steps = [a for a in reversed(state.legal_actions) if a in taken]
            waiting += [(state.afterstate(a), [*moves, a]) for a in steps]
    return None
