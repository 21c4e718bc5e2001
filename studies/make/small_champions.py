"""Makes champions of the games that are not in studies/best: small files, trained in minutes.

    python -m studies.make.small_champions           all of them, into src/tafl/runs/champions
    python -m studies.make.small_champions gomoku sim --into FOLDER --workers 8

All champions together may have twelve million bytes. So these have n-tuples with few patterns, and
weights that were used least are left out. They are measured as they are in the file.
"""

import shutil
import time
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from typing import Any

import tafl
from studies.best.trials import end_with_parent
from studies.make.champions import with_card
from studies.records import HOME, Measurement, command
from tafl.agents import Agent
from tafl.agents.regret import with_network
from tafl.arena import evaluate
from tafl.arena.statistics import standard_error
from tafl.processes import cores
from tafl.runs.champions import FOLDER, Strength, read_card, save_champion
from tafl.settings.tables import joined, nested

RUNS = HOME.parent / "runs" / "small_champions"
SEED, GAMES_SEED = 101, 3  # of the training, and of the games that judge it
MCTS = "mcts(iterations=1000)"
KNOWS = "It knows the positions of its own play and of random moves from there. "
BLIND = "It does not look ahead: add a search, such as puct(champion,iterations=1000)."


@dataclass(frozen=True)
class Small:
    """How a champion is trained, and how large it may be."""

    largest: int  # bytes
    settings: dict[str, Any] = field(default_factory=dict)
    preset: str = ""
    games: int = 150  # against each opponent
    opponents: tuple[str, ...] = (MCTS, "random")


def walks(number: int, length: int, **more: Any) -> dict[str, Any]:
    """Return the settings of random walks."""
    sizes = {"network.number": number, "network.length": length}
    return {"network.tuples": "random-walk", **sizes, **more}


def lines(length: int, **more: Any) -> dict[str, Any]:
    """Return the settings of n-tuples of lines."""
    return {"network.tuples": "lines", "network.length": length, **more}


SHARED = {"network.shared": True}
EXPLORING = {"td.epsilon_final": 0.1, "start.plies": 2}
# Rows, squares and half rows of 2048: small tables, of which the mirror images are not needed.
FOURS = [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 4, 5], [1, 2, 5, 6], [5, 6, 9, 10]]
PLAN = {
    "2048": Small(240_000, {"episodes": 40_000, "network.tuples": FOURS}, "best", 500, ()),
    "connectfour3p": Small(100_000, {"episodes": 1_500_000, **EXPLORING, **lines(5), **SHARED}),
    "gomoku": Small(110_000, {"episodes": 200_000, **lines(6)}),
    "hex3p": Small(100_000, {"episodes": 400_000, **EXPLORING, **walks(40, 5), **SHARED}),
    "rolit": Small(120_000, {"episodes": 200_000, **EXPLORING, **walks(24, 5), **SHARED}),
    "yavalath": Small(80_000, {"episodes": 300_000, **lines(7), **SHARED}),
    "sim": Small(90_000, {"episodes": 300_000, **lines(8), **SHARED}),
    "solitaire": Small(60_000, {"episodes": 400_000}, "", 1, ()),
    "breakthrough": Small(120_000, {"episodes": 150_000, **walks(32, 6)}),
    "einstein": Small(90_000, {"episodes": 1_000_000, **walks(32, 4)}),
    "nimnp": Small(20_000, {"episodes": 1_000_000, "td.epsilon_final": 0.1}),
    "dotsandboxes": Small(90_000, {"episodes": 300_000}),
    "backgammon": Small(150_000, {"episodes": 150_000}, "usual", 100, ("random",)),
}


def main() -> None:
    """Make the champions that are asked for."""
    parser = ArgumentParser("python -m studies.make.small_champions")
    parser.add_argument("games", nargs="*", default=list(PLAN), help=", ".join(PLAN))
    parser.add_argument("--into", type=Path, default=FOLDER)
    parser.add_argument("--workers", type=int, default=cores())
    said = parser.parse_args()
    said.into.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(said.workers, get_context("spawn"), end_with_parent) as pool:
        for future in as_completed([pool.submit(made, name, said.into) for name in said.games]):
            try:
                print(future.result(), flush=True)
            except Exception as error:
                print(repr(error), flush=True)


def made(name: str, into: Path) -> str:
    """Make a champion; return what its card says."""
    plan, began = PLAN[name], time.monotonic()
    one = Measurement(
        study="best",
        game=name,
        metric="score",
        value=0.0,
        preset=plan.preset,
        overrides=plan.settings,
        seed=SEED,
    )
    path = RUNS / name
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    given = joined(nested(plan.settings), {"evaluation": {"every": 0}, "seed": SEED})
    run = tafl.train(name, preset=plan.preset or None, out=path, **given)
    file, to = path / "champion.safetensors", into / f"{name}.safetensors"
    text = command(one).replace(" --preset ''", "")
    save_champion(run, file, text, "the only run", [], "", largest=plan.largest)
    agent = with_network(tafl.load(file))
    strength = [measured(agent, name, plan, against) for against in plan.opponents or ("",)]
    card = read_card(file).model_copy(update={"strength": strength, "limits": KNOWS + BLIND})
    with_card(file, to, card)
    told = "; ".join(f"{line.measure}: {line.result}" for line in strength)
    left = f"{card.active:,} weights, {card.left_out:,} left out"
    seconds = time.monotonic() - began
    return f"{name}: {to.stat().st_size:,} bytes, {left}, {seconds:.0f} s: {told}"


def measured(agent: Agent, name: str, plan: Small, against: str) -> Strength:
    """Let a champion play, and say how well."""
    result = evaluate(agent, against or None, plan.games, seed=GAMES_SEED, game=tafl.game(name))
    games = len(result.records)
    if not against:
        scores = result.scores[:, 0]
        error = standard_error(scores) if games > 1 else 0.0
        text = f"{mean(scores):,.1f} ± {error:,.1f}" if games > 1 else f"{scores[0]:g}"
        return Strength(measure=f"mean points of {games} games", result=text)
    players = result.game.facts.players
    won, error = 100 * result.wins[:, 0].mean(), 100 * standard_error(result.wins[:, 0])
    role = "all roles" if players == 2 else f"all roles, against {players - 1} of them"
    text = f"share of wins against {against}, {role}, {games} games"
    return Strength(
        measure=text, result=f"{won:.1f} ± {error:.1f} % (equal: {100 / players:.0f} %)"
    )


if __name__ == "__main__":
    main()
