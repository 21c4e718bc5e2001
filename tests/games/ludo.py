"""Ludo on a small track: bring both tokens around; a six lets one in, and is thrown again."""

from typing import NamedTuple

from tafl.rules import Facts, below, inline, rules

TRACK, TOKENS, GOAL, LONGEST = 16, 2, 17, 400
PASS = TOKENS
DIE, PLAYER, MOVES = 4, 5, 6  # words after the tokens of both players


@inline
def place(player, way):
    """Return the cell of the track that a token has reached; both begin on opposite sides."""
    return (way - 1 + player * TRACK // 2) % TRACK


@inline
def target(state, token):
    """Return how far a token comes with the die, -1 if it may not go."""
    p, die = state[PLAYER], state[DIE]
    way, other = state[TOKENS * p + token], state[TOKENS * p + 1 - token]
    if way == GOAL or (way == 0 and die < 6) or (token == 1 and way == other):
        return -1  # of two tokens in the same place the first one goes
    to = 1 if way == 0 else min(way + die, GOAL)
    return -1 if to == other and to < GOAL else to


@inline
def count(state, player, way):
    """Return how many tokens of a player are in a place."""
    n = 0
    for i in range(TOKENS * player, TOKENS * player + TOKENS):
        n += state[i] == way
    return n


@rules
class Ludo(NamedTuple):
    """state = [ways of both tokens, of the other player's, die, player, moves]

    A way is 0 in the yard, 1 to 16 on the track, 17 in the goal. action = token, or 2 to pass.
    Cells: the track, then yard and goal of each player, the die, and who is to move.
    """

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        if action == PASS:
            return target(state, 0) < 0 and target(state, 1) < 0
        return target(state, action) >= 0

    def play(self, state, action):
        p, again = state[PLAYER], state[DIE] == 6
        if action < PASS:
            to = target(state, action)
            state[TOKENS * p + action] = to
            for i in range(TOKENS * (1 - p), TOKENS * (2 - p)):
                on_track = 0 < to < GOAL and 0 < state[i] < GOAL
                if on_track and place(1 - p, state[i]) == place(p, to):
                    state[i] = 0
        state[DIE] = 0
        state[MOVES] += 1
        if not again:
            state[PLAYER] = 1 - p

    def chance(self, state, rng):
        if not ended(state):
            state[DIE] = 1 + below(rng, 6)

    def over(self, state):
        return ended(state)

    def score(self, state, player):
        mine, other = count(state, player, GOAL), count(state, 1 - player, GOAL)
        return 0.0 if not ended(state) or mine == other else 1.0 if mine > other else -1.0

    def cell(self, state, c):
        if c == TRACK + 5:
            return state[PLAYER]
        if c == TRACK + 4:
            return state[DIE]
        if c >= TRACK:
            p = (c - TRACK) // 2
            n = count(state, p, 0 if c % 2 == 0 else GOAL)
            return 0 if n == 0 else 1 + p + 2 * (n - 1)
        for i in range(2 * TOKENS):
            if 0 < state[i] < GOAL and place(i // TOKENS, state[i]) == c:
                return 1 + i // TOKENS
        return 0

    def facts(self):
        ring = [[(c - 1) % TRACK, (c + 1) % TRACK] for c in range(TRACK)]
        return Facts(
            players=2,
            actions=TOKENS + 1,
            cells=TRACK + 6,
            values=7,
            words=7,
            neighbours=[*ring, *([] for _ in range(6))],
            kinds={TRACK + 4: "die", TRACK + 5: "off"},
            pieces={1: (0, ""), 2: (1, ""), 3: (0, "2"), 4: (1, "2")},
        )

    def action_name(self, action):
        return "pass" if action == PASS else f"token {action + 1}"


@inline
def ended(state):
    """Return whether a player has brought both tokens home, or the game has become too long."""
    home = count(state, 0, GOAL) == TOKENS or count(state, 1, GOAL) == TOKENS
    return home or state[MOVES] >= LONGEST
