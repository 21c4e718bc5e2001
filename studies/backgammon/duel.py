"""Games of a trained agent against `Linear` or `pubeval`, in compiled code."""

import numpy as np

from studies.backgammon.pubeval import make_pubeval, pubeval_action
from studies.opponents import linear_value
from tafl.agents import Agent
from tafl.agents.learned import LearnedAgent
from tafl.core.compile import kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.learn.work import make_work
from tafl.core.play.greedy import value_actions

LINEAR, PUBEVAL = "Linear", "pubeval"


@kernel
def play_duels(  # type: ignore[no-untyped-def] # compiled for any game
    game, net, td, work, pub, by_pubeval, s, after, actions, values, rng, scores
):
    """Play a game for each entry of scores; the agent is player 0, 1, 0, ..."""
    for g in range(scores.size):
        game.start(s)
        game.chance(s, rng)
        while not game.over(s):
            p, best, n = game.player(s), 0, 1
            if p == g % 2:
                copy_state(s, work.state)
                n = value_actions(game, net, td, work, rng, actions, values)
            elif by_pubeval:
                actions[0] = pubeval_action(game, pub, s)
            else:
                n = legal_actions(game, s, actions.size, actions)
                for i in range(n):
                    copy_state(s, after)
                    game.play(after, actions[i])
                    values[i] = linear_value(after, p)
            for i in range(1, n):
                if values[i] > values[best]:
                    best = i
            game.play(s, actions[best])
            game.chance(s, rng)
        scores[g] = game.score(s, g % 2)


def duel(agent: Agent, games: int, seed: int, against: str = LINEAR) -> np.ndarray:
    """Return the points of the agent in each game against a player that does not learn.

    Of equal actions both take the first.
    """
    assert isinstance(agent, LearnedAgent)
    assert against in (LINEAR, PUBEVAL)
    game, facts, scores = agent.game, agent.game.facts, np.zeros(games)
    words, after = np.zeros(facts.words, np.int64), np.zeros(facts.words, np.int64)
    actions, values = np.zeros(facts.actions, np.int64), np.zeros(facts.actions)
    other = make_pubeval(facts), against == PUBEVAL
    memory = make_work(facts, agent.net), *other, words, after, actions, values
    play_duels(game.rules, agent.net, agent.td, *memory, np.array([seed], np.uint64), scores)
    return scores / facts.score_unit
