"""A mistake that keeps a game from being compiled is told in one line: where, and what it is."""

import numpy as np
import pytest

import tafl
from planted import line_of, plant
from tafl.core.compile import examine
from tafl.core.play.replay import make_trace, replay
from tafl.errors import GameError

MISTAKES = {
    "text and a number": (
        ("state[0] += 1", 'state[0] = state[0] + "1"'),
        'state[0] + "1"',
        "in play(): add(integer, '1') mixes numbers and strings",
    ),
    "a text made of a number": (
        ("return state[2 + action] == 0", 'return f"{action}" == "0"'),
        "return f",
        "in legal(): rules compute with numbers, not strings",
    ),
    "a new array": (
        ("state[0] += 1", "state[:] = state + np.zeros(state.size, np.int64)"),
        "np.zeros",
        "in play(): rules cannot create lists, sets, dicts or arrays",
    ),
    "a new list": (
        ("return state[2 + action] == 0", "return [True, False, False][state[2 + action]]"),
        "[True, False",
        "in legal(): rules cannot create lists, sets, dicts or arrays",
    ),
    "a new dict": (
        ("return state[2 + c]", "return {0: 0, 1: 1, 2: 2}[state[2 + c]]"),
        "{0: 0, 1",
        "in cell(): rules cannot create lists, sets, dicts or arrays",
    ),
    "a dict of the file": (
        ("return state[2 + c]", "return NAMES[state[2 + c]]"),
        "return NAMES",
        "in cell(): NAMES is a dict; rules can only read numbers, tuples and NumPy arrays",
    ),
    "an unknown name": (
        ("state[0] == self.size**2", "state[0] == cells"),
        "== cells",
        "in over(): name 'cells' is not defined",
    ),
    "an unknown parameter": (
        ("state[0] == self.size**2", "state[0] == self.seize**2"),
        "self.seize",
        "in over(): the game has no parameter seize; its parameters are: size, line, players",
    ),
    "too few arguments": (
        ("in_a_row(state, self.size, action, -down, -right)", "in_a_row(state, action, -down)"),
        "in_a_row(state, action, -down)",
        "in play(): the function takes (state, size, cell, down, right): missing a required",
    ),
    "a function without @inline": (
        ("@inline  # a function that the methods below may call\n", ""),
        "ahead = in_a_row",
        "in play(): in_a_row() must be marked @inline",
    ),
    "a method of its own": (
        ("return state[0] % self.players\n", "return self.validate()\n"),
        "return self.validate",
        "in player(): rules cannot call self.validate(); make it a function of the file",
    ),
    "a mistake in a function": (
        ("count += 1", "count += 'x'"),
        "count += 'x'",
        "called by play(): ",
    ),
    "a parameter that is set": (
        ("state[0] += 1", "self.line = 3"),
        "def play(",
        "in play(): self.line cannot be set; what changes is the state",
    ),
    "a fraction as an index": (
        ("state[2 + action] = stone", "state[2 + action / 1] = stone"),
        "action / 1",
        "in play(): an index must be a whole number: divide with //",
    ),
    "no return": (
        ("        return state[0] % self.players\n", "        state[0] % self.players\n"),
        "def player",
        "in player(): it must always return a whole number, not None",
    ),
    "an import": (
        ("state[0] += 1", "import math"),
        "import math",
        "in play(): put imports at the top of the file",
    ),
    "a generator": (
        ("state[0] += 1", "state[0] = sum(n for n in range(3))"),
        "sum(n for",
        "in play(): The use of yield in a closure is unsupported",
    ),
    "a number of more than 64 bits": (
        ("state[0] += 1", "state[0] = 1 << 70"),
        "1 << 70",
        "in play(): the number does not fit into 64 bits",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path / "cache"))


def compile_rules(game):
    """Compiles a kernel that calls every method of the rules."""
    replay(game.rules, np.zeros(0, np.int64), np.zeros(1, np.uint64), make_trace(game.facts, 0))


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistake_is_told_with_method_and_line(kind, tmp_path):
    replacement, where, said = MISTAKES[kind]
    start = ("\nSTEPS", "\nimport numpy as np\n\nNAMES = {0: 0}\nSTEPS")
    path = plant(tmp_path, start, replacement)
    game = tafl.game(path)
    with pytest.raises(GameError) as refused:
        compile_rules(game)
    message = str(refused.value)
    assert message.startswith(f"{path}:{line_of(path, where)}, ")
    assert said in message
    assert "\n" not in message
    assert len(message) < 200 + len(str(path))


def test_two_kinds_of_return(tmp_path):
    path = plant(tmp_path, ("return 1.0 if state[1] == player + 1 else -1.0", "return 'lost'"))
    with pytest.raises(GameError, match="it returns values of different types: ") as refused:
        compile_rules(tafl.game(path))
    # Numba names the two returns in any order
    lines = [line_of(path, text) for text in ("return 0.0", "return 'lost'")]
    assert str(refused.value).startswith(tuple(f"{path}:{n}, in score(): " for n in lines))


def test_return_now_and_then(tmp_path):
    old, new = (
        "return 1.0 if state[1] == player + 1 else -1.0",
        "if state[1] > 9:\n            return 1.0",
    )
    path = plant(tmp_path, (old, new))
    with pytest.raises(GameError) as refused:
        examine(tafl.game(path).rules)
    where = f"{path}:{line_of(path, 'def score')}, in score()"
    assert str(refused.value) == f"{where}: it must always return a number, not float or None"


def test_mistake_in_a_module_beside_the_file(tmp_path):
    (tmp_path / "turns.py").write_text(
        "from tafl.rules import inline\n\n\n@inline\ndef turn(n):\n    return [n]\n"
    )
    path = plant(
        tmp_path,
        ("\nSTEPS", "\nfrom turns import turn\nSTEPS"),
        ("return state[0] % self.players\n", "return turn(state[0])[0]\n"),
    )
    game = tafl.game(path)
    with pytest.raises(GameError) as refused:
        compile_rules(game)
    assert str(refused.value).startswith(
        f"{tmp_path}/turns.py:6, called by player(): rules cannot create"
    )


def test_correct_game_compiles(tmp_path):
    compile_rules(tafl.game(plant(tmp_path)))


def test_names_of_arguments_are_free(tmp_path):
    path = plant(
        tmp_path,
        ("def legal(self, state, action):", "def legal(self, s, a):"),
        ("return state[2 + action] == 0", "return s[2 + a] == 0"),
    )
    compile_rules(tafl.game(path))


def test_mistake_that_is_not_the_games_keeps_its_own_words():
    game = tafl.game("tictactoe")
    with pytest.raises(Exception, match=r"(?i)typ") as raised:
        replay(game.rules, "no moves", np.zeros(1, np.uint64), make_trace(game.facts, 0))
    assert not isinstance(raised.value, GameError)
