"""Tables for papers: one row per setting, or per agent of a match or tournament."""

import os
from collections.abc import Sequence
from pathlib import Path

from tafl.arena.result import ALONE, Result
from tafl.arena.table import Score, Table
from tafl.arena.tournament import Tournament
from tafl.errors import InputError
from tafl.numbers import player
from tafl.runs.comparison import Comparison, Group, compare

Found = Group | Result | Tournament


def table(*what: str | Path | Found, opponent: str | None = None) -> Table:
    """Return a table of runs or folders of several seeds, or of one match, or of one tournament.

    A notebook shows it; `latex()` and `csv()` are its texts for papers and spreadsheets. Scores
    are means with standard errors: over seeds for runs, over rounds for games.

    >>> import tafl
    >>> result = tafl.match("nim", ["exact", "random"], games=20, starts="first-moves")
    >>> tafl.table(result).columns
    ['agent', 'mean score', 'win rate', 'as player 1', 'as player 2']
    """
    found = [opened(one) if isinstance(one, str | Path) else one for one in what]
    groups = [one for one in found if isinstance(one, Group)]
    if len(groups) == len(found):
        return table_of_runs(compare(*groups, opponent=opponent))
    if opponent is not None:
        raise InputError(f"only runs can be shown against {opponent} alone")
    match found:
        case [Result() as result]:
            return table_of_match(result)
        case [Tournament() as tournament]:
            return table_of_tournament(tournament)
    raise InputError("a table has any number of runs, or one match, or one tournament")


def opened(path: str | Path) -> Found:
    """Open the records of a match, a tournament, a run, or the runs of several seeds."""
    if os.path.isfile(path):
        return Result.open(path)
    if os.path.isfile(Path(path) / "tournament.json"):
        return Tournament.open(path)
    return Group.open(path)


def table_of_runs(comparisons: Sequence[Comparison]) -> Table:
    """Return the last evaluation of each group: a row for it, a column for each opponent."""
    first = comparisons[0]
    columns, notes = ["", "seeds", "episodes"], ["mean score and standard error over seeds"]
    rows = [
        [name, len(group.runs), curve.episodes[-1]]
        for name, group, curve in zip(labels(first.groups), first.groups, first.curves, strict=True)
    ]
    for one in comparisons:
        columns.append("mean score" if one.opponent == ALONE else f"against {one.opponent}")
        for row, summary in zip(rows, one.summaries, strict=True):
            row.append(Score(summary.mean, summary.standard_error))
        if one.welch is not None:
            p = f"Welch p = {one.welch:.3g}, permutation p = {one.permutation:.3g}"
            notes.append(f"{columns[-1]}, {rows[0][0]} and {rows[1][0]}: {p}")
    return Table(first.game, columns, rows, notes)


def labels(groups: Sequence[Group]) -> list[str]:
    """Return the folders of groups, without what they all begin with."""
    paths = [Path(group.name) for group in groups]
    shared = Path(os.path.commonpath([path.parent for path in paths]))
    return [str(path.relative_to(shared)) for path in paths]


def table_of_match(result: Result) -> Table:
    """Return a row for each agent."""
    columns, alone = ["agent", "mean score"], len(result.agents) == 1
    if not alone:
        columns += ["win rate", *(f"as {player(p)}" for p in range(len(result.agents)))]
    rows = [
        [one.agent, Score(one.mean, one.error), *([] if alone else [one.win_rate, *one.roles])]
        for one in result.standings
    ]
    notes = [f"{len(result.records):,} games; standard errors over rounds"]
    return Table(result.game.name, columns, rows, notes)


def table_of_tournament(found: Tournament) -> Table:
    """Return a row for each agent, the best first."""
    ratings, scores = found.ratings, zip(found.means, found.errors, strict=True)
    columns = ["agent", "mean score"]
    rows = [[name, Score(*score)] for name, score in zip(found.agents, scores, strict=True)]
    order = list(found.means)
    if ratings is not None:
        columns, order = [*columns, "rating (Elo)"], ratings.elo
        for row, elo, error in zip(rows, ratings.elo, ratings.errors, strict=True):
            row.append(Score(elo, error))
    games = sum(len(match.records) for match in found.matches.values())
    ranked = sorted(range(len(rows)), key=lambda i: -order[i])
    notes = [f"{games:,} games; standard errors over rounds"]
    return Table(found.game.name, columns, [rows[i] for i in ranked], notes)
