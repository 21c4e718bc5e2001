"""Tables of searches: by agent, by training, in openings, and in lost positions."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from statistics import mean

from studies.records import Measurement, where
from studies.search.searches import (
    GAMES,
    TRAINED,
    Search,
    SearchedGame,
    around_champion,
    command_of,
    of_agent,
    of_game,
    recommended,
)
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error

RARE = 2  # games with a first mistake that has no number in the table


def search_tables(searches: list[Search]) -> str:
    """Return the tables of all games."""
    measured = [game for game in GAMES if of_game(searches, game.name)]
    tables = (text for game in measured for text in _tables(searches, game))
    return "\n\n".join(filter(None, tables))


def summary_table(searches: list[Search]) -> str:
    """Return the main measure of each game without search and with the recommended one."""
    rows = []
    for game in GAMES:
        best = recommended(searches, game)
        for one in of_game(searches, game.name):
            if best and one.way == ("", 0):
                alone, found = (cell(each.measures[game.main]) for each in (one, best))
                rows.append(
                    [game.title, game.main.label, alone, found, f"`{best.shown}`", best.time]
                )
    columns = ["game", "measured", "without search", "with search", "recommended search"]
    return markdown_table([*columns, "time per move"], rows)


def _tables(searches: list[Search], game: SearchedGame) -> Iterator[str]:
    """Yield the tables around the champion, around a larger agent, around others."""
    if around_champion(game.name):
        yield _table(searches, game, command_of(game.name), "the champion")
    large = TRAINED.get(game.name, "")
    if of_agent(searches, game.name, large):
        yield _table(searches, game, large, "an agent trained on a GPU", f"\n\n`{large}`")
    yield _other_agents(searches, game)


def _table(
    searches: list[Search], game: SearchedGame, command: str, around: str, training: str = ""
) -> str:
    """Return all searches around one agent, under the command that trains it."""
    mine = of_game(searches, game.name, command)
    kinds = list(dict.fromkeys(kind for one in mine for kind in one.measures))
    best = recommended(searches, game)
    rows = []
    for one in mine:
        cells = [cell(one.measures[kind]) if kind in one.measures else "-" for kind in kinds]
        mark = " (recommended)" if one is best else ""
        rows.append([f"`{one.shown}`{mark}", one.time, *cells])
    heads = [
        f"{kind.label} ({_numbers([one.measures[kind] for one in mine if kind in one.measures])})"
        for kind in kinds
    ]
    table = markdown_table(["agent", "time per move", *heads], rows)
    return f"### {game.title}: search around {around}{training}\n\n{table}"


def _other_agents(searches: list[Search], game: SearchedGame) -> str:
    """Return the same searches around agents of other trainings, if any were tried."""
    mine = [one for one in searches if one.game == game.name]
    commands = dict.fromkeys(one.command for one in mine)
    if around_champion(game.name) or len(commands) == 1:
        return ""
    agents = dict.fromkeys(one.shown for one in [*of_game(searches, game.name), *mine])
    rows = []
    for command in commands:
        found = {one.shown: one.measures[game.main] for one in of_agent(mine, game.name, command)}
        cells = [_counted(found[agent]) if agent in found else "-" for agent in agents]
        rows.append([f"`{command}`", *cells])
    table = markdown_table(["training", *(f"`{a}`" for a in agents)], rows)
    return f"### {game.title}: {game.main.label} by training\n\n{table}"


def _counted(one: Measurement) -> str:
    """Return a measurement, and its number of games."""
    return f"{cell(one)} ({one.n})"


def opening_table(found: Iterable[Measurement]) -> str:
    """Return where searches around ConnectFour's champion go wrong when they move first."""
    stored = where(found, part="openings")
    rows = []
    for wins in where(stored, metric="wins"):
        mine = where(stored, agent=wins.agent)
        games, sets = wins.n or 0, where(mine, metric="right_moves")
        not_won = f"{games - round(wins.value * games)} of {games}"
        mistakes = _mistakes(where(mine, metric="first_mistakes"))
        rows.append([f"`{wins.agent}`", not_won, mistakes, *map(cell, sets)])
    if not rows:
        return ""
    heads = [f"right moves, {one.condition['positions']} ({one.n} positions)" for one in sets]
    return markdown_table(["agent", "games not won", "first mistakes", *heads], rows)


def _mistakes(found: list[Measurement]) -> str:
    """Return the first mistakes that came up often, and how many others there were."""
    often = [one for one in found if one.value > RARE]
    texts = [f"{one.condition['first_moves']}: {one.value:.0f}" for one in often]
    others = sum(one.value for one in found if one.value <= RARE)
    return ", ".join([*texts, *([f"others: {others:.0f}"] if others else [])])


def trap_table(found: Iterable[Measurement]) -> str:
    """Return how agents that move second fare against perfect play that errs."""
    stored = where(found, part="traps")
    opponents = {one.against: one.n for one in stored}
    rows = []
    for agent in dict.fromkeys(one.agent for one in stored):
        cells = []
        for opponent in opponents:
            mine = where(stored, agent=agent, against=opponent)
            wins, draws = (cell(*where(mine, metric=metric)) for metric in ("wins", "draws"))
            cells.append(f"{wins} ({draws})")
        rows.append([f"`{agent}`", *cells])
    heads = [f"`{opponent}` ({games:,} games)" for opponent, games in opponents.items()]
    return markdown_table(["agent", *heads], rows) if rows else ""


def cell(one: Measurement) -> str:
    """Return a measurement for tables."""
    value, error = one.value, float("nan") if one.error is None else one.error
    if one.metric == "score":
        return with_error(value, error, ",.0f")
    if one.metric == "right_moves":
        return with_error(value, error, ".3f")
    if value in (0, 1):  # such a share has an error, but games do not say which
        return f"all of {one.n}" if value else f"none of {one.n}"
    return with_error(100 * value, 100 * error, ".1f") + " %"


def mean_of(found: list[Measurement]) -> Measurement:
    """Return the mean of measurements with its standard error, and of how many."""
    values = [one.value for one in found]
    return replace(found[0], value=mean(values), error=standard_error(values), n=len(values))


def _numbers(found: list[Measurement]) -> str:
    """Return how many positions or games a measure comes from."""
    numbers = sorted({one.n or 0 for one in found})
    things = "positions" if found[0].metric == "right_moves" else "games"
    return f"{' to '.join(str(n) for n in dict.fromkeys([numbers[0], numbers[-1]]))} {things}"
