"""Kalah: sow the seeds of a pit; ending in your store gives another move, most seeds win."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Count, Edge, Label, Piece, Tally, Target, path
from tafl.core.games.checks import check_whole
from tafl.core.games.rules import Facts, rules

MOST_PITS, MOST_SEEDS = 6, 8  # a store has two digits
MANY = 9  # seeds of a pit; agents do not see how many more there are
OWNERS = ("red", "blue")  # of the lower and the upper pits, in pictures


@inline
def seeds_of(state, pits, player):
    """Return the seeds in the pits of a player."""
    seeds = 0
    for i in range(1, pits + 1):
        seeds += state[(pits + 1) * player + i]
    return seeds


@rules
class Kalah(NamedTuple):
    """state = [second player's store, first's pits, first's store, second's pits, player]

    Seeds go from each word to the next. action = word of a pit
    cells: the pits of the first player, of the second, tens of both stores, ones, and 1 or 2 for
    the player to move; values: seeds, 9 for nine and more, or digits
    """

    pits: int = 6
    seeds: int = 4

    def start(self, state):
        state[:] = self.seeds
        state[0] = state[self.pits + 1] = state[2 * self.pits + 2] = 0

    def player(self, state):
        return state[2 * self.pits + 2]

    def legal(self, state, action):
        first = 1 + (self.pits + 1) * state[2 * self.pits + 2]
        return first <= action < first + self.pits and state[action] > 0

    def play(self, state, action):
        pits, words = self.pits, 2 * self.pits + 2
        p = state[words]
        first = 1 + (pits + 1) * p
        own, other = (0, pits + 1) if p == 1 else (pits + 1, 0)  # stores
        at, hand = action, state[action]
        state[action] = 0
        while hand > 0:
            at = at + 1 if at + 1 < words else 0
            if at != other:
                state[at] += 1
                hand -= 1
        if at != own:
            state[words] = 1 - p
        # the last seed, in an empty pit of the mover, captures those opposite
        opposite = words - at
        if first <= at < first + pits and state[at] == 1 and state[opposite] > 0:
            state[own] += 1 + state[opposite]
            state[at] = state[opposite] = 0
        # when a player's pits are empty, the other player stores its seeds
        left, right = seeds_of(state, pits, 0), seeds_of(state, pits, 1)
        if left == 0 or right == 0:
            for i in range(1, pits + 1):
                state[i] = state[pits + 1 + i] = 0
            state[pits + 1] += left
            state[0] += right

    def over(self, state):
        return state[0] + state[self.pits + 1] == 2 * self.pits * self.seeds

    def score(self, state, player):
        lead = (state[self.pits + 1] - state[0]) / (2 * self.pits * self.seeds)
        return lead if player == 0 else -lead

    def cell(self, state, c):
        pits = self.pits
        if c < 2 * pits:
            seeds = state[c + 1 + (c >= pits)]
            return seeds if seeds < MANY else MANY
        if c == 2 * pits + 4:
            return 1 + state[2 * pits + 2]
        store = state[(pits + 1) * (1 - (c & 1))]
        return store // 10 if c < 2 * pits + 2 else store % 10

    def facts(self):
        pits, turn = 2 * self.pits, 2 * self.pits + 4
        near = [{(c - 1) % pits, (c + 1) % pits, pits - 1 - c, turn} - {c} for c in range(pits)]
        return Facts(
            players=2,
            actions=pits + 2,
            cells=turn + 1,
            values=10,
            words=pits + 3,
            score_unit=1 / (pits * self.seeds),
            neighbours=[*map(sorted, near), [], [], [], [], list(range(pits))],
        )

    def validate(self):
        check_whole("pits", self.pits, 1, MOST_PITS)
        check_whole("seeds", self.seeds, 1, MOST_SEEDS)

    def draw(self, state):
        words = [f"{seeds:2}" for seeds in state]
        near, far = words[1 : self.pits + 1], words[2 * self.pits + 1 : self.pits + 1 : -1]
        stores = f"{words[0]} {'   ' * self.pits}{words[self.pits + 1]}"
        return f"   {' '.join(far)}\n{stores}\n   {' '.join(near)}"

    def board(self):
        n, hidden = self.pits, Cell(0, 0, kind="off")
        near, far = ([Cell(i, y, "hole") for i in range(n)] for y in (1.8, 0))
        stores = [Cell(n + 0.1, 0.9, "store"), Cell(-1.1, 0.9, "store")]
        counts = [Count(c, c + 1, c, 1.15) for c in range(n)]
        counts += [Count(n + c, n + 2 + c, n - 1 - c, 0.65) for c in range(n)]
        counts += [Count(2 * n, n + 1, n + 0.1, 1.85), Count(2 * n + 1, 0, -1.1, -0.05)]
        pits = [Target(cells=[a]) for a in range(2 * n)]
        names = ["abcdef"[i] for i in range(n)]
        ends = [(-0.4, n - 0.6, y) for y in (2.5, -0.7)]
        return Board(
            cells=[*near, *far[::-1], *stores, *[hidden] * 3],
            pieces=[None, *(Piece("seeds", "white", str(v)) for v in range(1, 10))],
            targets=[Target(), *pits[:n], Target(), *pits[n:]],
            labels=[Label(i, 2.85, name) for i, name in enumerate(names)]
            + [Label(n - 1 - i, -1.05, name) for i, name in enumerate(names)],
            edges=[
                Edge(path(((left, y), (right, y))), colour)
                for (left, right, y), colour in zip(ends, OWNERS, strict=True)
            ],
            look="bowl",
            colours=OWNERS,
            counts=counts,
            tally=Tally("seeds", words=[[n + 1], [0]], decides=True),
        )

    def action_name(self, action):
        return "abcdef"[(action - 1) % (self.pits + 1) % MOST_PITS]
