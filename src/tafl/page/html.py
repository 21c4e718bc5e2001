"""The page itself: one HTML file that needs nothing from elsewhere, and is allowed nothing."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from tafl.boards import Game
from tafl.boards.layout import board_of
from tafl.boards.spec import parse
from tafl.core.games.board import COLOURS, TILES
from tafl.page.pack import Bytes
from tafl.page.program import LEARNERS, Program
from tafl.page.small_agents import Small, networks
from tafl.page.training import trainings

STATIC = files(__package__).joinpath("static")
TITLES = {"tictactoe": "Tic-Tac-Toe", "2048": "2048"}  # where the name of the class will not do
ENDINGS = {"3P": " for three", "NP": " for any number"}


def make_page(game: Game, agents: Sequence[Small] = (), kernels: Sequence[str] = ()) -> str:
    """The page of a game, with all kernels that make sense for it, or only these."""
    kept = Bytes()
    return html(title(game), document(game, agents, kept, kernels), kept)


def document(
    game: Game, agents: Sequence[Small], kept: Bytes, kernels: Sequence[str] = ()
) -> dict[str, Any]:
    """All that a page has to know; bytes that it refers to are kept elsewhere."""
    program = Program(game, tuple(kernels) or None)
    learners = [algo for algo, kernel in LEARNERS.items() if kernel in program.names]
    return {
        "tafl": version("tafl"),
        "game": about(game),
        "board": board_of(game).document(),
        "program": program.document(kept),
        "network": networks(game),
        "agents": [small.document(kept) for small in agents],
        "trainings": trainings(game, learners, kept),
    }


def about(game: Game) -> dict[str, Any]:
    """What the page has to know of a game besides its board and its kernels."""
    facts = game.facts
    low, high = facts.score_range
    return {
        "name": game.name,
        "title": title(game),
        "text": description(game),
        "players": facts.players,
        "actions": [game.action_name(action) for action in range(facts.actions)],
        "cells": facts.cells,
        "signs": [game.sign(player) for player in range(facts.players)],
        "range": [low, high],
        "unit": facts.score_unit,
        "chance": game.has_chance,
        "zeroSum": facts.is_zero_sum,
        "packed": asdict(facts.packed) if facts.packed else None,
    }


def title(game: Game) -> str:
    """What people call it: the words of its class."""
    name = type(game.rules).__name__
    words = name[:-2] if name[-2:] in ENDINGS else name
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", words).replace(" And ", " and ")
    return TITLES.get(parse(game.name)[0]) or spaced + ENDINGS.get(name[-2:], "")


def description(game: Game) -> str:
    """What its file says of it, without its name."""
    import sys

    text = (sys.modules[type(game.rules).__module__].__doc__ or "").strip().split("\n\n")[0]
    name, colon, rest = " ".join(text.split()).partition(": ")
    said = rest if colon and len(name) < 40 else name
    return said[:1].upper() + said[1:]


def html(name: str, document: dict[str, Any], kept: Bytes) -> str:
    """One file: style, scripts and data inside; the policy allows these scripts and no others."""
    style = STATIC.joinpath("page.css").read_text(encoding="utf-8") + colours()
    script = STATIC.joinpath("page.js").read_text(encoding="utf-8")
    worker = STATIC.joinpath("worker.js").read_text(encoding="utf-8").replace("</", "<\\/")
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    plain = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    data = base64.b64encode(packer.compress(plain) + packer.flush()).decode()
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {source(script)} 'wasm-unsafe-eval'",
            f"style-src {source(style)}",
            "worker-src blob:",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    blobs = "".join(
        f'<script type="text/plain" id="{escape(key)}">{text}</script>\n'
        for key, text in {"document": data, **kept.packed}.items()
    )
    generator = f'<meta name="generator" content="tafl {escape(version("tafl"))}">\n'
    body = f"""<body>
<div id="page"><p class="loading">Setting up the board …</p></div>
<noscript><p class="loading">This page computes in your browser; it needs JavaScript.</p></noscript>
{blobs}<script type="text/plain" id="worker">{worker}</script>
<script type="module">{script}</script>
</body>"""
    return framed(f"{escape(name)} · tafl", policy, style, body, generator)


def framed(title: str, policy: str, style: str, body: str, more: str = "") -> str:
    """A document with a policy and a style; `more` goes into its head."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{more}<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
{body}
</html>
"""


def source(text: str) -> str:
    """What a policy calls this very text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def colours() -> str:
    """The colours of pieces, in the light and in the dark."""
    light = "".join(f"--{name}:{both[0]};" for name, both in COLOURS.items())
    dark = "".join(f"--{name}:{both[1]};" for name, both in COLOURS.items())
    ink = "".join(f"--on-{name}:{both[2]};" for name, both in COLOURS.items())
    tiles = "".join(f"--tile{n}:{colour};" for n, colour in enumerate(TILES, start=1))
    return (
        f":root{{{light}{ink}{tiles}}}"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f":root[data-theme=dark]{{{dark}}}"
    )


def index(games: dict[str, Game], champions: Sequence[str] = ()) -> str:
    """The front page of a folder with the pages of several games."""
    style = STATIC.joinpath("page.css").read_text(encoding="utf-8")
    cards = "".join(card(name, game, name in champions) for name, game in games.items())
    policy = f"default-src 'none'; style-src {source(style)}; base-uri 'none'; form-action 'none'"
    body = f"""<body><main class="front"><h1>tafl</h1>
<p class="lead">Games that teach themselves, in your browser. Play, look into the agent, and
train one yourself: nothing is installed, nothing leaves this page.</p>
<a class="card course" href="lesson.html"><h2>How does a computer learn games by playing against
itself?</h2><p>A lesson with three of them, for a class that has never heard of it.</p></a>
<div class="cards">{cards}</div></main></body>"""
    heading = "tafl: games that learn in your browser"
    return framed(heading, f"{policy}; img-src data:", style, body)


def card(name: str, game: Game, champion: bool) -> str:
    """A game on the front page."""
    from tafl.boards.picture import svg

    players = game.facts.players
    facts = ["for one" if players == 1 else f"{players} players"]
    facts += ["with chance"] * game.has_chance + ["a champion to beat"] * champion
    return (
        f'<a class="card game" href="{escape(name)}.html">{svg(sample(game))}'
        f"<h2>{escape(title(game))}</h2><p>{escape(description(game))}</p>"
        f"<small>{escape(' · '.join(facts))}</small></a>"
    )


def sample(game: Game) -> Any:
    """A position that shows what a game looks like: some moves into a game."""
    from tafl.agents import make_agent

    state, agent = game.start(seed=3), make_agent("random", game, seed=5)
    for _ in range(min(9, game.facts.cells // 2 + 1)):
        after = state.copy()
        if not after.over:
            after.play(agent.act(after))
        if after.over:
            break
        state = after
    return state
