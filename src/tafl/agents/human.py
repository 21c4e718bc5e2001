"""A person at the terminal.

The dialogue of the agent is written to stderr, so that stdout is left to results.
"""

import sys

from tafl.errors import InputError
from tafl.games.game import Game
from tafl.games.state import State


class HumanAgent:
    """Asks for each move: its number or its name."""

    def __init__(self, game: Game, seed: int = 0):
        self.game = game

    def values(self, state: State) -> dict[int, float]:
        """What people think is not known: 0 for every legal action."""
        return dict.fromkeys(state.legal_actions, 0.0)

    def act(self, state: State) -> int:
        """The move that was typed; asks again until it is a legal one."""
        print(f"\n{state}\n\nlegal actions: {listed(state)}", file=sys.stderr)
        while True:
            print(f"player {state.player}, your move: ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise InputError("there is nobody at the terminal any more")
            try:
                return find_action(state, line)
            except InputError as error:
                print(error, file=sys.stderr)


def find_action(state: State, text: str) -> int:
    """The legal action with this number or name.

    >>> import tafl
    >>> start = tafl.game("tictactoe").start()
    >>> find_action(start, "4"), find_action(start, "B2")
    (4, 4)
    """
    wanted = text.strip().casefold()
    for action in state.legal_actions:
        if wanted in (str(action), state.game.action_name(action).casefold()):
            return action
    raise InputError(f"{text.strip()!r} is not legal here; legal are: {listed(state)}")


def listed(state: State) -> str:
    """The legal actions by number and, where that is another, name; `none` if there are none."""
    names = {str(action): state.game.action_name(action) for action in state.legal_actions}
    return ", ".join(a if a == name else f"{a} ({name})" for a, name in names.items()) or "none"
