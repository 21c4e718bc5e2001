"""`tafl gtp`: what the protocol wants, and whole games through it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

import tafl
from tafl.adapters.gtp import Engine
from tafl.adapters.gtp_line import Lines, serve
from tafl.agents.gtp import GtpAgent
from tafl.cli.main import main
from tafl.errors import InputError

COMMAND = f"{sys.executable} -m tafl.cli.main gtp"


class First:
    """Plays the first legal action, whose value is 0.5; the others' is -1."""

    def act(self, state):
        return state.legal_actions[0]

    def values(self, state):
        first, *others = state.legal_actions
        return {first: 0.5, **dict.fromkeys(others, -1.0)}


class Notebook(list):
    """An output that keeps what is printed."""

    def write(self, text):
        self.append(text)

    def flush(self):
        pass


def told(*lines, game="othello", agent=None):
    """What an engine says to some lines, by answers."""
    out = Notebook()
    with tempfile.TemporaryFile() as commands:  # a pipe has no room for long lines
        commands.write(("\n".join(lines) + "\n").encode())
        commands.seek(0)
        engine = Engine(agent or First(), tafl.game(game), "first", "1.0")
        serve(engine, commands.fileno(), out)
    text = "".join(out)
    assert text.endswith("\n\n") or not text
    return text[:-2].split("\n\n") if text else []


def test_what_it_is():
    answers = told("protocol_version", "name", "version", "known_command undo", "known_command do")
    assert answers == ["= 2", "= tafl first", "= 1.0", "= true", "= false"]
    [commands] = told("list_commands")
    required = "protocol_version name version known_command list_commands quit boardsize"
    required += " clear_board komi play genmove showboard undo analyze"
    assert set(required.split()) <= set(commands.removeprefix("= ").split("\n"))


def test_numbers_comments_and_blanks():
    lines = [
        "",
        "# nothing",
        "  7  name # who?",
        "8\tversion",
        "\x01\x029 protocol_version\r",
        "10",
    ]
    assert told(*lines) == ["=7 tafl first", "=8 1.0", "=9 2"]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["dance"], "? unknown command"),
        (["3 play"], "?3 invalid color or coordinate"),
        (["play red d3"], "? invalid color or coordinate"),
        (["play black d3 d4"], "? invalid color or coordinate"),
        (["play black a1"], "? illegal move"),
        (["play black z9"], "? illegal move"),
        (["play white d3"], "? illegal move"),
        (["play black pass"], "? illegal move"),
        (["genmove"], "? invalid color"),
        (["genmove white"], "? it is the turn of black"),
        (["boardsize"], "? boardsize not an integer"),
        (["boardsize 19"], "? unacceptable size"),
        (["undo"], "? cannot undo"),
        (["final_score"], "? cannot score"),
        (["analyze white"], "? nothing to analyze"),
        (
            ["boardsize 8", "clear_board", "komi 6.5", "time_left b 1 1", "PLAY b d3"],
            "? unknown command",
        ),
        (["play B D3"], "="),
    ],
)
def test_right_and_wrong_commands(lines, answer):
    *before, last = told(*lines)
    assert before == ["="] * (len(lines) - 1)
    assert last == answer


def test_an_agent_that_fails_is_an_error_of_its_command():
    class Failing:
        def act(self, state):
            raise InputError("no idea")

    assert told("genmove b", "name", agent=Failing()) == ["? no idea", "= tafl first"]


def test_moves_are_made_and_taken_back():
    lines = ["genmove b", "play w c3", "reg_genmove b", "showboard", "undo", "undo", "showboard"]
    first, second, third, *shown = told(*lines)
    state = tafl.position("othello: d3 c3")
    assert (first, second, third) == ("= d3", "=", f"= {state.legal_moves[state.legal_actions[0]]}")
    assert shown == [f"=\n{state}", "=", "=", f"=\n{tafl.game('othello').start()}"]


def test_moves_without_a_one_word_name_are_numbers():
    answers = told("genmove b", "play w 13", "play b 14", "final_score", "genmove w", game="nim")
    assert answers == ["= 0", "=", "=", "? cannot score", "= 0"]


def test_a_finished_game():
    lines = ["play b a1", "play w a2", "play b b1", "play w b2", "play b c1", "final_score"]
    answers = told(*lines, "genmove w", "play w a3", "undo", "undo", "genmove b", game="tictactoe")
    assert answers[5:] == ["= B+2", "= pass", "? illegal move", "=", "=", "= a3"]


def test_passes_are_said_or_left_out():
    """In a random game where both players have to pass, by commands of either kind."""
    player, state = tafl.agent("random", "othello", seed=837), tafl.game("othello").start()
    spoken, silent, last = [], [], 1
    while not state.over:
        if state.player == last:
            spoken += [f"play {'wb'[last]} pass"]
        last, action = state.player, player.act(state)
        move = f"play {'bw'[last]} {state.game.action_name(action)}"
        spoken, silent = [*spoken, move], [*silent, move]
        state.play(action)
    assert len(spoken) > len(silent) + 1
    for lines in (spoken, silent):
        *answers, board = told(*lines, "showboard")
        assert set(answers) == {"="}
        assert board == f"=\n{state}"
    back = ["undo"] * len(spoken)
    assert told(*spoken, *back, "showboard")[-1] == f"=\n{tafl.game('othello').start()}"
    where = next(i for i, line in enumerate(spoken) if line.endswith("pass"))
    asked = f"genmove {spoken[where].split()[1]}"
    assert told(*spoken[:where], asked, *spoken[where + 1 :], "showboard")[where] == "= pass"


def test_analysis_streams_until_the_next_command():
    source, mouth = os.pipe()
    engine = Engine(First(), tafl.game("tictactoe"), "first", "1.0")
    with os.fdopen(source), os.fdopen(mouth, "wb", 0) as commands:

        class Impatient(Notebook):
            def write(self, text):
                super().write(text)
                if "visits 3" in text:
                    commands.write(b"5 name\n")
                    commands.close()

        out = Impatient()
        commands.write(b"4 analyze black 1\n")
        serve(engine, source, out)
    head, *lines, blank, answer, end = "".join(out).split("\n")[:-1]
    assert (head, blank, answer, end) == ("=4", "", "=5 tafl first", "")
    assert len(lines) == 3
    best = "info move a3 visits 3 winrate 75.00 value 0.5 order 0 pv a3 info move b3 visits 3 "
    assert lines[-1].startswith(best)
    moves = re.findall(r"info move (\S+) ", lines[-1])
    assert sorted(moves) == sorted(tafl.game("tictactoe").start().legal_moves.values())


def test_lines_come_in_pieces():
    source, mouth = os.pipe()
    with os.fdopen(source):
        lines = Lines(source)
        os.write(mouth, b"na")
        assert not lines.come(0.01)
        os.write(mouth, b"me\nundo\nqu")
        assert lines.come(0.01)
        assert (lines.next(), lines.next()) == ("name", "undo")
        os.close(mouth)
        assert (lines.next(), lines.next()) == ("qu", None)


def test_our_client_plays_a_whole_game():
    """The program, driven over pipes by `gtp(...)`: the game of the same agents here."""
    game = tafl.game("othello")
    client = GtpAgent(game, command=f"{COMMAND} random --game othello --seed 5")
    here, state = tafl.agent("random", game, seed=5), game.start()
    chance = np.random.default_rng(3)
    while not state.over:
        if state.player == 1:
            action = client.act(state)
            assert action == here.act(state)
        else:
            action = int(chance.choice(state.legal_actions))
        state.play(action)
    assert sum(state.scores) == 0


def test_openspiel_plays_a_whole_game():
    pytest.importorskip("pyspiel")
    import pyspiel
    from open_spiel.python.bots.gtp import CommandError, GTPBot

    game = pyspiel.load_game("hex(board_size=4)")
    engine = GTPBot(game, [*COMMAND.split(), "maxn(depth=1)", "--game", "hex(size=4)"])
    try:
        assert engine.name == "tafl maxn(depth=1)"
        with pytest.raises(CommandError, match="unacceptable size"):
            engine.gtp_cmd("boardsize", 5)
        state, chance = game.new_initial_state(), np.random.default_rng(1)
        while not state.is_terminal():
            if state.current_player() == 0:
                action = engine.step(state)
            else:
                action = int(chance.choice(state.legal_actions()))
                engine.inform_action(state, 1, action)
            assert action in state.legal_actions()
            state.apply_action(action)
        winner = "B" if state.returns()[0] > 0 else "W"
        assert engine.gtp_cmd("final_score") == f"{winner}+2".lower()
    finally:
        engine.close()


def test_the_command(tmp_path):
    run = tafl.train("tictactoe", episodes=200, seed=1, out=tmp_path / "run")
    program = subprocess.Popen(
        [*COMMAND.split(), str(run.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    out, _ = program.communicate("genmove b\nquit\nname\n", timeout=60)
    state = run.game.start()
    move = out.split("\n")[0].removeprefix("= ")
    values = run.agent.values(state)
    assert values[state.action(move)] == max(values.values())
    assert (out, program.returncode) == (f"= {move}\n\n=\n\n", 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random"], "name a game"),
        (
            ["random", "--game", "nim3p"],
            "GTP is for games of two players without chance, not nim3p",
        ),
        (["random", "--game", "2048"], "GTP is for games of two players without chance, not 2048"),
        (["runs/none", "--game", "hex"], "'runs/none' is not an agent"),
    ],
)
def test_wrong_arguments(arguments, message, capsys):
    assert main(["gtp", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


@pytest.mark.parametrize(("game", "size"), [("othello", 8), ("hex(size=5)", 5)])
def test_sabaki_lets_two_engines_play(game, size):
    """Sabaki's own controller agrees with us about every move."""
    node, here = shutil.which("node"), Path(__file__).parent
    if node is None or not (here / "node_modules" / "@sabaki" / "gtp").is_dir():
        pytest.skip("Sabaki's controller is not installed: cd tests && npm ci")
    program, *arguments = COMMAND.split()
    lists = [json.dumps([*arguments, *f"random --game {game} --seed {s}".split()]) for s in (1, 2)]
    script = [node, here / "sabaki.mjs", program, str(size), *lists]
    told = json.loads(subprocess.run(script, check=True, capture_output=True).stdout)
    state = tafl.game(game).start()
    for turn, move in enumerate(told["moves"]):
        if move == "pass":  # Othello's rules pass by themselves
            assert state.over or state.player != turn % 2
        else:
            assert state.player == turn % 2
            state.play(move)
    assert state.over
    winner = "BW"[int(state.scores[1] > state.scores[0])]
    assert all(score.startswith(winner) or state.scores[0] == 0 for score in told["scores"])


@pytest.mark.parametrize("digits", [10, 4_301, 60_000])
def test_a_number_of_thousands_of_digits_is_refused(digits):
    number = "9" * digits
    answers = told(f"boardsize {number}", f"play black {number}", f"{number} name", "quit")
    assert answers[0] == "? unacceptable size"
    assert answers[1] == "? illegal move"
    assert answers[2:] == [f"={number} tafl first", "="]


def test_a_line_without_an_end_takes_little_memory_and_time(monkeypatch):
    """Pieces of a pipe are not joined over and over, and the engine goes on with the next line."""
    sizes, out = [], Notebook()

    class Watched(Lines):
        def _take(self):
            super()._take()
            sizes.append(len(self._read))

    monkeypatch.setattr("tafl.adapters.gtp_line.Lines", Watched)
    source, mouth = os.pipe()

    def write():
        with os.fdopen(mouth, "wb") as commands:
            for _ in range(500):
                commands.write(b"x" * 2**16)
            commands.write(b"\nname\n")

    with os.fdopen(source):
        thread = threading.Thread(target=write)
        thread.start()
        serve(Engine(First(), tafl.game("othello"), "first", "1.0"), source, out)
        thread.join()
    assert max(sizes) <= 2 * 2**16 + 1
    assert "".join(out) == "? a line has at most 65,536 bytes\n\n= tafl first\n\n"
