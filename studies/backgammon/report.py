"""Writes the strength of Backgammon into docs/games/backgammon.md from the stored measurements."""

import re
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from string import Template

from studies.backgammon.duel import LINEAR, PUBEVAL
from studies.backgammon.plan import SETS, SHORT, STORE
from studies.pages import DOCS
from studies.records import Measurement, assignments, by_training, read, settings_of, where
from tafl.arena.statistics import standard_error
from tafl.files import replacing
from tafl.reproduction.cells import markdown_table, with_error

WORDS = Path(__file__).with_name("page.md")
PLACE = re.compile(r"(?<=<!-- strength -->\n).*(?=<!-- end of strength -->)", re.DOTALL)
HYPER = "backgammon(hyper=true)"

Records = list[Measurement]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    text = (DOCS / "games" / "backgammon.md").read_text(encoding="utf-8")
    path = docs / "games" / "backgammon.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(PLACE.sub(lambda _: part(read(STORE)), text))
    return [path]


def part(records: Records) -> str:
    """Return the text and the tables."""
    greedy = where(records, agent="A")
    long = [one for one in greedy if not is_trial(one)]
    trials = [one for one in greedy if is_trial(one)]
    searches = [one for one in records if one.agent != "A"]
    columns = ["training", "seeds", "episodes", "seconds", "games", "wins against `Linear`"]
    columns += ["score", "wins against pubeval", "score"]
    found = ["agent", "games", "win rate", "score", "ms per move"]
    values = {
        "long": markdown_table(columns, rows(long)),
        "searches": markdown_table(found, map(search_row, searches_of(searches))),
        "short": f"{SHORT:,}",
        "trials": markdown_table(columns, rows(trials)),
    }
    return Template(WORDS.read_text(encoding="utf-8")).substitute(values)


def is_trial(one: Measurement) -> bool:
    """Say whether a training was one of the short trials."""
    return one.episodes == SHORT


def rows(records: Records) -> Iterable[list[str]]:
    """Return a row for each settings and number of episodes."""
    groups: dict[tuple[str, ...], Records] = {}
    for mine in by_training(records):
        one = mine[0]
        groups.setdefault((named(one), f"{settings_of(one).episodes:,}"), []).extend(mine)
    for (name, episodes), mine in groups.items():
        by_hand = where(mine, against=LINEAR, metric="win_rate")
        timed = [one.seconds for one in by_hand if one.seconds]
        row = [name, str(len(by_hand)), episodes, f"{mean(timed):,.0f}" if timed else "-"]
        row.append(f"{sum(one.n or 0 for one in by_hand):,}")
        for against in (LINEAR, PUBEVAL):
            rates, scores = (where(mine, against=against, metric=m) for m in ("win_rate", "score"))
            few = "" if len(rates) == len(by_hand) else f" ({len(rates)} seeds)"
            row.append(f"{average(rates, 100, '.1f')} %{few}" if rates else "-")
            row.append(average(scores, 1, ".2f") if scores else "-")
        yield row


def named(one: Measurement) -> str:
    """Return what is special about a training."""
    others = {name: value for name, value in one.overrides.items() if name != "network.tuples"}
    said = [f"`{change}`" for change in assignments(others)]
    if "tuples" in one.condition:
        said.insert(0, SETS[one.condition["tuples"]][0])
    return ", ".join(said) or f"the preset, {'Hypergammon' if one.game == HYPER else 'Backgammon'}"


def average(records: Records, factor: float, form: str) -> str:
    """Return a mean with its standard error."""
    values = [factor * one.value for one in records]
    error = standard_error(values) if len(values) > 1 else factor * (records[0].error or 0.0)
    return with_error(mean(values), error, form)


def searches_of(records: Records) -> list[Records]:
    """Return the measurements of each search together."""
    return [where(records, agent=agent) for agent in dict.fromkeys(one.agent for one in records)]


def search_row(records: Records) -> list[str]:
    """Return the row of a search."""
    rate, score, time = (where(records, metric=m) for m in ("win_rate", "score", "milliseconds"))
    row = [f"`{records[0].agent.replace('(A,', '(run:PATH,')}`", str(rate[0].n)]
    row += [average(rate, 100, ".1f") + " %", average(score, 1, ".2f")]
    return [*row, f"{time[0].value:.1f}"]
