"""docs/science/farl.md, farl_details.md and pictures from stored results.

The words are in page.md and details.md.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from studies.farl.numbers import UNSURE, Point, Rule, kept, root_mean_square
from studies.farl.pictures import Bar, Dot, Panel, draw_rule, draw_ways
from studies.farl.stored import RESULTS, Stored
from studies.farl.subjects import SEEDS, Subject
from studies.farl.tables import (
    PARTS,
    action_table,
    agrees,
    cost_table,
    group_table,
    kind_table,
    known_table,
    last_mover_table,
    middle_cost,
    percent,
    prediction_table,
    rival_table,
    titled,
    worth_table,
)
from studies.farl.traits import GAMES
from studies.pages import DOCS, write_page
from tafl.reproduction.cells import NOTHING, markdown_table

TEMPLATES = {"farl.md": "page.md", "farl_details.md": "details.md"}


def write(docs: Path = DOCS, results: Path = RESULTS) -> list[Path]:
    """Write the pages and their pictures; return their paths."""
    stored, pictures = Stored(results), docs / "img"
    pictures.mkdir(parents=True, exist_ok=True)
    rule, ways = pictures / "farl-rule.png", pictures / "farl-ways.png"
    draw_rule(_panels(stored), rule)
    draw_ways([_bar(stored, subject) for subject in stored.subjects], ways)
    words, command = _words(stored), "python -m studies farl report"
    pages = [
        write_page(docs / "science" / name, Path(__file__).with_name(template), command, words)
        for name, template in TEMPLATES.items()
    ]
    return [*pages, rule, ways]


def _words(stored: Stored) -> dict[str, str]:
    """Return what stands in the places of the pages."""
    rule, new = stored.rule, stored.new
    off = [point.kept.value - rule.predicted(point.known) for point in new]
    right = [agrees(rule, point) for point in new]
    td = [point for point in new if point.algo == "td"]
    actions = [point for point in new if point.algo != "td"]
    never_lost = [p for p in td if _last_mover_never_loses(stored, p.subject)]
    other = [p for p in td if p not in never_lost]
    return {
        **_off_words("td", rule, td),
        **_off_words("actions", rule, actions),
        "seeds": str(SEEDS),
        "trait_games": str(GAMES),
        "runs": f"{len(stored.runs):,}",
        "minutes": f"{sum(run.seconds or 0.0 for run in stored.runs) / 60:.0f}",
        "machines": ", ".join(sorted({run.processor for run in stored.runs})),
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
        "cost_middle": middle_cost(stored),
        "known": markdown_table(*known_table(stored)),
        "movers": markdown_table(*last_mover_table(stored)),
        "othello_won": percent(stored.last_movers.get("othello", {}).get("won")),
        "othello_lost": percent(stored.last_movers.get("othello", {}).get("lost")),
    }


def _last_mover_never_loses(stored: Stored, subject: Subject) -> bool:
    kind = stored.traits[subject.name]
    return kind.players > 1 and kind.lost == 0


def _off_words(name: str, rule: Rule, points: Sequence[Point]) -> dict[str, str]:
    """Return the number of points, how far off the rule is, and how far off "as usual" is."""
    found = {f"{name}_points": str(len(points))}
    ways = {"off": rule.predicted, "usual": lambda known: rule.usual}
    for way, predicted in ways.items():
        off = [point.kept.value - predicted(point.known) for point in points]
        found[f"{name}_{way}"] = f"{root_mean_square(off):.2f}" if off else NOTHING
        found[f"{name}_{way}_mean"] = f"{mean(off):+.2f}" if off else NOTHING
    return found


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
        share = kept(stored.runs, subject.name, "td", way)
        if share is not None:
            shares[title] = (share.value, share.error)
    return Bar(titled(subject), shares)
