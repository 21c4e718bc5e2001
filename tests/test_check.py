"""`tafl check` finds planted faults, with the moves that show them, and none in correct games."""

from random import Random

import numpy as np
import pytest

import tafl
from kinds import KINDS
from long import long_except
from planted import line_of, plant
from tafl.boards.check import _comes_to_an_end, _differ, check
from tafl.core.games import GAMES, PAPER
from tafl.core.games.rules import Facts
from tafl.errors import GameError, InputError
from tafl.settings.presets import _number, compose
from tafl.training.plan import make_plan

# A game that the template is not: with chance, with position(), with changed().
DICE = '''"""One player collects points: a die is thrown, and each throw may be kept once."""

from typing import NamedTuple

from tafl.rules import Facts, below, rules


@rules
class Dice(NamedTuple):
    """state = [thrown, kept 0, kept 1, kept 2, moves]"""

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return state[1 + action] == 0

    def play(self, state, action):
        state[1 + action] = state[0]
        state[0] = 0
        state[4] += 1

    def chance(self, state, rng):
        if state[4] < 3:
            state[0] = 1 + below(rng, 6)

    def over(self, state):
        return state[4] == 3

    def score(self, state, player):
        return (state[1] + state[2] + state[3]) / 18

    def cell(self, state, c):
        return state[c]

    def changed(self, before, after):
        mask = 0
        for c in range(4):
            if before[c] != after[c]:
                mask |= 1 << c
        return mask

    def facts(self):
        swap = [[0, 1, 2, 3], [0, 2, 1, 3]]
        actions = [[0, 1, 2], [1, 0, 2]]
        return Facts(
            players=1,
            actions=3,
            cells=4,
            values=7,
            words=5,
            score_range=(0.0, 1.0),
            symmetries=swap,
            action_symmetries=actions,
        )

    def position(self, state, cells, player):
        state[:4] = cells
        state[4] = sum(value != 0 for value in cells[1:])
'''


SHORT = [(name, 10) for name in (*PAPER, *KINDS)]
FEW_MOVES = ("kuhn", "leduc", "liarsdice", "blackjack")  # in a game: more games are checked
LONG = [(name, 50 if name in PAPER else 40 if name in FEW_MOVES else 10) for name in GAMES]


@pytest.mark.parametrize(("name", "games"), long_except(SHORT, dict.fromkeys(SHORT + LONG)))
def test_games_of_tafl_are_correct(name, games):
    """Check the games of the paper in more games than others."""
    report = check(name, games=games)
    assert report.faults == {}
    assert report.notes == []
    assert report.moves >= (300 if games == 50 else 50)


@pytest.mark.parametrize(
    "parameters", ["", "(size=3,line=3,players=1)", "(size=5,line=4,players=3)"]
)
def test_template_is_correct(tmp_path, parameters):
    report = check(f"{plant(tmp_path)}{parameters}", games=20)
    assert report.faults == {}
    assert report.notes == []


def test_game_of_chance_is_correct(tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE)
    report = check(path)
    assert report.faults == {}
    assert report.moves == 150


IN_TEMPLATE = {
    "a symmetry of cells that is none": (
        (" symmetries=symmetries,", " symmetries=[*symmetries[:7], [1, 0, *range(2, 16)]],"),
        "symmetry 7 does not hold: action 0 and its image 3: cell 1 should be 1, but is 0",
    ),
    "a symmetry of actions that is none": (
        ("action_symmetries=inverse(symmetries)", "action_symmetries=symmetries"),
        "symmetry 1 does not hold: action 0 and its image 3: cell 3 should be 0, but is 1",
    ),
    "a symmetry of the board that the rules do not have": (
        ("state[2 + action] == 0", "state[2 + action] == 0 and (action or state[0] > 4)"),
        "the images of the legal actions are not legal",
    ),
    "a legal move that crashes": (
        ("state[2 + action] = stone", "state[2 + action + action // 15] = stone"),
        "in play(): IndexError: index 18 is out of bounds",
    ),
    "a cell value out of range": (
        ("return state[2 + c]", "return state[2 + c] * (1 + c // 15)"),
        "cell(15) is ",
    ),
    "a cell value that is no whole number": (
        ("return state[2 + c]", "return state[2 + c] / 1"),
        "cell(0) is 0.0, not one of 0 to 2",
    ),
    "a score that depends on how often one asks": (
        ("return 0.0", "ASKED[0] += 1\n            return ASKED[0] / 1e6"),
        "the rules give different answers for the same state",
    ),
    "a score outside its range": (
        ("return 1.0 if state[1]", "return 2.0 if state[1]"),
        "is 2.0, outside score_range -1.0 to 1.0",
    ),
    "a score that is missing": (
        ("return 1.0 if state[1] == player + 1 else -1.0", "pass"),
        "score() returned None instead of a number",
    ),
    "legal() that writes": (
        ("return state[2 + action] == 0", "state[0] += 0\n        return state[2 + action] == 0"),
        "in legal(): it must not write to the state",
    ),
    "over() that writes": (
        ("return state[1] != 0 or", "state[1] = state[1]\n        return state[1] != 0 or"),
        "in over(): it must not write to the state",
    ),
    "score() that writes": (
        ("        if state[1] == 0:", "        state[0] += 1\n        if state[1] == 0:"),
        "in score(): it must not write to the state",
    ),
    "cell() that writes": (
        ("return state[2 + c]", "state[2 + c] *= 1\n        return state[2 + c]"),
        "in cell(): it must not write to the state",
    ),
    "player() that writes": (
        ("return state[0] % self.players\n", "state[0] += 0\n        return state[0] % 2\n"),
        "in player(): it must not write to the state",
    ),
    "no legal move at the end": (
        ("state[1] != 0 or state[0] == self.size**2", "state[0] == 99"),
        "there is no legal action, but the game is not over",
    ),
    "a player that does not exist": (
        ("return state[0] % self.players\n", "return state[0] % 3\n"),
        "player() is 2, not one of 0 to 1",
    ),
    "a start that leaves something": (
        ("state[:] = 0", "state[1:] = 0"),
        "start() does not set word 0 of the state",
    ),
    "play with a memory": (
        ("state[0] += 1", "state[0] += 1\n        ASKED[0] += 1\n        state[1] = ASKED[0] % 2"),
        "gives different results for the same state",
    ),
    "a drawing that is none": (
        ('return "\\n".join(', "return list("),
        "draw() does not return text",
    ),
    "a number that is not whole": (
        ("state[0] += 1", "state[0] += 1.0"),
        "in play(): TypeError: a state holds whole numbers, and 1.0 is none",
    ),
    "a number that is not whole in a row of them": (
        ("state[:] = 0", "state[:] = 0\n        state[1:3] = (0.5, 0)"),
        "in start(): TypeError: a state holds whole numbers, and (0.5, 0) is none",
    ),
    "a game that is over at the start": (
        ("return state[1] != 0 or", "return True or"),
        "the game is over at the start; seed=0 at the start",
    ),
    "actions with one name": (
        (
            "    def draw(",
            "    def action_name(self, action):\n        return f'{action // 2}'\n\n    def draw(",
        ),
        "the legal actions 0 and 1 are both called '0': players cannot tell them apart",
    ),
    "more values than tables can have": (
        ("values=", "values=10**7 + "),
        "values must be at most 1,000,000, not 10,000,",
    ),
    "facts of the wrong size": (
        ("actions=cells", "actions=cells - 1"),
        "action_symmetries[0] has 16 entries, but there are 15 actions",
    ),
    "a file that is no Python": (("def start(self", "def (self"), "mygame.py:37: invalid syntax"),
    "a difference between compiled and plain": (
        ("return 0.0", "return 0.5 if isinstance(state[0], int) else 0.0"),
        "scores[0] is 0.0 in plain Python but 0.5 compiled",
    ),
    "a method that does not compile": (
        ("return state[2 + c]", "return [int(state[2 + c])][0]"),
        "in cell(): rules cannot create lists, sets, dicts or arrays",
    ),
}

IN_DICE = {
    "changed() that misses a cell": (
        ("for c in range(4):", "for c in range(3):"),
        "changed() leaves out cell 3, which did change",
    ),
    "changed() that names too much": (
        ("return mask", "return mask | 16"),
        "changed() names cell 4, but the cells are 0 to 3",
    ),
    "input() that is no value of a cell": (
        ("def changed(", "def input(self, state, c):\n        return 7\n\n    def changed("),
        "input(0) is 7, not one of 0 to 6",
    ),
    "changed() that writes": (
        ("        mask = 0", "        after[4] += 0\n        mask = 0"),
        "in changed(): it must not write to the state",
    ),
    "chance that is not from rng": (
        ("1 + below(rng, 6)", "random.randrange(1, 7)"),
        "chance() gives different results for the same state and rng",
    ),
    "a score that changes after the end": (
        ("if state[4] < 3:\n            state[0]", "if state[4] < 4:\n            state[1]"),
        "score(0) changes after the end, from ",
    ),
    "an end that is none": (
        ("if state[4] < 3:\n", "if state[4] == 3:\n            state[4] = 2\n        else:\n"),
        "the game was over, but after chance() it is not",
    ),
    "position() that forgets a cell": (
        ("state[:4] = cells", "state[:3] = cells[:3]"),
        "position() puts 0 on cell 3 instead of ",
    ),
    "position() that refuses what occurs": (
        ("state[:4] = cells", "raise ValueError('no')"),
        "position() is wrong: it refuses ",
    ),
    "a symmetry that is none": (
        ("[0, 2, 1, 3]", "[1, 0, 2, 3]"),
        "symmetry 1 does not hold: ",
    ),
    "a symmetry of actions that is none": (
        ("[1, 0, 2]", "[2, 1, 0]"),
        "symmetry 1 does not hold: ",
    ),
}  # fmt: skip


LISTED = """    def outcomes(self, state):
        return 6 if state[4] < 3 else 1

    def outcome(self, state, i):
        if state[4] == 3:
            return 1.0
        state[0] = 1 + i
        return 1 / 6

    def changed("""


@pytest.mark.parametrize("kind", IN_TEMPLATE)
def test_fault_in_a_board_game_is_found(kind, tmp_path):
    replacement, said = IN_TEMPLATE[kind]
    path = plant(tmp_path, ("\nSTEPS", "\nASKED = [0]\nSTEPS"), replacement)
    assert_found(check(path, games=20), said)


@pytest.mark.parametrize("kind", IN_DICE)
def test_fault_in_a_game_of_chance_is_found(kind, tmp_path):
    (old, new), said = IN_DICE[kind]
    assert DICE.count(old) == 1
    path = tmp_path / "dice.py"
    path.write_text("import random\n\n" + DICE.replace(old, new))
    assert_found(check(path), said)


OTHER_STARTS = {
    "one outcome, but chance throws a die": (
        "    def outcomes(self, state):\n        return 6 if 0 < state[4] < 3 else 1\n\n"
        "    def outcome(self, state, i):\n        if state[4] in (0, 3):\n"
        "            return 1.0\n        state[0] = 1 + i\n        return 1 / 6\n\n",
        "chance() made a state that is not among the outcomes; seed=0 at the start",
    ),
    "other probabilities than those of chance": (
        "    def outcomes(self, state):\n        return 6 if state[4] < 3 else 1\n\n"
        "    def outcome(self, state, i):\n        if state[4] == 3:\n"
        "            return 1.0\n        state[0] = 1 + i\n"
        "        return 1 / 6 if state[4] else (1 + i) / 21\n\n",
        " times in 400; seed=0 at the start",
    ),
}


@pytest.mark.parametrize("kind", OTHER_STARTS)
def test_outcomes_of_the_start_are_compared_with_chance(kind, tmp_path):
    methods, said = OTHER_STARTS[kind]
    path = tmp_path / "dice.py"
    path.write_text(DICE.replace("    def changed(", methods + "    def changed("))
    assert_found(check(path, games=3), said)


def assert_found(report, said):
    """The fault is told in one line."""
    faults = [str(fault) for fault in report.faults.values()]
    assert [fault for fault in faults if said in fault], faults
    assert not [fault for fault in faults if "\n" in fault]


def test_game_that_does_not_end(tmp_path, monkeypatch):
    monkeypatch.setattr("tafl.boards.check.MOST_MOVES", 200)
    changes = (
        ("return state[2 + action] == 0", "return True"),
        ("return state[1] != 0 or", "return 1 >"),
    )
    report = check(plant(tmp_path, *changes), games=1)
    fault = report.faults["endless"]
    assert fault.text == "a game that begins like this is not over after 200 moves"
    assert len(fault.moves) == 20


def test_moves_of_a_fault_show_it(tmp_path):
    path = plant(
        tmp_path, ("state[2 + action] = stone", "state[2 + action + action // 15] = stone")
    )
    fault = check(path, games=20).faults["crash"]
    state = tafl.game(path).start(fault.seed)
    *before, last = fault.moves
    for action in before:
        state.play(action)
    with pytest.raises(GameError) as crashed:
        state.play(last)
    where = f"{path}:{line_of(path, 'action // 15')}, in play(): IndexError"
    assert str(crashed.value).startswith(where)
    assert fault.text == str(crashed.value)


def test_untestable_symmetry_is_noted(tmp_path):
    changes = (
        ("state[:] = 0", "state[:] = 0\n        state[2] = 1"),
        ("return state[0] % self", "return (state[0] + 1) % self"),
    )
    report = check(plant(tmp_path, *changes), games=5)
    assert report.notes == [
        "not all symmetries were tested: the start position is not symmetric, "
        "and the rules have no position()"
    ]


ODD = {
    "all 20 games ended after one move: is over() right?": (
        "return state[1] != 0 or state[0]",
        "return state[0] > 0 or state[0]",
    ),
    "all players had the same score at the end of all 20 games: is score() right?": (
        "return 1.0 if state[1] == player + 1 else -1.0",
        "return 0.5",
    ),
}


@pytest.mark.parametrize("note", ODD)
def test_oddities_are_noted(note, tmp_path):
    """Allowed, but hardly meant so."""
    changes = [ODD[note], ("words=2 + cells,", "words=2 + cells, zero_sum=False,")]
    report = check(plant(tmp_path, *changes), games=20)
    assert report.faults == {}
    assert note in report.notes


def test_whole_numbers_are_compared_to_their_last_bit():
    assert _differ(np.array([2**60]), np.array([2**60 + 1])).all()
    assert not _differ(np.array([1e9]), np.array([1e9 + 1e-6])).any()


def test_rounding_is_no_fault(tmp_path):
    """0.1 + 0.2 - 0.3 is 5.6e-17, and compiled perhaps 0."""
    change = (
        "return 0.0",
        "return 5.55e-17 if isinstance(state[0], int) else 0.0",
    )
    assert check(plant(tmp_path, change), games=5).faults == {}


def test_the_default_network_fits_what_passes_the_check(tmp_path):
    """A die lies beside the board: it has no neighbours."""
    path = tmp_path / "dice.py"
    path.write_text(
        DICE.replace("symmetries=swap,", "symmetries=swap, neighbours=[[], [2], [1, 3], [2]],", 1)
    )
    assert check(path).faults == {}
    game = tafl.game(path)
    settings = compose(game)
    assert settings.network.tuples == "random-walk"
    for length in (2, 3, 4):
        network = {"tuples": "random-walk", "number": 9, "length": length}
        assert len(make_plan(game, compose(game, overrides={"network": network})).tuples) == 9
    assert make_plan(game, settings).tuples


def test_the_default_network_of_a_large_board_fits_into_memory():
    facts = Facts(players=2, actions=9, cells=10_000, values=20, words=1)
    assert 1 <= _number(facts, length=3) * 2 * 20**3 <= 50_000_000
    assert _number(Facts(players=2, actions=9, cells=361, values=3, words=1), length=8) == 361


def test_missing_file_is_wrong_input_not_a_fault():
    with pytest.raises(InputError, match=r"file not found: nowhere\.py"):
        check("nowhere.py")


@pytest.mark.parametrize("most", [2, 3, 4])
def test_a_game_of_exactly_the_most_moves_comes_to_an_end(most, monkeypatch):
    monkeypatch.setattr("tafl.boards.check.MOST_MOVES", most)
    game = tafl.game("nim(heaps=1,stones=3,take=1)")
    words, rng = game.start(1).words.copy(), np.array([1], np.uint64)
    assert _comes_to_an_end(game, words, rng, Random(1), 0) == (most >= 3)
