"""Games by name, by file and by class; whatever is wrong with one is said in one line."""

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from planted import line_of, plant
from tafl.boards.load import same_rules
from tafl.core.games import GAMES
from tafl.core.games.nim import Nim
from tafl.core.games.rules import rules
from tafl.errors import GameError, InputError


@pytest.mark.parametrize(
    ("spec", "name", "parameters"),
    [
        ("tictactoe", "tictactoe", {}),
        (" tictactoe() ", "tictactoe", {}),
        ("2048", "2048", {}),
        ("hex", "hex(size=6)", {"size": 6}),
        ("hex( size = 4 )", "hex(size=4)", {"size": 4}),
        (
            "nim(misere=True, heaps=2)",
            "nim(heaps=2,stones=5,take=5,misere=true)",
            {"heaps": 2, "stones": 5, "take": 5, "misere": True},
        ),
    ],
)
def test_spec_gives_canonical_name(spec, name, parameters):
    game = tafl.game(spec)
    assert game.name == name
    assert game.parameters == parameters
    assert [type(v) for v in game.parameters.values()] == [type(v) for v in parameters.values()]


@given(
    heaps=st.integers(1, 5), stones=st.integers(1, 9), take=st.integers(1, 9), misere=st.booleans()
)
def test_name_loads_the_same_game(heaps, stones, take, misere):
    game = tafl.game("nim", heaps=heaps, stones=stones, take=take, misere=misere)
    again = tafl.game(game.name)
    assert again == game
    assert again.rules == game.rules == Nim(heaps, stones, take, misere)


@pytest.mark.parametrize("name", GAMES)
def test_all_names_load(name):
    game = tafl.game(name)
    assert tafl.game(game) is game
    assert tafl.game(type(game.rules)) == game
    assert tafl.game(game.name) == game


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("hexx", "there is no game 'hexx'; did you mean hex?"),
        ("TicTacToe", "did you mean tictactoe?"),
        ("chess", "there is no game 'chess'; tafl games lists them"),
        ("", "is not a game; write for example hex, hex(size=6)"),
        ("hex(size=6", "is not a game; write for example"),
        ("hex(6)", "'6' must be like size=6"),
        ("hex(size=)", "'size=' must be like size=6"),
        ("hex(size=6,size=5)", "size is given twice"),
        ("hex(sise=6)", "hex has no parameter 'sise'; did you mean size?"),
        ("hex(x=6)", "hex has no parameter 'x'; it has: size (int)"),
        ("tictactoe(size=6)", "tictactoe has no parameter 'size'; it has: none"),
        ("hex(size=six)", "hex: size must be a whole number, not six"),
        ("hex(size=6.0)", "hex: size must be a whole number, not 6.0"),
        ("hex(size=true)", "hex: size must be a whole number, not true"),
        ("hex(size=99999999999999999999)", "size must be a whole number"),
        ("hex(size=1)", "hex(size=1): size must be a whole number from 2 to 7, not 1"),
        ("nim(misere=1)", "nim: misere must be true or false, not 1"),
        ("2048(table=1)", "2048 has no parameter 'table'"),
        ("nowhere/mygame.py", "file not found: nowhere/mygame.py"),
        ("nowhere:Game", "cannot load the game nowhere:Game: No module named 'nowhere'"),
    ],
)
def test_wrong_spec_is_refused_with_what_would_be_right(spec, said):
    with pytest.raises(InputError) as refused:
        tafl.game(spec)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("value", [True, 5.0, "five", None, [5]])
def test_wrong_type_of_a_parameter_is_refused(value):
    with pytest.raises(InputError, match="size must be a whole number"):
        tafl.game("hex", size=value)


def test_parameters_from_numpy():
    assert tafl.game("hex", size=np.int32(5)).rules.size == 5


def test_parameter_given_twice():
    with pytest.raises(InputError, match="size is given twice"):
        tafl.game("hex(size=5)", size=4)


def test_other_parameters_of_a_loaded_game():
    assert tafl.game(tafl.game("hex"), size=4).name == "hex(size=4)"


def test_file_by_path_from_any_working_directory(tmp_path, monkeypatch):
    path = plant(tmp_path)
    by_absolute_path = tafl.game(str(path))
    monkeypatch.chdir(tmp_path)
    game = tafl.game("mygame.py(size=5, players=3)")
    assert game.name == f"{path}(size=5,line=3,players=3)"
    assert type(game.rules) is type(by_absolute_path.rules)
    monkeypatch.chdir("/")
    assert tafl.game(game.name) == game


def test_folder_names_may_contain_parentheses(tmp_path):
    folder = tmp_path / "games (1)"
    folder.mkdir()
    path = plant(folder)
    assert tafl.game(f"{path}(size=5)").rules.size == 5
    assert tafl.game(path).rules.size == 4


def test_bare_name_of_a_file_is_suggested(tmp_path, monkeypatch):
    plant(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"did you mean mygame\.py\?"):
        tafl.game("mygame")


class Foreign:
    """A game of another library: its text is the name of a game of tafl."""

    def __str__(self):
        return "hex"


@pytest.mark.parametrize("other", [Foreign(), 5, None, ["hex"], b"hex", Nim.play])
def test_what_is_no_game_is_refused(other):
    """Its text may be the name of a game, which is another game."""
    with pytest.raises(InputError, match=r"^a game must be a name, a file, a class of rules or a"):
        tafl.game(other)


def test_rules_with_parameters_are_a_game():
    assert tafl.game(Nim(2, 3)) == tafl.game("nim(heaps=2,stones=3)")
    assert tafl.game(Nim(2, 3), stones=4) == tafl.game("nim(heaps=2,stones=4)")


def test_edited_file_is_loaded_anew_even_if_size_and_time_stay(tmp_path):
    path = plant(tmp_path)
    before = tafl.game(path)
    status = path.stat()
    plant(tmp_path, ("size: int = 4", "size: int = 5"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert before.facts.cells == 16
    assert tafl.game(path).facts.cells == 25


def test_edited_module_beside_the_file_is_loaded_anew(tmp_path):
    path = plant(
        tmp_path,
        ("size: int = 4", "size: int = SIZE"),
        ("\nSTEPS", "\nfrom sizes import SIZE\nSTEPS"),
    )
    (tmp_path / "sizes.py").write_text("SIZE = 4")
    assert tafl.game(path).facts.cells == 16
    (tmp_path / "sizes.py").write_text("SIZE = 5")
    assert tafl.game(path).facts.cells == 25
    assert "sizes" not in sys.modules


def test_modules_beside_two_files_do_not_mix(tmp_path):
    changes = ("size: int = 4", "size: int = sizes.SIZE"), ("\nSTEPS", "\nimport sizes\nSTEPS")
    games = []
    for size in (4, 5):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "deeper.py").write_text(f"SIZE = {size}")
        (folder / "sizes.py").write_text("from deeper import SIZE")
        games.append(tafl.game(plant(folder, *changes)))
    assert [game.rules.size for game in games] == [4, 5]


BROKEN = [
    ("def start(self, state):", "def start(self, state)", "def start", "expected ':'"),
    ("\nSTEPS", "\nSTEP = 1 / 0\nSTEPS", "STEP = 1 / 0", "ZeroDivisionError: division by zero"),
    ("\nSTEPS", "\nimport nowhere\nSTEPS", "import nowhere", "No module named 'nowhere'"),
    ("\nSTEPS", "\nfrom .beside import x\nSTEPS", "from .beside", "ImportError"),
    ("\nSTEPS", "\nraise SystemExit(3)\nSTEPS", "raise SystemExit", "SystemExit: 3"),
    ("def legal(", "def allowed(", "@rules", "LineGame has no method legal()"),
    ("(NamedTuple):", ":", "@rules", "write class LineGame(NamedTuple)"),
    (
        "def legal(self, state, action):",
        "def legal(self, state):",
        "def legal",
        "it must be legal(self, state, action), not legal(self, state)",
    ),
    ("cells = self.size**2", "cells = self.seize**2", "self.seize", "in facts(): AttributeError"),
]


@pytest.mark.parametrize(("old", "new", "where", "said"), BROKEN)
def test_mistake_in_a_file_is_told_with_its_line(tmp_path, old, new, where, said):
    path = plant(tmp_path, (old, new))
    with pytest.raises(GameError) as refused:
        tafl.game(path)
    message = str(refused.value)
    assert message.startswith(f"{path}:{line_of(path, where)}")
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "name", ["quiet", "player", "score", "chance", "outcomes", "board", "list_moves", "nothing"]
)
def test_parameter_with_a_reserved_name_is_refused(tmp_path, name):
    """It would hide the method; `quiet` and `nothing` have a meaning for the game's name."""
    path = plant(tmp_path, ("    size: int = 4", f"    {name}: int = 4\n    size: int = 4"))
    said = rf"mygame\.py:\d+: TypeError: LineGame has a parameter {name}, which is .*; rename it"
    with pytest.raises(GameError, match=said):
        tafl.game(path)
    (fault,) = tafl.check(path).faults.values()
    assert f"rename it, for example to {name}_count" in fault.text


def test_parameter_may_be_called_moves_unless_there_is_a_method(tmp_path):
    field = ("    size: int = 4", "    moves: int = 4\n    size: int = 4")
    assert tafl.game(plant(tmp_path, field)).parameters["moves"] == 4
    method = "    def moves(self, state, out):\n        return 0\n\n    def over("
    path = plant(tmp_path, field, ("    def over(", method), name="both.py")
    with pytest.raises(GameError, match="parameter moves, which is the name of a method"):
        tafl.game(path)


def test_mistake_in_a_module_beside_the_file_is_told_with_its_line(tmp_path):
    path = plant(tmp_path, ("\nSTEPS", "\nimport sizes\nSTEPS"))
    (tmp_path / "sizes.py").write_text("A = 1\nB = A + None\n")
    with pytest.raises(GameError, match=r"sizes\.py:2: TypeError: unsupported operand"):
        tafl.game(path)
    (tmp_path / "sizes.py").write_text("A = 1\nB = (\n")
    with pytest.raises(GameError, match=r"sizes\.py:2: '\(' was never closed"):
        tafl.game(path)


def test_file_must_hold_exactly_one_game(tmp_path):
    empty = tmp_path / "empty.py"
    empty.write_text("from tafl.core.games.nim import Nim\n")
    with pytest.raises(GameError, match=r"empty\.py has no class marked @rules"):
        tafl.game(empty)
    two = plant(tmp_path)
    source = two.read_text()
    two.write_text(source + "\n\n" + source[source.index("@rules") :].replace("LineGame", "Second"))
    with pytest.raises(
        GameError, match=r"defines the games LineGame and Second; a file can define only one"
    ):
        tafl.game(two)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x = '\x00'"])
def test_file_that_is_no_python(tmp_path, content):
    path = tmp_path / "binary.py"
    path.write_bytes(content)
    with pytest.raises(GameError, match=r"binary\.py"):
        tafl.game(path)


FACTS = [
    ("words=2 + cells", "words=0", "words must be a whole number of at least 1, not 0"),
    (
        "values=self.players + 1",
        "values=3.0",
        "values must be a whole number of at least 1, not 3.0",
    ),
    (
        "actions=cells",
        "actions=17",
        "action_symmetries[0] has 16 entries, but there are 17 actions",
    ),
    (
        " symmetries=symmetries,",
        " symmetries=[[0] * cells] * 8,",
        "symmetries[0] is not a permutation",
    ),
    (" symmetries=symmetries,", " symmetries=symmetries[::-1],", "[0] must be the identity"),
    (" symmetries=symmetries,", " symmetries=symmetries[:4],", "4 symmetries but 8 action_symm"),
    ("grid_neighbours(self.size,", "grid_neighbours(2,", "neighbours has 8 entries"),
    ("grid_neighbours(self.size, self.size, ALL_AROUND)", "[[16]] * 16", "[0] contains 16"),
    ("words=2 + cells", "words=2 + cells, lines=[[0, 16]]", "lines[0] contains 16; the cells"),
    ("words=2 + cells", "words=2 + cells, lines=[[1, 1]]", "lines[0] must name at least one"),
    ("words=2 + cells", "words=2 + cells, score_range=(1, -1)", "must be (lowest, highest)"),
    ("return Facts(", "return dict(", "facts() must return Facts(...), not dict"),
]


@pytest.mark.parametrize(("old", "new", "said"), FACTS)
def test_facts_that_do_not_fit_together_are_refused(tmp_path, old, new, said):
    with pytest.raises(GameError) as refused:
        tafl.game(plant(tmp_path, (old, new)))
    assert said in str(refused.value)


def test_parameters_are_numbers_or_flags(tmp_path):
    with pytest.raises(GameError, match="the parameter line must be an int, a float or a bool"):
        tafl.game(plant(tmp_path, ("line: int = 3", "line: str = 'three'")))


def test_parameter_without_a_default_is_asked_for(tmp_path):
    path = plant(tmp_path, ("size: int = 4", "size: int"))
    with pytest.raises(
        InputError, match=r"mygame\.py needs a value for size, for example .*\(size=\.\.\.\)"
    ):
        tafl.game(path)
    assert tafl.game(path, size=5).rules.size == 5


@rules
class Counting(NamedTuple):
    """A class of rules in a module: one player counts to one."""

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[0] += 1

    def over(self, state):
        return state[0] > 0

    def score(self, state, player):
        return 1.0 * state[0]

    def cell(self, state, c):
        return state[0]

    def facts(self):
        return tafl.Facts(players=1, actions=1, cells=1, values=2, words=1)


def test_class_in_a_module_is_named_after_it():
    game = tafl.game(Counting)
    assert game.name == f"{__name__}:Counting"
    assert tafl.game(game.name) == game


def test_class_that_is_no_game():
    with pytest.raises(InputError, match="is not a game; mark a class of rules with @rules"):
        tafl.game(dict)


def test_plain_use_does_not_import_numba(tmp_path):
    path = plant(tmp_path)
    program = (
        "import sys, tafl\n"
        "for spec in ('othello', '2048', sys.argv[1]):\n"
        "    state = tafl.game(spec).start()\n"
        "    state.play(state.legal_actions[0])\n"
        "assert not {'numba', 'pydantic', 'matplotlib', 'scipy'} & set(sys.modules)\n"
    )
    source = Path(tafl.__file__).parent.parent
    subprocess.run(
        [sys.executable, "-c", program, path],
        check=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )


COUNT = """
from typing import NamedTuple
import sys
import tafl
from tafl.rules import Facts, rules

@rules
class Count(NamedTuple):
    def start(self, state): state[:] = 0
    def player(self, state): return state[0] % 2
    def legal(self, state, action): return True
    def play(self, state, action): state[0] += 1 + action
    def over(self, state): return state[0] >= 5
    def score(self, state, player): return 0.0
    def cell(self, state, c): return min(state[0], 6)
    def facts(self): return Facts(players=2, actions=2, cells=1, values=7, words=1)

class Wrong(Count):
    def play(self, state, action): state[7] = 1

run = tafl.train(Count, episodes=5, out=sys.argv[-1])
tafl.save(run, sys.argv[-1] + ".agent")
print(run.finished)
try:
    tafl.game(Wrong).start().play(0)
except tafl.GameError as error:
    print(error)
"""


@pytest.mark.long
@pytest.mark.parametrize("way", ["-", "-c"])
def test_rules_that_are_in_no_file(way, tmp_path):
    """Read from stdin, or given on the command line."""
    arguments = ["-c", COUNT] if way == "-c" else ["-"]
    done = subprocess.run(
        [sys.executable, *arguments, str(tmp_path / "run")],
        input=COUNT,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == [
        "True",
        "__main__:Wrong, play(): IndexError: index 7 is out of bounds for axis 0 with size 1",
    ], done.stderr


def test_reading_a_file_warns_of_nothing(tmp_path):
    """It may be somebody else's, and it is not run."""
    one, other = tmp_path / "one" / "game.py", tmp_path / "other" / "game.py"
    one.parent.mkdir()
    other.parent.mkdir()
    one.write_text("x = 1if True else 2\n")
    other.write_text("x = 1 if True else 2\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same_rules(one, other)
