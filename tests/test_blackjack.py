"""Blackjack beside OpenSpiel's, and a trained agent beside the best strategy."""

from functools import cache
from random import Random

import numpy as np
import pytest

import tafl
from oracles import facts_of, legal_actions
from tafl.boards.check import check
from tafl.core.games.blackjack import BUST, DECIDES, HIT, PHASE, SOFT, STAND, Blackjack

RANKS = [(rank, 4 / 13 if rank == 10 else 1 / 13) for rank in range(1, 11)]
# Hit or stand as every table of basic strategy says it, where the dealer stands on all 17
STANDS = {
    **{(total, False): range(1, 11) for total in range(17, 22)},
    **{(total, False): range(2, 7) for total in range(13, 17)},
    (12, False): range(4, 7),
    (18, True): range(2, 9),
    **{(total, True): range(1, 11) for total in (19, 20, 21)},
}
HANDS = [(t, False) for t in range(4, 22)] + [(t, True) for t in range(12, 22)]


def added(total, soft, rank):
    """Return the total, and whether an ace counts 11, after one more card."""
    total += rank
    if rank == 1 and total + 10 <= 21:
        total, soft = total + 10, True
    return (total - 10, False) if soft and total > 21 else (total, soft)


@cache
def dealer_ends(total, soft):
    """Return how likely the dealer ends with each total, more than 21 as 22, with many decks."""
    if total >= 17:
        return {min(total, 22): 1.0}
    ends = dict.fromkeys(range(17, 23), 0.0)
    for rank, share in RANKS:
        for end, probability in dealer_ends(*added(total, soft, rank)).items():
            ends[end] += share * probability
    return ends


def standing(total, up):
    """Return the expected score of standing."""
    ends = dealer_ends(*added(0, False, up))
    return sum(p * ((end == 22 or end < total) - (total < end < 22)) for end, p in ends.items())


def values(strategy):
    """Return the expected score of a strategy for each hand and card of the dealer."""

    @cache
    def value(total, soft, up):
        if total > 21:
            return -1.0
        hit = sum(share * value(*added(total, soft, rank), up) for rank, share in RANKS)
        return strategy((total, soft), up, standing(total, up), hit)

    return value


def expected(value):
    """Return the expected score of a game."""
    deals = [(one, two, up) for one in RANKS for two in RANKS for up in RANKS]
    hands = [(added(*added(0, False, a), b), up, p * q * r) for (a, p), (b, q), (up, r) in deals]
    return sum(share * value(total, soft, up) for (total, soft), up, share in hands)


def best(hand, up, stand, hit):
    return max(stand, hit)


def basic(hand, up, stand, hit):
    return stand if up in STANDS.get(hand, ()) else hit


def test_basic_strategy_is_the_best():
    assert expected(values(basic)) == pytest.approx(expected(values(best)), abs=1e-12)
    assert -0.06 < expected(values(best)) < -0.04


def set_up(game, hand, up):
    """Return a state where the player has a hand of two cards or more and has to decide."""
    words, (total, soft) = np.zeros(game.facts.words, np.int64), hand
    ranks = [1] if soft else []
    rest = total - 11 if soft else total
    while rest > 0:
        ranks.append(min(rest, 10) if soft or rest != 11 else 9)  # an ace would make it soft
        rest -= ranks[-1]
    for rank in ranks:
        words[rank - 1] += 1
    words[10 + up - 1] += 1
    words[PHASE] = DECIDES
    assert game.rules.cell(words, 0) == total + SOFT * soft
    return game.from_words(words)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_default_settings_lose_hardly_more_than_basic_strategy(seed, tmp_path):
    """Tables are for many decks, and we play with one; so the best strategies differ a little."""
    more = {"seed": seed, "out": tmp_path / "run", "evaluation": {"every": 0}}
    run = tafl.train("blackjack", episodes=2_000_000, **more)
    moves = {(h, up): run.agent.act(set_up(run.game, h, up)) for h in HANDS for up in range(1, 11)}

    def learned(hand, up, stand, hit):
        return stand if moves[hand, up] == STAND else hit

    loss = expected(values(best)) - expected(values(learned))
    assert 0 <= loss < 0.004, loss


def test_the_rules_agree_with_openspiel():
    """OpenSpiel deals a hidden card, which ours takes from the deck when it is shown."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, rules, choice = pyspiel.load_game("blackjack"), Blackjack(), Random(1)
    words = np.zeros(facts_of(rules).words, np.int64)

    def take(ranks):
        before, number = words.copy(), 0
        if len(ranks) == 3:
            number = sum((rank - 1) * 10**i for i, rank in enumerate(ranks))
        else:
            deck = [4] * 9 + [16] - before[:10] - before[10:20]
            number = int((deck[: ranks[0] - 1] > 0).sum())
            expected = deck[ranks[0] - 1] / deck.sum()
        share = rules.outcome(words, number)
        assert len(ranks) == 3 or share == pytest.approx(expected)
        assert (words - before)[:20].sum() == len(ranks)

    def drawn():
        ranks = []
        while there.is_chance_node():
            card = choice.choice(there.legal_actions())
            there.apply_action(card)
            ranks.append(min(card % 13 + 1, 10))
        return ranks

    for _ in range(3000):
        there = theirs.new_initial_state()
        rules.start(words)
        one, two, hidden, up = drawn()
        take([one, two, up])
        while not there.is_terminal():
            assert legal_actions(rules, words) == there.legal_actions() == [HIT, STAND]
            action = choice.choice([HIT, STAND])
            rules.play(words, action)
            there.apply_action(action)
            for i, rank in enumerate([hidden] * action + drawn()):
                if i > 0:
                    assert legal_actions(rules, words) == [STAND]
                    rules.play(words, STAND)
                take([rank])
        assert not rules.over(words)
        assert legal_actions(rules, words) == [STAND]
        rules.play(words, STAND)
        assert rules.over(words)
        assert [rules.score(words, 0)] == there.returns()


def test_blackjack_is_correct():
    report = check("blackjack", games=30)
    assert report.faults == {}
    assert report.notes == []


def test_cells_show_totals():
    game = tafl.game("blackjack")
    state = game.from_words([1, 0, 0, 0, 0, 1, *[0] * 4, *[0] * 9, 1, DECIDES])
    assert state.cells == [17 + SOFT, 10, DECIDES]
    assert str(state) == "player: A 6 (17)\ndealer: T (10)"
    state = game.from_words([1, 0, 0, 0, 0, 1, *[0] * 3, 2, *[0] * 9, 1, DECIDES])
    assert state.cells == [BUST, 10, DECIDES]
    assert state.legal_actions == [STAND]
    state.play("stand")
    assert state.over
    assert state.scores == [-1.0]
