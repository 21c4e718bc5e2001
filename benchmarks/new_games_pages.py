"""What new_games.py has measured, as docs/new_games.md and as a part of each game's page.

Numbers are means over seeds with their standard errors; of a single seed, over games.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from string import Template

import tafl
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error
from tafl.reproduction.lines import read_lines
from tafl.settings.tables import Fields
from tafl.training.progress import duration

HOME = Path(__file__).resolve().parent.parent
RESULTS, DOCS = HOME / "results", HOME / "docs"
STORE = "new_games.jsonl"
WORDS = Path(__file__).with_name("new_games.md")  # with a place for each table
MCTS = "mcts(iterations=1000)"
ITSELF = "itself"  # games that tell how many actions there are to choose from
PLACE = re.compile(r"(?<=<!-- strength -->\n).*(?=<!-- end of strength -->)", re.DOTALL)
SEARCH = ("maxn", "expectimax")
PRESET = "preset="  # how changes begin that are those of a preset

Lines = list[Fields]


def load() -> Lines:
    """All that was measured."""
    return read_lines(RESULTS / STORE)


def of(lines: Iterable[Fields], **wanted: str) -> Lines:
    """The lines that have all this."""
    return [line for line in lines if all(line[name] == value for name, value in wanted.items())]


def is_usual(lines: Lines, line: Fields) -> bool:
    """Has it default settings, or those that were measured first in their place?"""
    mine = of(lines, game=line["game"])
    usual = "" if of(mine, changes="") else mine[0]["changes"]
    return bool(line["changes"] == usual)


def groups(lines: Lines) -> dict[tuple[str, str], Lines]:
    """The lines of each game and its changes."""
    found: dict[tuple[str, str], Lines] = {}
    for line in lines:
        found.setdefault((line["game"], line["changes"]), []).append(line)
    return found


def average(lines: Lines, name: str) -> tuple[float, float]:
    """A measure and its standard error."""
    if len(lines) == 1:
        value, error = lines[0][name]
        return value, error
    values = [line[name][0] for line in lines]
    return mean(values), standard_error(values)


def share(lines: Lines, name: str) -> str:
    """A share in percent."""
    if not lines:
        return "-"
    value, error = average(lines, name)
    if value in (0, 1):  # such a share has an error, but games do not say which
        return f"{'all' if value else 'none'} of {sum(line['games'] for line in lines)}"
    return with_error(100 * value, 100 * error, ".1f") + " %"


def points(lines: Lines) -> str:
    """A mean score."""
    value, error = average(lines, "score")
    return with_error(value, error, ".2f")


def speed(trained: Lines) -> float:
    """Moves per second of training."""
    return sum(line["moves"] for line in trained) / sum(line["seconds"] for line in trained)


def time_of(trained: Lines) -> str:
    """How long a training takes."""
    return duration(mean(line["seconds"] for line in trained))


def command(name: str, changes: str) -> str:
    """What trains a game like this."""
    options = {"episodes": "--episodes", "preset": "--preset"}
    given = [change.partition("=") for change in changes.split()]
    changed = [f"{options[k]} {v}" if k in options else f"--set {k}={v}" for k, _, v in given]
    return " ".join(["tafl train", name, *changed])


def players_table(lines: Lines) -> str:
    """Games for two and more: one row for each game and its changes."""
    rows = []
    for (name, changes), mine in groups(lines).items():
        ours, trained = of(mine, agent="A"), of(mine, agent="")
        if tafl.game(name).facts.players == 1 or not of(ours, against="random"):
            continue
        searches = [line for line in ours if line["against"].startswith(SEARCH)]
        depth = f" (`{searches[0]['against']}`)" if searches else ""
        row = [f"`{command(name, changes)}`", str(len(trained)), time_of(trained)]
        row += [f"{speed(trained):,.0f}", f"{100 / tafl.game(name).facts.players:.0f} %"]
        row += [share(of(ours, against=other), "win rate") for other in ("random", MCTS)]
        rows.append([*row, share(searches, "win rate") + depth])
    columns = ["training", "seeds", "time", "moves/s", "equal play", "`random`", f"`{MCTS}`"]
    return markdown_table([*columns, "look ahead"], rows)


def alone_table(lines: Lines, names: Iterable[str]) -> str:
    """Games for one: the agent, searches around it, and others."""
    rows = []
    for (name, changes), mine in groups(of(lines, against="")).items():
        if name in names:
            for agent in dict.fromkeys(line["agent"] for line in mine if line["agent"]):
                same, learned = of(mine, agent=agent), uses_trained(agent)
                shown = "run:PATH" if agent == "A" else agent.replace("(A,", "(run:PATH,")
                row = [f"`{shown}`", f"`{command(name, changes)}`" if learned else f"{name}, none"]
                rows.append([*row, str(len(same)), points(same), share(same, "solved")])
    return markdown_table(["agent", "training", "seeds", "points", "solved"], rows)


def uses_trained(agent: str) -> bool:
    """Is it the trained agent, or a search around it?"""
    return agent == "A" or "(A," in agent


def costs_table(lines: Lines) -> str:
    """What a move of learning has to look at."""
    rows = []
    for (name, changes), mine in groups(lines).items():
        trained, own = of(mine, agent=""), of(mine, against=ITSELF)
        if not trained or not own:
            continue
        choices = mean(line["choices"] for line in own)
        indices = trained[0]["tuples"] * trained[0]["boards"]
        rate = speed(trained)
        row = [f"`{command(name, changes)}`", f"{choices:.1f}", f"{trained[0]['tuples']}"]
        row += [str(trained[0]["boards"]), f"{choices * indices:,.0f}", f"{rate:,.0f}"]
        rows.append([*row, f"{choices * indices * rate / 1e6:,.0f}"])
    rows.sort(key=lambda row: int(row[5].replace(",", "")))
    columns = ["training", "actions", "n-tuples", "boards", "weights a move", "moves/s"]
    return markdown_table([*columns, "million weights/s"], rows)


def report(lines: Lines) -> str:
    """docs/new_games.md."""
    alone = [name for name, game in tafl.games().items() if game.facts.players == 1]
    machines = sorted({line["processor"] for line in lines})
    return Template(WORDS.read_text(encoding="utf-8")).substitute(
        machines=", ".join(machines),
        players=players_table([line for line in lines if is_usual(lines, line)]),
        alone=alone_table(lines, alone),
        costs=costs_table(lines),
        trials=players_table([line for line in lines if not is_usual(lines, line)]),
    )


def part(name: str, lines: Lines) -> str:
    """The part of a game's page: default settings, or those that were measured instead."""
    mine = [line for line in of(lines, game=name) if is_usual(lines, line)]
    changes = mine[0]["changes"]
    trained, players = of(mine, agent=""), tafl.game(name).facts.players
    text = f"`{command(name, changes)}` takes {time_of(trained)} minutes on one core "
    text += f"({speed(trained):,.0f} moves/s). "
    seeds = f"{len(trained)} seed{'s' if len(trained) > 1 else ''}"
    if players == 1:
        return f"{text}{seeds}:\n\n{alone_table(lines, [name])}\n"
    pairs = dict.fromkeys((line["agent"], line["against"]) for line in mine if line["agent"])
    rows = []
    for agent, against in pairs:
        if against != ITSELF:
            same = of(mine, agent=agent, against=against)
            who = f"`{against}`" if agent == "A" else f"`{against}`, played by `{agent}`"
            each = ", ".join(f"{role:.2f}" for role in roles(same))
            rows.append([who, share(same, "win rate"), points(same), each])
    text += f"In all roles, {seeds}, where equal play wins {100 / players:.0f} %:\n\n"
    columns = ["against", "win rate", "mean score", "as player 0, 1, ..."]
    return f"{text}{markdown_table(columns, rows)}\n"


def roles(lines: Lines) -> list[float]:
    """The mean score in each role."""
    return [mean(scores) for scores in zip(*(line["roles"] for line in lines), strict=True)]


def pages(lines: Lines) -> dict[Path, str]:
    """All pages that these lines are on, and what they say."""
    found = {DOCS / "new_games.md": report(lines)}
    for name in dict.fromkeys(line["game"] for line in lines):
        path = DOCS / "games" / f"{name}.md"
        found[path] = with_part(path.read_text(encoding="utf-8"), part(name, lines))
    return found


def with_part(page: str, text: str) -> str:
    """A page with this where its strength is told, if it tells it."""
    return PLACE.sub(lambda _: text, page)


def write_pages() -> None:
    """Writes them."""
    for path, text in pages(load()).items():
        path.write_text(text, encoding="utf-8")
