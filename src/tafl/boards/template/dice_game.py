"""DiceGame: two players race with two pieces each; a throw moves one of them.

Change it into your own game, then run `tafl check` on this file. The methods from start() to cell()
are compiled: they compute with numbers and cannot create lists, dicts, arrays or strings.
"""

from typing import NamedTuple

from tafl.rules import Facts, below, inline, rules

PLAYER, DIE, PIECES = 0, 1, 2  # words of a state: four pieces, two of each player


@inline  # a function that the methods below may call
def is_home(state, player, squares):
    """Return whether both pieces of a player are at home."""
    first = PIECES + 2 * player
    return state[first] == squares and state[first + 1] == squares


@rules
class DiceGame(NamedTuple):
    """state = [player to move, die, two pieces of player 0, two of player 1];   action = piece

    A piece is on square 0 (not on the way yet) to `squares` (at home). A piece that lands on a
    square of the other player sends the pieces there back to the start.
    """

    squares: int = 10  # a parameter: `tafl state "FILE.py(squares=20)"`

    def start(self, state):  # the state may still hold an earlier game
        state[:] = 0

    def player(self, state):  # who is to move: 0, 1, ...
        return state[PLAYER]

    def legal(self, state, action):  # is this action legal?
        return state[PIECES + 2 * state[PLAYER] + action] < self.squares

    def play(self, state, action):  # change the state; nothing random happens here
        player = state[PLAYER]
        piece = PIECES + 2 * player + action
        state[piece] = min(self.squares, state[piece] + state[DIE])
        for other in range(PIECES + 2 * (1 - player), PIECES + 2 * (1 - player) + 2):
            if state[other] == state[piece] and state[piece] < self.squares:
                state[other] = 0
        state[PLAYER], state[DIE] = 1 - player, 0  # agents see no die of an earlier throw

    def chance(self, state, rng):  # throw for the next move, also for the first one
        if not self.over(state):
            state[DIE] = 1 + below(rng, 6)

    def outcomes(self, state):  # for agents that search through chance
        return 1 if self.over(state) else 6

    def outcome(self, state, i):  # apply the i-th outcome, and return its probability
        if self.over(state):
            return 1.0
        state[DIE] = 1 + i
        return 1 / 6

    def over(self, state):  # is the game finished?
        return is_home(state, 0, self.squares) or is_home(state, 1, self.squares)

    def score(self, state, player):  # a player's score so far
        if not self.over(state):
            return 0.0
        return 1.0 if is_home(state, player, self.squares) else -1.0

    def cell(self, state, c):  # what learning sees on cell c: 0, 1, ..., values - 1
        return state[DIE + c]

    def facts(self):  # plain Python from here on
        return Facts(players=2, actions=2, cells=5, values=max(7, self.squares + 1), words=6)

    def validate(self):  # refuse impossible parameters with a ValueError
        if not 1 <= self.squares <= 100:
            raise ValueError("squares must be 1 to 100")

    def draw(self, state):  # the position as text
        first, second = state[PIECES : PIECES + 2], state[PIECES + 2 :]
        return f"x on {first[0]} and {first[1]}, o on {second[0]} and {second[1]}; die {state[DIE]}"

    def action_name(self, action):
        return ("first", "second")[action]
