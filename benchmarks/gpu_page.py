"""Write the pages about GPUs from measurements of benchmarks.gpu and runs of Table 1."""

import statistics
from functools import cache
from pathlib import Path

from benchmarks.gpu import PLAN, Line
from benchmarks.store import stored
from studies.pages import DOCS, write_page
from tafl.reproduction.cells import NOTHING, markdown_table, shown, values
from tafl.reproduction.rows import MAIN, numbers, rows
from tafl.reproduction.runs import Stored, chosen, load_results

PAGES = {"guides": "gpu.md", "science": "gpu_measured.md"}  # folder of docs: template
RESULTS = Path(__file__).resolve().parent.parent / "results"


def mean(values: list[float], digits: str) -> str:
    """Return a mean and its standard error."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{statistics.mean(values):{digits}} ± {error:{digits}}"


def difference(there: list[float], here: list[float], digits: str) -> str:
    """Return how much more the GPU's agents are worth, with the standard error of that."""
    squares = [statistics.variance(values) / len(values) for values in (there, here)]
    more = statistics.mean(there) - statistics.mean(here)
    return f"{more:+{digits}} ± {sum(squares) ** 0.5:{digits}}"


def core_rates(lines: list[Line]) -> dict[str, float]:
    """Return the moves per second of one core of the same machine, by game."""
    rates: dict[str, list[float]] = {}
    for line in lines:
        if line["kind"] == "strength" and line["games"] == "cpu":
            rates.setdefault(line["game"], []).append(line["moves"] / line["seconds"])
    return {game: statistics.median(found) for game, found in rates.items()}


def speeds(lines: list[Line]) -> str:
    """Return the moves per second of each benchmark: the last measured, and the first."""
    core, rates = core_rates(lines), dict[tuple[str, int, int], list[float]]()
    for line in lines:
        if line["kind"] == "speed":
            key = line["game"], line["agents"], line["games"]
            rates.setdefault(key, []).append(line["moves_per_second"])
    rows = []
    for (name, agents, games), found in sorted(rates.items()):
        ratio = f"{found[-1] / core[name]:,.0f}" if name in core else ""
        before = f"{found[0] / 1e6:.1f}" if len(found) > 1 else ""
        each = f"{found[-1] / agents / 1e6:,.2f}"
        rows.append([name, str(agents), str(games), f"{found[-1] / 1e6:.1f}", before, each, ratio])
    head = ["game", "agents", "games at a time", "M moves/s", "before", "of one agent"]
    return markdown_table([*head, "of one core"], rows)


def exact_minutes(lines: list[Line]) -> str:
    """Return how long 256 exact agents of ConnectFour take at the speed that was measured."""
    agents, episodes = 256, PLAN["connectfour"][0]
    played = [
        line["moves"] / line["episodes"]
        for line in lines
        if line["kind"] == "strength" and line["game"] == "connectfour"
    ]
    *_, rate = (
        line["moves_per_second"]
        for line in lines
        if line["kind"] == "speed" and (line["agents"], line["games"]) == (agents, 1)
    )
    return f"{agents * episodes * statistics.mean(played) / rate / 60:.1f}"


def strengths(lines: list[Line]) -> str:
    """Return the strength of agents that learned from many games at a time, beside one."""
    judged: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        if line["kind"] == "strength":
            judged.setdefault((line["game"], line["games"]), []).append(line)
    rows = []
    for (name, games), found in sorted(judged.items()):
        if games == "cpu":
            continue
        there, digits = [line["strength"] for line in found], ",.0f" if name == "2048" else ".3f"
        here = [line["strength"] for line in judged.get((name, "cpu"), [])] or stored_on_cpu(name)
        episodes, agents = found[0]["episodes"], found[0]["agents"]
        time = f"{found[0]['seconds'] / agents:.1f} s"
        measured = mean(there, digits), f"{mean(here, digits)} ({len(here)})"
        what = name, f"{episodes:,}", games, str(len(there)), time
        rows.append([*what, *measured, difference(there, here, digits)])
    head = ["game", "episodes", "games at a time", "seeds", "time / seeds"]
    return markdown_table([*head, "GPU", "CPU (seeds)", "difference"], rows)


def stored_on_cpu(name: str) -> list[float]:
    """Return what agents of Table 1 that learned on the CPU are worth, by the same measure."""
    return values(on_cpu(name, "td-farl"), rows()[name].numbers[0].opponent)


@cache
def on_cpu(name: str, variant: str) -> list[Stored]:
    """Return the runs of Table 1 that learned on the CPU."""
    found = chosen(load_results(RESULTS), name, variant)
    return [run for run in found if "device" not in run["settings"]]


def table1(lines: list[Line]) -> str:
    """Return Table 1 from a GPU beside the CPU's."""
    table = []
    for row, number in numbers():
        runs = [r for r in lines if r["kind"] == "table 1" and r["game"] == row.name]
        cells = []
        for variant in MAIN:
            there = [r["numbers"] for r in runs if r["variant"] == variant]
            here = values(on_cpu(row.name, variant), number.opponent)
            cells.append(shown(row, [n[number.opponent] for n in there if number.opponent in n]))
            cells.append(f"{shown(row, here)} ({len(here)})")
        if cells[0] != NOTHING:
            what = row.title, number.name, str(runs[0]["games"]), f"{runs[0]['seconds']:.1f} s"
            table.append([*what, *cells])
    head = ["game", "judged", "games at a time", "training", "FARL, GPU", "CPU (seeds)"]
    return markdown_table([*head, "no FARL, GPU", "CPU (seeds)"], table)


def profile() -> str:
    """Return what the warps of a kernel wait for."""
    waiting = stored("gpu_profile")["waiting"]
    rows = [[name, f"{100 * share:.0f} %"] for name, share in waiting.items()]
    return markdown_table(["a warp waits for", "share of the time"], rows)


def bandwidth() -> str:
    """Return shares of what the device can do at most."""
    found = stored("gpu_profile")["bandwidth"]
    rows = [
        [name, *(f"{100 * share:.1f} %" for share in of.values())] for name, of in found.items()
    ]
    return markdown_table(["ConnectFour", "memory", "cache (L2)", "computing"], rows)


def write(docs: Path = DOCS) -> list[Path]:
    """Write the guide and the page of measurements; return their paths."""
    lines = stored("gpu")
    (trained,) = (line for line in lines if line["kind"] == "table 1, training")
    values = {
        "speeds": speeds(lines),
        "strengths": strengths(lines),
        "profile": profile(),
        "table1": table1(lines),
        "table1_minutes": f"{trained['seconds'] / 60:.1f}",
        "bandwidth": bandwidth(),
        "exact_minutes": exact_minutes(lines),
        "unbounded": of_kind(lines, "without the bound"),
        "early": of_kind(lines, "read early"),
        "undamped": undamped(lines),
        **sweep(),
    }
    here, command = Path(__file__).parent, "python -m benchmarks.gpu report"
    return [
        write_page(docs / folder / "gpu.md", here / template, command, values)
        for folder, template in PAGES.items()
    ]


def undamped(lines: list[Line]) -> str:
    """Return TicTacToe's scores without temporal coherence, by games at a time."""
    found = [line for line in lines if line["kind"] == "without coherence"]
    cells = [f"{line['mean']:.2f} ± {line['error']:.2f}" for line in found]
    head = ["games at a time", *(line["games"] for line in found)]
    return markdown_table(head, [["mean score against `exact`, 24 seeds", *cells]])


def sweep() -> dict[str, str]:
    """Return what the sweep of ConnectFour found."""
    found = stored("sweep_connectfour")
    shares = sorted(found["shares"].items(), key=lambda pair: -pair[1])
    found_best = [(f"trial {one['trial']}", one) for one in found["confirmed"]]
    rows = []
    for name, one in [*found_best, ("as-run", found["base"])]:
        searched = "" if one["trial"] is None else f"{one['search']:.3f}"
        point = [f"{value:.3g}" for value in one["point"].values()]
        rows.append([name, *point, searched, with_error(one)])
    columns = ["", *(f"`{key}`" for key in found["base"]["point"]), "in the search", "fresh seeds"]
    return {
        "trials": str(len(found["trials"])),
        "best_points": markdown_table(columns, rows),
        "mattered": ", ".join(f"`{key}` {100 * share:.0f} %" for key, share in shares),
    }


def with_error(confirmed: Line) -> str:
    """Return a mean over seeds and its standard error."""
    return f"{confirmed['mean']:.3f} ± {confirmed['standard_error']:.3f}"


def of_kind(lines: list[Line], kind: str) -> str:
    """Return the mean strength of trials that were made to understand something."""
    return mean([line["strength"] for line in lines if line["kind"] == kind], ".2f")
