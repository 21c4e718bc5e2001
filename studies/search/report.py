"""Writes docs/science/search.md and its picture from the stored measurements."""

from pathlib import Path

from studies.pages import DOCS, write_page
from studies.records import read, results
from studies.search.searches import GAMES, Search, of_game, searches_in
from studies.search.tables import opening_table, search_tables, summary_table, trap_table

STORE = results("search")


def write(docs: Path = DOCS, store: Path = STORE) -> list[Path]:
    """Write the page and its picture; return their paths."""
    found = read(store)
    searches = searches_in(found)
    page = write_page(
        docs / "science" / "search.md",
        Path(__file__).with_name("page.md"),
        "python -m studies search report",
        {
            "summary": summary_table(searches),
            "search": search_tables(searches),
            "openings": opening_table(found),
            "traps": trap_table(found),
        },
    )
    return [page, draw(searches, docs / "img" / "search.png")]


def draw(searches: list[Search], path: Path) -> Path:
    """Draw the main measure of each game against the time per move."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import NullFormatter

    path.parent.mkdir(parents=True, exist_ok=True)
    games = [game for game in GAMES if of_game(searches, game.name)]
    figure, axes = pyplot.subplots(
        1, len(games), figsize=(4 * len(games), 5), layout="constrained", squeeze=False
    )
    for game, plot in zip(games, axes[0], strict=True):
        mine = of_game(searches, game.name)
        for way in dict.fromkeys(one.way[0] for one in mine):
            some = [one for one in mine if one.way[0] == way]
            means = [one.measures[game.main].value for one in some]
            errors = [one.measures[game.main].error for one in some]
            times = [one.milliseconds for one in some]
            plot.errorbar(times, means, errors, marker="o", capsize=3, label=way or "no search")
        plot.set(
            xscale="log", xlabel="milliseconds per move", ylabel=game.main.label, title=game.title
        )
        plot.grid(alpha=0.3)
        plot.xaxis.set_minor_formatter(NullFormatter())
        plot.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize="small")
    figure.savefig(path, dpi=110, bbox_inches="tight")
    pyplot.close(figure)
    return path
