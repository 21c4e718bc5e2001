"""A person at the terminal.

The dialogue of the agent is written to stderr, so that stdout is left to results.
"""

import sys
from typing import Self

from tafl.agents.agent import GameAgent
from tafl.boards.state import State, listed
from tafl.errors import InputError


class HumanAgent(GameAgent):
    """Asks for each move: its number or its name."""

    def twin(self) -> Self:
        """Itself: there is one terminal."""
        return self

    def _rate(self, state: State) -> dict[int, float]:
        """What people think is not known: 0 for every legal action."""
        return dict.fromkeys(state.legal_actions, 0.0)

    def _act(self, state: State) -> int:
        """The move that was typed; asks again until it is a legal one."""
        print(f"\n{state}\n\nlegal actions: {listed(state)}", file=sys.stderr)
        while True:
            print(f"player {state.player}, your move: ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise InputError("the terminal was closed")
            try:
                return state.action(line)
            except InputError as error:
                print(error, file=sys.stderr)
