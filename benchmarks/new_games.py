"""How strong the games beyond the paper become with default settings: trained, measured, stored.

    python benchmarks/new_games.py run [GAME ...]                  what is not stored
    python benchmarks/new_games.py trial GAME SEED CHANGE ...      the same with other settings
    python benchmarks/new_games.py report      docs/new_games.md, and a part of each game's page

A run is `tafl train GAME --seed SEED`; runs are kept in runs/new_games and not trained again. Each
training and each measurement is a line of results/new_games.jsonl, written when it ends. Times are
those of the processor, without the compiler.
"""

import shutil
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import tafl
from new_games_pages import ITSELF, MCTS, PRESET, RESULTS, STORE, load, uses_trained, write_pages
from tafl.agents import Agent
from tafl.arena import Result, evaluate
from tafl.arena.starts import Starts
from tafl.arena.statistics import standard_error
from tafl.reproduction.lines import append_line
from tafl.runs.folder import environment
from tafl.runs.run import Run
from tafl.settings.tables import joined, parse_assignments
from tafl.training.learner import Learner
from tafl.training.plan import prepare

HOME = Path(__file__).resolve().parent.parent
SEEDS = (1, 2, 3)
SLOW = ("gomoku", "rolit", "sim", "yavalath")  # trainings of more than two minutes: one seed
GAMES = 300  # of each measurement
OWN_GAMES = 24  # of an agent with itself
MATCHES = 7  # the seed of all games
# who is measured, and against whom: A is the trained agent, of which others know nothing
Pair = tuple[str, str]
ALONE = ["A", "puct(A,iterations=1000)", MCTS, "random"]
PLAN: dict[str, list[Pair]] = {
    "sliding": [(agent, "") for agent in [*ALONE, "nply(A,depth=8)"]],
    "solitaire": [(agent, "") for agent in [*ALONE, "nply(A,depth=4)"]],
}
# as deep as a look ahead takes some hundredths of a second
SEARCHES = {
    "breakthrough": "maxn(depth=3)",
    "gomoku": "maxn(depth=3)",
    "kalah": "maxn(depth=9)",
    "dotsandboxes": "maxn(depth=6)",
    "einstein": "expectimax(depth=4)",
    "sim": "maxn(depth=8)",
    "yavalath": "maxn(depth=3)",
    "connectfour3p": "maxn(depth=6)",
    "hex3p": "maxn(depth=3)",
    "rolit": "maxn(depth=5)",
    "nimnp": "maxn(depth=15)",
}
PLAN |= {n: [("A", other) for other in ("random", MCTS, s)] for n, s in SEARCHES.items()}
PLAN["nimnp"] += [("exact", other) for other in ("random", MCTS, SEARCHES["nimnp"])]
PLAN["connectfour"] = []  # to compare costs with
for pairs in PLAN.values():
    pairs.append(("A", ITSELF))


def run_of(name: str, seed: int, changes: tuple[str, ...]) -> Run:
    """The run, trained and its training stored if it is not there."""
    path = HOME / "runs" / "new_games" / "-".join([name, *changes, f"seed-{seed}"])
    if (path / "settings.toml").exists() and Run.open(path).finished:
        return Run.open(path)
    shutil.rmtree(path, ignore_errors=True)  # an interrupted one would not tell its time
    preset = next((c.removeprefix(PRESET) for c in changes if c.startswith(PRESET)), None)
    single = [change for change in changes if not change.startswith(PRESET)]
    given = joined(parse_assignments(single), {"seed": seed, "evaluation": {"every": 0}})
    plan = prepare(name, preset, None, given)
    learner = Learner(tafl.game(name), plan.settings, plan.tuples)
    learner.compile()
    boards, tuples = learner.net.symmetries, len(plan.tuples)
    del learner
    began = time.process_time()
    run = tafl.train(name, preset=preset, out=path, **given)
    seconds, about = time.process_time() - began, run.summary()
    line = {"episodes": about["episodes"], "moves": about["moves"], "seconds": round(seconds, 2)}
    line |= {"tuples": tuples, "length": plan.settings.network.length, "boards": boards}
    store(name, changes, seed, ("", ""), line)
    return run


def measured(run: Run, agent: str, opponent: str) -> dict[str, Any]:
    """Plays in all roles, or alone."""
    text = f"'run:{run.path}'"
    player: str | Agent = run.agent if agent == "A" else agent.replace("(A,", f"({text},")
    if opponent == ITSELF:
        return choices(run)
    result = evaluate(player, opponent or None, GAMES, seed=MATCHES, game=run.game)
    return {"games": len(result.records), **(against(result) if opponent else alone(result))}


def against(result: Result) -> dict[str, Any]:
    """Win rate and score of the evaluated agent."""
    won = result.wins[:, 0]
    rate = [float(np.mean(won)), standard_error(won)]
    return {"win rate": rate, "score": [result.mean, result.error], "roles": result.roles}


def alone(result: Result) -> dict[str, Any]:
    """Points, and how many games were solved."""
    points = result.scores[:, 0]
    done = points == 31 if result.game.name == "solitaire" else points > -100
    solved = [float(np.mean(done)), standard_error(done.astype(float))]
    return {"solved": solved, "score": [float(np.mean(points)), standard_error(points)]}


def choices(run: Run) -> dict[str, Any]:
    """How many actions are legal in the games of an agent with itself, after two random moves."""
    players = run.game.facts.players
    starts: Starts = 2 if players > 1 else "start"
    result = tafl.match(run.game, [run.agent] * players, OWN_GAMES, starts, seed=MATCHES)
    states = [state for record in result.records for _, state in record.replay()]
    found = [len(state.legal_actions) for state in states if not state.over]
    return {"games": len(result.records), "choices": float(np.mean(found))}


def store(name: str, changes: tuple[str, ...], seed: int, pair: Pair, found: Any) -> None:
    """Adds a line."""
    line = {"game": name, "changes": " ".join(changes), "seed": seed}
    line |= {"agent": pair[0], "against": pair[1], **found, "processor": environment()["processor"]}
    append_line(RESULTS / STORE, line)
    print(line, flush=True)


def make(name: str, seed: int, changes: tuple[str, ...] = ()) -> None:
    """Trains and measures what is not stored of a run; agents that learn nothing, only once."""
    once = seed == SEEDS[0] and not changes
    mine = [line for line in load() if line["game"] == name and line["seed"] == seed]
    same = [line for line in mine if line["changes"] == " ".join(changes)]
    stored = {(line["agent"], line["against"]) for line in same}
    for pair in PLAN[name]:
        if pair not in stored and (once or uses_trained(pair[0])):
            store(name, changes, seed, pair, measured(run_of(name, seed, changes), *pair))


def run(names: list[str]) -> None:
    """All seeds of these games; each seed of all games before the next."""
    for seed in SEEDS:
        for name in names:
            if seed == SEEDS[0] or name not in SLOW:
                make(name, seed)


if __name__ == "__main__":
    what, *given = sys.argv[1:] or [""]
    if what == "run" and set(given) <= set(PLAN):
        run(given or list(PLAN))
    elif what == "trial" and len(given) > 2 and given[0] in PLAN and given[1].isdigit():
        make(given[0], int(given[1]), tuple(given[2:]))
    elif [what, *given] == ["report"]:
        write_pages()
    else:
        sys.exit(__doc__)
