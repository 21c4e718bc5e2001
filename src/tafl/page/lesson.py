"""A lesson about learning by self-play, with three games in one file."""

from collections.abc import Sequence

from tafl.boards import load_game
from tafl.page.html import document, html
from tafl.page.pack import Bytes
from tafl.page.small_agents import load_champion
from tafl.runs.champions import has_champion

GAMES = ("tictactoe", "nim3p", "connectfour")  # two players, three players, a large game
SMALL = ("tictactoe", "nim3p")  # games with small champions
TITLE = "How a computer learns games by playing against itself"


def make_lesson(kernels: Sequence[str] = (), home: str = "") -> str:
    """Return one HTML file, in which readers play, inspect and train the examples.

    `home` is the front page of its site.
    """
    kept, found = Bytes(), []
    for name in GAMES:
        game = load_game(name)
        agents = [load_champion(game, "champion")] if name in SMALL and has_champion(game) else []
        found.append(document(game, agents, kept, kernels))
    return html(TITLE, {"title": TITLE, "lesson": found, "home": home}, kept)
