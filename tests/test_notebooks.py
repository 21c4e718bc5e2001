"""The notebooks of docs/notebooks run, and show what is stored in them."""

import re

import pytest

pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
from long import long_except
from notebooks import NOTEBOOKS, executed

SHORT = [path for path in NOTEBOOKS if path.stem == "first_steps"]


def outputs(notebook):
    """What the cells of a notebook show, cell by cell: kinds of data, and texts without numbers."""
    found = []
    for cell in notebook.cells:
        for one in cell.get("outputs", ()):
            data = one.get("data", {one.get("name"): one.get("text")})
            text = data.get("text/plain") or data.get("stdout") or ""
            found.append((cell.id, sorted(data), re.sub(r"[-+]?\d[\d,.e%-]*", "#", text).split()))
    return found


@pytest.mark.parametrize("path", long_except(SHORT, NOTEBOOKS), ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_stored_in_it(path):
    import nbformat

    stored, run = nbformat.read(path, as_version=4), executed(path)
    assert outputs(run) == outputs(stored), "make notebooks stores what they show now"
    kinds = {kind for _, data, _ in outputs(run) for kind in data}
    assert "image/png" in kinds  # a plot
    assert "stderr" not in kinds  # no warnings
    assert not re.search(r"/(tmp|home|root|work)/", path.read_text())
