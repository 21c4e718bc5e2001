"""An agent as an engine for board GUIs: Go Text Protocol, version 2.

    play black d3       genmove white       undo       showboard       analyze black 50

The first player is black. A move is written as in `tafl play`, or as its number if its name has
spaces. tafl's rules skip a player without legal moves; here such a player may pass or be skipped.
"""

from collections.abc import Callable, Iterator
from math import isqrt

from tafl.agents import Agent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.errors import InputError

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
LETTERS = ("B", "W")
PASS = "pass"
DIGITS = 9  # of a size; Python does not read a number of thousands of digits

Answer = str | Iterator[str]  # or lines until the next command comes


class Refused(Exception):  # noqa: N818 - the name says what happened
    """A command that failed; the engine has not changed."""


class Engine:
    """A board and an agent that plays on it; `answer` executes commands."""

    def __init__(self, agent: Agent, game: Game, name: str, version: str, seed: int = 0):
        if game.facts.players != 2 or game.has_chance:
            raise InputError(f"GTP is for games of two players without chance, not {game.name}")
        if game.hides:
            raise InputError(f"GTP shows both players everything, and {game.name} hides something")
        self.agent, self.game, self.name, self.seed = agent, game, name, seed
        self.state = game.start(seed)
        self.moves: list[int | None] = []  # an action, or None for a pass
        self.over = False  # after the command `quit`
        self.commands: dict[str, Callable[[list[str]], Answer]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: f"tafl {self.name}",
            "version": lambda words: version,
            "known_command": self.known,
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": self.quit,
            "boardsize": self.set_size,
            "clear_board": self.clear,
            # GUIs send these; they have no effect here
            **dict.fromkeys(("komi", "time_settings", "time_left"), lambda words: ""),
            "play": self.play,
            "genmove": self.generate,
            "reg_genmove": self.suggest,
            "undo": self.undo,
            "showboard": lambda words: "\n" + drawing(self.state),
            "final_score": self.final_score,
            "analyze": self.analyze,
        }

    def answer(self, command: str, words: list[str]) -> Answer:
        """Execute a command and return its answer, or raise `Refused`."""
        if command not in self.commands:
            raise Refused("unknown command")
        try:
            return self.commands[command](words)
        except InputError as error:  # of the agent
            raise Refused(str(error)) from None

    def known(self, words: list[str]) -> str:
        return "true" if words and words[0] in self.commands else "false"

    def quit(self, words: list[str]) -> str:
        self.over = True
        return ""

    def set_size(self, words: list[str]) -> str:
        """Refuse any size but that of the game."""
        if len(words) != 1 or not words[0].isdecimal():
            raise Refused("boardsize not an integer")
        if len(words[0]) > DIGITS:
            raise Refused("unacceptable size")
        if int(words[0]) != board_size(self.game):
            raise Refused("unacceptable size")
        return self.clear(words)

    def clear(self, words: list[str]) -> str:
        self.state, self.moves = self.game.start(self.seed), []
        return ""

    def play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise Refused("invalid color or coordinate")
        player, move = colour(words[0]), words[1]
        if move.casefold() == PASS:
            if not self.must_pass(player):
                raise Refused("illegal move")
            self.make(None)
            return ""
        try:
            action = self.state.action(move)
        except InputError:
            raise Refused("illegal move") from None
        if player != self.state.player:
            raise Refused("illegal move")
        self.make(action)
        return ""

    def generate(self, words: list[str]) -> str:
        """Play the agent's move."""
        action = self.chosen(words)
        self.make(action)
        return written(self.game, action)

    def suggest(self, words: list[str]) -> str:
        """Return the agent's move without playing it."""
        return written(self.game, self.chosen(words))

    def undo(self, words: list[str]) -> str:
        if not self.moves:
            raise Refused("cannot undo")
        if self.moves.pop() is not None:
            self.state.undo()
        return ""

    def final_score(self, words: list[str]) -> str:
        if not self.state.over:
            raise Refused("cannot score")
        lead = self.state.scores[0] - self.state.scores[1]
        return f"{LETTERS[lead < 0]}+{abs(lead):g}" if lead else "0"

    def analyze(self, words: list[str]) -> Answer:
        """Return a stream of lines with the values of all moves; `pace` sets its speed."""
        player = colour(words[0]) if words and words[0].casefold() in COLOURS else None
        if self.state.over or player not in (None, self.state.player):
            raise Refused("nothing to analyze")
        return self.reports()

    def reports(self) -> Iterator[str]:
        """Yield the mean values over repeated evaluations; those of a search improve."""
        sums: dict[int, float] = dict.fromkeys(self.state.legal_actions, 0.0)
        asked = 0
        while True:
            asked += 1
            for action, value in self.agent.values(self.state).items():
                sums[action] += value
            yield report(self.game, {action: s / asked for action, s in sums.items()}, asked)

    def must_pass(self, player: int) -> bool:
        """Tell whether it is this player's turn without a legal move."""
        if self.state.over:
            return True
        if not self.moves or self.moves[-1] is None:
            return False
        before = self.state.copy()
        before.undo()
        return before.player == self.state.player != player

    def chosen(self, words: list[str]) -> int | None:
        """Return the agent's action for the given colour, or None for a pass."""
        if len(words) != 1:
            raise Refused("invalid color")
        player = colour(words[0])
        if self.must_pass(player):
            return None
        if player != self.state.player:
            raise Refused(f"it is the turn of {('black', 'white')[self.state.player]}")
        return self.agent.act(self.state)

    def make(self, action: int | None) -> None:
        if action is not None:
            self.state.play(action)
        self.moves.append(action)


def colour(word: str) -> int:
    """Return the player with this colour."""
    if word.casefold() not in COLOURS:
        raise Refused("invalid color or coordinate")
    return COLOURS[word.casefold()]


def written(game: Game, action: int | None) -> str:
    """Return an action as one word; None is a pass.

    >>> import tafl
    >>> written(tafl.game("othello"), 19), written(tafl.game("nim"), 4)
    ('d3', '4')
    """
    name = PASS if action is None else game.action_name(action)
    return str(action) if " " in name else name


def report(game: Game, values: dict[int, float], asked: int) -> str:
    """Return one line of an analysis in the format of Go GUIs, the best move first.

    >>> import tafl
    >>> report(tafl.game("nim(heaps=2,stones=1)"), {0: -1.0, 1: 0.5}, asked=1)
    'info move 1 visits 1 winrate 75.00 value 0.5 order 0 pv 1 info move 0 visits 1 ...'
    """
    low, high = map(game.points, game.facts.score_range)
    parts = []
    for order, action in enumerate(sorted(values, key=values.__getitem__, reverse=True)):
        move, value = written(game, action), values[action]
        share = 100 * (min(max(value, low), high) - low) / (high - low)
        about = f"winrate {share:.2f} value {value:.6g} order {order}"
        parts.append(f"info move {move} visits {asked} {about} pv {move}")
    return " ".join(parts)


def drawing(state: State) -> str:
    """Return a position without empty lines, which would end the answer."""
    return "\n".join(line for line in str(state).split("\n") if line.strip())


def board_size(game: Game) -> int | None:
    """Return the size of a square board, or None.

    >>> import tafl
    >>> [board_size(tafl.game(name)) for name in ("hex(size=5)", "othello", "connectfour")]
    [5, 8, None]
    """
    side = isqrt(game.facts.cells)
    return side if side * side == game.facts.cells else None
