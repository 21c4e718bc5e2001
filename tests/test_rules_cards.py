"""Games with hidden information, move by move beside OpenSpiel's; properties of sees and redeal."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tafl
from oracles import facts_of, legal_actions
from tafl.boards.check import check
from tafl.core.games import HIDDEN
from tafl.errors import InputError

DOCS = Path(__file__).parent.parent / "docs"
pyspiel = pytest.importorskip("pyspiel")

THEIRS = {
    "kuhn": "kuhn_poker",
    "kuhn(players=3)": "kuhn_poker(players=3)",
    "kuhn(players=4)": "kuhn_poker(players=4)",
    "leduc": "leduc_poker",
    "leduc(players=3)": "leduc_poker(players=3)",
    "leduc(players=4)": "leduc_poker(players=4)",
    "liarsdice": "liars_dice",
    "liarsdice(sides=4)": "liars_dice(dice_sides=4)",
    "liarsdice(dice=2)": "liars_dice(numdice=2)",
    "liarsdice(dice=2,sides=3)": "liars_dice(numdice=2,dice_sides=3)",
    "phantom": "phantom_ttt(obstype=reveal-nothing)",
}
GAMES = 3000


def draw_chance(rules, words, there, choice):
    """Let OpenSpiel draw until a player is to move; take that outcome of ours.

    One outcome of tafl is all that is drawn at once. Its number has a digit for each event, the
    place of what was drawn among what was left, with the first event as the lowest digit.
    """
    number, weight = 0, 1
    while there.is_chance_node():
        left = there.legal_actions()
        digit = choice.randrange(len(left))
        there.apply_action(left[digit])
        number, weight = number + digit * weight, weight * len(left)
    assert rules.outcomes(words) == weight
    assert rules.outcome(words, number) == pytest.approx(1 / weight)


@pytest.mark.parametrize("name", THEIRS)
def test_the_rules_agree_in_random_games(name):
    rules, theirs, choice = tafl.game(name).rules, pyspiel.load_game(THEIRS[name]), Random(1)
    facts = facts_of(rules)
    low, high = facts.score_range
    assert facts.players == theirs.num_players()
    assert facts.actions == theirs.num_distinct_actions()
    assert low <= theirs.min_utility()
    assert high >= theirs.max_utility()
    for _ in range(GAMES):
        words, there = np.zeros(facts.words, np.int64), theirs.new_initial_state()
        rules.start(words)
        draw_chance(rules, words, there, choice)
        while not there.is_terminal():
            assert rules.player(words) == there.current_player()
            assert legal_actions(rules, words) == there.legal_actions()
            action = choice.choice(there.legal_actions())
            rules.play(words, action)
            there.apply_action(action)
            draw_chance(rules, words, there, choice)
        assert rules.over(words)
        assert [rules.score(words, p) for p in range(facts.players)] == there.returns()


def without_suits(name, text):
    """Return OpenSpiel's text with ranks instead of cards; suits mean nothing in Leduc poker."""
    cards = r"(?<=Private: )\d+|(?<=Public: )\d+"
    ranks = re.sub(cards, lambda card: str(int(card[0]) // 2), text)
    return ranks if name.startswith("leduc") else text


@pytest.mark.parametrize("name", THEIRS)
def test_what_a_player_sees_is_an_information_state_of_openspiel(name):
    """Positions look alike to a player exactly where OpenSpiel's text for it is the same."""
    rules, theirs, choice = tafl.game(name).rules, pyspiel.load_game(THEIRS[name]), Random(2)
    facts, texts = facts_of(rules), {}
    for _ in range(500):
        words, there = np.zeros(facts.words, np.int64), theirs.new_initial_state()
        rules.start(words)
        draw_chance(rules, words, there, choice)
        while not there.is_terminal():
            p = there.current_player()
            seen = p, tuple(int(rules.sees(words, p, c)) for c in range(facts.cells))
            text = p, without_suits(name, there.information_state_string(p))
            assert texts.setdefault(seen, text) == text
            action = choice.choice(there.legal_actions())
            rules.play(words, action)
            there.apply_action(action)
            draw_chance(rules, words, there, choice)
    assert len(set(texts.values())) == len(texts)


SPECS = [
    *HIDDEN,
    "kuhn(players=4)",
    "leduc(players=3)",
    "liarsdice(players=3,sides=3)",
    "liarsdice(dice=2,sides=2)",
    "hearts(players=4,ranks=2)",
]


@pytest.mark.parametrize("name", SPECS)
def test_players_see_no_more_than_they_may(name):
    """`tafl check`: redeals change nothing that is seen, and reach all that could be hidden."""
    report = check(name, games=10)
    assert report.faults == {}
    assert report.notes == []


@pytest.mark.parametrize("name", HIDDEN)
def test_a_game_has_a_page_with_the_usual_headings(name):
    page = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    parts = ["Rules", "Actions", "Cells and values", "State words", "Symmetries", "Parameters"]
    assert headings == [*parts, "Learning", "Commands to try"]
    assert f"`src/{HIDDEN[name].split(':')[0].replace('.', '/')}.py`" in page


class Liars:
    """Liar's Dice for any number of players, from its rules, with lists."""

    def __init__(self, hands, sides):
        self.hands, self.sides, self.bids = hands, sides, []

    def legal(self):
        dice = [die for hand in self.hands for die in hand]
        every = [(n, face) for n in range(1, len(dice) + 1) for face in range(1, self.sides + 1)]
        higher = [bid for bid in every if not self.bids or bid > self.bids[-1]]
        return [every.index(bid) for bid in higher] + [len(every)] * bool(self.bids)

    def bid(self, action):
        self.bids.append((1 + action // self.sides, 1 + action % self.sides))

    def scores(self):
        """Return the scores after a call."""
        number, face = self.bids[-1]
        shown = sum(die in (face, self.sides) for hand in self.hands for die in hand)
        caller = len(self.bids) % len(self.hands)
        scores = [0] * len(self.hands)
        scores[caller] = -1 if shown >= number else 1
        scores[caller - 1] = -scores[caller]
        return scores


@pytest.mark.parametrize(("players", "dice"), [(3, 1), (3, 2), (4, 1), (4, 2)])
def test_liars_dice_of_more_players_agrees_with_its_rules(players, dice):
    game = tafl.game(f"liarsdice(players={players},dice={dice})")
    for seed in range(GAMES // 4):
        state, choice = game.start(seed), Random(seed)
        cells = state.cells[: players * dice]
        twin = Liars([cells[i : i + dice] for i in range(0, players * dice, dice)], 6)
        while True:
            assert state.legal_actions == twin.legal()
            assert state.player == len(twin.bids) % players
            action = choice.choice(state.legal_actions)
            state.play(action)
            if state.over:
                break
            twin.bid(action)
        assert action == 6 * players * dice
        assert state.scores == twin.scores()


def tricks_of(moves, players, suit_of):
    """Return who takes each trick, from the rules of Hearts: (leader, taker, cards)."""
    leader, tricks = 0, []
    for k in range(0, len(moves), players):
        cards = moves[k : k + players]
        follow = [card for card in cards if suit_of(card) == suit_of(cards[0])]
        taker = (leader + cards.index(max(follow))) % players
        tricks.append((leader, taker, cards))
        leader = taker
    return tricks


@pytest.mark.parametrize(("players", "ranks"), [(3, 3), (3, 8), (4, 2), (4, 5)])
def test_hearts_agrees_with_its_rules(players, ranks):
    game = tafl.game(f"hearts(players={players},ranks={ranks})")
    for seed in range(GAMES // 6):
        state, choice, moves = game.start(seed), Random(seed), []
        cells = state.cells[: players * ranks]
        hands = [{c for c, p in enumerate(cells) if p == 1 + q} for q in range(players)]
        assert [len(hand) for hand in hands] == [ranks] * players
        while not state.over:
            done = len(moves) - len(moves) % players
            tricks = tricks_of(moves[:done], players, lambda card: card // ranks)
            leader = tricks[-1][1] if tricks else 0
            turn = (leader + len(moves) - done) % players
            hand = hands[turn]
            follow = {c for c in hand if moves[done:] and c // ranks == moves[done] // ranks}
            assert state.player == turn
            assert state.legal_actions == sorted(follow or hand)
            moves.append(choice.choice(state.legal_actions))
            hand.remove(moves[-1])
            state.play(moves[-1])
        tricks = tricks_of(moves, players, lambda card: card // ranks)
        taken = [0] * players
        for _, taker, cards in tricks:
            taken[taker] += sum(card // ranks == players - 1 for card in cards)
        assert len(moves) == players * ranks
        assert state.scores == pytest.approx([ranks / players - hearts for hearts in taken])


@pytest.mark.parametrize(("players", "ranks"), [(3, 3), (4, 5), (4, 8)])
def test_a_redeal_of_hearts_keeps_to_what_is_known(players, ranks):
    """Hands keep their sizes, nobody gets a suit that it could not follow, no card is lost."""
    game = tafl.game(f"hearts(players={players},ranks={ranks})")
    for seed in range(20):
        state, choice, moves, voids = game.start(seed), Random(seed), [], set()
        while not state.over:
            done = len(moves) - len(moves) % players
            for p in range(players):
                other = state.redealt(p, seed)
                assert other.seen_by(p) == state.seen_by(p)
                here, there = state.cells[: players * ranks], other.cells[: players * ranks]
                assert sorted(here) == sorted(there)
                assert [c > 0 for c in here] == [c > 0 for c in there]
                held = {(q - 1, c // ranks) for c, q in enumerate(there) if q > 0}
                assert not held & {void for void in voids if void[0] != p}
            turn, moved = state.player, choice.choice(state.legal_actions)
            if moves[done:] and moved // ranks != moves[done] // ranks:
                voids.add((turn, moves[done] // ranks))
            moves.append(moved)
            state.play(moved)


def test_outcomes_of_hearts_are_all_deals():
    rules = tafl.game("hearts(ranks=2)").rules
    empty = np.zeros(facts_of(rules).words, np.int64)
    found = set()
    for i in range(rules.outcomes(empty)):
        words = empty.copy()
        assert rules.outcome(words, i) == pytest.approx(1 / 90)
        found.add(tuple(words.tolist()))
    assert len(found) == 90  # 6! / 2!^3


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("kuhn(players=5)", "players must be a whole number from 2 to 4, not 5"),
        ("leduc(players=1)", "players must be a whole number from 2 to 4, not 1"),
        ("liarsdice(dice=3)", "dice must be a whole number from 1 to 2, not 3"),
        ("hearts(players=2)", "players must be a whole number from 3 to 4, not 2"),
        ("hearts(ranks=9)", "ranks must be a whole number from 2 to 8, not 9"),
        ("liarsdice(sides=7)", "sides must be a whole number from 2 to 6, not 7"),
    ],
)
def test_parameters_out_of_range_are_refused(spec, said):
    with pytest.raises(InputError, match=said):
        tafl.game(spec)


def test_leduc_drawings_hide_the_cards_of_others():
    state = tafl.game("leduc").start(seed=1)
    own, other = state.drawn().splitlines()[0].removesuffix(", public: -").split()[1:]
    assert state.drawn(0).splitlines()[0] == f"cards: {own} ?, public: -"
    assert state.drawn(1).splitlines()[0] == f"cards: ? {other}, public: -"
    for move in ("raise", "call", "call"):
        state.play(move)
    assert state.drawn(0).splitlines()[1:] == ["paid: 3 3", "moves: raise call; call"]
    assert state.drawn(0).splitlines()[0] == f"cards: {own} ?, public: {'JQK'[state.cells[2] - 1]}"


def test_liars_dice_drawings_hide_the_dice_of_others():
    state = tafl.game("liarsdice(dice=2)").start(seed=1)
    state.play("1x5")
    first, second = state.drawn().splitlines()[0].split()[1:]
    assert state.drawn(0) == f"dice: {first} ??\nbids: 1x5"
    assert state.drawn(1) == f"dice: ?? {second}\nbids: 1x5"
    state.play("liar")
    assert state.drawn(0) == state.drawn(1) == f"dice: {first} {second}\nbids: 1x5, liar"
