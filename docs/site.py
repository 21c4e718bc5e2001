"""What the site has besides docs/: pages that stand elsewhere or are made, and examples as code.

README.md, CONTRIBUTING.md and CHANGELOG.md become pages; others are made from the names of
`import tafl`, from the pages of games, and from the games to play that `make site` has put there.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import tafl

ROOT = Path(__file__).parent.parent
DEMOS = ROOT / "build" / "demos"
OUTSIDE = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}

REFERENCE = """# All names

All names of `import tafl`, with their docstrings. [The Python API](python.md) is the overview.
"""
GAMES = """# Games

<div class="grid cards" markdown>
"""
PLAY = """# Play

The games to play are not part of this copy of the site; `tafl page --all --out play` makes them.
[What a page can do](guides/web_page.md).
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is not in docs/; mkdocs calls it before it reads any page."""
    made = {page: inside(ROOT / source) for page, source in OUTSIDE.items()}
    made |= {"reference/names.md": reference(), "games/index.md": games(), "play.md": PLAY}
    made |= {f"games/{name}.svg": picture(game) for name, game in tafl.games().items()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    taken = {"CITATION.cff": ROOT / "CITATION.cff"}
    for path, source in taken.items():
        files.append(File.generated(config, path, abs_src_path=str(source)))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """Put the games to play, with their own front page, in the place of the page *Play*."""
    if DEMOS.is_dir():
        shutil.copytree(DEMOS, Path(config.site_dir) / "play", dirs_exist_ok=True)


def on_page_markdown(markdown: str, **more: Any) -> str:
    """Begin each page with its heading, from which mkdocs takes the title.

    The first line of a generated page is a comment that names the command that wrote it.
    """
    return re.sub(r"\A<!-- Written by .*?-->\s*", "", markdown)


def on_post_page(output: str, page: Page, **more: Any) -> str:
    """Lead the links of notebooks to pages of the site, which mkdocs does for Markdown alone."""
    if not page.file.src_uri.endswith(".ipynb"):
        return output
    return re.sub(r'href="([^":]+)\.(?:md|ipynb)(#[^"]*)?"', r'href="../\1/\2"', output)


def inside(source: Path) -> str:
    """A page of the repository's root, with its links as they are inside of docs/."""
    text = source.read_text(encoding="utf-8")
    text = text.replace("](docs/games)", "](games/index.md)").replace("](docs/", "](")
    for page, name in OUTSIDE.items():
        text = text.replace(f"]({name})", f"]({page})")
    return text


def reference() -> str:
    """All functions and classes of `import tafl`."""
    names = [name for name in tafl.__all__ if name not in ("__version__", "adapters", "rules")]
    functions = "".join(entry(name) for name in names if name[0].islower())
    classes = "".join(entry(name) for name in names if name[0].isupper())
    return f"{REFERENCE}\n## Functions\n{functions}\n## Classes\n{classes}"


def entry(name: str) -> str:
    """What mkdocstrings needs for one name: where it is from, and what people call it."""
    found = getattr(tafl, name)
    options = f"    options: {{heading: tafl.{name}, toc_label: {name}}}"
    return f"\n::: {found.__module__}.{found.__qualname__}\n{options}\n"


def games() -> str:
    """A card for each page of a game: its picture, and how the page begins."""
    text = GAMES
    for page in sorted((ROOT / "docs" / "games").glob("*.md")):
        title, about, *_ = page.read_text(encoding="utf-8").lstrip("# ").split("\n\n")
        image = f"![]({page.stem}.svg){{ width=140 }}" if page.stem in tafl.games() else ""
        about = " ".join(about.split())
        text += f"\n-   [**{title}**]({page.name})\n\n    {image}\n\n    {about}\n"
    return f"{text}\n</div>\n"


def picture(game: tafl.Game) -> str:
    """A position in the middle of a random game."""
    state, player = game.start(seed=1), tafl.agent("random", game, seed=1)
    while not state.over:
        state.play(player.act(state))
    for _ in range(len(state.history) // 2):
        state.undo()
    return state._repr_svg_()


class Examples(griffe.Extension):
    """Puts the examples of docstrings into fences; Markdown would take >>> for quotations."""

    def on_instance(self, *, obj: griffe.Object, **more: Any) -> None:
        """Griffe calls it for every module, class and function."""
        if obj.docstring:
            obj.docstring.value = re.sub(
                r"(?m)^>>> .*(?:\n(?!\s*$).*)*", r"```pycon\n\g<0>\n```", obj.docstring.value
            )
