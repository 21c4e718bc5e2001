"""Makes the champions that come with tafl: trained, chosen, measured, written with their cards.

    python benchmarks/champions.py make tictactoe nim nim3p connectfour
    python benchmarks/champions.py trial connectfour start.plies=2

Runs are kept in runs/champions/GAME/NAME and not trained again. Of the ten runs of a preset `best`
in results/best.jsonl the best is taken, of equals the lowest seed; none took part in a search for
settings. A trial is one run with a change and becomes a line of results/best.jsonl, too.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np

import learning
import tafl
from tafl.arena import Result, evaluate
from tafl.reproduction.best import SAME, goals, load_lines, of, store
from tafl.runs.champions import Strength, champion_file, save_champion
from tafl.runs.run import Run
from tafl.settings.tables import parse_assignments

HOME = Path(__file__).resolve().parent.parent
GAMES = 500  # of each measurement that is played
ERRORS = (0.1, 0.2, 0.3)


@dataclass(frozen=True)
class Recipe:
    """How a champion is made; without a seed, the best of those that are stored."""

    preset: str
    measure: Callable[[Run], list[Strength]]
    limits: str
    changes: tuple[str, ...] = ()
    seed: int | None = None

    def command(self, name: str, seed: int) -> str:
        """What trains it again."""
        changed = "".join(f" --set {change}" for change in self.changes)
        return f"tafl train {name} --preset {self.preset}{changed} --seed {seed}"

    def run(self, name: str, seed: int) -> Run:
        """The run of a seed, trained now if it is not there."""
        path = HOME / "runs" / "champions" / name / "-".join([*self.changes, f"seed-{seed}"])
        if (path / "settings.toml").exists():
            return Run.open(path) if Run.open(path).finished else tafl.resume(path)
        changes = parse_assignments(self.changes)
        return tafl.train(name, preset=self.preset, seed=seed, out=path, **changes)


def computed(run: Run) -> list[Strength]:
    """The measure of a preset `best`."""
    goal = goals()[run.game.name.partition("(")[0]]
    text = f"{goal.measure} against exact play, all roles, games from {goal.starts}"
    possible = f"computed; best possible: {goal.cell(goal.ideal)}"
    return [Strength(measure=text, result=f"{goal.cell(goal.judged(run.agent))} ({possible})")]


def share(wins: float, games: int) -> str:
    """A share of games in percent with its standard error."""
    return f"{100 * wins:.1f} ± {100 * sqrt(wins * (1 - wins) / games):.1f} %"


def connectfour_numbers(run: Run) -> dict[str, float]:
    """First against perfect play; second against perfect play that errs; critical positions."""
    text, game = f"run:'{run.path}'", run.game
    first = evaluate(text, "ab-dl", GAMES, starts="start", roles="first", seed=1, game=game)
    found = dict(zip(("first", "first, draws"), _won_and_drawn(first, 0), strict=True))
    for error in ERRORS:
        opponent, name = f"ab-dl(error={error})", f"second, error {error}"
        second = evaluate(opponent, text, GAMES, starts="start", roles="first", seed=2, game=game)
        found |= dict(zip((name, f"{name}, draws"), _won_and_drawn(second, 1), strict=True))
    return found | right_moves(run)


def _won_and_drawn(result: Result, agent: int) -> tuple[float, ...]:
    return tuple(float(np.mean(result.scores[:, agent] == score)) for score in (1, 0))


def right_moves(run: Run) -> dict[str, float]:
    """The share of moves that keep the outcome, in all, and by the number of stones."""
    found: dict[str, list[float]] = {"right": []}
    for state, good in learning.critical_positions(run.game):
        low = int(state.words[2]) // 10 * 10
        share = learning.right(run.agent.values(state), good)
        for name in ("right", f"right, {low} to {low + 9} stones"):
            found.setdefault(name, []).append(share)
    shares = found["right"]
    error = float(np.std(shares, ddof=1)) / sqrt(len(shares))
    means = {name: float(np.mean(found[name])) for name in sorted(found)}
    return means | {"right, error": error, "right, positions": len(shares)}


def connectfour(run: Run) -> list[Strength]:
    """The same, for people."""
    numbers = connectfour_numbers(run)
    played = {"first": "moving first against ab-dl"}
    played |= {f"second, error {e}": f"moving second against ab-dl(error={e})" for e in ERRORS}
    found = [
        Strength(
            measure=f"{words}, wins in {GAMES} games",
            result=f"{share(numbers[name], GAMES)} (draws {100 * numbers[f'{name}, draws']:.1f} %)",
        )
        for name, words in played.items()
    ]
    stones = [(n.removeprefix("right, "), v) for n, v in numbers.items() if n.endswith("stones")]
    parts = ", ".join(f"{text} {value:.2f}" for text, value in stones)
    positions = f"{numbers['right, positions']:.0f} critical positions of tests/data"
    right = f"{numbers['right']:.3f} ± {numbers['right, error']:.3f} ({parts})"
    return [*found, Strength(measure=f"moves that keep the outcome, {positions}", result=right)]


CONNECTFOUR = ("episodes=1500000",)
RECIPES = {
    "tictactoe": Recipe(
        "best",
        computed,
        "It knows the positions of its own play and of random moves from there; set up by hand, "
        "others may be played badly.",
    ),
    "nim": Recipe(
        "best",
        computed,
        "It knows the positions of its own play and of random moves from there; set up by hand, "
        "others may be played badly.",
    ),
    "nim3p": Recipe(
        "best",
        computed,
        "Best against two exact players; against others, such as people, nothing was measured.",
    ),
    "connectfour": Recipe(
        "as-run",
        connectfour,
        "A quarter of the episodes of as-run; it plays greedily and does not look ahead, so it can "
        "miss a win or a threat. puct(champion) searches.",
        CONNECTFOUR,
        seed=1,
    ),
}


def best_seed(name: str) -> tuple[int, str]:
    """The seed of the best stored run of a preset, and why it is chosen."""
    runs = of(load_lines(HOME / "results"), goals()[name], "best")
    top = max(run["value"] for run in runs)
    equal = [run["seed"] for run in runs if run["value"] > top - SAME]
    return equal[0], f"the lowest of {len(equal)} seeds that are the best of {len(runs)}"


def make(name: str) -> None:
    """Makes the champion of a game."""
    recipe = RECIPES[name]
    seed, chosen = (recipe.seed, "the only run") if recipe.seed else best_seed(name)
    run, file = recipe.run(name, seed), champion_file(name)
    command, strength = recipe.command(name, seed), recipe.measure(run)
    card = save_champion(run, file, command, chosen, strength, recipe.limits)
    print(f"{file.name}: {file.stat().st_size:,} bytes, {card.bits} bits, {card.chosen}")
    for one in card.strength:
        print(f"  {one.measure}: {one.result}")


def trial(changes: tuple[str, ...], seed: int = 1) -> None:
    """One training of ConnectFour with a change, measured and stored."""
    recipe = Recipe("as-run", connectfour, "", (*CONNECTFOUR, *changes), seed)
    run = recipe.run("connectfour", seed)
    about = run.summary()
    line = {"game": "connectfour", "trial": " ".join(changes), "seed": seed}
    line |= {name: about[name] for name in ("episodes", "moves", "seconds")}
    line |= {"games": GAMES, **connectfour_numbers(run)}
    store(HOME / "results", line)
    print(line)


if __name__ == "__main__":
    what, *names = sys.argv[1:] or [""]
    if what == "make" and names and set(names) <= set(RECIPES):
        for game in names:
            make(game)
    elif what == "trial" and names[:1] == ["connectfour"]:
        trial(tuple(names[1:]))
    else:
        sys.exit(__doc__)
