"""The exact expected score of a strategy of Blackjack that knows totals, with one deck of cards."""

from collections.abc import Callable
from functools import cache

import numpy as np

import tafl
from tafl.agents import Agent
from tafl.core.games.blackjack import ACE, BUST, DECIDES, ENOUGH, MOST, PHASE, STAND, TEN

DECK = (4,) * 9 + (16,)
RANKS = range(ACE, TEN + 1)
Hand = tuple[int, ...]  # how many cards of each rank
Total = tuple[int, bool]  # points, and whether an ace counts 11
Stands = Callable[[Total, int], bool]  # with a hand against a card of the dealer

# The usual table of basic strategy where the dealer stands on all 17: the cards to stand against
BASIC = {
    **{(total, False): range(1, 11) for total in range(17, 22)},
    **{(total, False): range(2, 7) for total in range(13, 17)},
    (12, False): range(4, 7),
    (18, True): range(2, 9),
    **{(total, True): range(1, 11) for total in (19, 20, 21)},
}


def basic(total: Total, up: int) -> bool:
    """Return whether basic strategy stands."""
    return up in BASIC.get(total, ())


def of_agent(agent: Agent) -> Stands:
    """Return what an agent does; it sees totals alone."""
    game = tafl.game("blackjack")

    @cache
    def stands(total: Total, up: int) -> bool:
        words = np.zeros(game.facts.words, np.int64)
        points, soft = total
        for rank in cards_of(points - 11 if soft else points):
            words[rank - 1] += 1
        words[0] += soft
        words[TEN + up - 1] += 1
        words[PHASE] = DECIDES
        return agent.act(game.from_words(words.tolist())) == STAND

    return stands


def cards_of(points: int) -> list[int]:
    """Return ranks that have so many points, without an ace that could count 11."""
    if points <= TEN:
        return [points] * (points > 0)
    if points == TEN + 1:
        return [2, 9]
    return [TEN, *cards_of(points - TEN)]


def total_of(hand: Hand) -> Total:
    """Return the total of a hand."""
    points = sum(rank * n for rank, n in zip(RANKS, hand, strict=True))
    soft = hand[0] > 0 and points + TEN <= MOST
    return (points + TEN if soft else points), soft


def more(hand: Hand, rank: int) -> Hand:
    """Return a hand with one more card."""
    return (*hand[: rank - 1], hand[rank - 1] + 1, *hand[rank:])


def draws(gone: Hand) -> list[tuple[int, float]]:
    """Return the ranks that are left, and how likely each is drawn."""
    left = [n - m for n, m in zip(DECK, gone, strict=True)]
    return [(rank, n / sum(left)) for rank, n in zip(RANKS, left, strict=True) if n]


@cache
def dealer_ends(player: Hand, dealer: Hand) -> dict[int, float]:
    """Return how likely the dealer ends with each total; more than 21 is 22."""
    total = total_of(dealer)[0]
    if total >= ENOUGH:
        return {min(total, BUST): 1.0}
    ends: dict[int, float] = {}
    for rank, share in draws(tuple(np.add(player, dealer).tolist())):
        for end, probability in dealer_ends(player, more(dealer, rank)).items():
            ends[end] = ends.get(end, 0.0) + share * probability
    return ends


@cache
def standing(player: Hand, up: int) -> float:
    """Return the expected score of standing."""
    total, nothing = total_of(player)[0], (0,) * TEN
    ends = dealer_ends(player, more(nothing, up)).items()
    return sum(p * ((end == BUST or end < total) - (total < end < BUST)) for end, p in ends)


def expected(stands: Stands) -> float:
    """Return the expected score of a game."""

    @cache
    def value(player: Hand, up: int) -> float:
        total = total_of(player)
        if total[0] > MOST:
            return -1.0
        if stands(total, up):
            return standing(player, up)
        left = draws(more(player, up))
        return sum(share * value(more(player, rank), up) for rank, share in left)

    score, nothing = 0.0, (0,) * TEN
    for one, first in draws(nothing):
        for two, second in draws(more(nothing, one)):
            hand = more(more(nothing, one), two)
            score += sum(first * second * third * value(hand, up) for up, third in draws(hand))
    return score
