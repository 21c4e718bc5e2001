"""Edax, a strong engine for Othello, and its protocol.

mode 3                        Edax plays only when asked
level 1                       search depth
setboard ...xo...ox... x      the discs row by row, and the player to move
go                            Edax answers: Edax plays d3
"""

import re
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

from tafl.agents.agent import limited
from tafl.agents.engines import Engine, EngineAgent, checked, find_program
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.boards.trust import code_digest

HIGHEST_LEVEL = 60
INSTALL = (
    "download Edax and its data/eval.dat from the releases of github.com/abulmo/edax-reversi and "
    "give the path, for example edax(level=1,path=edax/bin/lEdax-x86-64)"
)


@dataclass(eq=False, repr=False)
class EdaxAgent(EngineAgent):
    """Plays the moves of Edax: `edax(level=1,path='~/edax/lEdax')`."""

    game: Game
    seed: int = 0
    _: KW_ONLY
    level: int = limited(1, 0, HIGHEST_LEVEL)
    path: str = "edax"
    timeout: float = 60.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.program = find_program(self.path, INSTALL)

    @staticmethod
    def code(path: str = "edax", **options: object) -> str:
        """Return a hash of the program."""
        return code_digest(find_program(path, INSTALL))

    def _start(self) -> Engine:
        engine = Engine(self.program, self.timeout, data_folder(Path(self.program[0])))
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
    """Return the folder in which Edax finds its data."""
    folder = program.resolve().parent
    return next((f for f in (folder, folder.parent) if (f / "data").is_dir()), folder)
