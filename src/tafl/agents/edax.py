"""Edax, a strong engine for Othello, in its own protocol.

mode 3                        nobody's moves are played by the program itself
level 1                       how deep it searches
setboard ...xo...ox... x      the discs row by row, and who is to move
go                            Edax answers: Edax plays d3
"""

import re
from pathlib import Path

from tafl.agents.engines import Engine, EngineAgent, checked
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.errors import InputError

HIGHEST_LEVEL = 60
INSTALL = (
    "download Edax and its data/eval.dat from the releases of github.com/abulmo/edax-reversi and "
    "give the path, for example edax(level=1,path=edax/bin/lEdax-x86-64)"
)


class EdaxAgent(EngineAgent):
    """Plays the moves of Edax: `edax(level=1,path='~/edax/lEdax')`."""

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        level: int = 1,
        path: str = "edax",
        timeout: float = 60.0,
    ):
        super().__init__(game, path, timeout, INSTALL)
        if not 0 <= level <= HIGHEST_LEVEL:
            raise InputError(f"level must be 0 to {HIGHEST_LEVEL}, not {level}")
        self.level = level

    def _start(self) -> Engine:
        engine = Engine(self.command, self.timeout, data_folder(Path(self.command[0])))
        engine.send("mode 3")
        engine.send(f"level {self.level}")
        return engine

    def _ask(self, engine: Engine, state: State) -> int:
        discs = "".join(".xo."[cell] for cell in state.cells)
        engine.send(f"setboard {discs}{'xo'[state.player]}")
        engine.send("go")
        while True:
            found = re.search(r"edax plays\s+(\S+)", engine.read_line(), re.IGNORECASE)
            if found:
                return checked(engine, state, found[1])


def data_folder(program: Path) -> Path:
    """Where Edax has to be started to find its data."""
    folder = program.resolve().parent
    return next((f for f in (folder, folder.parent) if (f / "data").is_dir()), folder)
