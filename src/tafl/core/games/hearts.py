"""Small Hearts for three or four players: each trick brings its hearts, which cost a point each.

There are as many suits as players, and as many cards in each hand as in a suit. Player 0 leads to
the first trick. All follow suit if they can; the highest card of the suit that was led takes the
trick, and its player leads to the next. Any card may be led.
"""

from typing import NamedTuple

from tafl.core.compile import inline, popcount
from tafl.core.games.board import PLAYERS, Board, Cell, Label, card_pieces, face, on_cells
from tafl.core.games.checks import check_whole
from tafl.core.games.rules import Facts, rules
from tafl.core.random import below

SUITS, SIGNS, RANKS = "cdsh", "♣♦♠♥", "789TJQKA"
COUNT, PLAYER, VOIDS, HANDS = 0, 1, 2, 3  # words of a state


@inline
def played(state, k, players):
    """Return the k-th card that was played."""
    return state[HANDS + 2 * players + k] - 1


@inline
def best_of(state, first, players, ranks):
    """Return which card of a trick takes it: 0 for the one that was led."""
    best = 0
    for k in range(1, players):
        card, highest = played(state, first + k, players), played(state, first + best, players)
        if card // ranks == highest // ranks and card > highest:
            best = k
    return best


@inline
def room(state, holder, suit, ranks):
    """Return how many more cards fit into a hand, 0 if it is known to have none of the suit."""
    if (state[VOIDS] >> (4 * holder + suit)) & 1:
        return 0
    return ranks - popcount(state[HANDS + holder])


@inline
def deal(state, mask, sizes, players, ranks, rng):
    """Deal the cards of a mask to hands below their sizes, 4 bits each; return whether all fit."""
    fine = True
    for card in range(players * ranks):
        if (mask >> card) & 1 and fine:
            left = 0
            for p in range(players):
                left += max(0, room(state, p, card // ranks, (sizes >> (4 * p)) & 15))
            fine = left > 0
            number, p = below(rng, max(left, 1)), 0
            while fine and number >= max(0, room(state, p, card // ranks, (sizes >> (4 * p)) & 15)):
                number -= max(0, room(state, p, card // ranks, (sizes >> (4 * p)) & 15))
                p += 1
            state[HANDS + p] |= (1 if fine else 0) << card
    return fine


@rules
class Hearts(NamedTuple):
    """state = [cards played, player, known voids, hands as bits, hearts taken, cards in order]

    A card is suit * ranks + rank; hearts are the last suit. action = card
    cells: for each card 1 + its holder (0: played or hidden), then the played cards + 1 in order
    """

    players: int = 3
    ranks: int = 3

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        n, hand = self.players, state[HANDS + state[PLAYER]]
        if (hand >> action) & 1 == 0:
            return False
        first = state[COUNT] - state[COUNT] % n
        if first == state[COUNT]:
            return True
        led = played(state, first, n) // self.ranks
        mine = (hand >> (led * self.ranks)) & ((1 << self.ranks) - 1)
        return mine == 0 or action // self.ranks == led

    def play(self, state, action):
        n, p = self.players, state[PLAYER]
        first = state[COUNT] - state[COUNT] % n
        state[HANDS + p] ^= 1 << action
        state[HANDS + 2 * n + state[COUNT]] = action + 1
        led = played(state, first, n) // self.ranks
        state[VOIDS] |= (1 if action // self.ranks != led else 0) << (4 * p + led)
        state[COUNT] += 1
        state[PLAYER] = (p + 1) % n
        if state[COUNT] == first + n:
            taker = (p + 1 + best_of(state, first, n, self.ranks)) % n  # the next player had led
            for k in range(first, first + n):
                state[HANDS + n + taker] += played(state, k, n) // self.ranks == n - 1
            state[PLAYER] = taker

    def chance(self, state, rng):
        n, ranks = self.players, self.ranks
        if state[COUNT] == 0:
            sizes = 0
            for p in range(n):
                sizes |= ranks << (4 * p)
            deal(state, (1 << (n * ranks)) - 1, sizes, n, ranks, rng)

    def outcomes(self, state):
        deals, left = 1, 0
        if state[COUNT] == 0:
            for _ in range(self.players):
                for j in range(1, self.ranks + 1):
                    left += 1
                    deals = deals * left // j
        return deals

    def outcome(self, state, i):
        deals = self.outcomes(state)
        left, share = self.players * self.ranks, 1.0 / deals
        while state[COUNT] == 0 and left > 0:
            p = 0
            while i >= deals * (self.ranks - popcount(state[HANDS + p])) // left:
                i -= deals * (self.ranks - popcount(state[HANDS + p])) // left
                p += 1
            deals = (
                deals * (self.ranks - popcount(state[HANDS + p])) // left
            )  # with this card there
            left -= 1
            state[HANDS + p] |= 1 << left
        return share

    def over(self, state):
        return state[COUNT] == self.players * self.ranks

    def score(self, state, player):
        if not self.over(state):
            return 0.0
        return self.ranks / self.players - state[HANDS + self.players + player]

    def cell(self, state, c):
        n, cards = self.players, self.players * self.ranks
        holder = 0
        if c < cards:
            for p in range(n):
                holder += (p + 1) * ((state[HANDS + p] >> c) & 1)
            return holder
        return state[HANDS + 2 * n + c - cards]

    def sees(self, state, player, c):
        value = self.cell(state, c)
        return value if c >= self.players * self.ranks or value == player + 1 else 0

    def redeal(self, state, player, rng):
        n, sizes, mask, fits = self.players, 0, 0, False
        for p in range(n):
            if p != player:
                sizes |= popcount(state[HANDS + p]) << (4 * p)
                mask |= state[HANDS + p]
        while not fits:
            for p in range(n):
                state[HANDS + p] = state[HANDS + p] if p == player else 0
            fits = deal(state, mask, sizes, n, self.ranks, rng)

    def facts(self):
        n, cards = self.players, self.players * self.ranks
        return Facts(
            players=n,
            actions=cards,
            cells=2 * cards,
            values=cards + 1,
            words=HANDS + 2 * n + cards,
            score_range=(self.ranks / n - self.ranks, self.ranks / n),
            zero_sum=True,
        )

    def validate(self):
        check_whole("players", self.players, 3, 4)
        check_whole("ranks", self.ranks, 2, 8)

    def draw(self, state, player):
        n, cards = self.players, range(self.players * self.ranks)
        rows = []
        for p in range(n):
            hand = [self.action_name(c) for c in cards if state[HANDS + p] >> c & 1]
            shown = hand if player in (-1, p) else ["??"] * len(hand)
            rows.append(f"{p}: {' '.join(shown)} ({state[HANDS + n + p]} hearts)")
        tricks = [self.action_name(int(played(state, k, n))) for k in range(state[COUNT])]
        rows += [" ".join(tricks[k : k + n]) for k in range(0, len(tricks), n)]
        return "\n".join(rows)

    def board(self):
        n, ranks = self.players, self.ranks
        names = [RANKS[r - ranks] + SIGNS[s - n] for s in range(n) for r in range(ranks)]
        hands = [Cell(0.8 * (c % ranks), c // ranks, "card", deck=c + 1) for c in range(n * ranks)]
        left = 0.8 * ranks + 0.7
        tricks = [Cell(left + 0.8 * (k % n), k // n, "card") for k in range(n * ranks)]
        return Board(
            cells=[*hands, *tricks],
            pieces=card_pieces(names),
            decks=[[None, *(face(name, p) for p in range(n))] for name in names],
            targets=on_cells(n * ranks),
            labels=[Label(0.4 * (ranks - 1), -0.75, "hands"), Label(left, -0.75, "tricks")],
            look="felt",
            colours=PLAYERS[:n],
        )

    def action_name(self, action):
        suit, rank = divmod(action, self.ranks)
        return RANKS[rank - self.ranks] + SUITS[suit - self.players]
