"""Games of OpenSpiel and PettingZoo, played and learned through these libraries."""

import json
import random
from collections import Counter

import numpy as np
import pytest

import tafl
from long import long
from tafl.adapters import foreign
from tafl.adapters.encoding import Encoding
from tafl.adapters.foreign import Library, Position, rules_of
from tafl.boards.check import check
from tafl.boards.game import Game
from tafl.cli.main import main
from tafl.core.games.foreign import HEAD, LENGTH
from tafl.core.play.perft import perft
from tafl.errors import InputError

SPIEL = ("tic_tac_toe", "breakthrough(rows=5,columns=4)", "pig(winscore=20)", "2048")


@pytest.fixture(scope="module")
def spiel():
    return pytest.importorskip("pyspiel")


@pytest.fixture(scope="module")
def zoo():
    pytest.importorskip("pettingzoo", minversion="1.27")


def events(state):
    """The actions and outcomes of chance so far, as a foreign state keeps them."""
    source = state.game.rules.source()
    return state.words[source.head : source.head + int(state.words[LENGTH])].tolist()


@pytest.mark.parametrize("name", SPIEL)
def test_openspiel_has_the_same_positions(name, spiel):
    game, theirs, rng = tafl.game(f"openspiel:{name}"), spiel.load_game(name), random.Random(1)
    for seed in range(5):
        state, other, done = game.start(seed), theirs.new_initial_state(), 0
        while True:
            for event in events(state)[done:]:
                outcome = event < 0 and other.chance_outcomes()[-1 - event][0]
                other.apply_action(outcome if event < 0 else event)
            done = len(events(state))
            assert (state.over, state.scores) == (other.is_terminal(), other.returns())
            if state.over:
                break
            assert state.player == other.current_player()
            assert state.legal_actions == other.legal_actions()
            state.play(rng.choice(state.legal_actions))


@pytest.mark.parametrize(("theirs", "ours", "depth"), [
    ("openspiel:connect_four", "connectfour", 4),
    ("openspiel:nim(pile_sizes=2;3;3)", None, 3),
    ("pettingzoo:tafl/hex_v0(size=3)", "hex(size=3)", 3),
])  # fmt: skip
def test_kernels_count_the_same_moves(theirs, ours, depth, spiel, zoo):
    """Perft runs compiled; in Nim there are 8 first moves: one for each number of each pile."""
    found = counted(theirs, depth)
    if ours is None:
        assert found[0] == 8
    else:
        assert found == counted(ours, depth)


def counted(name, depth):
    game = tafl.game(name)
    return perft(game.rules, game.facts, depth)


def test_chance_has_its_probabilities(spiel):
    """Pig rolls a die after each action "roll"."""
    game = tafl.game("openspiel:pig")
    rolls = Counter()
    for seed in range(600):
        state = game.start(seed)
        state.play("roll")
        rolls[events(state)[-1]] += 1
    assert set(rolls) == set(range(-6, 0))
    assert sum((n - 100) ** 2 / 100 for n in rolls.values()) < 20.5  # chi square, p = 0.001


def test_cells_tell_the_pieces(spiel):
    """A square of Breakthrough is one cell, as drawn; the last cell is the player to move."""
    state, rng = tafl.game("openspiel:breakthrough(rows=5,columns=4)").start(), random.Random(2)
    shown = {}
    for _ in range(12):
        drawn = "".join(line[1:] for line in str(state).split("\n")[:5])
        assert len(state.cells) == 21
        assert state.cells[-1] == state.player
        for sign, cell in zip(drawn, state.cells, strict=False):
            assert shown.setdefault(sign, cell) == cell
        state.play(rng.choice(state.legal_actions))
    assert len(shown) == len(set(shown.values())) == 3


@pytest.mark.parametrize("name", ["openspiel:2048", "openspiel:tic_tac_toe"])
def test_the_rules_pass_the_check(name, spiel):
    findings = check(name, games=2)
    assert (findings.faults, findings.notes) == ({}, [])


def test_positions_that_were_dropped_are_made_again(spiel, monkeypatch):
    game, other = tafl.game("openspiel:pig(winscore=15)"), []
    for kept in (foreign.KEPT, 1):
        monkeypatch.setattr(foreign, "KEPT", kept)
        game.rules.source()._kept.clear()
        states = [game.start(3)]
        while not states[-1].over:
            states.append(states[-1].copy())
            states[-1].play(states[-1].legal_actions[-1])
        other.append([state.words.tolist() for state in states])
    assert other[0] == other[1]


def test_a_game_of_openspiel_is_learned(spiel, tmp_path, caplog):
    out = tmp_path / "run"
    run = tafl.train("openspiel:tic_tac_toe", episodes=400, seed=1, out=out)
    assert "its library makes each move that is tried" in caplog.text
    assert tafl.evaluate(run.agent, vs="random", games=50).win_rate > 0.8
    assert json.loads((out / "environment.json").read_text())["open-spiel"]
    again = tafl.train("openspiel:tic_tac_toe", episodes=400, seed=1, out=tmp_path / "again")
    start = run.game.start()
    assert run.agent.values(start) == again.agent.values(start)
    tafl.resume(out, episodes=500)
    assert tafl.load(out).values(start) != again.agent.values(start)
    assert main(["eval", str(out), "--vs", "random", "--games", "4", "--json"]) == 0
    assert tafl.game("openspiel:tic_tac_toe") == run.game != tafl.game("openspiel:connect_four")


class Stuck(Library):
    """Count to `most`; then the library raises."""

    players, actions, score_range, zero_sum, planes, longest = 1, 1, (0.0, 1.0), None, None, 50
    package = "numpy"

    def __init__(self, most, error):
        self.most, self.error = most, error
        self.name = f"stuck{most}{type(error).__name__}"

    def start(self):
        return Count(self, 0)


class Count(Position):
    player, chance = 0, ()

    def __init__(self, library, number):
        self.library, self.number = library, number
        self.over, self.scores = number == 30, [0.0]
        self.legal = [] if self.over else [0]
        self.observation = np.array([number])

    def after(self, event):
        if self.number == self.library.most:
            raise self.library.error
        return Count(self.library, self.number + 1)


FAILED = {
    InputError("it is stuck"): (InputError, "^it is stuck$"),
    RuntimeError("stuck\nfor good"): (InputError, "^stuck.* has failed: RuntimeError: stuck$"),
    KeyboardInterrupt(): (KeyboardInterrupt, None),
}


@pytest.mark.parametrize("error", FAILED, ids=lambda error: type(error).__name__)
def test_what_a_library_raises_ends_the_kernel(error):
    raised, text = FAILED[error]
    library = Stuck(99, error)
    game = Game(rules_of(library), library.name)
    assert perft(game.rules, game.facts, 5) == [1] * 5
    library.most = 7
    game.rules.source()._kept.clear()
    with pytest.raises(raised, match=text):
        perft(game.rules, game.facts, 20)
    state = game.start()
    while len(state.history) < 7:
        state.play(0)
    with pytest.raises(raised, match=text):
        state.play(0)


def test_planes_become_cells():
    """Two planes of pieces are one cell per square, a plane of turns one cell, a count in steps."""
    rng = np.random.default_rng(1)
    seen = np.zeros((200, 4, 3, 2))
    pieces = rng.integers(0, 3, (200, 3, 2))
    seen[:, 0], seen[:, 1] = pieces == 1, pieces == 2
    seen[:, 2] = rng.integers(0, 2, 200)[:, None, None]
    seen[:, 3] = rng.integers(0, 1000, (200, 3, 2))
    encoding = Encoding(seen, 0)
    assert encoding.cells == 1 + 2 * 6
    assert encoding.neighbours[0] == []
    assert encoding.neighbours[1] == [2, 3, 4]
    assert encoding.neighbours[7] == [8, 9, 10]
    assert encoding.values == 17
    for one, piece in zip(seen, pieces, strict=True):
        cells = encoding.cells_of(one)
        assert cells[0] == 1 + one[2, 0, 0]
        # patterns in the order of their numbers: none, of the second plane, of the first
        assert cells[1:7].tolist() == [(1, 3, 2)[p] for p in piece.flat]
        assert (np.diff(cells[7:][np.argsort(one[3].ravel())]) >= 0).all()
    strange = seen[0].copy()
    strange[:2] = 1
    assert encoding.cells_of(strange)[1:7].tolist() == [0] * 6


@pytest.mark.parametrize(("name", "text"), [
    ("openspiel:goofspiel", "simultaneous moves"),
    ("openspiel:leduc_poker", "hides information"),
    ("openspiel:breakthru", "did you mean breakthrough"),
    ("openspiel:hex(sise=4)", "OpenSpiel refuses 'hex(sise=4)'"),
    ("pettingzoo:tafl/2048_v0", "has chance or hidden cards"),
    ("pettingzoo:tafl/kuhn_v0", "has chance or hidden cards"),
    ("pettingzoo:chess", "no environment 'classic/chess'; did you mean classic/chess_v6"),
    ("pettingzoo:tafl/hex_v0(sise=4)", "PettingZoo cannot make tafl/hex_v0: "),
])  # fmt: skip
def test_games_that_cannot_be_learned_are_refused(name, text, spiel, zoo, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["train", name, "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert text in said
    assert len([line for line in said.splitlines() if line.startswith("tafl: ")]) == 1
    assert "Traceback" not in said
    assert not out.exists()


@pytest.mark.parametrize("line", [
    ["train", "GAME", "--device", "cuda", "--out", "run"],
    ["page", "GAME", "--out", "page.html"],
    ["export", "GAME", "--js", "bot"],
])  # fmt: skip
def test_no_gpu_and_no_page(line, spiel, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([word.replace("GAME", "openspiel:tic_tac_toe") for word in line]) == 2
    assert "openspiel:tic_tac_toe is Python" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_game_object_of_openspiel_is_refused_with_its_name(spiel):
    with pytest.raises(InputError, match=r"write 'openspiel:hex\(board_size=5\)'"):
        tafl.game(spiel.load_game("hex(board_size=5)"))


def test_pettingzoo_has_the_same_positions(zoo):
    """tafl's Hex, by way of PettingZoo, is tafl's Hex."""
    game, ours, rng = tafl.game("pettingzoo:tafl/hex_v0(size=4)"), tafl.game("hex(size=4)"), random
    for seed in range(5):
        state, same = game.start(), ours.start()
        rng.seed(seed)
        while not same.over:
            assert (state.player, state.legal_actions) == (same.player, same.legal_actions)
            action = rng.choice(same.legal_actions)
            state.play(action)
            same.play(action)
        assert state.over
        assert state.scores == same.scores


@pytest.mark.parametrize("name", ["tictactoe_v3", long("connect_four_v3")])
def test_the_classics_of_pettingzoo(name, zoo, tmp_path):
    """They need pygame, which draws them."""
    pytest.importorskip("pygame")
    game = tafl.game(f"pettingzoo:{name}")
    assert game.facts.players == 2
    assert check(f"pettingzoo:{name}", games=1).faults == {}
    run = tafl.train(game, episodes=60, seed=1, out=tmp_path / "run")
    assert tafl.evaluate(run.agent, vs="random", games=20).win_rate > 0.5


def test_hidden_choices_of_pettingzoo_are_refused(zoo):
    pytest.importorskip("pygame")
    with pytest.raises(InputError, match="simultaneous moves or hidden information"):
        tafl.game("pettingzoo:rps_v2")


def test_words_of_a_state(spiel):
    """The history follows the cells."""
    game = tafl.game("openspiel:tic_tac_toe")
    state = game.start()
    state.play(4)
    state.play(0)
    assert events(state) == [4, 0]
    assert game.facts.words == HEAD + 2 + 1 + 10 + 9
