"""Checks of games: parameters out of range, and positions that no sequence of moves reaches."""

from collections.abc import Sequence

import numpy as np


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuse a parameter that is not a whole number in its range."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def check_turns(cells: Sequence[int], player: int, players: int = 2) -> None:
    """Refuse stones that players cannot have placed in turn, with this player to move next."""
    placed = [sum(v == 1 + p for v in cells) for p in range(players)]
    rounds, turn = divmod(sum(placed), players)
    first, *others, last = (f"{n} of player {p}" for p, n in enumerate(placed))
    counts = ", ".join([first.replace(" ", " stones ", 1), *others]) + " and " + last
    if placed != [rounds + (p < turn) for p in range(players)]:
        raise ValueError(f"{counts} are impossible: players alternate, and player 0 begins")
    if player != turn:
        raise ValueError(f"after {counts} player {turn} is to move, not player {player}")


def check_left(cells: Sequence[int], out: int, player: int, players: int) -> None:
    """Refuse a player to move who is out (a bit of `out`), or whose turn it cannot be."""
    if (out >> player) & 1:
        raise ValueError(f"player {player} is out and cannot be to move")
    if out == 0:  # else turns depend on when a player went out
        check_turns(cells, player, players)


def place_in_turn(rules, state, cells: Sequence[int], player: int, players: int = 2) -> None:
    """Set up a position of a game where action c places one stone on cell c.

    Stones can have come in any order, as long as the game was not over before the last one.
    """
    check_turns(cells, player, players)
    placed = [[c for c, v in enumerate(cells) if v == 1 + p] for p in range(players)]
    latest = placed[player - 1]
    for _ in range(max(1, len(latest))):
        rules.start(state)
        order = [placed[i % players][i // players] for i in range(sum(map(len, placed)))]
        over = False
        for action in order:
            over = bool(rules.over(state))
            rules.play(state, action)
        if not over:
            return
        latest.append(latest.pop(0))
    raise ValueError("the game was already won before the last stone")


def as_word(bits: int) -> np.int64:
    """Return 64 bits as a word of a state."""
    return np.uint64(bits).astype(np.int64)


def bitboard(cells: Sequence[int], value: int) -> np.int64:
    """Return one bit for each cell that holds the value."""
    return as_word(sum(1 << c for c, v in enumerate(cells) if v == value))
