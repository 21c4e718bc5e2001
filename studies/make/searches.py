"""Writes which search is recommended with each champion, from studies/search/results.jsonl.

python -m studies.make.searches
"""

from studies.records import read, results
from studies.search.searches import GAMES, Search, recommended, searches_in
from studies.search.tables import cell
from tafl.files import to_json
from tafl.runs.champions import SEARCHES, champions


def recommendations(searches: list[Search]) -> dict[str, dict[str, str]]:
    """Return, for the card of each champion, the search to use and what trained its agent."""
    found = {}
    for game in GAMES:
        one = recommended(searches, game) if game.name in champions() else None
        if one is not None:
            strength = [f"{kind.label} {cell(m)}" for kind, m in one.measures.items()]
            text = f"{one.shown}, {one.time} a move: {', '.join(strength)}"
            found[game.name] = {"command": one.command, "search": text}
    return found


def text_of(searches: list[Search]) -> str:
    """Return the file."""
    return to_json(recommendations(searches)) + "\n"


if __name__ == "__main__":
    SEARCHES.write_text(text_of(searches_in(read(results("search")))), encoding="utf-8")
