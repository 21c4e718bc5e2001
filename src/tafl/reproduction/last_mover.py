"""Who moves last? Without FARL nobody else learns from how a game ends.

Random games tell it: how often the player of the last move wins, draws or loses, that is has the
highest score alone, together with others, or not.
"""

from pathlib import Path

from tafl.agents import make_agent
from tafl.arena import play_on
from tafl.boards import Game, load_game
from tafl.files import read_sealed, replacing, sealed, to_json
from tafl.reproduction.rows import table_rows

GAMES = 2_000
FILE = "last_mover.json"
Shares = dict[str, float]


def last_movers(game: Game, games: int = GAMES, seed: int = 1) -> Shares:
    """How often the player of the last move wins, draws and loses.

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


def store_last_movers(folder: Path) -> None:
    """Plays the random games of all rows with several players, unless that is stored."""
    file = folder / FILE
    if file.exists():
        return
    found = {}
    for row in table_rows():
        game = load_game(row.game)
        if game.facts.players > 1:
            found[row.name] = last_movers(game)
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(file) as stream:
        stream.write(to_json(sealed({"games": GAMES, "last_mover": found}), indent=1) + "\n")


def load_last_movers(folder: Path) -> dict[str, Shares]:
    """What is stored, or nothing."""
    file = folder / FILE
    if not file.exists():
        return {}
    found: dict[str, Shares] = read_sealed(file, ("games", "last_mover"))["last_mover"]
    return found
