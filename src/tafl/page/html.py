"""The page: one HTML file that loads nothing, and whose policy allows it to load nothing."""

import base64
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from tafl.agents.learned import LearnedAgent
from tafl.boards import Game
from tafl.boards.layout import board_of
from tafl.boards.spec import parse
from tafl.core.games.shapes import COLOURS, TILES, ink_of, outline
from tafl.core.ntuple.net import Net
from tafl.errors import InputError
from tafl.page.pack import Bytes, compressed
from tafl.page.program import LEARNERS, REGRET, Program
from tafl.page.puzzles import puzzles
from tafl.page.small_agents import Small, networks
from tafl.page.training import shown_name, trainings
from tafl.settings.model import Settings

STATIC = files(__package__).joinpath("static")
HOW_TO_PLAY = files(__package__).joinpath("how_to_play.toml")
TITLES = {  # where the name of the class will not do
    "tictactoe": "Tic-Tac-Toe",
    "2048": "2048",
    "sliding": "Sliding Puzzle",
    "solitaire": "Peg Solitaire",
    "einstein": "EinStein würfelt nicht",
    "cube": "Rubik's Cube",
    "kuhn": "Kuhn Poker",
    "leduc": "Leduc Poker",
    "liarsdice": "Liar's Dice",
    "phantom": "Phantom Tic-Tac-Toe",
}
DESCRIPTION = (
    "Board games that a computer learns by playing against itself, in your browser: play against "
    "it, see what each move is worth, solve puzzles, and train your own agent."
)
# a disc of each player on a blue board, as an address
ICON = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>"
    "<rect width='32' height='32' rx='7' fill='%232f5d9e'/><circle cx='10' cy='21.5' r='5.5' "
    "fill='%23d1495b'/><circle cx='22' cy='21.5' r='5.5' fill='%23e09f1f'/>"
    "<circle cx='22' cy='9.5' r='5.5' fill='%23d1495b'/></svg>"
)
ENDINGS = {"3P": " for three", "NP": " for any number"}


def make_page(
    game: Game, agents: Sequence[Small] = (), kernels: Sequence[str] = (), home: str = ""
) -> str:
    """Return the page of a game, with all kernels that suit it, or only these.

    `home` is the front page of its site.
    """
    kept = Bytes()
    known = {**document(game, agents, kept, kernels), "puzzles": puzzles(game), "home": home}
    return html(title(game), known, kept)


def document(
    game: Game, agents: Sequence[Small], kept: Bytes, kernels: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the data of a page; the bytes that it refers to go into `kept`."""
    net, settings = other_network(agents)
    program = Program(game, tuple(kernels) or None, net)
    known = REGRET if game.hides else LEARNERS
    learners = [algo for algo, kernel in known.items() if kernel in program.names]
    return {
        "tafl": version("tafl"),
        "game": about(game),
        "board": board_of(game).document(),
        "program": program.document(kept),
        "network": networks(game),
        "agents": [small.document(kept) for small in agents],
        "trainings": trainings(game, learners, kept, settings),
    }


def other_network(agents: Sequence[Small]) -> tuple[Any, Settings | None]:
    """Return a network and its settings if agents have networks that are not of n-tuples.

    Refuse networks of several kinds: kernels are compiled for one.
    """
    kinds = {}
    for small in agents:
        if isinstance(small.agent, LearnedAgent):
            kinds[type(small.agent.net).__name__] = small.agent.net, small.settings
    if len(kinds) > 1:
        raise InputError(
            f"a page or a module has networks of one kind, not {' and '.join(sorted(kinds))}: "
            "build several"
        )
    return next((found for name, found in kinds.items() if name != Net.__name__), (None, None))


def about(game: Game) -> dict[str, Any]:
    """Return the facts of a game, without its board and its kernels."""
    facts = game.facts
    return {
        "name": shown_name(game),
        "title": title(game),
        "text": description(game),
        "how": how_to_play(game),
        "players": facts.players,
        "actions": [game.action_name(action) for action in range(facts.actions)],
        "cells": facts.cells,
        "signs": [game.sign(player) for player in range(facts.players)],
        "range": list(facts.score_range),
        "unit": facts.score_unit,
        "chance": game.has_chance,
        "hides": game.hides,
        "zeroSum": facts.is_zero_sum,
        "packed": asdict(facts.packed) if facts.packed else None,
    }


def title(game: Game) -> str:
    """Return the name of a game for people: the words of its class."""
    name = type(game.rules).__name__
    words = name[:-2] if name[-2:] in ENDINGS else name
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", words).replace(" And ", " and ")
    return TITLES.get(parse(game.name)[0]) or spaced + ENDINGS.get(name[-2:], "")


def description(game: Game) -> str:
    """Return the first sentence of a game's file, without the name of the game."""
    text = (sys.modules[type(game.rules).__module__].__doc__ or "").strip().split("\n\n")[0]
    name, colon, rest = " ".join(text.split()).partition(": ")
    sentence = rest if colon and len(name) < 40 else name
    return sentence[:1].upper() + sentence[1:]


def how_to_play(game: Game) -> dict[str, Any] | None:
    """Return how a game is played, in three lines, and what to do first; None for own games."""
    known: dict[str, Any] = tomllib.loads(HOW_TO_PLAY.read_text(encoding="utf-8"))
    return known.get(parse(game.name)[0])


def html(name: str, document: dict[str, Any], kept: Bytes, preview: str = "") -> str:
    """Return a file with style, scripts and data; its policy allows these scripts alone.

    `preview` is the address of a picture for those who share a link to the page.
    """
    style = static("page.css") + colours()
    script, worker = static("page.js"), static("worker.js").replace("</", "<\\/")
    plain = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    policy = (
        f"default-src 'none'; script-src {source(script)} 'wasm-unsafe-eval'; "
        f"style-src {source(style)}; worker-src blob:; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    blobs = "".join(
        f'<script type="text/plain" id="{escape(key)}">{text}</script>\n'
        for key, text in {"document": compressed(plain), **kept.packed}.items()
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{described(name, preview)}<title>{escape(name)} · tafl</title>
<link rel="icon" href="{ICON}">
<style>{style}</style>
</head>
<body>
<div id="page"><p class="loading">Setting up the board …</p></div>
<noscript><p class="loading">This page computes in your browser; it needs JavaScript.</p></noscript>
{blobs}<script type="text/plain" id="worker">{worker}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def described(name: str, preview: str) -> str:
    """Return what search engines and previews of links read about a page."""
    about = {
        "generator": f"tafl {version('tafl')}",
        "description": DESCRIPTION,
        "og:type": "website",
        "og:title": name,
        "og:description": DESCRIPTION,
        **({"og:image": preview, "twitter:card": "summary_large_image"} if preview else {}),
    }
    return "".join(
        f'<meta {"property" if ":" in key else "name"}="{key}" content="{escape(text)}">\n'
        for key, text in about.items()
    )


def static(name: str) -> str:
    """Return a file that `make page` has bundled."""
    return STATIC.joinpath(name).read_text(encoding="utf-8")


def source(text: str) -> str:
    """Return the hash by which a policy allows this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def colours() -> str:
    """Return the colours of pieces as CSS, for light and dark screens."""
    light, dark = (
        "".join(as_css(name, both[which]) for name, both in COLOURS.items()) for which in (0, 1)
    )
    tiles = "".join(as_css(f"tile{n}", colour) for n, colour in enumerate(TILES, start=1))
    return (
        f":root{{{light}{tiles}}}"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f":root[data-theme=dark]{{{dark}}}"
    )


def as_css(name: str, colour: str) -> str:
    """Return a colour, that of text on it, and that of outlines around it."""
    return f"--{name}:{colour};--on-{name}:{ink_of(name, colour)};--edge-{name}:{outline(colour)};"
