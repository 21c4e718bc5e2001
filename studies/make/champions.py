"""Makes the champions that come with tafl: trained, chosen, measured, written with their cards.

    python -m studies.make.champions tictactoe nim nim3p connectfour hex othello
    python -m studies.make.champions --adopt connectfour FILE

The champion is the best of the ten runs of a preset `best` in studies/best/results.jsonl; of
several that tie, it is the one with the lowest seed. None took part in a search for settings.
Champions of games that are judged by playing are the best of some trials, measured again in
other games. `--adopt` takes an agent that was made on another machine, such as one with a GPU,
and measures it here.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import tafl
from studies.best.computed import of
from studies.best.judges import GAMES, Adopted, judged
from studies.best.plan import PRESET, SAME, goals, setup
from studies.best.trials import RUNS, trained
from studies.opponents import shown
from studies.records import Measurement, by_training, command, read, results, where
from tafl.agents.regret import with_network
from tafl.files import replacing, to_json
from tafl.runs.champions import Card, Strength, champion_file, read_card, save_champion
from tafl.runs.small import packed
from tafl.runs.tensors import read_metadata, write_tensors

SEED = 3  # of games: trials have others
# Trials that champions are taken from, where agents of others would be too large.
LINES = "best episodes=15000000 network.tuples=connectfour-lines-9 td.zero_terminal=true"
SMALL = {
    "connectfour": f"{LINES} evaluation.every=0",
    "hex": "episodes=1500000 network.length=8 td.epsilon=0.1",
    "othello": "best episodes=1000000 network.tuples=othello-patterns",
}
KNOWS = "It knows the positions of its own play and of random moves from there; others, set up by "
KNOWS += "hand, may be played badly."
LIMITS = {
    "tictactoe": KNOWS,
    "nim": KNOWS,
    "nim3p": "Best against two exact players; against others, such as people, it was not measured.",
    "connectfour": "It takes a win, but does not look further ahead, so it can miss a threat, and "
    "is far from perfect as the second player.",
    "hex": "It plays only on the 6x6 board. It does not look ahead.",
    "othello": "It does not look ahead, and programs that do are stronger.",
}


class Choice(NamedTuple):
    """The training that makes a champion, and why this one."""

    training: Measurement
    reason: str

    @property
    def command(self) -> str:
        """Return what trains it again."""
        return command(self.training)


def choice_of(name: str) -> Choice:
    """Return the best of what is stored."""
    stored = read(results("best"))
    if name in GAMES:
        runs = by_training(where(stored, game=name, **setup(SMALL[name])))
        top = max(runs, key=lambda run: (win_rate(run), -(run[0].seed or 0)))
        rate = "mean of four win rates" if name == "connectfour" else "win rate"
        which = f"the highest {rate} of {len(runs)} trainings" if len(runs) > 1 else "the only one"
        return Choice(top[0], f"{which}, measured again in other games")
    runs = [[one] for one in of(stored, goals()[name], PRESET)]
    best = max(run[0].value for run in runs)
    equal = [run[0] for run in runs if run[0].value > best - SAME]
    reason = f"{len(equal)} of {len(runs)} fresh seeds tie: the first of them"
    return Choice(equal[0], reason)


def win_rate(run: list[Measurement]) -> float:
    """Return what trainings are compared by; in ConnectFour the mean of all roles."""
    metric = "wins" if run[0].game == "connectfour" else "win_rate"
    rates = where(run, metric=metric)
    return mean(one.value for one in rates) if metric == "wins" else rates[0].value


def make(name: str) -> None:
    """Make the champion of a game."""
    choice, file = choice_of(name), RUNS / f"{name}.safetensors"
    save_champion(trained(choice.training), file, choice.command, "", [], "")
    adopt(name, file)


def adopt(name: str, path: Path) -> None:
    """Make the agent in a file the champion of a game: it is measured as it is there."""
    choice, agent = choice_of(name), with_network(tafl.load(path))
    card = read_card(path)
    if card.command != choice.command:
        sys.exit(f"{path} was made by {card.command}, but the best is {choice.command}")
    strength = strength_of(name, Adopted(path, agent, agent.game))
    about = {"chosen": choice.reason, "strength": strength, "limits": LIMITS[name]}
    with_card(path, champion_file(name), card.model_copy(update=about))
    show(name)


def with_card(path: Path, to: Path, card: Card) -> None:
    """Write the agent in a file of a champion with another card."""
    agent = with_network(tafl.load(path))
    with path.open("rb") as file:
        texts = {key: text for key, text in read_metadata(file).items() if key != "sha256"}
    texts["card"] = to_json(card.model_dump())
    with replacing(to, "wb") as file:
        write_tensors(file, packed(agent.net.weights, card.bits), texts)


def show(name: str) -> None:
    """Print what a champion's card says."""
    file = champion_file(name)
    card = read_card(file)
    print(f"{file.name}: {file.stat().st_size:,} bytes, {card.bits} bits, {card.chosen}")
    for one in card.strength:
        print(f"  {one.measure}: {one.result}")


def strength_of(name: str, agent: Adopted) -> list[Strength]:
    """Measure an agent for its card."""
    if name not in GAMES:
        return [computed(name, agent)]
    found = judged(agent, SEED)
    right = [fields for fields in found if fields["metric"] == "right_moves"]
    played = [fields for fields in found if fields["metric"] in ("wins", "win_rate")]
    draws = iter(fields for fields in found if fields["metric"] == "draws")
    lines = [
        moving(fields, next(draws)) if fields["metric"] == "wins" else all_roles(fields)
        for fields in played
    ]
    return [*lines, *([right_strength(right)] if right else [])]


def computed(name: str, agent: Adopted) -> Strength:
    """Return the measure of a preset `best`."""
    goal = goals()[name]
    text = f"{goal.measure} against exact play, all roles, games from {goal.starts}"
    possible = f"computed; best possible: {goal.cell(goal.ideal)}"
    return Strength(measure=text, result=f"{goal.cell(goal.judged(agent.agent))} ({possible})")


def moving(wins: dict[str, Any], draws: dict[str, Any]) -> Strength:
    """Return the share of games that an agent wins in one role."""
    role = wins["condition"]["role"]
    text = f"moving {role} against {wins['against']}, wins in {wins['n']} games"
    return Strength(measure=text, result=f"{share(wins)} (draws {100 * draws['value']:.1f} %)")


def all_roles(rate: dict[str, Any]) -> Strength:
    """Return the win rate of an agent in all roles."""
    about = f"all roles, {rate['n']} games from {rate['condition']['starts']}"
    text = f"win rate against {shown(rate['against'])}, {about}"
    return Strength(measure=text, result=share(rate))


def share(fields: dict[str, Any]) -> str:
    """Return a share of games in percent with its standard error."""
    return f"{100 * fields['value']:.1f} ± {100 * fields['error']:.1f} %"


def right_strength(found: list[dict[str, Any]]) -> Strength:
    """Return the share of right moves, also by the number of stones."""
    whole, *by_stones = found
    parts = [(one["condition"]["stones"], one["value"]) for one in by_stones]
    listed = ", ".join(f"{low} to {high} stones {value:.2f}" for (low, high), value in parts)
    return Strength(
        measure=f"moves that keep the outcome, {whole['n']} critical positions of tests/data",
        result=f"{whole['value']:.3f} ± {whole['error']:.3f} ({listed})",
    )


def main(arguments: list[str]) -> None:
    """Carry out one command line."""
    parser = ArgumentParser(
        "python -m studies.make.champions",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", default=[], help=", ".join(LIMITS))
    parser.add_argument("--adopt", nargs=2, metavar=("GAME", "FILE"))
    asked = parser.parse_args(arguments)
    if asked.adopt:
        adopt(asked.adopt[0], Path(asked.adopt[1]))
    for game in asked.games:
        make(game)


if __name__ == "__main__":
    main(sys.argv[1:])
