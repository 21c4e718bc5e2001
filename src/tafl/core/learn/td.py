"""TD-learning for N players with final adaptation: Algorithm 2 (TD-FARL-Episode).

Each player learns from the afterstates that it made itself: s_last[p] is the previous afterstate of
player p, kept as its code. After the last move the other players learn from the end
of the game, too (FARL). With td.backward, updates run backwards through the last afterstates of a
player, newest first.
"""

from tafl.core.approximators.contract import copy_code
from tafl.core.compile import inline
from tafl.core.games.states import copy_state, random_action
from tafl.core.learn.adapt import adapt, begin, one_more, pass_by, scramble, skip, training
from tafl.core.learn.policy import choose, look_ahead, looks_ahead
from tafl.core.random import uniform

# The target that a queued afterstate gives its predecessor; VALUE is reward and value
NOTHING, REWARD, VALUE = 0, 1, 2


@inline
def remember(net, work, p, code):
    """Set s_last[p] = s'."""
    work.moved[p] = True
    net.keep_code(p, code, work.last[p])


@inline
def make_action(game, net, td, work, i, p, rng):
    """Make s the next state s'' (MakeAction); candidate i is s', or s'' without afterstates.

    Returns V(s'), which is known from choosing where candidates are afterstates.
    """
    s, s_after = work.state, work.afters[i]
    if td.afterstates:
        copy_state(s_after, s)
        game.chance(s, rng)
        net.encode_next(game, work, i)
    else:
        game.play(s, work.actions[i])
        game.chance(s, rng)
        copy_state(s, s_after)
        net.encode(game, s, game.player(s), work.now)
        if game.hides(s):
            net.encode(game, s, p, work.codes[i])
        else:
            copy_code(work.now, work.codes[i])
        net.activate(work, p, i, i + 1)
    return net.squash(work.activations[i])


@inline
def wait(work, p, r, link):
    """Queue s_last[p], with the reward r before it, to learn later."""
    n = work.waiting[p]
    copy_code(work.last[p], work.queue[p, n])
    work.gained[p, n], work.links[p, n] = r, link
    work.waiting[p] = n + 1


@inline
def learn_backwards(net, td, work, alpha, rng):
    """Adapt all queued afterstates, newest first: each learns from its successor."""
    for p in range(work.moved.size):
        newest = work.waiting[p] - 1
        for n in range(newest, 0, -1):
            s_after, link = work.queue[p, n], work.links[p, n]
            if link != NOTHING:
                target = work.gained[p, n]
                if link == VALUE:
                    target += td.gamma * net.squash(net.activation(work, p, s_after))
                adapt(net, td, work, p, work.queue[p, n - 1], target, alpha, rng)
        if newest > 0:  # the newest stays in the queue
            copy_code(work.queue[p, newest], work.queue[p, 0])
            work.waiting[p] = 1


@inline
def final_adapt(game, net, td, work, p, alpha, rng):
    """Let all players but p, who moved last, learn from the end (FinalAdaptAgents)."""
    for q in range(work.moved.size):
        if q != p:
            if td.farl_others and work.moved[q]:
                r = game.score(work.state, q) - work.scores[q]
                adapt(net, td, work, q, work.last[q], r, alpha, rng)
        elif td.farl_terminal:
            adapt(net, td, work, p, work.last[p], 0.0, alpha, rng)  # no reward after the end


@inline
def walk(game, net, td, work, alpha, rng):
    """Let a position some random moves from the goal learn that they cost as much as to go back.

    Its value becomes the mean over all walks that lead to it, whatever the agent can solve so far.
    """
    s, s_after = work.state, work.trial
    moves, p = scramble(game, s, work.reach[0], rng), game.player(s)
    copy_state(s, s_after)
    game.play(s_after, random_action(game, s, work.actions, rng))
    r = game.score(s_after, p) - game.score(s, p)
    net.encode(game, s, p, work.now)
    remember(net, work, p, work.now)
    work.length[p] = 0
    adapt(net, td, work, p, work.last[p], moves * r, alpha, rng)
    return 1


@inline
def td_episode(game, net, td, work, alpha, epsilon, rng):
    """Play one game of self-play (TD-FARL-Episode); return the number of moves."""
    players = work.moved.size
    s = work.state
    if td.start_walks > 0.0 and uniform(rng) < td.start_walks:
        return walk(game, net, td, work, alpha, rng)
    begin(game, net, td, work, rng)
    if td.learn_from_start:  # D2
        q = (game.player(s) + players - 1) % players
        if game.hides(s):
            net.encode(game, s, q, work.codes[0])
            remember(net, work, q, work.codes[0])
        else:
            remember(net, work, q, work.now)
        if td.backward > 0:
            wait(work, q, 0.0, NOTHING)
    look_ahead(game, net, td, work, 0, False, rng)
    moves = 0
    while True:
        p = game.player(s)
        pass_by(work, moves, rng)
        i, explored = choose(game, net, td, work, p, epsilon, rng)
        v_after = make_action(game, net, td, work, i, p, rng)
        moves = one_more(moves)
        over = game.over(s)
        ended = game.over(work.afters[i]) or (td.zero_next and over)
        r = game.score(s, p) - work.scores[p]
        look_ahead(game, net, td, work, i, over, rng)

        # AdaptAgentV: the mover's previous afterstate learns from this one
        if work.moved[p]:
            if explored and not td.learn_from_random:
                skip(td, work)
            elif td.backward == 0:
                target = r if ended else r + td.gamma * v_after
                adapt(net, td, work, p, work.last[p], target, alpha, rng)
        remember(net, work, p, work.now if looks_ahead(net, td) else work.codes[i])
        if td.backward > 0:
            learns = td.learn_from_random or not explored
            wait(work, p, r, (REWARD if ended else VALUE) if learns else NOTHING)
        work.scores[p] += r

        if over:
            final_adapt(game, net, td, work, p, alpha, rng)
        if td.backward > 0 and (over or work.waiting[p] == td.backward):
            learn_backwards(net, td, work, alpha, rng)
        if over:
            return moves


train_td = training("train_td", td_episode)
