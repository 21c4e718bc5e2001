"""The site of the documentation: every page is in it, and nothing is loaded from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make site` does: a link that leads nowhere would be an error."""
    for package in ("mkdocs", "material", "mkdocstrings", "mkdocs_jupyter", "mkdocs_awesome_nav"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'tafl[docs]'")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_every_page_is_in_the_site_and_in_its_menu(site):
    menu = (site / "index.html").read_text()
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    for page in pages:
        place = page.relative_to(ROOT / "docs").with_suffix("").as_posix()
        assert (site / place / "index.html").is_file()
        assert f'href="{place}/"' in menu, f"{place} is not in the menu: docs/.nav.yml"


def test_all_links_lead_somewhere(site):
    """Also those of notebooks, which mkdocs does not check."""
    lost = []
    for page in site.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"]*)"', page.read_text()):
            path = unquote(link.partition("#")[0].partition("?")[0])
            if not re.match(r"[a-z]+:|//", link) and path and page.name != "404.html":
                target = page.parent / path
                if not (target.is_file() or (target / "index.html").is_file()):
                    lost.append(f"{page.relative_to(site)}: {link}")
    assert lost == []


def test_the_interface_is_there_with_its_examples(site):
    import tafl

    page = (site / "reference" / "names" / "index.html").read_text()
    for name in set(tafl.__all__) - {"__version__", "adapters", "rules"}:
        assert re.search(rf"<h3 [^>]*>\s*(<[^>]*>\s*)*tafl\.{name}\b", page), name
    assert "&gt;&gt;&gt; " not in re.sub(r"(?s)<pre.*?</pre>", "", page)  # all of them are code
    assert '<span class="gp">&gt;&gt;&gt; </span>' in page


def test_nothing_is_loaded_from_elsewhere(site):
    loading = r'<(?:script|img|iframe)[^>]* src="(?:https?:)?//|<link[^>]* href="(?:https?:)?//'
    for page in site.rglob("*.html"):
        assert not re.search(loading, page.read_text()), page
    for style in site.rglob("*.css"):
        assert "url(http" not in style.read_text(), style


def test_notebooks_and_search(site):
    notebook = (site / "notebooks" / "own_game" / "index.html").read_text()
    assert "data:image/png;base64," in notebook
    assert "<svg" in notebook
    assert "Hexapawn" in (site / "search" / "search_index.json").read_text()
