"""A person at the terminal; the dialogue goes to stderr, results to stdout."""

import sys
from typing import Self

from tafl.agents.agent import GameAgent
from tafl.boards.state import State, listed
from tafl.errors import InputError


class HumanAgent(GameAgent):
    """A person who types each move, its number or name."""

    def twin(self) -> Self:
        """Return this agent: there is one terminal."""
        return self

    def _rate(self, state: State) -> dict[int, float]:
        """Return 0 for every legal action."""
        return dict.fromkeys(state.legal_actions, 0.0)

    def _act(self, state: State) -> int:
        """Ask until a legal move is typed, and return it."""
        print(f"\n{state.drawn(state.player)}\n\nlegal actions: {listed(state)}", file=sys.stderr)
        while True:
            print(f"player {state.player}, your move: ", end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line:
                raise InputError("the terminal was closed")
            try:
                return state.action(line)
            except InputError as error:
                print(error, file=sys.stderr)
