"""Write docs/science/{strength,trials}.md from measurements, searches and champions' cards."""

from pathlib import Path

from studies.best.computed import best_table, trial_table
from studies.best.plan import FRESH, goals
from studies.best.played import connectfour_table, played_tables
from studies.best.strength import strength_table
from studies.pages import DOCS, history_note, write_page
from studies.records import read, results
from studies.search.searches import searches_in
from tafl.reproduction.cells import markdown_table
from tafl.runs.champions import champion_file, champions, read_card
from tafl.training.champion import card_rows

STORE = results("best")
COMMAND = "python -m studies best report"


def write(docs: Path = DOCS, store: Path = STORE) -> list[Path]:
    """Write the page and its appendix; return their paths."""
    found, searches = read(store), searches_in(read(results("search")))
    values = {
        "best": markdown_table(*best_table(found)),
        "strong": markdown_table(*strength_table(found, searches, FRESH)),
        "trials": "\n\n".join(trial_table(goal, found) for goal in goals().values()),
        "connectfour": connectfour_table(found),
        "played": played_tables(found),
        "champions": "\n\n".join(map(_champion, champions())),
        "fresh": f"{FRESH[0]} to {FRESH[-1]}",
        "history": history_note(found),
    }
    pages = {"strength.md": "page.md", "trials.md": "trials.md"}
    return [
        write_page(docs / "science" / page, Path(__file__).with_name(words), COMMAND, values)
        for page, words in pages.items()
    ]


def _champion(name: str) -> str:
    """Return the card of a champion."""
    file = champion_file(name)
    return f"### {read_card(file).game}\n\n{markdown_table(['', ''], card_rows(file))}"
