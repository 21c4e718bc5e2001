"""Runs the notebooks of docs/notebooks and stores what they show: `make notebooks`.

Each runs in an empty folder, whose place is always the same: then the machine code of games that
are written there is compiled once, not for every run.
"""

import shutil
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tafl.core.compile.cache import cache_root

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook after all of its cells were run, from top to bottom."""
    home = (cache_root() or Path.cwd()) / "notebooks" / path.stem
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(home)}},
        record_timing=False,
        coalesce_streams=True,
    ).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # whichever it was
    shown = nbformat.writes(notebook).replace(f"{home}/", "")  # wherever it was
    return nbformat.reads(shown, as_version=4)


if __name__ == "__main__":
    for path in NOTEBOOKS:
        notebook = executed(path)
        nbformat.validate(notebook)
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        print(path.name)
