"""Kuhn poker for two to four players: one card each, one chip each, and one bet.

Players pass or bet in turn; after a bet the others answer it once. The highest card of those who
paid the bet (or of all, if there was none) wins the chips. Actions are OpenSpiel's.
"""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import PLAYERS, Board, Cell, Label, Target, card_pieces, notes
from tafl.core.games.cards import free_card
from tafl.core.games.checks import check_whole
from tafl.core.games.rules import Facts, rules
from tafl.core.random import below

PASS, BET = 1, 2  # a move in the record of moves
MOVES, COUNT, CARDS = 0, 1, 2  # words of a state
RANKS = "TJQKA"


@inline
def move(state, i):
    """Return the i-th move, 0 if it was not made."""
    return (state[MOVES] >> (2 * i)) & 3


@inline
def bettor(state):
    """Return the number of the move that was the first bet, -1 without a bet."""
    for i in range(state[COUNT]):
        if move(state, i) == BET:
            return i
    return -1


@inline
def paid(state, player, players):
    """Return the chips that a player has paid: 1, and 1 for a bet."""
    first = bettor(state)
    if first < 0:
        return 1
    last = player if player >= first else player + players
    return 2 if move(state, last) == BET else 1


def ranks(players):
    """Return the letters of the cards."""
    return RANKS[1 : players + 2] if players < 4 else RANKS


@rules
class Kuhn(NamedTuple):
    """state = [moves, two bits each, number of moves, card of player 0, of player 1, ...]

    cells: the card of each player (0: hidden, or not dealt), then the moves;
    actions: 0 pass (check or fold), 1 bet (or call)
    """

    players: int = 2

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[COUNT] % self.players

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[MOVES] |= (PASS + action) << (2 * state[COUNT])
        state[COUNT] += 1

    def chance(self, state, rng):
        if state[CARDS] == 0:
            for p in range(self.players):
                number = below(rng, self.players + 1 - p)
                state[CARDS + p] = free_card(state, CARDS, self.players, number)

    def outcomes(self, state):
        deals = 1
        if state[CARDS] == 0:
            for p in range(self.players):
                deals *= self.players + 1 - p
        return deals

    def outcome(self, state, i):
        share = 1.0 / self.outcomes(state)
        if state[CARDS] == 0:
            for p in range(self.players):
                left = self.players + 1 - p
                state[CARDS + p] = free_card(state, CARDS, self.players, i % left)
                i //= left
        return share

    def over(self, state):
        first = bettor(state)
        return state[COUNT] == (self.players if first < 0 else first + self.players)

    def score(self, state, player):
        if not self.over(state):
            return 0.0
        pot, most, winner = 0, 1, 0
        for p in range(self.players):
            most = max(most, paid(state, p, self.players))
        for p in range(self.players):
            chips = paid(state, p, self.players)
            pot += chips
            if chips == most and state[CARDS + p] > winner:
                winner = state[CARDS + p]
        return (pot if state[CARDS + player] == winner else 0.0) - paid(state, player, self.players)

    def cell(self, state, c):
        return state[CARDS + c] if c < self.players else move(state, c - self.players)

    def sees(self, state, player, c):
        hidden = c < self.players and c != player and not self.over(state)
        return 0 if hidden else self.cell(state, c)  # the cards are shown at the end

    def redeal(self, state, player, rng):
        if not self.over(state):
            for p in range(self.players):
                state[CARDS + p] = state[CARDS + p] if p == player else 0
            for p in range(self.players):
                if p != player:
                    left = self.players - (p if p < player else p - 1)
                    state[CARDS + p] = free_card(state, CARDS, self.players, below(rng, left))

    def facts(self):
        n = self.players
        return Facts(
            players=n,
            actions=2,
            cells=3 * n - 1,
            values=n + 2,
            words=CARDS + n,
            score_range=(-2.0, 2.0 * (n - 1)),
            zero_sum=True,
        )

    def validate(self):
        check_whole("players", self.players, 2, 4)

    def draw(self, state, player):
        n = self.players
        seen = [
            self.cell(state, p) if player < 0 else self.sees(state, player, p) for p in range(n)
        ]
        names = ranks(n)
        cards = " ".join("?" if card == 0 else names[card - 1] for card in seen)
        moves = " ".join("pass" if move(state, i) == PASS else "bet" for i in range(state[COUNT]))
        return f"cards: {cards}\nmoves: {moves}".rstrip()

    def board(self):
        n, names = self.players, (self.action_name(action) for action in range(2))
        moves = [Cell(i % n, 0.78 + 0.42 * (i // n), "note", "note", 1) for i in range(2 * n - 1)]
        return Board(
            cells=[*(Cell(p, 0, "card", "card") for p in range(n)), *moves],
            pieces=card_pieces(ranks(n)),
            decks=[notes(names)],
            targets=[Target(), Target()],
            labels=[Label(p, -0.66, name.capitalize()) for p, name in enumerate(PLAYERS[:n])],
            look="felt",
            colours=PLAYERS[:n],
        )

    def action_name(self, action):
        return "bet" if action else "pass"
