"""docs/science/symmetries.md from stored results."""

from pathlib import Path

from studies.pages import DOCS, write_page
from studies.records import read
from studies.symmetries.run import BOARDS, POSITIONS, RESULTS, SECONDS, SEEDS
from tafl.reproduction.cells import markdown_table, with_error

WORDS = Path(__file__).with_name("page.md")


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    found = {(one.overrides["network.symmetries"], one.seconds): one for one in read(RESULTS)}
    rows = []
    for boards in BOARDS:
        several = [found[boards, seconds] for seconds in SECONDS]
        shares = [with_error(one.value, one.error or 0.0, ".3f") for one in several]
        rows.append([str(boards), *shares, *(f"{one.moves:,}" for one in several)])
    right, moves = (
        [f"{what} after {seconds} s" for seconds in SECONDS] for what in ("right moves", "moves")
    )
    values = {
        "table": markdown_table(["boards", *right, *moves], rows),
        "positions": str(POSITIONS),
        "seeds": str(len(SEEDS)),
    }
    command = "python -m studies symmetries report"
    return [write_page(docs / "science" / "symmetries.md", WORDS, command, values)]
