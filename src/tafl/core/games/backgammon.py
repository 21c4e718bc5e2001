"""Backgammon, one checker per action, with all rules but the doubling cube; and Hypergammon."""

from typing import NamedTuple

from tafl.core.games.backgammon_board import ALL, DIGIT_0, action_name, board, drawn, set_up
from tafl.core.games.backgammon_dice import (
    HIGH,
    LOW,
    MORE,
    PLAYER,
    WORDS,
    cast_numbered,
    cast_random,
    clear,
    die_shown,
    rolls,
    use,
)
from tafl.core.games.backgammon_moves import (
    OFF,
    PIPS,
    PLACES,
    count,
    held,
    move,
    no_contact,
    place_both,
    places_changed,
    playable,
    points_won,
)
from tafl.core.games.rules import Facts, rules

PASS = 2 * PLACES
# First cells of four dice, and of three digits of the pips of each player; inputs of who leads
DICE, COUNTS, CELLS = PLACES + 2, PLACES + 6, PLACES + 12
LEAD = DICE + 2
MANY = 3  # checkers on a point; networks do not see how many more there are
MIDDLE, STEP, DIGIT = 120, 5, 7  # networks see pips in steps of 5, as two digits of 7 values
PIPS_SEEN, DICE_SEEN = 0b11111111 << LEAD, (0b1111 << DICE) | (1 << (CELLS - 1))
UNIT = 1 / 3  # three points, for a backgammon, are the score 1


@rules
class Backgammon(NamedTuple):
    """state = [bits of numbers of checkers (see backgammon_moves.py), dice left: higher and lower,
    further moves of a double, player, begun]

    action = place, with the higher die; 26 + place, with the lower one; 52 to pass
    cells: places 0 to 25, of which 0 and 25 are the bars; checkers that are off, of each player;
    up to four dice; pips of each player, three digits
    values: 1 to 15 checkers of player 0, 15 + 1 to 15 of player 1; a die; 31 + a digit
    input: at most 3 checkers of either; a third of those off; the die left and its moves after a
    move with another to come, or 0; two digits of who leads the race
    hyper: Hypergammon, with three checkers each, on the first three points
    """

    hyper: bool = False
    quiet = ("hyper",)

    def start(self, state):
        state[:] = 0
        for place, n in ((1, 2), (12, 5), (17, 3), (19, 5)):
            place_both(state, place, 0 if self.hyper else n)
        for place in range(1, 4):
            place_both(state, place, 1 if self.hyper else 0)

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return ((self.legal_mask(state) >> action) & 1) == 1

    def legal_mask(self, state):
        found = playable(state, state[PLAYER], state[HIGH], state[LOW])
        return found if found != 0 else 1 << PASS

    def play(self, state, action):
        p = state[PLAYER]
        if action < PASS:
            place, word = (action, HIGH) if action < PLACES else (action - PLACES, LOW)
            move(state, p, place, state[word])
            use(state, word)
        if action == PASS or playable(state, p, state[HIGH], state[LOW]) == 0:
            clear(state)
            state[PLAYER] = 1 - p

    def chance(self, state, rng):
        if rolls(state) > 1 and not self.over(state):
            cast_random(state, rng)

    def outcomes(self, state):
        return 1 if self.over(state) else rolls(state)

    def outcome(self, state, i):
        return cast_numbered(state, i) if self.outcomes(state) > 1 else 1.0

    def over(self, state):
        return held(state, 0) == 0 or held(state, 1) == 0

    def score(self, state, player):
        for loser in range(2):
            if held(state, 1 - loser) == 0:
                points = points_won(state, loser)
                return UNIT * (points if player != loser else -points)
        return 0.0

    def cell(self, state, c):
        if c >= COUNTS:
            pips = state[PIPS + (c - COUNTS) // 3]
            return DIGIT_0 + pips // (100, 10, 1)[(c - COUNTS) % 3] % 10
        if c >= DICE:
            return die_shown(state, c - DICE)
        if c >= PLACES:
            n = count(state, c - PLACES, OFF[c - PLACES])
            return n + ALL * (c - PLACES) if n > 0 else 0
        mine = count(state, 0, c) if c != OFF[0] else 0
        theirs = count(state, 1, c) if c != OFF[1] else 0
        return mine if mine > 0 else (ALL + theirs if theirs > 0 else 0)

    def input(self, state, c):
        if c >= CELLS - 2:
            return 1 * (no_contact(state) if c == CELLS - 2 else state[HIGH] | state[LOW] != 0)
        if c >= LEAD:
            pips, steps = state[PIPS + (c - COUNTS) // 2], 0
            if c < COUNTS:
                pips = MIDDLE + min(max(state[PIPS + 1] - state[PIPS], -MIDDLE), MIDDLE)
            steps = min(pips // STEP, DIGIT * DIGIT - 1)
            return steps % DIGIT if c & 1 else steps // DIGIT
        if c >= DICE:
            die = max(state[HIGH], state[LOW])
            return die if c == DICE or die == 0 else 1 + state[MORE]
        value = self.cell(state, c)
        if c >= PLACES:
            return (value - (c - PLACES) * ALL * (value > 0) + 2) // 3
        return min(value, MANY) if value <= ALL else MANY + min(value - ALL, MANY)

    def changed(self, before, after):
        dice, places = 0, places_changed(before, after)
        for word in range(HIGH, PLAYER):
            dice |= before[word] ^ after[word]
        seen = (PIPS_SEEN if places != 0 else 0) | (DICE_SEEN if dice != 0 else 0)
        return places | seen

    def facts(self):
        return Facts(
            players=2,
            actions=PASS + 1,
            cells=CELLS,
            values=DIGIT_0 + 10,
            kinds=dict.fromkeys(range(DICE, COUNTS), "die"),
            words=WORDS,
            score_unit=UNIT,
            input_values=DIGIT,
        )

    action_name, board, draw, position = action_name, board, drawn, set_up

    def sign(self, player):
        return "xo"[player]
