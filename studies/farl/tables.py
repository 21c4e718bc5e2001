"""The tables of docs/science/farl.md and farl_details.md: column names, and rows of cells."""

from collections.abc import Callable, Iterator, Sequence
from statistics import mean, median

from studies.farl.known import Known
from studies.farl.numbers import Point, Rule, Share, fitted, kept, root_mean_square, runs_of, values
from studies.farl.stored import Stored
from studies.farl.subjects import Subject
from studies.farl.traits import Traits
from studies.records import Measurement
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import NOTHING, with_error
from tafl.reproduction.rows import rows as table1_rows

PARTS = {"part-1": "part 1 only", "part-2": "part 2 only", "no-farl": "off"}
COLLAPSE = 0.5  # a learner that keeps less has lost most of its gain
Table = tuple[list[str], list[list[str]]]


def percent(share: float | None, sign: str = "") -> str:
    """Return a share as people write it."""
    return NOTHING if share is None else f"{100 * share:{sign}.0f} %"


def agrees(rule: Rule, point: Point) -> bool:
    """Say whether prediction and measurement are on the same side: most kept, or most lost."""
    return (rule.predicted(point.known) < COLLAPSE) == (point.kept.value < COLLAPSE)


def prediction_table(stored: Stored) -> Table:
    """Return what was said of new games before they were learned, and what came out."""
    rows = []
    for point in stored.new:
        algo = "td" if point.algo == "td" else "q"
        said = stored.said.get(point.subject.name, {}).get(algo)
        if said is not None:
            rows.append(
                [
                    point.subject.title,
                    point.algo.upper(),
                    f"{said:.2f}",
                    with_error(point.kept.value, point.kept.error, ".2f"),
                    f"{point.kept.value - said:+.2f}",
                    "yes" if agrees(stored.rule, point) else "no",
                ]
            )
    return ["game", "learner", "predicted", "measured", "difference", "same side of 0.5"], rows


def rival_table(stored: Stored) -> Table:
    """Return how far off other quantities are, each with its own line through the same games."""

    def last(point: Point) -> float:
        return stored.traits[point.subject.name].won

    rivals: dict[str, Callable[[Point], float]] = {
        "known share (the rule)": lambda point: point.known.share,
        "table alone": lambda point: point.known.table,
        "network alone": lambda point: point.known.network,
        "how often the last mover wins": last,
        "number of players": lambda point: float(point.subject.game.facts.players),
        "none: the mean of the games of the rule": lambda point: 0.0,
    }
    rows = []
    for name, x in rivals.items():
        row = [name]
        for algos in (("td",), ("sarsa", "q")):
            found, new = (
                [point for point in points if point.algo in algos]
                for points in (stored.found, stored.new)
            )
            rule = fitted(found, x)
            row += [_off(rule, found, x), _off(rule, new, x)]
        rows.append(row)
    columns = [
        "line through",
        "TD: games of the rule",
        "new games",
        "SARSA and Q: games of the rule",
    ]
    return [*columns, "new games"], rows


def _off(rule: Rule, points: Sequence[Point], x: Callable[[Point], float]) -> str:
    off = [point.kept.value - rule.at(x(point)) for point in points]
    return f"{root_mean_square(off):.2f}" if off else NOTHING


def worth_table(stored: Stored) -> Table:
    """Return, for TD, points with FARL, with a part, without, and what FARL is worth."""
    rows = []
    for subject in stored.subjects:
        ways = [values(stored.runs, subject.name, f"td-{way}") for way in ("farl", *PARTS)]
        on, off = ways[0], ways[-1]
        paired = [a - b for a, b in zip(on, off, strict=False)]
        rows.append(
            [
                titled(subject),
                _points(values(stored.runs, subject.name, "td-untrained")),
                *(_points(way) for way in ways),
                _points(paired),
                _share(kept(stored.runs, subject.name, "td")),
                str(len(on)),
            ]
        )
    columns = ["game", "untrained", "FARL", *PARTS.values(), "worth", "kept without", "seeds"]
    return columns, rows


def action_table(stored: Stored) -> Table:
    """Return, for SARSA and Q, what is kept, and points."""
    rows = []
    for subject in stored.subjects:
        row = [titled(subject)]
        for algo in ("sarsa", "q"):
            for way in ("farl", "no-farl"):
                row.append(_points(values(stored.runs, subject.name, f"{algo}-{way}")))
            row.append(_share(kept(stored.runs, subject.name, algo)))
        if any(cell != NOTHING for cell in row[1:]):
            rows.append(row)
    columns = ["game", "SARSA, FARL", "off", "kept without", "Q, FARL", "off", "kept without"]
    return columns, rows


def known_table(stored: Stored) -> Table:
    """Return what the rule is made of."""
    rows = []
    for subject in stored.subjects:
        row = [titled(subject)]
        for algo in ("td", "q"):
            row += _known(stored.known.get((subject.name, algo)))
        rows.append(row)
    names = ["table", "network", "again", "known share"]
    return ["game", *(f"{algo}: {name}" for algo in ("TD", "Q") for name in names)], rows


def _known(known: Known | None) -> list[str]:
    if known is None:
        return [NOTHING] * 4
    first = [f"{value:.2f}" for value in (known.table, known.network, known.again)]
    return [*first, with_error(known.share, known.error, ".2f")]


def kind_table(stored: Stored) -> Table:
    """Return the traits of games, and what is kept without FARL."""
    rows = []
    for subject in stored.subjects:
        kind = stored.traits[subject.name]
        last = (None,) * 3 if kind.players == 1 else (kind.won, kind.drew, kind.lost)
        shares = (*last, kind.on_the_way, kind.again, kind.by_chance)
        rows.append(
            [
                titled(subject),
                str(kind.players),
                *map(percent, shares),
                *(_share(kept(stored.runs, subject.name, algo)) for algo in ("td", "q")),
            ]
        )
    columns = ["game", "players", "last mover wins", "draws", "loses", "rewards on the way"]
    return [*columns, "a player moves again", "chance ends it", "TD keeps", "Q keeps"], rows


GROUPS: dict[str, Callable[[Traits], bool]] = {
    "one player": lambda kind: kind.players == 1,
    "two players": lambda kind: kind.players == 2,
    "three and more": lambda kind: kind.players > 2,
    "last mover wins or draws": lambda kind: kind.players > 1 and kind.lost == 0,
    "last mover may win or lose": lambda kind: kind.players > 1 and 0 < kind.lost < 0.9,
    "last mover loses (9 of 10 games or more)": lambda kind: kind.players > 1 and kind.lost >= 0.9,
    "rewards on the way": lambda kind: kind.on_the_way > 0,
    "a player may move again": lambda kind: kind.players > 1 and kind.again > 0,
    "chance": lambda kind: kind.chance,
}


def group_table(stored: Stored) -> Table:
    """Return what kinds of games keep without FARL, from the least to the most."""
    rows = []
    for name, belongs in GROUPS.items():
        members = [s for s in stored.subjects if belongs(stored.traits[s.name])]
        row = [name, str(len(members))]
        for algo in ("td", "q"):
            shares = [kept(stored.runs, subject.name, algo) for subject in members]
            row.append(_range([share.value for share in shares if share is not None]))
        rows.append(row)
    return ["games", "how many", "TD keeps: mean (least to most)", "Q keeps"], rows


def _range(shares: Sequence[float]) -> str:
    if not shares:
        return NOTHING
    return f"{mean(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})"


def cost_table(stored: Stored) -> Table:
    """Return the updates that FARL adds, and the time that it takes."""
    rows = []
    for subject, on, off in _timed(stored):
        moves = sum(run.moves or 0 for run in on) / sum(run.episodes or 0 for run in on)
        times = _fastest(on), _fastest(off)
        rows.append(
            [
                subject.title,
                f"{moves:.1f}",
                percent(subject.game.facts.players / moves),
                *(f"{1e6 * each:.2f}" for each in times),
                percent(times[0] / times[1] - 1, "+"),
                f"{1e6 * moves * times[0]:,.0f}",
            ]
        )
    columns = ["game", "moves per episode", "more updates", "µs per move with FARL", "without"]
    return [*columns, "difference", "µs per episode with FARL"], rows


def middle_cost(stored: Stored) -> str:
    """Return the median of the differences of time."""
    more = [_fastest(on) / _fastest(off) - 1 for _, on, off in _timed(stored)]
    return percent(median(more) if more else None, "+")


def _timed(stored: Stored) -> Iterator[tuple[Subject, list[Measurement], list[Measurement]]]:
    """Yield games with their runs of TD, with FARL and without."""
    for subject in stored.subjects:
        on, off = (
            runs_of(stored.runs, subject.name, learner) for learner in ("td-farl", "td-no-farl")
        )
        if on and off:
            yield subject, on, off


def _fastest(runs: Sequence[Measurement]) -> float:
    """Return the seconds a move of the fastest run: others had to share the machine."""
    return min((run.seconds or 0.0) / (run.moves or 1) for run in runs)


def titled(subject: Subject) -> str:
    """Return a game's title, with a star if it was not used to find the rule."""
    return subject.title + (" *" if subject.new else "")


def _points(reached: Sequence[float]) -> str:
    if not reached:
        return NOTHING
    form = ",.0f" if abs(mean(reached)) >= 100 else ".3f"
    return with_error(mean(reached), standard_error(reached), form)


def _share(share: Share | None) -> str:
    return NOTHING if share is None else with_error(share.value, share.error, ".2f")


def last_mover_table(stored: Stored) -> Table:
    """Return how often the last mover wins, draws and loses in the games of Table 1."""
    titles = {row.game: row.title for row in reversed(table1_rows().values())}
    rows = [
        [titles[name], *(percent(shares[key]) for key in ("won", "drew", "lost"))]
        for name, shares in stored.last_movers.items()
    ]
    return ["game", "wins", "draws", "loses"], rows
