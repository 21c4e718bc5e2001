"""Ratings from results: Bradley-Terry for two players, Plackett-Luce for more.

A game is a sequence of choices: the first of all agents, the second of the rest, and so on; agent i
is chosen from a group with probability exp(x_i) / sum of exp(x_j). A tie shares all orders equally.
x maximises the likelihood; its covariance is the inverse of the Fisher information. `prior` draws
of each agent against a player of rating 0 keep ratings finite. Ratings are on the Elo scale with
mean 0: 400 more is ten times as likely to win.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, permutations, product
from math import log

import numpy as np

ELO = 400 / log(10)
NORMAL_95 = 1.959964  # half width of a 95% confidence interval, in standard errors
MOST_STEPS, PRECISION = 200, 1e-10

Choices = dict[tuple[int, tuple[int, ...]], float]  # (agent, group) -> number of times


@dataclass(frozen=True)
class Ratings:
    """The rating of each agent and its 95% confidence interval."""

    elo: list[float]
    low: list[float]
    high: list[float]

    @property
    def errors(self) -> list[float]:
        """Return the standard error of each rating."""
        ends = zip(self.low, self.high, strict=True)
        return [(high - low) / (2 * NORMAL_95) for low, high in ends]


def rate(agents: int, results: Iterable[dict[int, float]], prior: float = 1.0) -> Ratings:
    """Rate agents by the results of games, each the scores of the agents that played.

    >>> found = rate(2, 30 * [{0: 1.0, 1: -1.0}] + 10 * [{0: 0.0, 1: 0.0}], prior=0)
    >>> [round(elo) for elo in found.elo]  # 35 of 40 points: log(7) apart
    [169, -169]
    """
    choices: Choices = defaultdict(float)
    for scores, times in Counter(tuple(sorted(result.items())) for result in results).items():
        for choice, weight in choices_of(dict(scores)).items():
            choices[choice] += weight * times
    x, covariance = fit(agents, choices, prior)
    half = NORMAL_95 * ELO * np.sqrt(np.diag(covariance))
    elo = ELO * x
    return Ratings(elo.tolist(), (elo - half).tolist(), (elo + half).tolist())


def choices_of(scores: dict[int, float]) -> Choices:
    """Return the choices of one game; ties share all orders.

    >>> choices_of({0: 1.0, 1: 0.2, 2: 0.0})
    {(0, (0, 1, 2)): 1.0, (1, (1, 2)): 1.0}
    """
    ranked = sorted(scores, key=lambda agent: -scores[agent])
    ties = [list(tie) for _, tie in groupby(ranked, key=lambda agent: scores[agent])]
    orders = [sum(order, ()) for order in product(*(permutations(tie) for tie in ties))]
    found: Choices = defaultdict(float)
    for order in orders:
        for k in range(len(order) - 1):
            found[order[k], tuple(sorted(order[k:]))] += 1 / len(orders)
    return dict(found)


def fit(agents: int, choices: Choices, prior: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the maximum of the likelihood and its covariance, with mean 0."""
    x = np.zeros(agents)
    value, gradient, information = likelihood(x, choices, prior)
    for _ in range(MOST_STEPS):
        step = np.linalg.pinv(information) @ gradient
        if np.abs(step).max() < PRECISION:
            break
        # Newton's step, halved while it goes too far
        while True:
            ahead = likelihood(x + step, choices, prior)
            if ahead[0] >= value - PRECISION or np.abs(step).max() < PRECISION:
                break
            step /= 2
        x, (value, gradient, information) = x + step, ahead
    centre = np.eye(agents) - 1 / agents
    return centre @ x, centre @ np.linalg.pinv(information) @ centre


def likelihood(
    x: np.ndarray, choices: Choices, prior: float
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log likelihood, its gradient, and the Fisher information."""
    # half a win and half a loss against 0
    chance = 1 / (1 + np.exp(-x))
    value = prior * float(np.sum(np.log(chance) - x / 2))
    gradient = prior * (0.5 - chance)
    information = np.diag(prior * chance * (1 - chance))
    for (who, group), weight in choices.items():
        among = list(group)
        strength = np.exp(x[among] - x[among].max())
        p = strength / strength.sum()
        value += weight * float(np.log(p[among.index(who)]))
        gradient[who] += weight
        gradient[among] -= weight * p
        information[np.ix_(among, among)] += weight * (np.diag(p) - np.outer(p, p))
    return value, gradient, information
