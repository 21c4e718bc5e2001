"""Liar's Dice for two to four players with one or two dice each, which only their owner sees.

Players in turn bid that all dice together show a face at least so often. The highest face is wild.
A bid must be higher than the last one: more dice, or as many of a higher face. Instead of bidding,
a player may call the last bidder a liar. Then all dice are shown: the bidder wins a point from the
caller if the bid was true, and loses one to the caller if not. Actions are OpenSpiel's.
"""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import PLAYERS, Board, Cell, Label, Piece, Target
from tafl.core.games.checks import check_whole
from tafl.core.games.rules import Facts, rules
from tafl.core.random import below

BIDS, LAST, PLAYER, CALLED, DICE = 0, 1, 2, 3, 4  # words of a state


@inline
def sort_dice(state, player, dice):
    """Sort a player's dice: their order means nothing."""
    first = DICE + player * dice
    if dice == 2 and state[first] > state[first + 1]:
        state[first], state[first + 1] = state[first + 1], state[first]


@inline
def is_true(state, dice, sides):
    """Return whether the last bid is true of all dice."""
    quantity, face = 1 + (state[LAST] - 1) // sides, 1 + (state[LAST] - 1) % sides
    for i in range(dice):
        quantity -= state[DICE + i] == face or state[DICE + i] == sides
    return quantity <= 0


@rules
class LiarsDice(NamedTuple):
    """state = [bids made, a bit each; 1 + last bid; player; has called; dice of player 0, 1, ...]

    cells: the dice of each player (0: hidden, or not cast), then 1 for each bid that was made
    actions: bids (quantity - 1) * sides + face - 1; the last action calls the bidder a liar
    """

    players: int = 2
    dice: int = 1
    sides: int = 6

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        call = action == self.players * self.dice * self.sides
        return state[LAST] > 0 if call else action >= state[LAST]

    def play(self, state, action):
        if action == self.players * self.dice * self.sides:
            state[CALLED] = 1
        else:
            state[BIDS] |= 1 << action
            state[LAST] = 1 + action
            state[PLAYER] = (state[PLAYER] + 1) % self.players

    def chance(self, state, rng):
        if state[DICE] == 0:
            for i in range(self.players * self.dice):
                state[DICE + i] = 1 + below(rng, self.sides)
            for p in range(self.players):
                sort_dice(state, p, self.dice)

    def outcomes(self, state):
        return self.sides ** (self.players * self.dice) if state[DICE] == 0 else 1

    def outcome(self, state, i):
        share = 1.0 / self.outcomes(state)
        if state[DICE] == 0:
            for k in range(self.players * self.dice):
                state[DICE + k] = 1 + i % self.sides
                i //= self.sides
            for p in range(self.players):
                sort_dice(state, p, self.dice)
        return share

    def over(self, state):
        return state[CALLED] == 1

    def score(self, state, player):
        caller = state[PLAYER]
        bidder = (caller + self.players - 1) % self.players
        if state[CALLED] == 0 or (player != caller and player != bidder):
            return 0.0
        won = is_true(state, self.players * self.dice, self.sides) == (player == bidder)
        return 1.0 if won else -1.0

    def cell(self, state, c):
        n = self.players * self.dice
        return state[DICE + c] if c < n else (state[BIDS] >> (c - n)) & 1

    def sees(self, state, player, c):
        hidden = c < self.players * self.dice and c // self.dice != player
        return 0 if hidden and state[CALLED] == 0 else self.cell(state, c)

    def redeal(self, state, player, rng):
        if state[CALLED] == 0:
            for i in range(self.players * self.dice):
                if i // self.dice != player:
                    state[DICE + i] = 1 + below(rng, self.sides)
            for p in range(self.players):
                sort_dice(state, p, self.dice)

    def facts(self):
        dice = self.players * self.dice
        return Facts(
            players=self.players,
            actions=dice * self.sides + 1,
            cells=dice * (1 + self.sides),
            values=self.sides + 1,
            words=DICE + dice,
            zero_sum=True,
        )

    def validate(self):
        check_whole("players", self.players, 2, 4)
        check_whole("dice", self.dice, 1, 2)
        check_whole("sides", self.sides, 2, 6)

    def draw(self, state, player):
        dice = range(self.players * self.dice)
        seen = [self.cell(state, i) if player < 0 else self.sees(state, player, i) for i in dice]
        shown = "".join(str(die or "?") for die in seen)
        hands = [shown[i : i + self.dice] for i in dice[:: self.dice]]
        bids = [self.action_name(a) for a in range(len(dice) * self.sides) if state[BIDS] >> a & 1]
        moves = bids + ["liar"] * int(state[CALLED])
        return f"dice: {' '.join(hands)}\nbids: {', '.join(moves)}".rstrip()

    def board(self):
        n, sides = self.players * self.dice, self.sides
        bids = [Cell(i % sides, 2 + i // sides, "field") for i in range(n * sides)]
        gap = max(0.0, (sides - n) / 2)
        faces = [Label(i, 1.3, str(i + 1)) for i in range(sides)]
        quantities = [Label(-0.8, 2 + i, f"{i + 1}x") for i in range(n)]
        owners = [
            Label(gap + self.dice * p + (self.dice - 1) / 2, -0.75, name.capitalize())
            for p, name in enumerate(PLAYERS[: self.players])
        ]
        return Board(
            labels=[*faces, *quantities, *owners],
            cells=[*(Cell(i + gap, 0, "die", "die") for i in range(n)), *bids],
            pieces=[None, Piece("tile", "line"), *[None] * (sides - 1)],
            targets=[*(Target([n + i]) for i in range(n * sides)), Target()],
            colours=PLAYERS[: self.players],
        )

    def action_name(self, action):
        quantity, face = 1 + action // self.sides, 1 + action % self.sides
        return f"{quantity}x{face}" if quantity <= self.players * self.dice else "liar"
