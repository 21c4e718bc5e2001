"""CardGame: two players have a card each and may bet; the higher card wins (Kuhn poker).

Change it into your own game, then run `tafl check` on this file. The methods from start() to
redeal() are compiled: they compute with numbers and cannot create lists, dicts, arrays or strings.
"""

from typing import NamedTuple

from tafl.rules import Facts, below, rules

PASS, BET = 1, 2  # moves
MADE, CARDS = 0, 4  # words of a state


@rules
class CardGame(NamedTuple):
    """state = [moves made, first, second and third move, cards of players 0 and 1]

    action: 0 pass (or give up after a bet), 1 bet (or pay it); cells: the cards, then the moves
    """

    cards: int = 3  # a parameter: `tafl state "FILE.py(cards=13)"`

    def start(self, state):  # the state may still hold an earlier game
        state[:] = 0

    def player(self, state):  # who is to move: 0, 1, ...
        return state[MADE] % 2

    def legal(self, state, action):  # is this action legal?
        return True

    def play(self, state, action):  # change the state; nothing random happens here
        state[MADE] += 1
        state[state[MADE]] = PASS + action

    def chance(self, state, rng):  # deal before the first move
        if state[CARDS] == 0:
            self.outcome(state, below(rng, self.cards * (self.cards - 1)))

    def outcomes(self, state):  # for agents that search through chance
        return self.cards * (self.cards - 1) if state[CARDS] == 0 else 1

    def outcome(self, state, i):  # apply the i-th outcome, and return its probability
        if state[CARDS] > 0:
            return 1.0
        first, second = i // (self.cards - 1), i % (self.cards - 1)
        state[CARDS] = 1 + first
        state[CARDS + 1] = 1 + second + (second >= first)  # not the same card
        return 1 / (self.cards * (self.cards - 1))

    def over(self, state):  # is the game finished?
        answered = state[MADE] == 2 and (state[1] == BET or state[2] == PASS)
        return answered or state[MADE] == 3

    def score(self, state, player):  # a player's score so far: chips won
        if not self.over(state):
            return 0.0
        last, before = state[state[MADE]], state[state[MADE] - 1]
        if last == PASS and before == BET:  # the last player gave up
            return -1.0 if player == (state[MADE] - 1) % 2 else 1.0
        chips = 2.0 if last == BET else 1.0
        return chips if state[CARDS + player] > state[CARDS + 1 - player] else -chips

    def cell(self, state, c):  # cell c as it is: 0, 1, ..., values - 1
        return state[CARDS + c] if c < 2 else state[c - 1]

    def sees(self, state, player, c):  # cell c as a player sees it: 0 what it does not know
        return 0 if c == 1 - player and not self.over(state) else self.cell(state, c)

    def redeal(self, state, player, rng):  # draw again what the player does not know
        if not self.over(state):
            other = below(rng, self.cards - 1)
            state[CARDS + 1 - player] = 1 + other + (1 + other >= state[CARDS + player])

    def facts(self):  # plain Python from here on
        return Facts(
            players=2,
            actions=2,
            cells=5,
            values=max(3, self.cards + 1),
            words=6,
            score_range=(-2.0, 2.0),
            kinds={0: "card", 1: "card", 2: "off", 3: "off", 4: "off"},  # what pictures show
        )

    def validate(self):  # refuse impossible parameters with a ValueError
        if not 2 <= self.cards <= 100:
            raise ValueError("cards must be 2 to 100")

    def draw(self, state, player):  # the position as a player sees it; player -1 sees all
        cards = [self.cell(state, c) if player < 0 else self.sees(state, player, c) for c in (0, 1)]
        moves = " ".join(("pass", "bet")[move - 1] for move in state[1:4] if move)
        return f"cards: {' '.join(str(card or '?') for card in cards)}\nmoves: {moves}".rstrip()

    def action_name(self, action):
        return ("pass", "bet")[action]
