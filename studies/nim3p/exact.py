"""Nim3P without sampling: best play, expected scores, and what TD converges to.

A position is a tuple of heaps. Everything is computed backwards, from the empty heaps to the start.
"""

from itertools import product

from tafl.core.learn.adapt import TD

PLAYERS = range(3)

Position = tuple[int, ...]
Values = dict[Position, float]

EMPTY: Position = (0, 0, 0)
START: Position = (5, 5, 5)
POSITIONS: list[Position] = sorted(product(range(6), repeat=3), key=sum)
MOVES: dict[Position, list[Position]] = {
    s: [(*s[:h], left, *s[h + 1 :]) for h in PLAYERS for left in range(s[h])] for s in POSITIONS
}


def mean(numbers: list[float]) -> float:
    """Return the mean, faster than statistics.mean."""
    return sum(numbers) / len(numbers)


def highest(moves: list[Position], values: Values) -> list[Position]:
    """Return the moves of the highest value."""
    top = max(values[x] for x in moves)
    return [x for x in moves if values[x] >= top - 1e-9]


def best_play() -> dict[Position, list[Position]]:
    """Return the best moves of every position when all play for their own score and never err."""
    scores = {EMPTY: [1.0, 0.2, 0.0]}  # of the player to move, the next one, the one before
    best: dict[Position, list[Position]] = {}
    for s in POSITIONS[1:]:
        best[s] = highest(MOVES[s], {x: scores[x][2] for x in MOVES[s]})
        scores[s] = [mean([scores[x][player] for x in best[s]]) for player in (2, 0, 1)]
    return best


BEST_PLAY = best_play()


def judged(values: list[Values]) -> list[float]:
    """Return expected scores in each role against two Max-N players, greedy on these values.

    Games begin at the start or, as many, after a random first move.
    """
    found = []
    for player in PLAYERS:
        score = {(EMPTY, p): (1.0, 0.0, 0.2)[(p - player) % 3] for p in PLAYERS}
        for s, p in product(POSITIONS[1:], PLAYERS):
            moves = highest(MOVES[s], values[player]) if p == player else BEST_PLAY[s]
            score[s, p] = mean([score[x, (p + 1) % 3] for x in moves])
        found.append((score[START, 0] + mean([score[x, 1] for x in MOVES[START]])) / 2)
    return found


def converged(td: TD) -> Values:
    """Return what each afterstate is worth to its maker once TD has converged.

    V makes the expected error 0, with what eligibility passes back: `later` is the error that is
    still to come after an afterstate. It is 0 as well, unless random moves cut eligibility: then
    only errors of play without random moves are passed back. (D20 is left out.)
    """
    cut = td.reset and not td.learn_from_random
    values, later = {EMPTY: 0.0}, {EMPTY: 0.0}
    greedy: dict[Position, list[Position]] = {}

    def chances(s: Position) -> list[tuple[Position, float, float]]:
        """Return moves, how likely each is, and how likely not as a random move."""
        shares = [(1 - td.epsilon) * (x in greedy[s]) / len(greedy[s]) for x in MOVES[s]]
        random = td.epsilon / len(MOVES[s])
        return [(x, share + random, share) for x, share in zip(MOVES[s], shares, strict=True)]

    for s in POSITIONS[1:]:
        greedy[s] = highest(MOVES[s], values)
        ends: list[
            tuple[float, float, float]
        ] = []  # of a round: how likely each is, how likely without random moves, the target
        for x, px, kx in chances(s):
            if x == EMPTY:
                ends.append((px, kx, 0.2))
                continue
            for y, py, ky in chances(x):
                if y == EMPTY:
                    ends.append((px * py, kx * ky, 1.0))
                    continue
                for z, pz, kz in chances(y):
                    learned = pz if td.learn_from_random else kz
                    target = values[z] + td.lam * later[z]
                    ends.append((px * py * learned, kx * ky * kz, target))
        values[s] = sum(p * t for p, _, t in ends) / sum(p for p, _, _ in ends)
        later[s] = sum(k * (t - values[s]) for _, k, t in ends) if cut else 0.0
    return values


def makeable() -> list[set[Position]]:
    """Return, for each player, the afterstates that it can make, but for the last."""
    found: list[set[Position]] = [set(), set(), set()]
    made, player = {START}, 0
    while made:
        made = {x for s in made for x in MOVES[s]} - {EMPTY}
        found[player] |= made
        player = (player + 1) % 3
    return found
