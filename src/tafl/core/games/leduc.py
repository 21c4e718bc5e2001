"""Leduc poker for two to four players: one card each, two rounds of bets, and one public card.

The deck has two cards of each of players + 1 ranks. Each player pays one chip. In each round the
players fold, call or raise, by 2 chips in the first and 4 in the second, at most twice a round. A
public card is shown between the rounds. A pair with it wins, otherwise the higher card; equal hands
share. Actions are OpenSpiel's.
"""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import PLAYERS, Board, Cell, Label, Target, card_pieces, notes
from tafl.core.games.cards import free_card
from tafl.core.games.checks import check_whole
from tafl.core.games.rules import Facts, rules
from tafl.core.random import below

FOLD, CALL, RAISE = 0, 1, 2
NAMES = ("fold", "call", "raise")
MOST_RAISES = 2
RANKS = "TJQKA"
MOVES, COUNTS = 0, 2  # words of a state: the moves of each round, and their numbers
PLAYER, ROUND, RAISES, CALLS, FOLDED, OVER, PAID = 4, 5, 6, 7, 8, 9, 10


@inline
def move(state, i, longest):
    """Return the i-th move of both rounds, 1 + its action; 0 if it was not made."""
    return (state[MOVES + i // longest] >> (2 * (i % longest))) & 3


@inline
def rank(card):
    """Return the rank of a card, 1, 2, ...; 0 without a card."""
    return (card + 1) // 2


@inline
def folded(state, player):
    """Return whether a player is out."""
    return (state[FOLDED] >> player) & 1 == 1


@inline
def in_game(state, players):
    """Return the number of players who have not folded."""
    count = 0
    for p in range(players):
        count += 0 if folded(state, p) else 1
    return count


@inline
def stakes(state, players):
    """Return the most chips that a player has paid."""
    most = 0
    for p in range(players):
        most = max(most, state[PAID + p])
    return most


@inline
def next_in_game(state, player, players):
    """Return this player, or the next one who has not folded."""
    while folded(state, player % players):
        player += 1
    return player % players


@inline
def hand(state, player, players):
    """Return the strength of a player's hand: its rank, and more with a pair; 0 if it folded."""
    if folded(state, player):
        return 0
    mine, public = rank(state[PAID + players + player]), rank(state[PAID + 2 * players])
    return mine + (players + 1 if mine == public else 0)


@rules
class Leduc(NamedTuple):
    """state = [moves of two rounds, their numbers, player, round, raises and calls of the round,
    bits of those who folded, over, chips of each player, card of each player, public card]

    cells: ranks of the cards of each player and of the public card (0: hidden or not dealt), then
    the moves of both rounds; actions: 0 fold, 1 call, 2 raise
    """

    players: int = 2

    def start(self, state):
        state[:] = 0
        for p in range(self.players):
            state[PAID + p] = 1

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        if action == FOLD:
            return state[PAID + state[PLAYER]] < stakes(state, self.players)
        return action == CALL or state[RAISES] < MOST_RAISES

    def play(self, state, action):
        p, r, n = state[PLAYER], state[ROUND], self.players
        state[MOVES + r] |= (1 + action) << (2 * state[COUNTS + r])
        state[COUNTS + r] += 1
        if action == FOLD:
            state[FOLDED] |= 1 << p
        elif action == CALL:
            state[PAID + p] = stakes(state, n)
            state[CALLS] += 1
        else:
            state[PAID + p] = stakes(state, n) + 2 * (1 + r)
            state[RAISES], state[CALLS] = state[RAISES] + 1, 0
        left = in_game(state, n)
        done = state[CALLS] == left - (1 if state[RAISES] > 0 else 0)
        state[OVER] = left == 1 or (done and r == 1)
        if done and state[OVER] == 0:
            state[ROUND], state[RAISES], state[CALLS] = 1, 0, 0
        if state[OVER] == 0:
            state[PLAYER] = next_in_game(state, 0 if done else p + 1, n)

    def chance(self, state, rng):
        first, n = PAID + self.players, self.players
        if state[first] == 0:
            for p in range(n):
                number = below(rng, 2 * (n + 1) - p)
                state[first + p] = free_card(state, first, n + 1, number)
        elif state[ROUND] == 1 and state[first + n] == 0:
            state[first + n] = free_card(state, first, n + 1, below(rng, n + 2))

    def outcomes(self, state):
        first, n, deals = PAID + self.players, self.players, 1
        if state[first] == 0:
            for p in range(n):
                deals *= 2 * (n + 1) - p
        elif state[ROUND] == 1 and state[first + n] == 0:
            deals = n + 2
        return deals

    def outcome(self, state, i):
        first, n, share = PAID + self.players, self.players, 1.0 / self.outcomes(state)
        if state[first] == 0:
            for p in range(n):
                left = 2 * (n + 1) - p
                state[first + p] = free_card(state, first, n + 1, i % left)
                i //= left
        elif state[ROUND] == 1 and state[first + n] == 0:
            state[first + n] = free_card(state, first, n + 1, i)
        return share

    def over(self, state):
        return state[OVER] == 1

    def score(self, state, player):
        if state[OVER] == 0:
            return 0.0
        n, pot, best, winners = self.players, 0, 0, 0
        for p in range(n):
            pot += state[PAID + p]
            best = max(best, hand(state, p, n))
        for p in range(n):
            winners += hand(state, p, n) == best
        won = pot / winners if hand(state, player, n) == best else 0.0
        return won - state[PAID + player]

    def cell(self, state, c):
        n = self.players
        return rank(state[PAID + n + c]) if c <= n else move(state, c - n - 1, 3 * n - 2)

    def sees(self, state, player, c):
        hidden = c < self.players and c != player and state[OVER] == 0
        return 0 if hidden else self.cell(state, c)  # the cards are shown at the end

    def redeal(self, state, player, rng):
        first, n = PAID + self.players, self.players
        if state[OVER] == 0:
            for p in range(n):
                state[first + p] = state[first + p] if p == player else 0
            left = 2 * (n + 1) - (1 if state[first + n] == 0 else 2)
            for p in range(n):
                if p != player:
                    state[first + p] = free_card(state, first, n + 1, below(rng, left))
                    left -= 1

    def facts(self):
        n = self.players
        return Facts(
            players=n,
            actions=3,
            cells=n + 1 + 2 * (3 * n - 2),
            values=n + 2,
            words=PAID + 2 * n + 1,
            score_range=(-13.0, 13.0 * (n - 1)),
            zero_sum=True,
        )

    def validate(self):
        check_whole("players", self.players, 2, 4)

    def draw(self, state, player):
        n, longest = self.players, 3 * self.players - 2
        cells = range(n + 1)
        seen = [self.cell(state, c) if player < 0 else self.sees(state, player, c) for c in cells]
        shown = ["?" if r == 0 else ranks(n)[r - 1] for r in seen]
        public = "-" if seen[n] == 0 else shown[n]
        rounds = [
            " ".join(NAMES[move(state, r * longest + i, longest) - 1] for i in range(count))
            for r, count in enumerate(state[COUNTS : COUNTS + 2].tolist())
        ]
        hands = f"cards: {' '.join(shown[:n])}, public: {public}"
        chips = " ".join(map(str, state[PAID : PAID + n].tolist()))
        bets = "; ".join(rounds[: 1 + state[ROUND]])
        return f"{hands}\npaid: {chips}\nmoves: {bets}".rstrip()

    def board(self):
        n, longest = self.players, 3 * self.players - 2
        hands = [Cell(1.3 * p, 0, "card", "card") for p in range(n)]
        public = Cell(1.3 * n + 0.4, 0, "card")
        rounds = [(r, i) for r in range(2) for i in range(longest)]
        moves = [Cell(0.95 * i, 0.95 + 0.5 * r, "note", "note", 1) for r, i in rounds]
        names = [Label(1.3 * p, -0.7, name.capitalize()) for p, name in enumerate(PLAYERS[:n])]
        return Board(
            cells=[*hands, public, *moves],
            pieces=card_pieces(ranks(n)),
            decks=[notes(NAMES)],
            targets=[Target() for _ in NAMES],
            labels=[*names, Label(public.x, -0.7, "public")],
            look="felt",
            colours=PLAYERS[:n],
        )

    def action_name(self, action):
        return NAMES[action]


def ranks(players):
    """Return the letters of the cards."""
    return RANKS[1 : players + 2] if players < 4 else RANKS
