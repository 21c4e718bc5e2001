"""From stored results to a page with tables and pictures."""
from pathlib import Path


def write_report(results, docs: Path, quick: bool) -> Path:
    docs.mkdir(parents=True, exist_ok=True)
    page = docs / "tmp.md"
    page.write_text("x\n")
    return page


def summary_table(results):
    return []
