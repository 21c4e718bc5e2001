"""The page about FARL's worth: made from stored runs, nothing on it is typed in.

The words are in farl.md beside this file, with a place for each table and number.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import mean, median
from string import Template

from tafl.arena.statistics import standard_error
from tafl.files import replacing
from tafl.pictures.farl import Bar, Dot, Panel, draw_rule, draw_ways
from tafl.reproduction.cells import markdown_table, percent, with_error
from tafl.reproduction.farl import SEEDS, Subject, load_runs, subjects
from tafl.reproduction.farl_numbers import (
    UNSURE,
    Point,
    Rule,
    Share,
    fitted,
    kept,
    load_predictions,
    points,
    root_mean_square,
    values,
)
from tafl.reproduction.farl_rule import Known, load_known
from tafl.reproduction.farl_traits import Traits, load_traits
from tafl.settings.tables import Fields

NOTHING = "-"
PARTS = {"part-1": "part 1 only", "part-2": "part 2 only", "no-farl": "off"}
COLLAPSE = 0.5  # who keeps less has lost most of it


class Stored:
    """Everything that is stored about FARL's worth."""

    def __init__(self, results: Path):
        self.lines = load_runs(results)
        self.known = load_known(results)
        self.traits = load_traits(results)
        made = {line["game"] for line in self.lines}
        self.subjects = [subject for subject in subjects().values() if subject.name in made]
        everything = points(self.lines, self.known, self.subjects)
        self.found = [point for point in everything if not point.subject.new]
        self.new = [point for point in everything if point.subject.new]
        self.rule, self.said = load_predictions(results) or (fitted(self.found), {})


def write_farl_page(results: Path, docs: Path) -> Path:
    """Writes farl.md and its pictures; returns the page."""
    (docs / "img").mkdir(parents=True, exist_ok=True)
    stored = Stored(results)
    draw_rule(_panels(stored), docs / "img" / "farl-rule.png")
    draw_ways(
        [_bar(stored, subject) for subject in stored.subjects], docs / "img" / "farl-ways.png"
    )
    words = files(__package__).joinpath("farl.md").read_text(encoding="utf-8")
    page = docs / "farl.md"
    with replacing(page) as file:
        file.write(Template(words).substitute(_words(stored)))
    return page


def _words(stored: Stored) -> dict[str, str]:
    """What stands in the places of the page."""
    rule, new = stored.rule, stored.new
    off = [point.kept.value - rule.predicted(point.known) for point in new]
    right = [_agrees(rule, point) for point in new]
    td = [point for point in new if point.algo == "td"]
    actions = [point for point in new if point.algo != "td"]
    never_lost = [p for p in td if _last_mover_never_loses(stored, p.subject)]
    other = [p for p in td if p not in never_lost]
    return {
        **_off_words("td", rule, td),
        **_off_words("actions", rule, actions),
        "seeds": str(SEEDS),
        "runs": f"{len(stored.lines):,}",
        "minutes": f"{sum(line['seconds'] for line in stored.lines) / 60:.0f}",
        "machines": ", ".join(sorted({line["processor"] for line in stored.lines})),
        "intercept": f"{rule.intercept:.2f}",
        "slope": f"{rule.slope:.2f}",
        "spread": f"{rule.spread:.2f}",
        "unsure": f"{UNSURE:.2f}",
        "rule_points": str(rule.points),
        "usual": f"{rule.usual:.2f}",
        **_off_words("all", rule, new),
        **_off_words("never_lost", rule, never_lost),
        **_off_words("other", rule, other),
        "right": f"{sum(right)} of {len(right)}",
        "within": f"{sum(abs(one) <= rule.spread for one in off)} of {len(off)}",
        "predictions": markdown_table(*prediction_table(stored)),
        "rivals": markdown_table(*rival_table(stored)),
        "worth": markdown_table(*worth_table(stored)),
        "actions": markdown_table(*action_table(stored)),
        "kinds": markdown_table(*kind_table(stored)),
        "groups": markdown_table(*group_table(stored)),
        "new_games": str(sum(subject.new for subject in stored.subjects)),
        "cost": markdown_table(*cost_table(stored)),
        "cost_middle": _middle_cost(stored),
        "known": markdown_table(*known_table(stored)),
    }


def _last_mover_never_loses(stored: Stored, subject: Subject) -> bool:
    kind = stored.traits[subject.name]
    return kind.players > 1 and kind.lost == 0


def _off_words(name: str, rule: Rule, points: Sequence[Point]) -> dict[str, str]:
    """How many points, how far off the rule is, on average to which side, and "as usual"."""
    found = {f"{name}_points": str(len(points))}
    ways = {"off": rule.predicted, "usual": lambda known: rule.usual}
    for way, predicted in ways.items():
        off = [point.kept.value - predicted(point.known) for point in points]
        found[f"{name}_{way}"] = f"{root_mean_square(off):.2f}" if off else NOTHING
        found[f"{name}_{way}_mean"] = f"{mean(off):+.2f}" if off else NOTHING
    return found


def _agrees(rule: Rule, point: Point) -> bool:
    """Were prediction and measurement on the same side: most of it kept, or most of it lost?"""
    return (rule.predicted(point.known) < COLLAPSE) == (point.kept.value < COLLAPSE)


Table = tuple[list[str], list[list[str]]]


def prediction_table(stored: Stored) -> Table:
    """New games: what was said before they were learned, and what came out."""
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
                    "yes" if _agrees(stored.rule, point) else "no",
                ]
            )
    return ["game", "learner", "predicted", "measured", "difference", "same side of 0.5"], rows


def rival_table(stored: Stored) -> Table:
    """Other quantities, each with its own line through the same games: how far off are they?"""

    def last(point: Point) -> float:
        return stored.traits[point.subject.name].won

    rivals: dict[str, Callable[[Point], float]] = {
        "known share (the rule)": lambda point: point.known.share,
        "table alone": lambda point: point.known.table,
        "network alone": lambda point: point.known.network,
        "how often the last mover wins": last,
        "number of players": lambda point: float(point.subject.game.facts.players),
        "nothing: every game as usual": lambda point: 0.0,
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
    """TD: points with FARL, with a part, without; what FARL is worth."""
    rows = []
    for subject in stored.subjects:
        ways = [values(stored.lines, subject.name, f"td-{way}") for way in ("farl", *PARTS)]
        on, off = ways[0], ways[-1]
        paired = [a - b for a, b in zip(on, off, strict=False)]
        rows.append(
            [
                _name(subject),
                _points(values(stored.lines, subject.name, "td-untrained")),
                *(_points(way) for way in ways),
                _points(paired),
                _share(kept(stored.lines, subject.name, "td")),
                str(len(on)),
            ]
        )
    columns = ["game", "untrained", "FARL", *PARTS.values(), "worth", "kept without", "seeds"]
    return columns, rows


def action_table(stored: Stored) -> Table:
    """SARSA and Q: what is kept, and points."""
    rows = []
    for subject in stored.subjects:
        row = [_name(subject)]
        for algo in ("sarsa", "q"):
            for way in ("farl", "no-farl"):
                row.append(_points(values(stored.lines, subject.name, f"{algo}-{way}")))
            row.append(_share(kept(stored.lines, subject.name, algo)))
        if any(cell != NOTHING for cell in row[1:]):
            rows.append(row)
    columns = ["game", "SARSA, FARL", "off", "kept without", "Q, FARL", "off", "kept without"]
    return columns, rows


def known_table(stored: Stored) -> Table:
    """What the rule is made of."""
    rows = []
    for subject in stored.subjects:
        row = [_name(subject)]
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
    """What kind of games they are, and what is kept without FARL."""
    rows = []
    for subject in stored.subjects:
        kind = stored.traits[subject.name]
        last = (None,) * 3 if kind.players == 1 else (kind.won, kind.drew, kind.lost)
        shares = (*last, kind.on_the_way, kind.again, kind.by_chance)
        rows.append(
            [
                _name(subject),
                str(kind.players),
                *map(percent, shares),
                *(_share(kept(stored.lines, subject.name, algo)) for algo in ("td", "q")),
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
    """What kinds of games keep without FARL, from the least to the most."""
    rows = []
    for name, belongs in GROUPS.items():
        members = [s for s in stored.subjects if belongs(stored.traits[s.name])]
        row = [name, str(len(members))]
        for algo in ("td", "q"):
            shares = [kept(stored.lines, subject.name, algo) for subject in members]
            row.append(_range([share.value for share in shares if share is not None]))
        rows.append(row)
    return ["games", "how many", "TD keeps: mean (least to most)", "Q keeps"], rows


def _range(shares: Sequence[float]) -> str:
    if not shares:
        return NOTHING
    return f"{mean(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})"


def cost_table(stored: Stored) -> Table:
    """Updates that FARL adds, and the time that it takes."""
    rows = []
    for subject, on, off in _timed(stored):
        moves = sum(line["moves"] for line in on) / sum(line["episodes"] for line in on)
        times = _fastest(on), _fastest(off)
        rows.append(
            [
                subject.title,
                f"{moves:.1f}",
                f"{subject.game.facts.players / moves:.0%}",
                *(f"{1e6 * each:.2f}" for each in times),
                f"{times[0] / times[1] - 1:+.0%}",
                f"{1e6 * moves * times[0]:,.0f}",
            ]
        )
    columns = ["game", "moves of an episode", "more updates", "µs a move with FARL", "without"]
    return [*columns, "difference", "µs an episode with FARL"], rows


def _middle_cost(stored: Stored) -> str:
    more = [_fastest(on) / _fastest(off) - 1 for _, on, off in _timed(stored)]
    return f"{median(more):+.0%}" if more else NOTHING


def _timed(stored: Stored) -> Iterator[tuple[Subject, list[Fields], list[Fields]]]:
    """The runs of TD with FARL and without."""
    for subject in stored.subjects:
        on, off = (
            [line for line in stored.lines if (line["game"], line["way"]) == (subject.name, way)]
            for way in ("td-farl", "td-no-farl")
        )
        if on and off:
            yield subject, on, off


def _fastest(runs: Sequence[Fields]) -> float:
    """Seconds a move of the fastest run: others had to share the machine."""
    return min(float(line["seconds"]) / float(line["moves"]) for line in runs)


def _name(subject: Subject) -> str:
    return subject.title + (" *" if subject.new else "")


def _points(reached: Sequence[float]) -> str:
    if not reached:
        return NOTHING
    form = ",.0f" if abs(mean(reached)) >= 100 else ".3f"
    return with_error(mean(reached), standard_error(reached), form)


def _share(share: Share | None) -> str:
    return NOTHING if share is None else with_error(share.value, share.error, ".2f")


def _panels(stored: Stored) -> list[Panel]:
    rule = stored.rule
    found = Panel(
        "Games that the rule comes from", "known without FARL, from the rules of the game",
        (rule.intercept, rule.slope, rule.spread), [_dot(point) for point in stored.found],
    )  # fmt: skip
    new = Panel(
        "New games: predicted before they were learned", found.x, found.line,
        [_dot(point) for point in stored.new],
    )  # fmt: skip
    return [found, new]


def _dot(point: Point) -> Dot:
    share = point.kept
    return Dot(point.subject.title, point.algo, point.known.share, share.value, share.error)


def _bar(stored: Stored, subject: Subject) -> Bar:
    shares = {}
    for way, title in PARTS.items():
        share = kept(stored.lines, subject.name, "td", way)
        if share is not None:
            shares[title] = (share.value, share.error)
    return Bar(_name(subject), shares)
