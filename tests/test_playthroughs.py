"""One random game of each kind as a readable file: the rules still give the same text.

    python tests/test_playthroughs.py      writes tests/playthroughs/ again

A file states the facts of a game, then shows one game move by move. The moves are stored in it;
the test plays them and compares everything else. After an intended change of rules, write the
files again and read the diff: it shows what the change means to a player.
"""

import difflib
import re
import textwrap
from itertools import takewhile
from pathlib import Path
from random import Random

import pytest

import tafl
from tafl.core.games import GAMES

FOLDER = Path(__file__).parent / "playthroughs"
SPECS = (*GAMES, "nim(misere=true)", "hex(size=4)")
SEED = 1
# A long game is cut: the first 12 positions are shown, then every 10th, and the last; fewer where
# games are long or boards large.
FIRST = {"brandubh": 8, "gomoku": 6, "tablut": 6}
STEP = {"2048": 50, "backgammon": 20, "cube": 20, "gomoku": 20, "sliding": 50, "tablut": 30}
MOST_LINES = 300
WIDTH, INDENT = 100, 12
NO_BREAK = "\N{NO-BREAK SPACE}"


def field(label, value):
    """A labelled value, on as many lines as it needs."""
    text = f"{label:{INDENT}}{value}"
    lines = textwrap.wrap(text, WIDTH, subsequent_indent=" " * INDENT, break_on_hyphens=False)
    return "\n".join(lines).replace(NO_BREAK, " ")


def numbers(values):
    return " ".join(f"{value:.10g}" for value in values)


def named(game, action):
    """An action by its number, and by its name if that says more."""
    name = game.action_name(action)
    return str(action) if name == str(action) else f"{action}={name}".replace(" ", NO_BREAK)


def facts_text(game):
    facts = game.facts
    low, high = (bound / facts.score_unit for bound in facts.score_range)
    return [
        field("players", facts.players),
        field("actions", facts.actions),
        field("cells", facts.cells),
        field("values", f"0 to {facts.values - 1}"),
        field("symmetries", len(facts.symmetries)),
        field("scores", f"{low:.10g} to {high:.10g}{', sum 0' if facts.is_zero_sum else ''}"),
        field("chance", "yes" if game.has_chance else "no"),
    ]


def position_text(game, state, number):
    turn = "game over" if state.over else f"player {state.player} to move"
    legal = ", ".join(named(game, action) for action in state.legal_actions)
    return [
        "",
        f"== position {number}: {turn}",
        *(line.rstrip() for line in str(state).splitlines()),
        *([field("legal", legal)] if legal else []),
        field("scores", numbers(state.scores)),
        field("cells", numbers(state.cells)),
    ]


def playthrough(spec, seed, moves):
    """The text of a file."""
    game = tafl.game(spec)
    lines = [f"{spec}: one random game", "", *facts_text(game)]
    lines += [field("seed", seed), field("moves", numbers(moves))]
    state = game.start(seed=seed)
    for number, action in enumerate(moves):
        if number < FIRST.get(spec, 12) or number % STEP.get(spec, 10) == 0:
            lines += [*position_text(game, state, number), field("plays", named(game, action))]
        state.play(action)
    lines += position_text(game, state, len(moves))
    return "\n".join(lines) + "\n"


def random_moves(spec, seed):
    choice, moves = Random(seed), []
    state = tafl.game(spec).start(seed=seed)
    while not state.over:
        moves.append(choice.choice(state.legal_actions))
        state.play(moves[-1])
    return moves


def seed_and_moves(text):
    """What a file stores to be played again."""
    head = text[text.index("\nseed ") :].splitlines()[1:]
    seed, moves, *more = takewhile(str.strip, head)
    actions = " ".join([moves.removeprefix("moves"), *more]).split()
    return int(seed.removeprefix("seed")), [int(action) for action in actions]


def file_of(spec):
    return FOLDER / (re.sub(r"\W+", "-", spec).strip("-") + ".txt")


@pytest.mark.parametrize("spec", SPECS)
def test_the_stored_moves_give_the_stored_text(spec):
    text = file_of(spec).read_text(encoding="utf-8")
    now = playthrough(spec, *seed_and_moves(text))
    diff = difflib.unified_diff(text.splitlines(), now.splitlines(), "stored", "now", lineterm="")
    if text != now:
        pytest.fail("\n".join(diff), pytrace=False)


@pytest.mark.parametrize("spec", SPECS)
def test_a_file_shows_a_whole_game_on_a_few_pages(spec):
    text = file_of(spec).read_text(encoding="utf-8")
    assert f"\n== position {len(seed_and_moves(text)[1])}: game over\n" in text
    assert len(text.splitlines()) <= MOST_LINES


def test_every_game_has_its_file():
    assert sorted(FOLDER.iterdir()) == sorted(map(file_of, SPECS))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for spec in SPECS:
        text = playthrough(spec, SEED, random_moves(spec, SEED))
        file_of(spec).write_text(text, encoding="utf-8")
