"""Learning on a GPU: how fast, and is the agent as strong as one that learned game by game?

    python benchmarks/gpu.py speed GAME AGENTS GAMES [ALGO [THREADS]]    moves per second
    python benchmarks/gpu.py strength GAME SEEDS GAMES [EPISODES]        agents judged after it
    python benchmarks/gpu.py strength GAME SEED cpu [EPISODES]           the same on one core
    python benchmarks/gpu.py table1 FOLDER SECONDS                       Table 1 as a whole
    python benchmarks/gpu.py report                                      writes docs/gpu.md

AGENTS agents learn side by side, each with GAMES games at a time on its tables (1: the exact mode),
with the settings as-run and seeds 1, 2, ...; THREADS of a block, otherwise as many as training
takes. What is measured is added to results/gpu.jsonl, one line each. The time of a training is that
of learning alone; compilation is stated. FOLDER is where `tafl reproduce table1 --device cuda
--learners td-farl,td-no-farl --out FOLDER` has stored its runs, whose training took SECONDS.
"""

import json
import statistics
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template
from time import perf_counter
from typing import Any

import tafl
from right_moves import right_moves
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.reproduction.cells import NOTHING, markdown_table, shown, values
from tafl.reproduction.rows import MAIN, rows
from tafl.reproduction.rows import numbers as numbers_of_table1
from tafl.reproduction.runs import Stored, chosen, load_results
from tafl.settings.build import make_tuples
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.training.gpu import Population, device_code
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

HOME = Path(__file__).resolve().parent.parent
STORE, PROFILE = HOME / "results" / "gpu.jsonl", HOME / "results" / "gpu_profile.json"
SWEEP = HOME / "results" / "sweep_connectfour.json"  # what its command printed
PAGE, WORDS = HOME / "docs" / "gpu.md", Path(__file__).with_suffix(".md")
SECONDS = 2.0  # of the launch that counts
# Episodes, and what is judged: the opponent and the number of games, or the way of `judge`.
PLAN: dict[str, tuple[int, str, int]] = {
    "connectfour": (5_000_000, "right moves", 0),
    "hex": (300_000, "mcts(iterations=1000)", 100),
    "othello": (250_000, "bench", 200),
    "2048": (200_000, "alone", 2_000),
    "nim3p": (300_000, "exact", 480),
    "nim": (100_000, "exact", 480),
    "tictactoe": (30_000, "exact", 480),
}
Line = dict[str, Any]


def settings_for(game: tafl.Game, seeds: Iterable[int], games: int, **options: Any) -> list:
    """The settings of agents that learn side by side."""
    tree = option_tree(device="cuda", threads=games, **options)
    return [compose(game, "as-run", None, tree | {"seed": seed}) for seed in seeds]


def populate(game: tafl.Game, settings: list[Settings], threads: int = 0) -> Population:
    """Agents on the device."""
    population = Population(game, settings, [make_tuples(game, s) for s in settings])
    population.threads = threads or population.threads
    return population


def speed(name: str, agents: int, games: int, algo: str = "td", threads: int = 0) -> Line:
    """Moves per second of all agents, when they know something already."""
    game = tafl.game(name)
    chosen = settings_for(game, range(1, agents + 1), games, algo=algo, episodes=5_000_000)
    population = populate(game, chosen, threads)
    start = perf_counter()
    population.launch(0)
    compilation = perf_counter() - start
    population.episode = 200 * games  # all games at a time
    episodes, seconds, moves = games, 0.0, 0.0
    while seconds < SECONDS / 2:
        before = moves_of(population)
        start = perf_counter()
        population.launch(episodes)
        seconds = perf_counter() - start
        population.episode += episodes
        moves = moves_of(population) - before
        episodes = max(2 * games, min(20 * episodes, int(episodes * SECONDS / seconds)))
    return {
        "kind": "speed",
        "device": device_code().device_name(),
        "game": name,
        "algo": algo,
        "agents": agents,
        "games": games,
        "threads": population.threads,
        "moves_per_second": round(moves / seconds),
        "microseconds": round(1e6 * agents * games * seconds / moves, 3),
        "compilation": round(compilation, 1),
    }


def moves_of(population: Population) -> float:
    """Moves that all blocks have played."""
    return float(population.there.totals.copy_to_host()[:, 0].sum())


def strength(name: str, seeds: int, games: str, episodes: int = 0) -> list[Line]:
    """Agents trained to their end, and judged."""
    game = tafl.game(name)
    episodes = episodes or PLAN[name][0]
    if games == "cpu":
        settings = compose(game, "as-run", None, option_tree(seed=seeds, episodes=episodes))
        learner = Learner(game, settings, make_plan(game, settings).tuples)
        learner.compile()
        start = perf_counter()
        learner.learn(episodes)
        seconds, moves = perf_counter() - start, learner.moves
        agents = [LearnedAgent(game, learner.net, learner.td, seeds)]
        several = [settings]
    else:
        several = settings_for(game, range(1, seeds + 1), int(games), episodes=episodes)
        population = populate(game, several)
        population.launch(0)
        start = perf_counter()
        learn(population, episodes)
        seconds, moves = perf_counter() - start, moves_of(population) / seeds
        made = (population.network(k, k) for k in range(seeds))
        td = Learner(game, several[0].model_copy(update={"threads": 1}), population.tuples[0]).td
        agents = [LearnedAgent(game, net, td, k + 1) for k, net in enumerate(made)]
    common = {"kind": "strength", "game": name, "games": games, "episodes": episodes}
    common |= {"agents": len(agents), "seconds": round(seconds, 2), "moves": round(moves)}
    return [
        common | {"seed": s.seed, "strength": judge(game, agent)}
        for s, agent in zip(several, agents, strict=True)
    ]


def learn(population: Population, episodes: int) -> None:
    """Launches of about a second, as in training."""
    count = population.games
    while population.episode < episodes:
        start = perf_counter()
        count = min(count, episodes - population.episode)
        population.learn(count)
        count = min(2 * count, max(population.games, int(count / (perf_counter() - start))))


def judge(game: tafl.Game, agent: LearnedAgent) -> float:
    """ConnectFour: share of right moves in critical positions; others: score of their games."""
    _, opponent, games = PLAN[game.name.partition("(")[0]]
    if opponent == "right moves":
        return right_moves(agent, game)["right"]
    if opponent == "alone":
        return evaluate(agent, games=games, seed=1).mean
    return evaluate(agent, opponent, games, seed=1).mean


def mean(values: list[float], digits: str) -> str:
    """A mean and its standard error."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return f"{statistics.mean(values):{digits}} ± {error:{digits}}"


def difference(there: list[float], here: list[float], digits: str) -> str:
    """How much more the GPU's agents are worth, with the standard error of that."""
    squares = [statistics.variance(values) / len(values) for values in (there, here)]
    more = statistics.mean(there) - statistics.mean(here)
    return f"{more:+{digits}} ± {sum(squares) ** 0.5:{digits}}"


def core_rates(lines: list[Line]) -> dict[str, float]:
    """Moves per second of one core of the same machine, by game."""
    rates: dict[str, list[float]] = {}
    for line in lines:
        if line["kind"] == "strength" and line["games"] == "cpu":
            rates.setdefault(line["game"], []).append(line["moves"] / line["seconds"])
    return {game: statistics.median(found) for game, found in rates.items()}


def speeds(lines: list[Line]) -> str:
    """Moves per second of each benchmark: the last that was measured, and the first."""
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
    """How long 256 exact agents of ConnectFour take at the speed that was measured."""
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
    """How strong agents are that learned from many games at a time, beside one after the other."""
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
    """What agents of Table 1 that learned on the CPU are worth, by the same measure."""
    return values(on_cpu(name, "td-farl"), rows()[name].numbers[0].opponent)


@cache
def on_cpu(name: str, variant: str) -> list[Stored]:
    """The runs of Table 1 that learned on the CPU."""
    found = chosen(load_results(HOME / "results"), name, variant)
    return [run for run in found if "device" not in run["settings"]]


def table1_lines(folder: str, seconds: str) -> list[Line]:
    """What the runs of Table 1 have come to on a GPU."""
    lines: list[Line] = [{"kind": "table 1, training", "seconds": float(seconds)}]
    for run in load_results(Path(folder) / "results"):
        found = {n["opponent"]: values([run], n["opponent"]) for n in run["numbers"]}
        line = {"kind": "table 1", "game": run["row"], "variant": run["variant"]}
        line |= {"seed": run["seed"], "games": run["settings"]["threads"], "moves": run["moves"]}
        line |= {"seconds": run["training_seconds"], "device": run["environment"]["gpu"]}
        line["numbers"] = {opponent: one[0] for opponent, one in found.items() if one}
        lines.append(line)
    return lines


def table1(lines: list[Line]) -> str:
    """Table 1 from a GPU beside the CPU's."""
    table = []
    for row, number in numbers_of_table1():
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
    """What the warps of a kernel wait for."""
    waiting = json.loads(PROFILE.read_text())["waiting"]
    rows = [[name, f"{100 * share:.0f} %"] for name, share in waiting.items()]
    return markdown_table(["a warp waits for", "share of the time"], rows)


def bandwidth() -> str:
    """Shares of what the device can do at most."""
    found = json.loads(PROFILE.read_text())["bandwidth"]
    rows = [
        [name, *(f"{100 * share:.1f} %" for share in of.values())] for name, of in found.items()
    ]
    return markdown_table(["ConnectFour", "memory", "cache (L2)", "computing"], rows)


def report() -> str:
    """The page."""
    lines = [json.loads(line) for line in STORE.read_text().splitlines()]
    tables = {"speeds": speeds(lines), "strengths": strengths(lines), "profile": profile()}
    (trained,) = (line for line in lines if line["kind"] == "table 1, training")
    return Template(WORDS.read_text()).substitute(
        tables,
        table1=table1(lines),
        table1_minutes=f"{trained['seconds'] / 60:.1f}",
        bandwidth=bandwidth(),
        exact_minutes=exact_minutes(lines),
        unbounded=of_kind(lines, "without the bound"),
        early=of_kind(lines, "read early"),
        undamped=undamped(lines),
        **sweep(),
    )


def undamped(lines: list[Line]) -> str:
    """TicTacToe without temporal coherence, by games at a time."""
    found = [line for line in lines if line["kind"] == "without coherence"]
    cells = [f"{line['mean']:.2f} ± {line['error']:.2f}" for line in found]
    head = ["games at a time", *(line["games"] for line in found)]
    return markdown_table(head, [["mean score against `exact`, 24 seeds", *cells]])


def sweep() -> dict[str, str]:
    """What the sweep of ConnectFour found."""
    found = json.loads(SWEEP.read_text())
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
    """A mean over seeds and its standard error."""
    return f"{confirmed['mean']:.3f} ± {confirmed['standard_error']:.3f}"


def of_kind(lines: list[Line], kind: str) -> str:
    """The mean strength of trials that were made to understand something."""
    return mean([line["strength"] for line in lines if line["kind"] == kind], ".2f")


def main(words: list[str]) -> None:
    """Measures, prints and stores."""
    kind, *rest = words
    if kind == "report":
        PAGE.write_text(report())
        return
    if kind == "speed":
        name, agents, games, *more = rest
        threads = int(more[1]) if len(more) > 1 else 0
        lines = [speed(name, int(agents), int(games), *more[:1], threads=threads)]
    elif kind == "table1":
        lines = table1_lines(*rest)
    else:
        name, seeds, games, *more = rest
        lines = strength(name, int(seeds), games, *map(int, more))
    with STORE.open("a") as store:
        for line in lines:
            print(json.dumps(line), flush=True)
            store.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
