"""How many moves of trained agents are right, with and without FARL: every run stored.

    python benchmarks/learning.py run       trains what is not yet stored in results/learning.jsonl
    python benchmarks/learning.py report    writes docs/right_moves.md and its picture from there

The measures are also what tests/test_learning.py asserts.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

import tafl
from right_moves import best, right, right_moves
from tafl.agents import Agent
from tafl.agents.exact import ExactAgent
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.boards import Game
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

HOME = Path(__file__).resolve().parent.parent
STORE = HOME / "results" / "learning.jsonl"
PAGE = HOME / "docs" / "right_moves.md"
IMAGES = HOME / "docs" / "img"
SEEDS = range(10)

# game: preset, episodes, seeds, episodes between two measurements
PLAN = {
    "tictactoe": ("as-run", 10_000, SEEDS, 10_000),
    "nim": ("as-run", 20_000, SEEDS, 20_000),
    "nim3p": ("as-run", 300_000, SEEDS, 300_000),
    "connectfour": ("paper", 500_000, range(3), 50_000),
}


def share_of_winning_moves(game: Game, agent: Agent, follow: str) -> float:
    """How often an agent picks a winning move in the winning states that it can meet.

    The other player does anything; the agent itself plays as it does (follow = "own"), or has
    played winning moves so far, any of them (follow = "winning").
    """
    exact, shares = ExactAgent(game), []
    for role in range(2):
        seen, stack = set(), [game.start()]
        while stack:
            state = stack.pop()
            if state.over or state.words.tobytes() in seen:
                continue
            seen.add(state.words.tobytes())
            moves = state.legal_actions
            if state.player == role:
                winning = [a for a, value in exact.values(state).items() if value == 1]
                if winning:
                    shares.append(right(agent.values(state), set(winning)))
                moves = best(agent.values(state)) if follow == "own" else winning or moves
            stack += [state.afterstate(a) for a in moves]
    return float(np.mean(shares))


def measures(game: Game, agent: Agent) -> dict[str, float]:
    """What counts for a game."""
    kind = game.name.partition("(")[0]
    if kind == "tictactoe":
        return {"win_rate": evaluate(agent, "exact", 100).win_rate}
    if kind == "nim":
        return {f: share_of_winning_moves(game, agent, f) for f in ("own", "winning")}
    if kind == "nim3p":
        return {"reward": evaluate(agent, "exact", 480).mean}
    return {"right": right_moves(agent, game)["right"]}


def train_and_measure(name: str, seed: int, farl: bool) -> dict:
    """One run: its settings, and what it could do at each measurement."""
    preset, episodes, _, every = PLAN[name]
    game = tafl.game(name)
    settings = compose(
        game, preset, None, option_tree(farl=farl, episodes=episodes, seed=seed, algo="td")
    )
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    learner.compile()
    curve, seconds = [], 0.0
    for episode in range(every, episodes + 1, every):
        began = time.perf_counter()
        learner.learn(every)
        seconds += time.perf_counter() - began
        agent = LearnedAgent(game, learner.net, learner.td, seed)
        curve.append({"episode": episode, **measures(game, agent)})
    run = {"game": name, "preset": preset, "farl": farl, "seed": seed, "moves": learner.moves}
    return run | {"active": learner.active, "seconds": round(seconds, 2), "curve": curve}


def stored() -> list[dict]:
    """All runs so far."""
    return [json.loads(line) for line in STORE.read_text().splitlines()] if STORE.exists() else []


def run_all() -> None:
    """Trains what is missing; each run is stored as it ends."""
    done = {(run["game"], run["farl"], run["seed"]) for run in stored()}
    STORE.parent.mkdir(exist_ok=True)
    for name, (_, _, seeds, _) in PLAN.items():
        for farl in (True, False):
            for seed in seeds:
                if (name, farl, seed) in done:
                    continue
                run = train_and_measure(name, seed, farl)
                with STORE.open("a") as store:
                    store.write(json.dumps(run) + "\n")
                print(name, "FARL" if farl else "no FARL", seed, run["curve"][-1], flush=True)


# game, measure: what it is, the ideal, and what the paper has of it with FARL and without
TABLE = {
    ("tictactoe", "win_rate"): (
        "win rate against exact play, 10 starts, both roles",
        "0.50",
        "0.49 / 0.18",
    ),
    ("nim", "own"): ("share of winning moves, in winning states reached by its own play", "1", ""),
    ("nim", "winning"): ("share of winning moves, in all states reached by winning play", "1", ""),
    ("nim3p", "reward"): (
        "reward against two exact players, 16 starts, all roles",
        "0.40",
        "0.33 / 0.03",
    ),
    ("connectfour", "right"): (
        "share of moves that keep the outcome, in 522 critical positions",
        "1",
        "",
    ),
}


def final(runs: list[dict], game: str, farl: bool, measure: str) -> list[float]:
    """The last value of a measure in each run."""
    return [
        run["curve"][-1][measure] for run in runs if run["game"] == game and run["farl"] == farl
    ]


def mean_and_error(values: list[float]) -> str:
    """Mean and standard error over seeds, and the worst seed."""
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):.3f} ± {error:.3f} (worst {min(values):.3f})"


def active(runs: list[dict], farl: bool) -> float:
    """Share of ConnectFour's weights that are not 0."""
    chosen = [run for run in runs if run["game"] == "connectfour" and run["farl"] == farl]
    return float(np.mean([run["active"] for run in chosen]))


def report(runs: list[dict]) -> str:
    """docs/right_moves.md."""
    lines = [
        "# Right moves",
        "",
        "Written by `python benchmarks/learning.py report` from `results/learning.jsonl`, which",
        "`python benchmarks/learning.py run` writes. Mean and standard error over seeds.",
        "",
        "| game | measure | ideal | FARL | no FARL | paper, FARL / no FARL | seeds | episodes |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (game, measure), (text, ideal, paper) in TABLE.items():
        on, off = (final(runs, game, farl, measure) for farl in (True, False))
        preset, episodes, _, _ = PLAN[game]
        lines.append(
            f"| {game} (`{preset}`) | {text} | {ideal} | {mean_and_error(on)} | "
            f"{mean_and_error(off)} | {paper} | {len(on)} | {episodes:,} |"
        )
    on, off = (active(runs, farl) for farl in (True, False))
    lines += [
        "",
        f"Share of ConnectFour's weights that became active: {on:.1%} with FARL, {off:.1%} without",
        "(the paper, after 5,000,000 episodes: 8% and 0.9%).",
        "",
        "## ConnectFour over the training",
        "",
        "Share of 522 critical positions in which the agent picks a move that keeps the outcome,",
        "each line one seed, 500,000 episodes, preset `paper`.",
        "",
        "![ConnectFour: right moves over the training, with and without FARL](img/connectfour.png)",
        "",
    ]
    return "\n".join(lines)


def picture(runs: list[dict], path: Path) -> None:
    """The curves of ConnectFour."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for farl, colour in ((True, "tab:blue"), (False, "tab:orange")):
        chosen = [run for run in runs if run["game"] == "connectfour" and run["farl"] == farl]
        for i, run in enumerate(chosen):
            points = [(p["episode"] / 1000, p["right"]) for p in run["curve"]]
            label = ("FARL" if farl else "no FARL") if i == 0 else None
            axes.plot(*zip(*points, strict=True), color=colour, marker=".", label=label)
    axes.set(xlabel="thousand episodes", ylabel="right moves", ylim=(0, 1), title="ConnectFour")
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        run_all()
    elif sys.argv[1:] == ["report"]:
        PAGE.write_text(report(stored()))
        picture(stored(), IMAGES / "connectfour.png")
    else:
        sys.exit(__doc__)
