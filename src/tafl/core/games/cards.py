"""Shared parts of card games: dealing cards 1, 2, ... into words that lie side by side in a state.

A word is 0 until its card is dealt. `first` is the first of these words, `hands` their number.
"""

from tafl.core.compile import inline


@inline
def is_dealt(state, first, hands, card):
    """Return whether a card lies in one of the words."""
    for i in range(first, first + hands):
        if state[i] == card:
            return True
    return False


@inline
def free_card(state, first, hands, number):
    """Return the card with this number, 0, 1, ..., among those that are not dealt."""
    card = 1
    while is_dealt(state, first, hands, card) or number > 0:
        number -= 0 if is_dealt(state, first, hands, card) else 1
        card += 1
    return card
