"""`tafl page GAME|FILE|RUN ... --out FILE`"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, print_json
from tafl.errors import InputError
from tafl.files import check_writable

if TYPE_CHECKING:
    from tafl.boards import Game
    from tafl.page.small_agents import Small

MOST_AGENTS = 20
CHAMPION = "champion"

Out = Annotated[Path, Parameter(help="HTML file to write; with --all, a folder.")]
EVERY = "Build the pages of all games, the lesson and a front page."
All = Annotated[bool, Parameter(name="--all", negative=(), help=EVERY)]
COURSE = "Build the lesson: how a computer learns games, with three examples."
Lesson = Annotated[bool, Parameter(negative=(), help=COURSE)]


Url = Annotated[str, Parameter(help="With --all: the site's address, for previews of links.")]
Docs = Annotated[str, Parameter(help="With --all: the address of the documentation, to link to.")]


def page(
    *what: str,
    out: Out,
    every: All = False,
    lesson: Lesson = False,
    url: Url = "",
    docs: Docs = "",
    json: Json = False,
) -> None:
    """Build a web page to play, inspect and train a game.

    The page is one HTML file for any browser, without server, installation or network. Rules,
    agents, search and learning run in it as WebAssembly. The first page of a game takes half a
    minute, because its kernels are compiled. Without a game, the page has the game of the runs.
    Without agents the page is small, and a visitor can train one.

    Parameters
    ----------
    what
        A game or the file of your own game, then its agents: runs, agent files, champion.
    """
    if (every or lesson) and (what or every == lesson):
        raise InputError("--all and --lesson build their own pages: leave out the others")
    if (url or docs) and not every:
        raise InputError(f"{'--url' if url else '--docs'} belongs to --all")
    if every:
        pages = write_all(out, url, docs, json)
    else:
        check_writable(out, "--out")
        pages = [write_lesson(out) if lesson else write_one(*named(what), out)]
        if not json:
            show(pages[0])
    if json:
        print_json({"pages": pages})


def named(what: Sequence[str]) -> tuple["Game", list["Small"]]:
    """Return the game and the agents that the arguments of the command name."""
    from tafl.boards import load_game
    from tafl.page.small_agents import load_champion, load_small

    agents = [name for name in what if name == CHAMPION or is_run(name)]
    games = [name for name in what if name not in agents]
    if not what:
        raise InputError("name a game or a run, or use --all; for example: tafl page hex")
    if len(games) > 1:
        raise InputError(f"a page has one game, not {' and '.join(games)}")
    if len(agents) > MOST_AGENTS:
        raise InputError(f"a page has at most {MOST_AGENTS} agents, not {len(agents)}")
    runs = [Path(name) for name in agents if name != CHAMPION]
    if not games and not runs:
        raise InputError("whose champion? name its game: tafl page connectfour champion")
    found = [load_small(path, label) for path, label in zip(runs, labels(runs), strict=True)]
    game = load_game(games[0]) if games else found[0].agent.game
    for path, small in zip(runs, found, strict=True):
        if small.agent.game != game:
            raise InputError(f"{path} was trained on {small.agent.game.name}, not {game.name}")
    return game, ([load_champion(game, CHAMPION)] if CHAMPION in agents else []) + found


def is_run(name: str) -> bool:
    """Tell whether a name is a run or the file of an agent."""
    return os.path.isdir(name) or (os.path.isfile(name) and not name.endswith(".py"))


def labels(paths: list[Path]) -> list[str]:
    """Name agents after their files, with as much of the path as tells them apart.

    >>> labels([Path("a/run"), Path("b/run")])
    ['a/run', 'b/run']
    """
    # the name of a folder has no suffix: alpha0.5
    short = [path.with_suffix("") if path.is_file() else path for path in paths]
    for parts in range(1, 10):
        for some in (short, paths):
            found = ["/".join(path.parts[-parts:]) for path in some]
            if len(set(found)) == len(found):
                return found
    return [f"{path.stem} {number}" for number, path in enumerate(paths, start=1)]


def write_one(game: "Game", agents: list["Small"], out: Path) -> dict[str, Any]:
    """Write a page; return its name, game, size and agents."""
    from tafl.page.html import make_page
    from tafl.page.site import write

    return write(out, game.name, make_page(game, agents), agents)


def write_lesson(out: Path) -> dict[str, Any]:
    """Write the lesson; return its name and size."""
    from tafl.page.lesson import GAMES, make_lesson
    from tafl.page.site import write

    return write(out, f"a lesson with {', '.join(GAMES)}", make_lesson())


def write_all(out: Path, url: str, docs: str, json: bool) -> list[dict[str, Any]]:
    """Write all pages of a site, and say which are done; return them in the order of the games."""
    from tafl.page.site import build_site

    pages: list[dict[str, Any]] = []

    def written(row: dict[str, Any]) -> None:
        count = f"{row.pop('done')} of {row.pop('of')}, {row.pop('time')}" if "done" in row else ""
        pages.append(row)
        if not json:
            show(row, f" ({count})" if count else "")

    if not json:
        print("compiling the rules of all games for browsers; this takes minutes", flush=True)
    build_site(out, url, docs, written)
    return pages


def show(row: dict[str, Any], more: str = "") -> None:
    """Print a page and its agents."""
    print(f"{row['file']}: {row['game']}, {row['bytes']:,} bytes{more}", flush=True)
    for agent in row["agents"]:
        print(f"  {agent['label']}: {agent['text']}", flush=True)
