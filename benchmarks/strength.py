"""How strong engines are, what search gains, how fast it is: measured, stored, and a page of it.

    python benchmarks/strength.py run [PART ...]    measures again, into results/strength.json
    python benchmarks/strength.py report            writes docs/strength.md from there

The parts are engines (gtp-rhino has to be installed), search (beside OpenSpiel, if that is
installed), gain and solver (default: all of them, about twenty minutes).
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from math import hypot
from pathlib import Path
from statistics import mean
from string import Template
from typing import Any

import numpy as np

import tafl
from tafl.agents import Agent
from tafl.agents.connectfour import solver
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import NPlyAgent
from tafl.agents.trees import PUCTAgent
from tafl.arena.statistics import standard_error
from tafl.boards import Game, State
from tafl.cli.search_speed import measure_maxn, measure_search, processor_time
from tafl.reproduction.report import markdown_table
from tafl.runs.folder import environment

HOME = Path(__file__).resolve().parent.parent
STORE = HOME / "results" / "strength.json"
PAGE = HOME / "docs" / "strength.md"
WORDS = Path(__file__).with_name("strength.md")  # with a place for each table

LEVELS = (1, 2, 3)  # of gtp-rhino
GAMES = 488  # all openings of four moves, with both colours
SEARCHED = ["tictactoe", "connectfour", "hex(size=6)", "othello"]
# game: episodes of training, random plies that games begin with, games, seeds
GAINS = {
    "connectfour": (50_000, 4, 300, [1]),
    "othello": (3_000, 4, 300, [1]),
    "nim3p": (3_000, 2, 3_000, [1, 2, 3]),
    "2048": (2_000, 0, 60, [1]),
}
C = 0.5  # of puct: what was measured; best.md compares it with the usual one
STONES = range(0, 36, 3)
POSITIONS = 200  # of each number of stones


def engines() -> list[dict[str, Any]]:
    """gtp-rhino without its book, whose openings are random, against bench."""
    found = []
    for level in LEVELS:
        engine = f"gtp('gtp-rhino --level={level} --book=0')"
        began = time.perf_counter()
        match = tafl.match("othello", [engine, "bench"], GAMES, starts="all:4")
        passed = time.perf_counter() - began
        line = {"level": level, "games": len(match.records), "win_rate": (match.payoffs[0] + 1) / 2}
        line |= {"standard_error": match.standard_errors[0] / 2}
        found.append(line | {"games_per_second": len(match.records) / passed})
    return found


def search() -> dict[str, Any]:
    """What `tafl bench --search` prints."""
    games = [measure_search(tafl.game(name), 3.0) for name in SEARCHED]
    return {"games": games, "maxn_seconds": measure_maxn()}


def gain() -> list[dict[str, Any]]:
    """What search around a trained agent gains: each opening in all roles against bare agents."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (episodes, plies, games, seeds) in GAINS.items():
            for seed in seeds:
                out = Path(folder) / f"{name}-{seed}"
                run = tafl.train(name, preset="paper", episodes=episodes, seed=seed, out=out)
                play = alone if run.game.facts.players == 1 else against_bare
                for line in play(run.game, run.agent, plies, games):
                    found.append({"game": name, "seed": seed, "episodes": episodes, **line})
    return found


def against_bare(game: Game, bare: LearnedAgent, plies: int, games: int) -> list[dict[str, Any]]:
    """puct against the agent that it asks, in every role but its own."""
    seats = [PUCTAgent(game, bare, c=C), *[bare] * (game.facts.players - 1)]
    match = tafl.match(game, seats, games, starts=plies)
    line = {"agent": f"puct(iterations=500,c={C})", "mean": match.payoffs[0]}
    line |= {"standard_error": match.standard_errors[0], "games": len(match.records)}
    return [line | {"equal": mean(match.payoffs), "equal_error": 0.0}]


def alone(game: Game, bare: LearnedAgent, _: int, games: int) -> list[dict[str, Any]]:
    """The points of the bare agent and of searches around it."""
    agents = {"bare": bare, "nply(depth=2)": NPlyAgent(game, bare)}
    agents[f"puct(iterations=100,c={C})"] = PUCTAgent(game, bare, iterations=100, c=C)
    found: list[dict[str, Any]] = []
    for name, agent in agents.items():
        points = tafl.match(game, [agent], games).scores[:, 0]
        line = {"agent": name, "mean": float(points.mean()), "games": games}
        found.append(line | {"standard_error": standard_error(points)})
    bare_one = {"equal": found[0]["mean"], "equal_error": found[0]["standard_error"]}
    return [line | bare_one for line in found]


def moves() -> list[dict[str, Any]]:
    """How long ab and ab-dl take for a move, each with an empty table as if it were the first."""
    game, rng = tafl.game("connectfour"), np.random.default_rng(1)
    agents = [tafl.agent(name, game) for name in ("ab", "ab-dl")]
    for agent in agents:
        agent.act(game.start())  # reads the book and the machine code
    found = []
    for stones in STONES:
        states = [drawn(game, stones, rng) for _ in range(POSITIONS)]
        times = np.array([[seconds(agent, state) for agent in agents] for state in states])
        line = {"stones": stones, "positions": POSITIONS, "mean": times.mean(axis=0).tolist()}
        found.append(line | {"worst": times.max(axis=0).tolist()})
    return found


def drawn(game: Game, stones: int, rng: np.random.Generator) -> State:
    """A random position of this many stones that nobody has won on the way."""
    while True:
        state = game.start()
        for _ in range(stones):
            quiet = [a for a in state.legal_actions if not state.afterstate(a).over]
            if not quiet:
                break
            state.play(int(rng.choice(quiet)))
        else:
            return state


def seconds(agent: Agent, state: State) -> float:
    """Processor time of one move with an empty table."""
    solver().table[:] = 0
    return processor_time(partial(agent.act, state))


PARTS: dict[str, Callable[[], Any]] = {
    "engines": engines,
    "search": search,
    "gain": gain,
    "solver": moves,
}


def measure(names: list[str]) -> None:
    """Measures these parts; each is stored as it ends."""
    STORE.parent.mkdir(exist_ok=True)
    for name in names or PARTS:
        part = {"environment": environment(), "found": PARTS[name]()}
        document = stored() | {name: part}
        STORE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        print(name, "stored", flush=True)


def stored() -> dict[str, Any]:
    """All that was measured."""
    document: dict[str, Any] = {}
    if STORE.exists():
        document = json.loads(STORE.read_text(encoding="utf-8"))
    return document


def report(document: dict[str, Any]) -> str:
    """docs/strength.md."""
    parts = {name: part["found"] for name, part in document.items()}
    machines = {part["environment"]["processor"] for part in document.values()}
    return Template(WORDS.read_text(encoding="utf-8")).substitute(
        machines=", ".join(sorted(machines)),
        engines=markdown_table(
            ["level", "win rate", "games", "games/s"], map(engine_line, parts["engines"])
        ),
        maxn=f"{1000 * parts['search']['maxn_seconds']:.1f}",
        search=markdown_table(
            ["game", "`mcts`", "OpenSpiel", "ratio"], map(search_line, parts["search"]["games"])
        ),
        gain=markdown_table(
            ["game", "episodes", "seed", "agent", "mean", "equal agents", "gain", "games"],
            map(gain_line, parts["gain"]),
        ),
        solver=markdown_table(
            ["stones", "`ab`: mean", "worst", "`ab-dl`: mean", "worst"],
            map(solver_line, parts["solver"]),
        ),
    )


def engine_line(line: dict[str, Any]) -> list[str]:
    """A level of an engine."""
    rate = f"{line['win_rate']:.3f} ± {line['standard_error']:.3f}"
    return [str(line["level"]), rate, str(line["games"]), f"{line['games_per_second']:.2g}"]


def search_line(line: dict[str, Any]) -> list[str]:
    """The speed of search in a game."""
    theirs = [f"{line['openspiel']:,}", f"{line['ratio']:.1f}"] if "ratio" in line else ["", ""]
    return [line["game"], f"{line['simulations_per_second']:,}", *theirs]


def gain_line(line: dict[str, Any]) -> list[str]:
    """What one agent gains."""
    error = hypot(line["standard_error"], line["equal_error"])
    digits = ",.0f" if line["game"] == "2048" else ".3f"
    reached = f"{line['mean']:{digits}} ± {line['standard_error']:{digits}}"
    gained = "" if line["agent"] == "bare" else f"{(line['mean'] - line['equal']) / error:+.1f}"
    head = [line["game"], f"{line['episodes']:,}", str(line["seed"]), f"`{line['agent']}`"]
    return [*head, reached, f"{line['equal']:{digits}}", gained, f"{line['games']:,}"]


def solver_line(line: dict[str, Any]) -> list[str]:
    """The times for one number of stones."""
    pairs = zip(line["mean"], line["worst"], strict=True)
    return [str(line["stones"]), *(f"{1000 * t:.1f}" for pair in pairs for t in pair)]


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and set(sys.argv[2:]) <= set(PARTS):
        measure(sys.argv[2:])
    elif sys.argv[1:] == ["report"]:
        PAGE.write_text(report(stored()), encoding="utf-8")
    else:
        sys.exit(__doc__)
