"""The opening book of the perfect ConnectFour player: all positions of 8 and of 12 stones.

    pip install bitbully-databases
    python -m studies.make.connectfour_book build       makes it from that package in a few minutes
    python -m studies.make.connectfour_book check 1000  solves this many of its positions without it

The package (MIT licence, Copyright (c) 2025 Markus Thill) lists every position of 12 stones where
the player to move cannot win at once, and how many plies the game still takes. Everything earlier
follows by looking ahead to those.
"""

import lzma
import sys
from pathlib import Path

import numpy as np

from tafl.agents.connectfour import BOOK, BOOK_PLIES, book
from tafl.core.games.connectfour import CELLS, COLS, ConnectFour
from tafl.core.search.connectfour import HIGHEST, make_solver, position_score
from tafl.core.search.connectfour_board import BOTTOM, COLUMN, HEIGHT, mirrored, reachable, winning

STONES = 12  # in the positions of the package

Level = tuple[np.ndarray, np.ndarray, np.ndarray]  # keys in ascending order, own and all stones


def write_book(keys: np.ndarray, scores: np.ndarray) -> None:
    """Write what `book` reads: seven bytes for each key's distance to the one before, the score."""
    steps = np.diff(keys, prepend=0)
    rows = [(steps >> 8 * i & 255).astype(np.uint8) for i in range(7)]
    rows.append(scores.astype(np.int8).view(np.uint8))
    BOOK.write_bytes(lzma.compress(np.concatenate(rows).tobytes(), preset=9))


def main() -> None:
    """Builds or checks."""
    match sys.argv[1:]:
        case ["build"]:
            build()
        case ["check", count]:
            check(int(count))
        case _:
            sys.exit(__doc__)


def build() -> None:
    """Writes the book."""
    levels = [level(np.zeros(1, np.int64), np.zeros(1, np.int64))]
    for n in range(STONES):
        levels.append(after(levels[n]))
        print(f"{n + 1:2} stones: {len(levels[-1][0]):9,} positions")
    scores = {STONES: database_scores(levels[STONES])}
    for n in reversed(range(STONES)):
        scores[n] = best_scores(n, levels[n], levels[n + 1], scores[n + 1])
    kept = [cannot_win_at_once(levels[n]) for n in BOOK_PLIES]
    keys = np.concatenate([levels[n][0][k] for n, k in zip(BOOK_PLIES, kept, strict=True)])
    values = np.concatenate([scores[n][k] for n, k in zip(BOOK_PLIES, kept, strict=True)])
    order = np.argsort(keys)
    write_book(keys[order], values[order])
    print(f"{BOOK}: {len(keys):,} positions, {BOOK.stat().st_size:,} bytes")


def check(count: int) -> None:
    """Solves positions of the book, drawn at random, by search alone."""
    keys, scores = book()
    solver = make_solver(np.zeros(0, np.int64), np.zeros(0, np.int8), 0, bits=22)
    drawn = np.random.default_rng(0).choice(len(keys), count, replace=False)
    rules, wrong = ConnectFour(), 0  # type: ignore[call-arg]
    for i in drawn:
        found = position_score(rules, solver, as_state(int(keys[i])), -HIGHEST, HIGHEST)
        wrong += int(found != scores[i])
    print(f"{count} positions solved, {wrong} scores differ")


def level(own: np.ndarray, taken: np.ndarray) -> Level:
    """Positions, each once and without mirror images."""
    keys = own + taken + BOTTOM
    images = mirrored(keys)
    own = np.where(keys <= images, own, mirrored(own))
    taken = np.where(keys <= images, taken, mirrored(taken))
    keys, first = np.unique(np.minimum(keys, images), return_index=True)
    return keys, own[first], taken[first]


def after(before: Level) -> Level:
    """Return all positions one stone later that are not won."""
    _, own, taken = before
    moves = [reachable(taken) & ~winning(own, taken) & (COLUMN << HEIGHT * c) for c in range(COLS)]
    parts = [((own ^ taken)[m != 0], (taken | m)[m != 0]) for m in moves]
    return level(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]))


def best_scores(n: int, here: Level, following: Level, scores: np.ndarray) -> np.ndarray:
    """The scores of all positions of n stones, from those of n + 1 stones."""
    _, own, taken = here
    best = np.full(len(own), -HIGHEST - 1)
    for c in range(COLS):
        move = reachable(taken) & (COLUMN << HEIGHT * c)
        keys = (own ^ taken) + (taken | move) + BOTTOM
        found = np.searchsorted(following[0], np.minimum(keys, mirrored(keys)))
        score = -scores[np.minimum(found, len(scores) - 1)]
        score = np.where(move & winning(own, taken) != 0, (CELLS + 1 - n) // 2, score)
        best = np.where(move != 0, np.maximum(best, score), best)
    return best


def database_scores(positions: Level) -> np.ndarray:
    """The scores of all positions of 12 stones."""
    keys, listed = read_database()
    wanted = cannot_win_at_once(positions)
    assert np.array_equal(positions[0][wanted], keys)
    scores = np.full(len(wanted), (CELLS + 1 - STONES) // 2)
    scores[wanted] = listed
    return scores


def cannot_win_at_once(positions: Level) -> np.ndarray:
    """Tell for each position whether the player to move has no winning move."""
    _, own, taken = positions
    return np.asarray(winning(own, taken) & reachable(taken) == 0)


def read_database() -> tuple[np.ndarray, np.ndarray]:
    """The keys of the listed positions, in ascending order, and their scores."""
    from bitbully_databases import BitBullyDatabases  # type: ignore[import-not-found]

    path = Path(BitBullyDatabases.get_database_path("12-ply-dist"))
    entries = np.fromfile(path, np.dtype([("stones", ">u4"), ("plies", "i1")]))
    own, taken = unpack(entries["stones"].astype(np.int64))
    # 100 - p or p - 100 for a game that takes p plies more, 0 for a draw
    listed = entries["plies"].astype(np.int64)
    last = STONES + 100 - np.abs(listed)
    scores = np.sign(listed) * (HIGHEST + 1 - (last + 1) // 2)
    keys = own + taken + BOTTOM
    keys = np.minimum(keys, mirrored(keys))
    order = np.argsort(keys)
    return keys[order], scores[order]


def unpack(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stones of the player to move and all stones, from the package's 32 bits.

    Column by column from below, 10 is a stone of the player to move, 11 one of the other, and 0
    ends a column.
    """
    own, taken = np.zeros_like(codes), np.zeros_like(codes)
    at, bit, column = np.full_like(codes, 31), np.ones_like(codes), np.zeros_like(codes)
    for _ in range(STONES + COLS):
        stone = (column < COLS) & ((codes >> at) & 1 == 1)
        mine = stone & ((codes >> (at - 1)) & 1 == 0)
        taken |= np.where(stone, bit, 0)
        own |= np.where(mine, bit, 0)
        column += ~stone
        at -= np.where(stone, 2, 1)
        bit = np.where(stone, bit << 1, 1 << HEIGHT * np.minimum(column, COLS - 1))
    return own, taken


def as_state(key: int) -> np.ndarray:
    """The state of ConnectFour's rules that has this key."""
    state = np.zeros(4, np.int64)
    owners: dict[int, bool] = {}
    for c in range(COLS):
        bits = key >> HEIGHT * c & (2 * COLUMN + 1)
        owners |= {COLS * r + c: bool(bits >> r & 1) for r in range(bits.bit_length() - 1)}
    mover = len(owners) & 1
    for cell, mine in owners.items():
        state[mover if mine else 1 - mover] |= 1 << cell
    state[2] = len(owners)
    return state


if __name__ == "__main__":
    main()
