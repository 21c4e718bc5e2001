"""Makes the champions that come with tafl: trained, chosen, measured, written with their cards.

    python benchmarks/champions.py make tictactoe nim nim3p connectfour hex othello
    python benchmarks/champions.py adopt connectfour FILE
    python benchmarks/champions.py trial hex 1 network.number=50
    python benchmarks/champions.py trial connectfour 101-110 best --device cuda
    python benchmarks/champions.py trial 2048 1 best game.fold=8192 episodes=60000

Runs are kept in runs/champions/GAME/NAME and not trained again. Of the ten runs of a preset `best`
in results/best.jsonl the best is taken, of equals the lowest seed; none took part in a search for
settings. A trial is one run of as-run with a change and a seed; `trial GAME SEED best` is one of
the preset, also with changes; those of `game.` are parameters of the game. Each becomes a line of
results/best.jsonl. On a GPU several seeds learn side by side; they are judged on all cores.
Champions of games that are judged by playing are the best of them, measured again in other games;
`adopt` takes one that was made where the GPU is, and measures it here. Search around champions:
search_strength.py.
"""

import os
import shlex
import shutil
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

import tafl
from right_moves import SOLVED, right_moves
from tafl.agents.learned import LearnedAgent
from tafl.arena import Result, evaluate
from tafl.boards.spec import unparse
from tafl.files import checksum, replacing, to_json
from tafl.processes import cores
from tafl.reproduction.best import SAME, goals, load_lines, of, store
from tafl.runs.champions import Strength, champion_file, read_card, save_champion
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.runs.small import packed
from tafl.runs.tensors import read_metadata, write_tensors
from tafl.settings.presets import compose
from tafl.settings.tables import merged, parse_assignments
from tafl.training.executors import carry_out
from tafl.training.plan import option_tree
from tafl.training.stop import StopSignal
from tafl.training.together import GpuExecutor

HOME = Path(__file__).resolve().parent.parent
GAMES = 500  # of each measurement that is played
ERRORS = (0.1, 0.2, 0.3)
LONG = 150  # letters of a folder's name


@dataclass(frozen=True)
class Recipe:
    """How a champion is made."""

    preset: str
    changes: tuple[str, ...]
    seed: int
    chosen: str  # why this one
    device: str = "cpu"
    games: int = 0  # at a time on a GPU, if not as many as usual

    def command(self, name: str) -> str:
        """What trains it again."""
        changed = "".join(f" --set {shlex.quote(change)}" for change in self.settings)
        where = " --device cuda" if self.device == "cuda" else ""
        where += f" --threads {self.games}" if self.games else ""
        game = shlex.quote(self.game(name))
        return f"tafl train {game} --preset {self.preset}{changed} --seed {self.seed}{where}"

    def game(self, name: str) -> str:
        """The game with its parameters."""
        own = [c.removeprefix("game.") for c in self.changes if c.startswith("game.")]
        return unparse(name, dict(parameter.split("=") for parameter in own))

    @property
    def settings(self) -> list[str]:
        """All other changes."""
        return [change for change in self.changes if not change.startswith("game.")]

    def begun(self, name: str) -> Run:
        """The run, made now if it is not there."""
        where = ["cuda"] if self.device == "cuda" else []
        which = ["best"] if self.preset == "best" and self.changes else []
        changes = "-".join(self.changes)
        if len(changes) > LONG:  # of a list of n-tuples
            changes = checksum({"changes": changes})
        folder = "-".join(filter(None, [*which, changes, *where, f"seed-{self.seed}"]))
        path = HOME / "runs" / "champions" / name / folder
        if not (path / "settings.toml").exists():
            game = tafl.game(self.game(name))
            options = option_tree(seed=self.seed, device=self.device)
            options |= {"threads": self.games} if self.games else {}
            changed = merged(options, parse_assignments(self.settings))
            with claimed(new_folder(path)):
                Run.create(path, game, compose(game, self.preset, None, changed))
        return Run.open(path)

    def run(self, name: str) -> Run:
        """The run, trained now if it has not come to its end."""
        run = self.begun(name)
        return run if run.finished else tafl.resume(run.path)


class Adopted(NamedTuple):
    """An agent in a file, as measurements see the run of one."""

    path: Path
    agent: LearnedAgent
    game: tafl.Game


def computed(run: Adopted) -> list[Strength]:
    """The measure of a preset `best`."""
    goal = goals()[run.game.name.partition("(")[0]]
    text = f"{goal.measure} against exact play, all roles, games from {goal.starts}"
    possible = f"computed; best possible: {goal.cell(goal.ideal)}"
    return [Strength(measure=text, result=f"{goal.cell(goal.judged(run.agent))} ({possible})")]


def share(wins: float, games: int) -> str:
    """A share of games in percent with its standard error."""
    return f"{100 * wins:.1f} ± {100 * sqrt(wins * (1 - wins) / games):.1f} %"


def connectfour_numbers(run: Run | Adopted, seed: int, workers: int = 1) -> dict[str, float]:
    """First against perfect play; second against perfect play that errs; critical positions."""
    text = f"run:'{run.path}'"
    how: dict[str, Any] = {"starts": "start", "roles": "first", "seed": seed, "workers": workers}
    first = evaluate(text, "ab-dl", GAMES, game=run.game, **how)
    found = {"games": GAMES}
    found |= dict(zip(("first", "first, draws"), won_and_drawn(first, 0), strict=True))
    for error in ERRORS:
        opponent, name = f"ab-dl(error={error})", f"second, error {error}"
        second = evaluate(opponent, text, GAMES, game=run.game, **how)
        found |= dict(zip((name, f"{name}, draws"), won_and_drawn(second, 1), strict=True))
    return found | right_moves(run.agent, run.game)


def played_numbers(run: Run | Adopted, seed: int, workers: int = 1) -> dict[str, float | str]:
    """The opponent of the paper's table, all roles; alone, what it scores."""
    opponent, games, starts = PLAYED[run.game.name.partition("(")[0]]
    text, game = f"run:'{run.path}'", run.game
    how: dict[str, Any] = {"starts": starts, "seed": seed, "workers": workers, "game": game}
    found = evaluate(text, opponent, games, **how)
    line = {"against": opponent, "games": games, "starts": starts}
    if game.facts.players == 1:
        return line | {"score": found.mean, "score, error": found.error}
    line |= {"win rate": found.win_rate}
    for name, engine in ENGINES.get(game.name, {}).items():
        if shutil.which(engine.split()[0]):
            rate = evaluate(text, f"gtp('{engine}')", games, **how)
            line[f"win rate, against {name}"] = rate.win_rate
    return line | (right_moves(run.agent, game) if game.name in SOLVED else {})


def won_and_drawn(result: Result, agent: int) -> tuple[float, ...]:
    """Shares of games."""
    return tuple(float(np.mean(result.scores[:, agent] == score)) for score in (1, 0))


def connectfour(run: Adopted) -> list[Strength]:
    """The same, for people."""
    numbers = connectfour_numbers(run, seed=3)  # trials have other games
    played = {"first": "moving first against ab-dl"}
    played |= {f"second, error {e}": f"moving second against ab-dl(error={e})" for e in ERRORS}
    found = [
        Strength(
            measure=f"{words}, wins in {GAMES} games",
            result=f"{share(numbers[name], GAMES)} (draws {100 * numbers[f'{name}, draws']:.1f} %)",
        )
        for name, words in played.items()
    ]
    return [*found, right_strength(numbers)]


def right_strength(numbers: dict[str, float]) -> Strength:
    """The share of right moves, also by the number of stones."""
    stones = [(n.removeprefix("right, "), v) for n, v in numbers.items() if n.endswith("stones")]
    parts = ", ".join(f"{text} {value:.2f}" for text, value in stones)
    positions = f"{numbers['right, positions']:.0f} critical positions of tests/data"
    result = f"{numbers['right']:.3f} ± {numbers['right, error']:.3f} ({parts})"
    return Strength(measure=f"moves that keep the outcome, {positions}", result=result)


def played(run: Adopted) -> list[Strength]:
    """The opponent of the paper's table, in games that no trial had."""
    numbers = played_numbers(run, seed=3)
    games, won = int(numbers["games"]), float(numbers["win rate"])
    about = f"all roles, {games} games from {numbers['starts']}"
    rates = {str(numbers["against"]): won}
    for name in ENGINES.get(run.game.name, {}):
        if rate := numbers.get(f"win rate, against {name}"):
            rates[name] = float(rate)
    found = [
        Strength(measure=f"win rate against {name}, {about}", result=share(rate, games))
        for name, rate in rates.items()
    ]
    return [*found, right_strength(numbers)] if "right" in numbers else found


CONNECTFOUR = ("episodes=1500000",)
PLAYED = {  # opponent, games, start positions
    "hex": ("mcts(iterations=10000)", 132, "half-board"),
    "othello": ("bench(own=not-next)", 488, "all:4"),
    "2048": ("random", 2_000, "start"),
}
ENGINES = {"othello": {"gtp-rhino, level 1": "gtp-rhino --level=1 --book=0"}}  # if installed
NUMBERS = dict.fromkeys(PLAYED, played_numbers) | {"connectfour": connectfour_numbers}
# Trials that champions are taken from, where agents of others would be too large.
LINES = "best episodes=15000000 network.tuples=connectfour-lines-9 td.zero_terminal=true"
SMALL = {"connectfour": f"{LINES} evaluation.every=0"}
SMALL |= {"hex": "episodes=1500000 network.length=8 td.epsilon=0.1"}
SMALL |= {"othello": "best episodes=1000000 network.tuples=othello-patterns"}
KNOWS = "It knows the positions of its own play and of random moves from there; others, set up by "
KNOWS += "hand, may be played badly."
MEASURES = dict.fromkeys(("tictactoe", "nim", "nim3p"), computed)
MEASURES |= {"connectfour": connectfour, "hex": played, "othello": played}
LIMITS = {
    "tictactoe": KNOWS,
    "nim": KNOWS,
    "nim3p": "Best against two exact players; against others, such as people, it was not measured.",
    "connectfour": "It takes a win, but does not look further ahead, so it can miss a threat, and "
    "is far from perfect as the second player.",
    "hex": "The 6x6 board alone. It does not look ahead.",
    "othello": "It does not look ahead, and programs that do are stronger.",
}


def recipe_of(name: str) -> Recipe:
    """The best of what is stored."""
    lines = load_lines(HOME / "results")
    if name in NUMBERS:
        runs = [line for line in lines if line["game"] == name]
        runs = [line for line in runs if line["trial"] == SMALL.get(name, line["trial"])]
        top = max(runs, key=lambda line: (win_rate(line), -line["seed"]))
        rate = "mean of four win rates" if name == "connectfour" else "win rate"
        which = f"the highest {rate} of {len(runs)} trainings" if len(runs) > 1 else "the only one"
        chosen = f"{which}, measured again in other games"
        device, games = top.get("device", "cpu"), top.get("games at a time", 0)
        return planned(name, top["seed"], tuple(top["trial"].split()), device, chosen, games)
    runs = of(lines, goals()[name], "best")
    top = max(run["value"] for run in runs)
    equal = [run["seed"] for run in runs if run["value"] > top - SAME]
    return Recipe(
        "best", (), equal[0], f"the lowest of the {len(equal)} best of {len(runs)} fresh seeds"
    )


def planned(
    name: str, seed: int, changes: tuple[str, ...], device: str, chosen: str = "", games: int = 0
) -> Recipe:
    """A run of the preset `best`, or of as-run, shorter in ConnectFour, each with changes."""
    if changes[:1] == ("best",):
        return Recipe("best", changes[1:], seed, chosen, device, games)
    length = any(change.startswith("episodes=") for change in changes)
    base = CONNECTFOUR if name == "connectfour" and not length else ()
    return Recipe("as-run", (*base, *changes), seed, chosen, device, games)


def win_rate(line: dict[str, float]) -> float:
    """By which trainings are compared; in ConnectFour the mean of moving first and second."""
    if "first" not in line:
        return line["win rate"]
    return float(np.mean([line["first"], *(line[f"second, error {error}"] for error in ERRORS)]))


def make(name: str) -> None:
    """Makes the champion of a game."""
    recipe, file = recipe_of(name), HOME / "runs" / "champions" / f"{name}.safetensors"
    save_champion(recipe.run(name), file, recipe.command(name), "", [], "")
    adopt(name, file)


def adopt(name: str, path: Path) -> None:
    """Makes the agent in a file the champion of a game: it is measured as it is there."""
    recipe, agent = recipe_of(name), tafl.load(path)
    card = read_card(path)
    if card.command != recipe.command(name):
        sys.exit(f"{path} was made by {card.command}, but the best is {recipe.command(name)}")
    strength = MEASURES[name](Adopted(path, agent, agent.game))
    about = {"chosen": recipe.chosen, "strength": strength, "limits": LIMITS[name]}
    with path.open("rb") as file:
        texts = {key: text for key, text in read_metadata(file).items() if key != "sha256"}
    texts["card"] = to_json(card.model_copy(update=about).model_dump())
    with replacing(champion_file(name), "wb") as file:
        write_tensors(file, packed(agent.net.weights, card.bits), texts)
    show(name)


def show(name: str) -> None:
    """What a champion's card says."""
    file = champion_file(name)
    card = read_card(file)
    print(f"{file.name}: {file.stat().st_size:,} bytes, {card.bits} bits, {card.chosen}")
    for one in card.strength:
        print(f"  {one.measure}: {one.result}")


def trials(
    name: str, seeds: range, changes: tuple[str, ...], device: str = "cpu", games: int = 0
) -> None:
    """Trainings with a change, or with the preset `best`, measured and stored."""
    recipes = [planned(name, seed, changes, device, games=games) for seed in seeds]
    if device == "cuda":
        executor, stop = GpuExecutor(), StopSignal()
        runs = [recipe.begun(name) for recipe in recipes]
        executor.start([run.path for run in runs if not run.finished])
        if failed := carry_out(executor, stop, lambda: None, print):
            sys.exit(str(failed))
        print("all trained", flush=True)
    trial = " ".join(changes)
    together = {"side by side": len(recipes)} if device == "cuda" else {}
    workers = max(1, cores() // len(recipes))  # of each
    with ProcessPoolExecutor(cores(), get_context("spawn"), end_with_parent) as pool:
        for line in pool.map(partial(judged, name, trial, workers), recipes):
            store(HOME / "results", line | together)
            print(line, flush=True)


def end_with_parent() -> None:
    """Lets this process end when the one that has started it does, whatever ends that."""
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    Thread(target=follow, daemon=True).start()


def judged(name: str, trial: str, workers: int, recipe: Recipe) -> dict[str, Any]:
    """The line of a trial."""
    run = recipe.run(name)
    about = run.summary()
    line: dict[str, Any] = {"game": name, "trial": trial, "seed": recipe.seed}
    if recipe.device == "cuda":
        line |= {"device": recipe.device, "games at a time": run.settings.threads}
    line |= {key: about[key] for key in ("episodes", "moves", "seconds")}
    return line | NUMBERS[name](run, seed=1, workers=workers)


def parser() -> ArgumentParser:
    """What can be asked for."""
    found = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    commands = found.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("games", nargs="+", choices=MEASURES)
    adopted = commands.add_parser("adopt")
    adopted.add_argument("game", choices=MEASURES)
    adopted.add_argument("file", type=Path)
    trial = commands.add_parser("trial")
    trial.add_argument("game", choices=NUMBERS)
    trial.add_argument("seeds", help="a number, or FIRST-LAST")
    trial.add_argument("changes", nargs="*", default=[], help="NAME=VALUE ..., or best")
    trial.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    trial.add_argument("--threads", type=int, default=0, help="games at a time on a GPU")
    return found


if __name__ == "__main__":
    asked = parser().parse_args()
    if asked.command == "make":
        for game in asked.games:
            make(game)
    elif asked.command == "adopt":
        adopt(asked.game, asked.file)
    else:
        low, _, high = asked.seeds.partition("-")
        numbers = range(int(low), int(high or low) + 1)
        trials(asked.game, numbers, tuple(asked.changes), asked.device, asked.threads)
