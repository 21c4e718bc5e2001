"""Opponents that agents of several studies are judged against."""

import shutil

LEVELS = (1, 2, 3)  # of gtp-rhino
ERRORS = (0.1, 0.2, 0.3)  # of perfect ConnectFour play that can be beaten


def gtp_rhino(level: int) -> str:
    """Return the agent string of gtp-rhino at a level."""
    return f"gtp('gtp-rhino --level={level} --book=0')"  # openings of its book are random


def has_gtp_rhino() -> bool:
    """Return whether gtp-rhino is installed."""
    return shutil.which("gtp-rhino") is not None


def shown(opponent: str) -> str:
    """Return the name of an opponent for tables.

    >>> shown(gtp_rhino(1)), shown("ab-dl")
    ('gtp-rhino, level 1', 'ab-dl')
    """
    names = {gtp_rhino(level): f"gtp-rhino, level {level}" for level in LEVELS}
    return names.get(opponent, opponent)
