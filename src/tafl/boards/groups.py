"""Symmetries of a board as a group: its generators and subgroups."""

from dataclasses import replace

from tafl.core.games.rules import Facts

Element = tuple[tuple[int, ...], tuple[int, ...]]  # permutations of cells and of actions


def elements(facts: Facts) -> list[Element]:
    """Return the symmetries of a game, the identity first."""
    pairs = zip(facts.symmetries, facts.action_symmetries, strict=True)
    return [(tuple(cells), tuple(actions)) for cells, actions in pairs]


def product(first: Element, second: Element) -> Element:
    """Return the symmetry that applies one symmetry after another."""
    cells, actions = first
    more_cells, more_actions = second
    return tuple(cells[c] for c in more_cells), tuple(more_actions[a] for a in actions)


def generators(facts: Facts) -> list[int]:
    """Return the numbers of symmetries that generate the group, without the identity.

    >>> import tafl
    >>> generators(tafl.game("tictactoe").facts)
    [1, 4]
    """
    listed = elements(facts)
    known, found = {listed[0]}, list[int]()
    for number, element in enumerate(listed):
        if element not in known:
            found.append(number)
            known |= _products([listed[n] for n in found], set(listed))[0]
    return found


def with_boards(facts: Facts, symmetries: bool | int) -> Facts:
    """Return the facts with all symmetries (True), none (False), or a subgroup of at most a size.

    >>> import tafl
    >>> len(with_boards(tafl.game("othello").facts, 6).symmetries)
    4
    """
    if symmetries is True or symmetries >= len(facts.symmetries):
        return facts
    listed = elements(facts)
    group = _subgroup(listed, int(symmetries))
    chosen = [number for number, element in enumerate(listed) if element in group]
    return replace(
        facts,
        symmetries=[facts.symmetries[number] for number in chosen],
        action_symmetries=[facts.action_symmetries[number] for number in chosen],
    )


def _subgroup(listed: list[Element], most: int) -> set[Element]:
    """Return a subgroup of at most `most` symmetries, built up greedily."""
    found: list[Element] = []
    group = {listed[0]}
    for element in listed:
        # a larger group is at least twice as large (Lagrange)
        if element not in group and 2 * len(group) <= most:
            larger, complete = _products([*found, element], set(listed))
            if complete and len(larger) <= most:
                found.append(element)
                group = larger
    return group


def _products(found: list[Element], allowed: set[Element]) -> tuple[set[Element], bool]:
    """Return the products of symmetries that are allowed, and whether all of them are."""
    group, complete = set(found), True
    waiting = list(group)
    while waiting:
        element = waiting.pop()
        made = {product(element, generator) for generator in found} - group
        complete = complete and made <= allowed
        group |= made & allowed
        waiting += made & allowed
    return group, complete
