"""README.md and docs/: their listings run, and their commands print what stands below them.

Each file is followed as a reader would, in an empty folder. A ```python block runs, all blocks of
a file in one namespace; with title="x.py" it is saved under that name instead, as a ```toml block
always is. Blocks of ```js and ```html are saved; tests of their subject run them. In a ```console
block the lines that begin with `$ tafl` are run; the lines below a command are what it prints,
where `...` stands for anything. Before a block, `<!-- exit code 1 -->` tells how its last command
ends, `<!-- not run: why -->` skips it, and `<!-- needs pyspiel -->` does so where a library is
missing: then the page counts as skipped, after all else in it was run.
"""

import contextlib
import io
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from long import long_except
from tafl.cli.main import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONG = {
    "web_bot",
    "your_own_game",
    "comparing_agents",
    "training",
}  # many commands, and a game to be compiled
SHORT = [page for page in PAGES if page.stem not in LONG]
assert len(PAGES) == len(SHORT) + len(LONG), "a long page was moved"
BLOCK = re.compile(
    r"(?:<!-- (?P<mark>[^\n]*?) -->\n)?"
    r"^```(?P<kind>python|console|toml|js|html)(?: title=\"(?P<title>[^\"]+)\")?\n"
    r"(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def run_console(body: str, exit_code: int) -> None:
    """Runs the commands of a block and compares what they print with what the page shows."""
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE)
    for number, (command, shown) in enumerate(commands, start=1):
        program, *arguments = shlex.split(command, comments=True)
        assert program == "tafl", f"mark this block as not run: {command}"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = main(arguments)
        assert code == (exit_code if number == len(commands) else 0), printed.getvalue()
        if shown:
            pattern = re.escape(shown.strip()).replace(r"\.\.\.", ".*")
            text = re.sub(r" +$", "", printed.getvalue().strip(), flags=re.MULTILINE)
            found = re.fullmatch(pattern, text, re.DOTALL)
            assert found, f"$ {command}\n{printed.getvalue()}"


@pytest.mark.parametrize(
    "page", long_except(SHORT, PAGES), ids=lambda page: str(page.relative_to(ROOT))
)
def test_page_does_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace, missing = {"__name__": "page"}, set[str]()
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        mark = block["mark"] or ""
        if mark.startswith("not run: "):
            continue
        needed = mark.removeprefix("needs ") if mark.startswith("needs ") else ""
        if needed and find_spec(needed) is None:
            missing.add(needed)
            continue
        code = re.fullmatch(r"exit code (\d)", mark)
        assert block["title"] or block["kind"] in ("python", "console"), "give it a title"
        if block["title"]:
            Path(block["title"]).write_text(block["body"], encoding="utf-8")
        elif block["kind"] == "python":
            line = page.read_text(encoding="utf-8")[: block.start("body")].count("\n")
            exec(compile("\n" * line + block["body"], str(page), "exec"), namespace)
        else:
            run_console(block["body"], int(code[1]) if code else 0)
    if missing:
        pytest.skip(f"not all of the page was run without {', '.join(sorted(missing))}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if not re.match(r"https?:", target):
            assert (page.parent / target).exists(), target


def test_every_listing_is_known():
    """A block of another kind would be neither run nor marked."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        opened = re.findall(r"^```(\w.*)$", text, re.MULTILINE)
        assert len(opened) == len(list(BLOCK.finditer(text))), page
