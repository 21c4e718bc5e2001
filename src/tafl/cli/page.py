"""`tafl page GAME|FILE|RUN ... --out FILE`"""

import os
from collections.abc import Sequence
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
CHAMPION = "champion"

Out = Annotated[Path, Parameter(help="The HTML file to write; with --all, a folder.")]
All = Annotated[
    bool,
    Parameter(
        name="--all",
        negative=(),
        help="The pages of all games of tafl, with their champions, the lesson, and a front page.",
    ),
]
Lesson = Annotated[
    bool,
    Parameter(negative=(), help="A lesson: how games are learned, with three games as examples."),
]


def page(
    *what: str, out: Out, every: All = False, lesson: Lesson = False, json: Json = False
) -> None:
    """Make a page where a game is played, looked into and trained, in any browser.

    The page is one HTML file that needs nothing else: no server, no installation, no network.
    Rules, agents, search and learning run in it as WebAssembly. The first page of a game takes
    half a minute, since its kernels are compiled.

    Parameters
    ----------
    what
        A game such as hex(size=6) or a file with your own game, and the agents that come with
        it: runs, files of agents, and champion for the one that tafl has. Runs alone name their
        game. Without agents a page is small; a visitor can train one.
    """
    if (every or lesson) and (what or every == lesson):
        raise InputError("--all and --lesson say what is made: leave out the others")
    if every:
        written = write_all(out)
    else:
        check_writable(out, "--out")
        written = [write_lesson(out) if lesson else write_one(*named(what), out)]
    if json:
        print_json({"pages": written})
        return
    for row in written:
        print(f"{row['file']}: {row['game']}, {row['bytes']:,} bytes")
        for agent in row["agents"]:
            print(f"  {agent['label']}: {agent['text']}")


def named(what: Sequence[str]) -> tuple["Game", list["Small"]]:
    """The game and the agents that are meant."""
    from tafl.boards import load_game

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
    found = load_agents(runs, load_game(games[0]) if games else None)
    game = load_game(games[0]) if games else found[0].agent.game
    return game, ([small_champion(game)] if CHAMPION in agents else []) + found


def small_champion(game: "Game") -> "Small":
    """The agent that came with tafl."""
    from tafl.page.agents import load_champion

    return load_champion(game, CHAMPION)


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


def write_lesson(out: Path) -> dict[str, Any]:
    """Writes the lesson; returns what there is to say about it."""
    from tafl.page.lesson import GAMES, make_lesson

    text = make_lesson()
    with replacing(out) as file:
        file.write(text)
    about = f"a lesson with {', '.join(GAMES)}"
    return {"file": str(out), "game": about, "bytes": len(text.encode()), "agents": []}


def write_all(out: Path) -> list[dict[str, Any]]:
    """Writes the pages of all games into a folder, with the lesson and a page in front."""
    from tafl.boards.load import games
    from tafl.page.html import index
    from tafl.runs.champions import has_champion

    out.mkdir(parents=True, exist_ok=True)
    written = [
        write_one(game, [small_champion(game)] if has_champion(game) else [], out / f"{name}.html")
        for name, game in games().items()
    ]
    written.append(write_lesson(out / "lesson.html"))
    with replacing(out / "index.html") as file:
        file.write(index(games(), [name for name, game in games().items() if has_champion(game)]))
    return written
