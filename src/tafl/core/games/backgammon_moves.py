"""Checkers of Backgammon as sets of places: moves, hits, what dice can play, and how games end.

Places are bits 0 to 25, of which 1 to 24 are the points. Player 0 moves up, from the bar at 0 to
25, where its checkers are off; player 1 moves down, from the bar at 25 to 0. The number of checkers
on a place has four bits: word 4 * player + k of a state has bit k of each place.
"""

from tafl.core.compile import inline, trailing_zeros

PLACES, PLANES = 26, 4
POINTS = (1 << 25) - 2
BAR, OFF = (0, 25), (25, 0)  # of each player
OUTSIDE = ((1 << 19) - 1, ((1 << 26) - 1) ^ 127)  # bar and points that are not home
HOME = (0b111111 << 19, 0b1111110)
PIPS = 2 * PLANES  # word: how far player 0 has to go with all checkers; then player 1


@inline
def count(state, p, place):
    """Return the number of checkers of player p on a place."""
    n = 0
    for k in range(PLANES):
        n += ((state[PLANES * p + k] >> place) & 1) << k
    return n


@inline
def at_least_two(state, p):
    """Return the places with two or more checkers of player p."""
    first = PLANES * p
    return state[first + 1] | state[first + 2] | state[first + 3]


@inline
def held(state, p):
    """Return the places with checkers of player p, without those that are off."""
    return (state[PLANES * p] | at_least_two(state, p)) & ~(1 << OFF[p])


@inline
def places_changed(before, after):
    """Return the places where two states differ, as bits; those off are bits 26 and 27."""
    mine, theirs = 0, 0
    for k in range(PLANES):
        mine |= before[k] ^ after[k]
        theirs |= before[PLANES + k] ^ after[PLANES + k]
    off = ((mine >> OFF[0]) & 1) | ((theirs >> OFF[1]) & 1) << 1
    return (mine & ~(1 << OFF[0])) | (theirs & ~(1 << OFF[1])) | off << PLACES


@inline
def no_contact(state):
    """Return whether the players have passed each other: what is left is a race."""
    mine = held(state, 0)
    return held(state, 1) < mine & -mine


@inline
def points_won(state, loser):
    """Return the points that the winner gets: 2 for a gammon, 3 for a backgammon."""
    if count(state, loser, OFF[loser]) > 0:
        return 1
    return 3 if held(state, loser) & (HOME[1 - loser] | (1 << BAR[loser])) != 0 else 2


@inline
def add(state, p, place):
    """Put one more checker of player p on a place."""
    state[PIPS + p] += 25 - place if p == 0 else place
    carry = 1 << place
    for k in range(PLANES):
        old = state[PLANES * p + k]
        state[PLANES * p + k] = old ^ carry
        carry &= old


@inline
def place_both(state, place, n):
    """Put n checkers of both players on a place, seen from where each begins."""
    for _ in range(n):
        add(state, 0, place)
        add(state, 1, 25 - place)


@inline
def remove(state, p, place):
    """Take a checker of player p from a place."""
    state[PIPS + p] -= 25 - place if p == 0 else place
    borrow = 1 << place
    for k in range(PLANES):
        old = state[PLANES * p + k]
        state[PLANES * p + k] = old ^ borrow
        borrow &= ~old


@inline
def target(p, place, die):
    """Return the place where a die takes a checker."""
    return min(place + die, 25) if p == 0 else max(place - die, 0)


@inline
def move(state, p, place, die):
    """Move a checker of player p by a die, and hit one of the other player that is alone there."""
    to = target(p, place, die)
    remove(state, p, place)
    if held(state, 1 - p) & POINTS & (1 << to) != 0:
        remove(state, 1 - p, to)
        add(state, 1 - p, BAR[1 - p])
    add(state, p, to)


@inline
def farthest(mine, p):
    """Return the place that is farthest behind, of some at the home of player p."""
    if p == 0:
        return mine & -mine
    mine |= mine >> 1
    mine |= mine >> 2
    mine |= mine >> 4
    return mine ^ (mine >> 1)


@inline
def movable(mine, free, p, die):
    """Return the places of player p from which a die can move a checker to free points or off.

    A checker on the bar must enter first. All that are not off must be at home before one is borne
    off. A die that is too large for all of them bears off the farthest.
    """
    if die == 0:
        return 0
    found = mine & (free >> die if p == 0 else free << die)
    if mine & (1 << BAR[p]) != 0:
        return found & (1 << BAR[p])
    if mine & OUTSIDE[p] != 0:
        return found
    exact, last = 1 << (25 - die if p == 0 else die), farthest(mine, p)
    beyond = last > exact if p == 0 else last < exact
    return found | (mine & exact) | (last if beyond else 0)


@inline
def followed(state, sources, mine, free, p, die, other):
    """Return those of the sources from which a move by a die leaves one by the other die."""
    kept, left, more = 0, sources, at_least_two(state, p)
    while left != 0:
        source = left & -left
        left ^= source
        to = 1 << target(p, trailing_zeros(source), die)
        after = (mine & ~(source & ~more)) | (to & POINTS)
        if movable(after, free, p, other) != 0:
            kept |= source
    return kept


@inline
def playable(state, p, high, low):
    """Return what player p may move by the higher die and, from bit 26 on, by the lower one.

    Both dice must be played if that is possible, else the higher one.
    """
    mine, free = held(state, p), POINTS & ~at_least_two(state, 1 - p)
    by_high, by_low = movable(mine, free, p, high), movable(mine, free, p, low)
    if high > 0 and low > 0:
        high_first = followed(state, by_high, mine, free, p, high, low)
        low_first = followed(state, by_low, mine, free, p, low, high)
        if high_first | low_first != 0:
            by_high, by_low = high_first, low_first
        elif by_high != 0:
            by_low = 0
    return by_high | by_low << PLACES
