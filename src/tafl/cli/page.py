"""`tafl page GAME|FILE|RUN ... --out FILE`"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, print_json
from tafl.errors import InputError
from tafl.files import check_writable, replacing

if TYPE_CHECKING:
    from tafl.boards import Game
    from tafl.page.agents import Small

MOST_AGENTS = 20

Out = Annotated[Path, Parameter(help="The HTML file to write; with --all, a folder.")]
All = Annotated[bool, Parameter(name="--all", negative=(), help="The pages of all games of tafl.")]


def page(*what: str, out: Out, every: All = False, json: Json = False) -> None:
    """Make a page where a game is played, looked into and trained, in any browser.

    The page is one HTML file that needs nothing else: no server, no installation, no network.
    Rules, agents, search and learning run in it as WebAssembly. The first page of a game takes
    half a minute, since its kernels are compiled.

    Parameters
    ----------
    what
        A game such as hex(size=6) or a file with your own game, and runs or files of agents
        that were trained on it. Runs alone name their game.
    """
    from tafl.boards import load_game
    from tafl.boards.load import games

    if every:
        if what:
            raise InputError("--all makes the pages of all games: leave out the others")
        written = write_all(games(), out)
    else:
        check_writable(out, "--out")
        paths = [Path(name) for name in what if is_run(name)]
        named = [name for name in what if not is_run(name)]
        if len(named) > 1:
            raise InputError(f"a page has one game, not {' and '.join(named)}")
        if not what:
            raise InputError("name a game or a run, or use --all; for example: tafl page hex")
        if len(paths) > MOST_AGENTS:
            raise InputError(f"a page has at most {MOST_AGENTS} agents, not {len(paths)}")
        agents = load_agents(paths, load_game(named[0]) if named else None)
        game = load_game(named[0]) if named else agents[0].agent.game
        written = [write_one(game, agents, out)]
    if json:
        print_json({"pages": written})
        return
    for row in written:
        print(f"{row['file']}: {row['game']}, {row['bytes']:,} bytes")
        for agent in row["agents"]:
            print(f"  {agent['label']}: {agent['text']}")


def is_run(name: str) -> bool:
    """Is this a run, or the file of an agent?"""
    return os.path.isdir(name) or (os.path.isfile(name) and not name.endswith(".py"))


def load_agents(paths: list[Path], game: "Game | None") -> list["Small"]:
    """The agents in runs and files, all of one game."""
    from tafl.page.agents import check_game, load_small

    found: list[Small] = []
    for path, label in zip(paths, labels(paths), strict=True):
        small = load_small(path, label)
        check_game(small, game or (found[0] if found else small).agent.game, path)
        found.append(small)
    return found


def labels(paths: list[Path]) -> list[str]:
    """What agents are called: the names of their files, with more of the path where needed.

    >>> labels([Path("a/run"), Path("b/run")])
    ['a/run', 'b/run']
    """
    for parts in range(1, 10):
        found = ["/".join(path.with_suffix("").parts[-parts:]) for path in paths]
        if len(set(found)) == len(found):
            return found
    return [f"{path.stem} {number}" for number, path in enumerate(paths, start=1)]


def write_one(game: "Game", agents: list["Small"], out: Path) -> dict[str, Any]:
    """Writes a page; returns what there is to say about it."""
    from tafl.page.html import make_page

    text = make_page(game, agents)
    with replacing(out) as file:
        file.write(text)
    about = [{"label": a.label, "bits": a.bits, "text": a.text} for a in agents]
    return {"file": str(out), "game": game.name, "bytes": len(text.encode()), "agents": about}


def write_all(every: dict[str, "Game"], out: Path) -> list[dict[str, Any]]:
    """Writes the pages of all games into a folder, with a page in front."""
    from tafl.page.html import index

    out.mkdir(parents=True, exist_ok=True)
    written = [write_one(game, [], out / f"{name}.html") for name, game in every.items()]
    with replacing(out / "index.html") as file:
        file.write(index(every))
    return written
