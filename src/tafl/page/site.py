"""The site of all games: a front page with a live board and puzzles, the games, and the lesson."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import Any

from tafl.agents import make_agent
from tafl.boards import Game, State, load_game
from tafl.boards.layout import board_of
from tafl.boards.load import games
from tafl.core.compile.cache import cache_root
from tafl.files import replacing
from tafl.page.html import description, document, html, make_page, title
from tafl.page.lesson import make_lesson
from tafl.page.pack import Bytes
from tafl.page.program import RULES
from tafl.page.puzzles import all_puzzles
from tafl.page.small_agents import Small, load_champion
from tafl.processes import cores
from tafl.runs.champions import champion_file, has_champion, read_card
from tafl.workers import Pool

HOME, LESSON, PREVIEW = "index.html", "lesson.html", "preview.png"
HERO = "connectfour"  # the game that two agents play on the front page
HEADING = "tafl: games that learn in your browser"
CHAMPION = "champion"
PERFECT = "plays perfectly"
STRENGTHS = {  # of champions, for players: by how a card begins to say what was measured
    "win rate against exact play": PERFECT,
    "reward against exact play": PERFECT,
    "moving first against ab-dl": "wins {share} % against perfect play when it begins",
    "win rate against mcts(iterations=10000)": "wins {share} % against strong search",
    "win rate against gtp-rhino": "wins {share} % against a program for Othello",
}

Row = dict[str, Any]


def build_site(folder: Path, url: str, docs: str, written: Callable[[Row], None]) -> None:
    """Write all pages into a folder; `written` is called after each game."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = games()
    began = monotonic()
    for done, name in enumerate(compiled(shown), start=1):
        game = shown[name]
        agents = [load_champion(game, CHAMPION)] if has_champion(game) else []
        text = make_page(game, agents, home=HOME)
        row = write(folder / f"{name}.html", game.name, text, agents)
        took = str(timedelta(seconds=round(monotonic() - began)))
        written({**row, "done": done, "of": len(shown), "time": took})
    written(write(folder / LESSON, "the lesson", make_lesson(home=HOME)))
    image = files(__package__).joinpath(PREVIEW)
    folder.joinpath(PREVIEW).write_bytes(image.read_bytes())
    written(write(folder / HOME, "the front page", front_page(shown, url, docs)))


def compiled(shown: dict[str, Game]) -> Iterator[str]:
    """Compile games in as many processes as there are cores; yield each name when it is done."""
    if cores() < 2 or cache_root() is None:  # what workers compile would be lost
        yield from shown
        return
    with ThreadPoolExecutor(cores()) as threads, Pool(quiet=True) as pool:
        function = "tafl.page.program:compile_whole"
        asked = {
            threads.submit(pool.call, function, {"game": game.name}): name
            for name, game in shown.items()
        }
        try:
            for done in as_completed(asked):
                done.result()
                yield asked[done]
        finally:
            threads.shutdown(wait=False, cancel_futures=True)  # where something went wrong


def write(file: Path, game: str, text: str, agents: list[Small] | None = None) -> Row:
    """Write a page; return its file, game, size and agents."""
    with replacing(file) as stream:
        stream.write(text)
    about = [{"label": a.label, "bits": a.bits, "text": a.text} for a in agents or []]
    return {"file": str(file), "game": game, "bytes": len(text.encode()), "agents": about}


def front_page(shown: dict[str, Game], url: str = "", docs: str = "") -> str:
    """Return the front page, with the rules of one game for its live board.

    `url` is the address of the site, `docs` that of the documentation.
    """
    kept = Bytes()
    hero = {**document(load_game(HERO), [], kept, (*RULES, "mcts")), "file": f"{HERO}.html"}
    front = {
        "hero": hero,
        "lesson": LESSON,
        "docs": docs,
        "games": [card(name, game) for name, game in shown.items()],
        "puzzles": all_puzzles()[HERO],
    }
    return html(HEADING, {"front": front}, kept, preview=f"{url.rstrip('/')}/{PREVIEW}".lstrip("/"))


def card(name: str, game: Game) -> Row:
    """Return what the front page shows of a game."""
    example = sample(game)
    return {
        "name": name,
        "file": f"{name}.html",
        "title": title(game),
        "text": description(game),
        "players": game.facts.players,
        "chance": game.has_chance,
        "hides": game.hides,
        "puzzles": len(all_puzzles().get(name, [])),
        "strength": strength(name, game),
        "board": board_of(game).document(),
        "cells": example.seen_by(0),
        "words": None if game.hides else example.words.tolist(),
    }


def strength(name: str, game: Game) -> Row | None:
    """Return how strong the champion of a game is, in words, and as a share."""
    if not has_champion(game):
        return None
    measured = read_card(champion_file(name)).strength
    for about in measured:
        for measure, text in STRENGTHS.items():
            if about.measure.startswith(measure):
                share = re.match(r"[\d.]+", about.result)
                return {"text": text, "share": share[0] if share else ""}
    return {"text": "", "share": ""}


def sample(game: Game) -> State:
    """Return a position after some random moves, as a picture of the game."""
    state, agent = game.start(seed=3), make_agent("random", game, seed=5)
    for _ in range(min(9, game.facts.cells // 2 + 1)):
        after = state.copy()
        after.play(agent.act(after))
        if after.over:
            break
        state = after
    return state
