"""Regret matching with a critic, in the episode of SARSA with final adaptation, for N players.

For games with hidden information, where greedy self-play does not settle. Its average policy does,
for two players whose scores add up to 0, at an equilibrium. In each episode one player learns, all
in turn; a single player learns in every other episode. It tries actions with
mu = (1 - epsilon) pi + epsilon / number of actions; the others play pi, and their average policy
grows. Then the learner's moves learn, the newest first, beginning with its final score (FARL):

    q(b) = Q(s, b) + [b = a] (G - Q(s, a)) / mu(a)      right on average, whatever Q is
    V    = sum over b of pi(b) q(b)
    Q(s, a) += alpha (G - Q(s, a))                      the critic: makes q less noisy
    R(s, b)  = max(0, R(s, b) + q(b) - V)               regrets; pi is proportional to them (RM+)
    G        = r + gamma V                              what the move before learns from

Without 1 / mu, actions that are hardly tried would be judged by an old Q for ever.
"""

from typing import Annotated, NamedTuple

from tafl.core.compile import inline, kernel
from tafl.core.games.states import legal_actions
from tafl.core.learn.adapt import one_more
from tafl.core.learn.store import AVERAGE, CRITIC, REGRETS, add, find_rows, key_size, total
from tafl.core.memory import Array, allocate
from tafl.core.random import uniform
from tafl.errors import LongEpisode

MOST_MOVES = 1_000  # of the player that learns, in an episode


class Regret(NamedTuple):
    """The settings of learning."""

    alpha: float = 0.05  # of the critic
    epsilon: float = 0.5  # how often the learner tries any action
    floor: float = 0.02  # of mu in 1 / mu
    gamma: float = 1.0
    farl: bool = True  # else only the player learns from the end that moved last


class Moves(NamedTuple):
    """The moves of the learner in an episode, one row each, and scratch memory."""

    state: Annotated[Array, "int64[words]"]
    key: Annotated[Array, "uint64[key]"]  # of an information state
    now: Annotated[Array, "uint32[K]"]
    rows: Annotated[Array, "int64[moves, rows]"]  # of the information state
    actions: Annotated[Array, "int64[moves, actions]"]  # legal actions, ...
    numbers: Annotated[Array, "int64[moves]"]  # ... how many, ...
    pi: Annotated[Array, "float64[moves, actions]"]  # ... their policy, ...
    mu: Annotated[Array, "float64[moves, actions]"]  # ... what the action was drawn from, ...
    chosen: Annotated[Array, "int64[moves]"]  # ... and which of them it was
    scores: Annotated[Array, "float64[moves]"]  # of the learner, before the move
    q: Annotated[Array, "float64[actions]"]


def make_moves(facts, net, moves: int = MOST_MOVES) -> Moves:
    """Return memory for a game and the n-tuples of a store."""
    sizes = {"moves": moves + 1, "key": key_size(facts)[1], "K": net.tuples}
    return allocate(Moves, vars(facts) | sizes | {"rows": max(1, net.tuples)})


@inline
def proportional(store, rows, kind, legal, n, pi):
    """Write a policy in proportion to positive regrets or sums; uniform where there are none."""
    whole = 0.0
    for i in range(n):
        pi[i] = max(0.0, total(store, rows, kind, legal[i]))
        whole += pi[i]
    for i in range(n):
        pi[i] = pi[i] / whole if whole > 0.0 else 1.0 / n


@inline
def draw(pi, n, rng):
    """Return which of n actions is drawn from a policy."""
    left, last = uniform(rng), 0
    for i in range(n):
        if pi[i] > 0.0:
            last = i
            left -= pi[i]
            if left < 0.0:
                break
    return last


@inline
def learn(store, way, work, k, target):
    """Let the learner's k-th move learn; return V, what its move before learns from."""
    rows, legal, n, pi, mu = work.rows[k], work.actions[k], work.numbers[k], work.pi[k], work.mu[k]
    chosen, q = work.chosen[k], work.q
    for i in range(n):
        q[i] = total(store, rows, CRITIC, legal[i])
    error = target - q[chosen]
    q[chosen] += error / max(mu[chosen], way.floor)
    v = 0.0
    for i in range(n):
        v += pi[i] * q[i]
    for i in range(n):
        r = total(store, rows, REGRETS, legal[i])
        add(store, rows, REGRETS, legal[i], max(0.0, r + q[i] - v) - r)
    add(store, rows, CRITIC, legal[chosen], way.alpha * error)
    return v


@inline
def learn_backwards(game, store, way, work, learner, n):
    """Let the learner's n moves of a game that is over learn, the newest first."""
    later, v = game.score(work.state, learner), 0.0
    if not way.farl and game.player(work.state) != learner:
        n -= 1  # the last move learns nothing; the one before, from what the critic says of it
        later = work.scores[n]
        for i in range(work.numbers[n]):
            v += work.pi[n, i] * total(store, work.rows[n], CRITIC, work.actions[n, i])
    for k in range(n - 1, -1, -1):
        r = later - work.scores[k]
        later = work.scores[k]
        v = learn(store, way, work, k, r + way.gamma * v)


@inline
def too_long():
    """End all episodes."""
    raise LongEpisode


@inline
def regret_episode(game, store, way, work, learner, weight, rng):
    """Play one game of self-play in which one player learns; return the number of moves."""
    s = work.state
    game.start(s)
    game.chance(s, rng)
    n = moves = 0  # of the learner, of all
    while not game.over(s):
        p, legal, pi, mu = game.player(s), work.actions[n], work.pi[n], work.mu[n]
        find_rows(game, store, s, True, work, work.rows[n])
        count = legal_actions(game, s, legal.size, legal)
        proportional(store, work.rows[n], REGRETS, legal, count, pi)
        if p == learner:
            for i in range(count):
                mu[i] = (1.0 - way.epsilon) * pi[i] + way.epsilon / count
            i = draw(mu, count, rng)
            work.chosen[n], work.numbers[n], work.scores[n] = i, count, game.score(s, p)
            n += 1
            if n == work.chosen.size:
                too_long()
        else:  # on policy: visits weigh the average; later episodes count more
            for i in range(count):
                add(store, work.rows[n], AVERAGE, legal[i], pi[i] * weight)
            i = draw(pi, count, rng)
        game.play(s, legal[i])
        game.chance(s, rng)
        moves = one_more(moves)
    if n > 0:
        learn_backwards(game, store, way, work, learner, n)
    return moves


@kernel
def train_regret(game, store, way, work, first, episodes, rng, totals):
    """Play episodes first, first + 1, ...; add moves and final scores to totals."""
    players = totals.size - 1
    turns = max(players, 2)  # a single player learns in every other game
    for number in range(first, first + episodes):
        learner, weight = number % turns, number + 1.0
        totals[0] += regret_episode(game, store, way, work, learner, weight, rng)
        for p in range(players):
            totals[1 + p] += game.score(work.state, p)


@inline
def average_policy(game, store, work, actions, values, policy):
    """Write the legal actions of work.state, Q and average policy of each; return how many.

    An information state that was never visited has the values 0 and the uniform policy.
    """
    s, rows = work.state, work.rows[0]
    n = legal_actions(game, s, actions.size, actions)
    known = find_rows(game, store, s, False, work, rows)
    for i in range(n):
        values[i], policy[i] = 0.0, 1.0 / n
        if known:
            values[i] = total(store, rows, CRITIC, actions[i])
    if known:
        proportional(store, rows, AVERAGE, actions, n, policy)
    return n


@kernel
def look_up(game, store, work, actions, values, policy):
    """Call `average_policy` from Python."""
    return average_policy(game, store, work, actions, values, policy)
