"""Traits of a game that may matter to FARL, from random games."""

from dataclasses import dataclass

import numpy as np

from tafl.boards import Game
from tafl.core.games.states import random_action

GAMES = 200


@dataclass(frozen=True)
class Traits:
    """Shares of random games."""

    players: int
    chance: bool
    won: float  # by the player of the last move, alone
    drew: float
    lost: float
    on_the_way: float  # some player's score changes before the end
    again: float  # a player moves twice in a row
    by_chance: float  # the end comes after the last move, by chance


def traits(game: Game, games: int = GAMES, seed: int = 1) -> Traits:
    """Play random games and count.

    >>> import tafl
    >>> found = traits(tafl.game("nim"), 10)
    >>> found.players, found.won, found.on_the_way, found.again
    (2, 1.0, 0.0, 0.0)
    """
    rng = np.array([seed], np.uint64)
    with np.errstate(over="ignore"):  # random numbers are made by overflow
        counts = np.sum([_one_game(game, rng) for _ in range(games)], axis=0) / games
    return Traits(game.facts.players, game.has_chance, *(float(count) for count in counts))


def _one_game(game: Game, rng: np.ndarray) -> list[bool]:
    """Return: the last mover won, drew, lost; rewards on the way; moved again; ended by chance."""
    rules, facts, s = game.rules, game.facts, np.zeros(game.facts.words, np.int64)
    everyone, last, scratch = range(facts.players), -1, np.zeros(facts.actions, np.int64)
    on_the_way = again = by_chance = over = False
    rules.start(s)
    rules.chance(s, rng)
    while not over:
        player = int(rules.player(s))
        again |= facts.players > 1 and player == last
        last, before = player, [rules.score(s, p) for p in everyone]
        rules.play(s, random_action(rules, s, scratch, rng))
        by_chance = not rules.over(s)
        rules.chance(s, rng)
        over = bool(rules.over(s))
        on_the_way |= not over and before != [rules.score(s, p) for p in everyone]
    scores = [rules.score(s, p) for p in everyone]
    best = max(scores)
    lost, alone = scores[last] < best, scores.count(best) == 1
    return [not lost and alone, not lost and not alone, lost, on_the_way, again, by_chance]
