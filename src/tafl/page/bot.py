"""A game as a module of JavaScript: rules, agents and search for other web pages and for Node.

NAME.js is the same bundle for all games (web/bot.js). All that belongs to a game, beside its
machine code, is in a custom section of NAME.wasm; each trained agent has its own file.
"""

import json
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from tafl.boards import Game
from tafl.boards.spec import parse
from tafl.core.compile.wasm_object import with_section
from tafl.errors import InputError
from tafl.files import replacing
from tafl.page.html import about, other_network, static
from tafl.page.pack import Bytes, in_one_file
from tafl.page.program import Program, kernels_of
from tafl.page.small_agents import Small

LEFT_OUT = re.compile(
    "train_|contributions|index_tuples|prove_value"
)  # kernels that only a page needs
SEARCHES = ("random", "mcts", "pimc", "ismcts", "maxn", "alphabeta", "expectimax", "puct", "nply")


def write_bot(game: Game, agents: Sequence[Small], folder: Path) -> dict[str, int]:
    """Write the files of a game into a folder; return their names and sizes."""
    if game.foreign:
        raise InputError(f"{game.name} is Python of another library, which no browser can run")
    name = file_name(game)
    trained = {agent_name(small.label): small for small in agents}
    if len(trained) < len(agents):
        raise InputError("two agents would have the same name; rename one of their files")
    written = {
        f"{name}.js": script(name, list(trained)).encode(),
        f"{name}.d.ts": template("game.d.ts").encode(),
        f"{name}.wasm": module_of(game, agents),
        **{agent_file(name, label): packed_agent(small) for label, small in trained.items()},
        "README.md": readme(game, name, list(trained)).encode(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in written.items():
        with replacing(folder / file, "wb") as stream:
            stream.write(content)
    return {file: len(content) for file, content in written.items()}


def script(name: str, labels: Iterable[str]) -> str:
    """Return the module of a game; the addresses of files stand in it as bundlers expect them."""
    urls = [
        f'{json.dumps(label)}:new URL("./{agent_file(name, label)}",import.meta.url)'
        for label in labels
    ]
    return static("bot.js").replace("$GAME", name).replace('"$AGENTS"', f"{{{','.join(urls)}}}")


def agent_file(name: str, label: str) -> str:
    """Return the name of the file of an agent."""
    return f"{name}.{label}.agent.bin"


def packed_agent(small: Small) -> bytes:
    """Return the file of an agent: the memory of its kernels."""
    kept = Bytes()
    return in_one_file(small.document(kept)["trained"], kept)


def module_of(game: Game, agents: Sequence[Small] = ()) -> bytes:
    """Return the kernels as WebAssembly, with the facts of the game in a custom section."""
    net, _ = other_network(agents)
    kernels = tuple(kernel for kernel in kernels_of(game, net) if not LEFT_OUT.match(kernel))
    program, kept = Program(game, kernels, net), Bytes()
    known = {**about(game), "name": public_name(game)}
    told = {"tafl": version("tafl"), "about": known, "program": program.description(kept)}
    return with_section(program.compiled[0], "tafl", in_one_file(told, kept))


def file_name(game: Game) -> str:
    """Return the name of the files of a game: its own, or that of its file.

    >>> import tafl
    >>> file_name(tafl.game("nim(heaps=4)"))
    'nim'
    """
    return re.sub(r"\W+", "_", Path(parse(game.name)[0]).stem).lower() or "game"


def public_name(game: Game) -> str:
    """Return the name of a game without the place of its file on this machine."""
    name, place = game.name, parse(game.name)[0]
    return Path(place).stem + name[len(place) :]


def agent_name(label: str) -> str:
    """Return how `agent(...)` is told which agent is meant.

    >>> agent_name("runs/c4 no farl"), agent_name("mcts")
    ('runs-c4-no-farl', 'mcts-agent')
    """
    name = re.sub(r"[^\w.-]+", "-", label).strip("-.") or "agent"
    return f"{name}-agent" if name in SEARCHES else name


def template(name: str) -> str:
    """Return a file that a folder is made from."""
    return files(__package__).joinpath("module", name).read_text(encoding="utf-8")


def readme(game: Game, name: str, labels: Sequence[str]) -> str:
    """Return a short guide with a program that runs as it stands."""
    state = game.start(seed=1)
    usual = "ismcts(iterations=1000)" if game.hides else "mcts(iterations=1000)"
    values: dict[str, Any] = {
        "title": about(game)["title"],
        "name": name,
        "version": version("tafl"),
        "move": json.dumps(game.action_name(state.legal_actions[0])),
        "agent": labels[0] if labels else usual,
        "files": "".join(
            f"| `{agent_file(name, label)}` | the agent `{label}`, loaded when first asked |\n"
            for label in labels
        ),
    }
    return Template(template("README.md")).substitute(values)
