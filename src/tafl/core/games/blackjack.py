"""Blackjack for one player against a dealer, with one deck.

The player hits (takes a card) or stands; with more than 21 it loses. Then the dealer takes cards up
to 17 or more. The higher total wins; equal totals are a draw. An ace counts 11, or 1 where that
would be more than 21. No doubling, splitting or insurance, as in OpenSpiel. The dealer's hidden
card is drawn when it is shown: until then it is as unknown as any card of the deck.
"""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Label, Target, card_pieces
from tafl.core.games.rules import Facts, rules, start_empty
from tafl.core.random import below

HIT, STAND = 0, 1
NAMES = ("player", "dealer")
MOST, ENOUGH = 21, 17  # of the player, of the dealer
ACE, TEN = 1, 10  # ranks; tens are also jacks, queens and kings
PHASE = 2 * TEN  # the word after the numbers of cards of each rank of the player and the dealer
DEAL, DECIDES, TAKES, STANDS, ENDED = 0, 1, 2, 3, 4
BUST, SOFT = 22, 12  # values of a cell: a total, 22 for more, total + 12 if an ace counts 11


@inline
def hand_value(state, hand):
    """Return the value of the hand of the player, 0, or of the dealer, 1, as a cell shows it."""
    points = 0
    for i in range(TEN):
        points += (i + 1) * state[TEN * hand + i]
    if state[TEN * hand] > 0 and points + TEN <= MOST:
        return points + TEN + SOFT
    return min(points, BUST)


@inline
def total(state, hand):
    """Return the total of a hand; more than 21 counts as 22."""
    value = hand_value(state, hand)
    return value - SOFT if value > BUST else value


@inline
def left(state, rank):
    """Return how many cards of a rank are in the deck."""
    return (16 if rank == TEN else 4) - state[rank - 1] - state[TEN + rank - 1]


@inline
def ranks_left(state):
    """Return how many ranks are in the deck."""
    ranks = 0
    for rank in range(ACE, TEN + 1):
        ranks += left(state, rank) > 0
    return ranks


@inline
def deck(state):
    """Return how many cards are in the deck."""
    count = 0
    for rank in range(ACE, TEN + 1):
        count += left(state, rank)
    return count


@inline
def take_card(state, hand, number):
    """Put the card with this number, 0, 1, ..., among those in the deck into a hand."""
    rank = ACE
    while number >= left(state, rank):
        number -= left(state, rank)
        rank += 1
    state[TEN * hand + rank - 1] += 1


@inline
def take_rank(state, hand, number):
    """Put a card of the rank with this number in the deck into a hand; return the probability."""
    rank = ACE
    while left(state, rank) == 0 or number > 0:
        number -= left(state, rank) > 0
        rank += 1
    share = left(state, rank) / deck(state)
    state[TEN * hand + rank - 1] += 1
    return share


@rules
class Blackjack(NamedTuple):
    """state = [numbers of the player's cards of ranks 1 ... 10, of the dealer's, phase]

    The deal is two cards for the player, then one for the dealer. After standing, or with more than
    21, the player has only one action, `stand`: it lets the dealer take a card, or ends the game.
    cells: hand of the player, of the dealer, phase; actions: 0 hit, 1 stand
    """

    start = start_empty

    def player(self, state):
        return 0

    def legal(self, state, action):
        return action == STAND or (state[PHASE] == DECIDES and total(state, 0) <= MOST)

    def play(self, state, action):
        if action == HIT:
            state[PHASE] = TAKES
        elif total(state, 0) > MOST or total(state, 1) >= ENOUGH:
            state[PHASE] = ENDED  # by a move: agents learn scores of moves, not of chance after it
        else:
            state[PHASE] = STANDS

    def chance(self, state, rng):
        phase = state[PHASE]
        if phase == DEAL:
            take_card(state, 0, below(rng, deck(state)))
            take_card(state, 0, below(rng, deck(state)))
        if phase != ENDED:
            take_card(state, 0 if phase == TAKES else 1, below(rng, deck(state)))
            state[PHASE] = STANDS if phase == STANDS else DECIDES

    def outcomes(self, state):
        if state[PHASE] == DEAL:
            return TEN**3
        return 1 if state[PHASE] == ENDED else ranks_left(state)

    def outcome(self, state, i):
        phase, share = state[PHASE], 1.0
        if phase == DEAL:
            share = take_rank(state, 0, i % TEN)
            share *= take_rank(state, 0, i // TEN % TEN)
            share *= take_rank(state, 1, i // TEN**2)
        elif phase != ENDED:
            share = take_rank(state, 0 if phase == TAKES else 1, i)
        if phase != ENDED:
            state[PHASE] = STANDS if phase == STANDS else DECIDES
        return share

    def over(self, state):
        return state[PHASE] == ENDED

    def score(self, state, player):
        mine, other = total(state, 0), total(state, 1)
        if not self.over(state) or mine == other:
            return 0.0
        return 1.0 if mine <= MOST and (other > MOST or mine > other) else -1.0

    def cell(self, state, c):
        return state[PHASE] if c == 2 else hand_value(state, c)

    def facts(self):
        return Facts(players=1, actions=2, cells=3, values=MOST + SOFT + 1, words=PHASE + 1)

    def draw(self, state):
        hands = [f"{NAMES[hand]}: {text_of_hand(state, hand)}" for hand in (0, 1)]
        return "\n".join(hands)

    def board(self):
        numbers = [str(value) for value in range(BUST)]
        soft = [f"A{value - SOFT - 11}" for value in range(BUST + 1, MOST + SOFT + 1)]
        return Board(
            cells=[Cell(0, 1.4, "card"), Cell(0, 0, "card"), Cell(0, 0, kind="off")],
            pieces=card_pieces([*numbers[1:], "-", *soft]),
            targets=[Target(), Target()],
            labels=[Label(1.2, 1.4, NAMES[0]), Label(1.2, 0, NAMES[1])],
            look="felt",
        )

    def action_name(self, action):
        return "stand" if action == STAND else "hit"


def text_of_hand(state, hand):
    """Return the ranks of a hand, and its total."""
    numbers = state[TEN * hand : TEN * (hand + 1)].tolist()
    ranks = [r for rank, count in zip("A23456789T", numbers, strict=True) for r in count * rank]
    return f"{' '.join(ranks)} ({total(state, hand)})"
