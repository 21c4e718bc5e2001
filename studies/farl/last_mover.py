"""Shares of random games that the player of the last move wins, draws or loses.

To win is to have the highest score alone, to draw is to share it. Without FARL only the last mover
learns from how a game ends.
"""

from tafl.agents import make_agent
from tafl.arena import play_on
from tafl.boards import Game

GAMES = 2_000
Shares = dict[str, float]


def last_movers(game: Game, games: int = GAMES, seed: int = 1) -> Shares:
    """Return how often the player of the last move wins, draws and loses.

    >>> import tafl
    >>> last_movers(tafl.game("nim"), games=10)
    {'won': 1.0, 'drew': 0.0, 'lost': 0.0}
    """
    agents = [make_agent("random", game, seed)] * game.facts.players
    counts = {"won": 0, "drew": 0, "lost": 0}
    for k in range(games):
        end = play_on(agents, game.start(seed + k))
        scores = end.scores
        end.undo()
        mine, best = scores[end.player], max(scores)
        counts["lost" if mine < best else "drew" if scores.count(best) > 1 else "won"] += 1
    return {name: count / games for name, count in counts.items()}
