"""External engines: what they are told, what they may answer, and what happens when they fail."""

import gc
import os
import re
import subprocess
import sys
import textwrap
from contextlib import suppress
from functools import cache
from itertools import pairwise
from time import monotonic, sleep

import numpy as np
import psutil
import pytest

import tafl
from tafl.agents.edax import EdaxAgent, data_folder
from tafl.agents.engines import find_program
from tafl.agents.gtp import GtpAgent
from tafl.cli.main import main
from tafl.errors import EngineError, InputError

GAME = tafl.game("othello")

# A program in the hands of a test: it logs what it is told and answers genmove from a list.
GTP = """
    import sys, time
    log, *moves = sys.argv[1:]
    for line in sys.stdin:
        with open(log, "a") as file:
            file.write(line)
        if line.startswith("genmove"):
            ON_GENMOVE
        print("= " + ("true" if "known_command" in line else "") + chr(10), flush=True)
"""
PLAY = "print(f'= {moves.pop(0).upper()}' + chr(10), flush=True); continue"


def program(folder, source, name="engine.py"):
    """The command that runs a Python program."""
    path = folder / name
    path.write_text(textwrap.dedent(source))
    return f"{sys.executable} {path}"


def gtp_program(folder, on_genmove=PLAY):
    return program(folder, GTP.replace("ON_GENMOVE", on_genmove)) + f" {folder / 'log'}"


@pytest.fixture(autouse=True)
def _nothing_is_left():
    """No process outlives its agent, not even as a zombie."""
    before = psutil.Process().children(recursive=True)
    yield
    gc.collect()
    assert psutil.Process().children(recursive=True) == before


@cache
def game_with_passes():
    """The moves of a random game where both players have to pass, and who makes them."""
    player, state, moves = tafl.agent("random", GAME, seed=837), GAME.start(), []
    while not state.over:
        moves.append((state.player, player.act(state)))
        state.play(moves[-1][1])
    again = {mover for (mover, _), (then, _) in pairwise(moves) if mover == then}
    assert again == {0, 1}
    return moves


@pytest.mark.parametrize("mine", [0, 1])
def test_gtp_is_told_all_moves_and_passes(mine, tmp_path):
    moves = game_with_passes()
    own = [GAME.action_name(action) for mover, action in moves if mover == mine]
    command = " ".join([gtp_program(tmp_path), *own])
    agent, state = GtpAgent(GAME, command=command), GAME.start()
    told, turn = ["boardsize 8", "clear_board"], 0
    for mover, action in moves:
        if turn != mover:
            told.append(f"play {['black', 'white'][turn]} pass")
        name, colour = GAME.action_name(action), ["black", "white"][mover]
        told.append(f"genmove {colour}" if mover == mine else f"play {colour} {name}")
        if mover == mine:
            assert agent.values(state) == {a: float(a == action) for a in state.legal_actions}
            assert agent.act(state) == action
        state.play(action)
        turn = 1 - mover
    heard = (tmp_path / "log").read_text().splitlines()
    last = max(i for i, line in enumerate(told) if line.startswith("genmove"))
    assert heard == told[: last + 1]  # nobody tells it how the game ends
    assert any(line.endswith("pass") for line in heard)


def test_gtp_plays_another_game(tmp_path):
    """From a position that does not follow from the last one, by any moves that lead there."""
    state = GAME.start()
    for action in (44, 43, 42):
        state.play(action)
    move = GAME.action_name(state.legal_actions[0])
    agent = GtpAgent(GAME, command=f"{gtp_program(tmp_path)} d3 {move}")
    agent.act(GAME.start())
    agent.act(state)
    told = ["play black e6", "play white d6", "play black c6", "genmove white"]
    assert (tmp_path / "log").read_text().splitlines()[-5:] == ["clear_board", *told]


def late_position(plies, seed=0):
    rng, state = np.random.default_rng(seed), GAME.start()
    for _ in range(plies):
        state.play(int(rng.choice(state.legal_actions)))
    return state


def test_gtp_is_told_a_late_position_as_a_whole(tmp_path):
    state = late_position(30)
    move = GAME.action_name(state.legal_actions[0])
    GtpAgent(GAME, command=f"{gtp_program(tmp_path)} {move}").act(state)
    board = "".join(".XO."[cell] for cell in state.cells)
    last = (tmp_path / "log").read_text().splitlines()[-2:]
    assert last == [f"grhino-setup_board {board} black", "genmove black"]


def test_gtp_cannot_be_told_a_late_position(tmp_path):
    command = gtp_program(tmp_path).replace("engine.py", "other.py")
    program(tmp_path, GTP.replace("ON_GENMOVE", PLAY).replace('"true"', '"false"'), "other.py")
    with pytest.raises(EngineError, match=r"^GTP can only send moves, and none were found"):
        GtpAgent(GAME, command=command).act(late_position(30))


FAILURES = {
    "time.sleep(1000)": r"did not answer 'genmove black' within 0.5 seconds",
    "print('= d', end='', flush=True); time.sleep(1000)": r"did not answer 'genmove black' within",
    "while True: print(flush=True); time.sleep(0.01)": r"did not answer 'genmove black' within",
    "print('no memory', file=sys.stderr); sys.exit(3)": r"ended with exit code 3: 'no memory'",
    "import os; os.kill(os.getpid(), 11)": r"ended with signal 11",
    "sys.stdout.close(); import os; os.close(1); time.sleep(1000)": r"closed its output",
    "print('hello', flush=True)": r"answered 'genmove black' with 'hello', which is not GTP",
    "print('= best' + chr(10), flush=True)": (
        r"answered genmove with 'best' instead of a move such as d3"
    ),
    "print('x' * 2**21, flush=True)": r"never ended its answer to 'genmove black'",
    "while True: print('= d3')": r"never ended its answer to 'genmove black'",
    "while True: print()": r"never ended its answer to 'genmove black'",
    "while True: sys.stderr.write('x' * 2**16)": r"did not answer 'genmove black' within",
    "import os; os.close(2); time.sleep(1000)": r"did not answer 'genmove black' within",
    "print('? too tired' + chr(10), flush=True)": r"refused 'genmove black': 'too tired'",
    "print('= a1' + chr(10), flush=True)": r"played the illegal move 'a1'",
    "print('= PASS' + chr(10), flush=True)": r"played the illegal move 'pass'",
    "print('= resign' + chr(10), flush=True)": r"played the illegal move 'resign'",
}


@pytest.mark.parametrize("on_genmove", FAILURES)
def test_a_failing_engine_is_reported_and_killed(on_genmove, tmp_path):
    timeout = 0.5 if "within" in FAILURES[on_genmove] else 20.0
    agent = GtpAgent(GAME, command=gtp_program(tmp_path, on_genmove), timeout=timeout)
    with pytest.raises(EngineError, match=rf"^the engine {FAILURES[on_genmove]}") as caught:
        agent.act(GAME.start())
    assert "\n" not in str(caught.value)
    assert psutil.Process().children() == []


def test_an_engine_that_failed_is_started_anew(tmp_path):
    """The first one dies, which it notes in a file; the second one plays."""
    fail = f"import os; died = os.path.exists('{tmp_path}/died'); open('{tmp_path}/died', 'w')"
    on_genmove = f"{fail}; died or sys.exit(1); {PLAY}"
    agent = GtpAgent(GAME, command=f"{gtp_program(tmp_path, on_genmove)} d3")
    with pytest.raises(EngineError, match=r"ended with exit code 1$"):
        agent.act(GAME.start())
    assert agent.act(GAME.start()) == 19


def test_an_engine_that_never_starts(tmp_path):
    agent = GtpAgent(GAME, command="sleep 1000", timeout=0.3)
    with pytest.raises(EngineError, match=r"did not answer 'boardsize 8' within 0.3 seconds"):
        agent.act(GAME.start())
    broken = tmp_path / "broken"
    broken.write_text("not a program")
    broken.chmod(0o755)
    with pytest.raises(EngineError, match=r"broken cannot be started: Exec format error$"):
        GtpAgent(GAME, command=str(broken)).act(GAME.start())


@pytest.mark.parametrize("words", [1, 2**16, 2**20])
def test_complaints_do_not_stop_an_engine(words, tmp_path):
    """More of them than a pipe holds; only the last ones are kept."""
    complain = f"sys.stderr.write('x' * {words}); sys.stderr.flush()"
    agent = GtpAgent(GAME, command=f"{gtp_program(tmp_path, f'{complain}; {PLAY}')} d3", timeout=20)
    assert agent.act(GAME.start()) == 19
    assert len(agent._engine._complaints) <= 2**16


def test_what_an_engine_has_started_ends_with_it():
    agent = GtpAgent(GAME, command="sh -c 'sleep 1000 & sleep 1000'", timeout=0.5)
    with pytest.raises(EngineError, match="did not answer"):
        agent.act(GAME.start())


def test_an_orphan_of_an_engine_ends_with_it(tmp_path):
    """A program that starts the engine and goes away."""
    start = f"sh -c 'sleep 1000 & echo $! > {tmp_path}/pid; exit 3'"
    with pytest.raises(EngineError, match=r"ended with exit code 3|did not answer"):
        GtpAgent(GAME, command=start, timeout=2).act(GAME.start())
    assert gone(int((tmp_path / "pid").read_text()))


def gone(pid, seconds=10):
    """Does a process end soon? Nobody may have asked a dead one yet how it died."""
    end = monotonic() + seconds
    while psutil.pid_exists(pid) and monotonic() < end:
        with suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        sleep(0.05)
    return not psutil.pid_exists(pid)


def test_an_engine_ends_with_the_program_that_uses_it(tmp_path):
    source = f"""
        import tafl
        game = tafl.game("othello")
        agent = tafl.agent("gtp(command='{gtp_program(tmp_path)} d3')", game)
        agent.act(game.start())
        print(agent._engine._process.pid)
    """
    user = textwrap.dedent(source)
    run = subprocess.run(
        [sys.executable, "-c", user], capture_output=True, text=True, timeout=60, check=True
    )
    assert not psutil.pid_exists(int(run.stdout))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_match_says_which_engine_failed(workers, tmp_path, capfd):
    """In one line, without a result, and also where the games are played by other processes."""
    command = gtp_program(tmp_path, "print('= a1' + chr(10), flush=True)")
    agent = f"gtp(command='{command}')"
    code = main(["match", "othello", agent, "random", "--games", "4", f"--workers={workers}"])
    out, err = capfd.readouterr()
    assert (code, out) == (1, "")
    pattern = r"tafl: game \d, move \d: gtp\(.*\): the engine played the illegal move 'a1'; "
    assert re.fullmatch(pattern + r"0 of 4 games were finished\n", err)
    assert "Traceback" not in err


EDAX = """
    import sys
    log, *moves = sys.argv[1:]
    print("New book saved.", flush=True)
    for line in sys.stdin:
        with open(log, "a") as file:
            file.write(line)
        print(chr(10) + ">", end="")
        if line.startswith("go"):
            print(chr(10) + " depth|score|  principal variation" + chr(10) + "    1 |  +00 ")
            print(chr(10) + "Edax plays " + moves.pop(0).upper())
        sys.stdout.flush()
"""


def test_edax_is_told_positions(tmp_path):
    path = f"{program(tmp_path, EDAX)} {tmp_path / 'log'} d3 e3"
    agent, state = EdaxAgent(GAME, level=3, path=path), GAME.start()
    assert agent.act(state) == 19
    for action in (19, 18):
        state.play(action)
    state.play(26)
    assert agent.values(state)[20] == 1.0
    assert (tmp_path / "log").read_text().splitlines() == [
        "mode 3",
        "level 3",
        "setboard ...........................ox......xo...........................x",
        "go",
        f"setboard {discs(state)}o",
        "go",
    ]


def discs(state):
    black, white = (int(word) for word in state.words[:2])
    return "".join("x" if black >> c & 1 else "o" if white >> c & 1 else "." for c in range(64))


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("a1", "played the illegal move 'A1'"),
        ("ps", "played the illegal move 'PS'"),
        ("19", "played the illegal move '19'"),
        ("", r"ended with exit code 1: 'IndexError: pop from empty list'"),
    ],
)
def test_edax_fails(move, message, tmp_path):
    path = f"{program(tmp_path, EDAX)} {tmp_path / 'log'} {move}"
    with pytest.raises(EngineError, match=f"^the engine {message}$"):
        EdaxAgent(GAME, path=path).act(GAME.start())


def test_edax_hangs():
    with pytest.raises(EngineError, match=r"^the engine did not answer 'go' within 0.3 seconds$"):
        EdaxAgent(GAME, path="sleep 1000", timeout=0.3).act(GAME.start())


def test_edax_is_started_where_its_data_is(tmp_path):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "lEdax"
    program.touch()
    assert data_folder(program) == tmp_path / "bin"
    (tmp_path / "data").mkdir()
    assert data_folder(program) == tmp_path
    (tmp_path / "bin" / "data").mkdir()
    assert data_folder(program) == tmp_path / "bin"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("edax(path=/nowhere/edax)", r"/nowhere/edax is not installed; download Edax and its data"),
        ("edax(path=sh,level=61)", r"level must be 0 to 60, not 61"),
        ("gtp(command=no-such-engine)", r"no-such-engine is not installed; on Debian, apt install"),
        (
            "gtp(command='unclosed \"quote')",
            r"'unclosed \"quote' is not a valid command: No closing",
        ),
        ("gtp(command=sh,timeout=0)", r"timeout must be above 0 and at most 86,400 seconds, not 0"),
        ("gtp", r"command is missing; write for example gtp:COMMAND"),
    ],
)
def test_wrong_descriptions(spec, message):
    with pytest.raises(InputError, match=message):
        tafl.agent(spec, GAME)


def test_a_missing_program_is_an_engine_that_fails():
    """Whoever can do without it tells it from wrong input."""
    with pytest.raises(EngineError, match="is not installed"):
        tafl.agent("edax(path=/nowhere/edax)", GAME)


def test_other_games_and_ends_are_refused():
    with pytest.raises(InputError, match="this agent plays othello, not connectfour"):
        tafl.agent("gtp(command=sh)", tafl.game("connectfour"))
    agent = tafl.agent("gtp(command=sh)", GAME)
    with pytest.raises(InputError, match="this agent plays othello, not hex"):
        agent.act(tafl.game("hex").start())
    over = GAME.position([1] * 64)
    assert agent.values(over) == {}
    with pytest.raises(InputError, match="the game is over"):
        agent.act(over)


def rhino():
    """The command of a real engine, or a reason to skip."""
    try:
        return find_program("gtp-rhino", "")[0]
    except EngineError:
        return pytest.skip("gtp-rhino is not installed; it is in Debian's package grhino")


def test_games_with_a_real_engine():
    """Whole games with passes on both sides, from start positions that it has to be told."""
    agent = f"gtp(command='{rhino()} --level=1')"
    match = tafl.match("othello", [agent, "random"], 30, starts=4, seed=1)
    assert len(match.records) >= 30
    assert match.win_rates[0] > 0.9
    passes = set()
    for record in match.records:
        state, last = GAME.start(), None
        for action in [*record.start, *record.moves]:
            if state.player == last:
                passes.add(1 - last)
            last = state.player
            state.play(action)
        assert state.over
    assert passes == {0, 1}


def test_late_positions_with_a_real_engine():
    agent = tafl.agent(f"gtp(command='{rhino()} --level=1')", GAME)
    for seed in range(5):
        state = late_position(40, seed)
        assert agent.act(state) in state.legal_actions


def test_programs_are_found(tmp_path, monkeypatch):
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_program("~/engine --level=1", "") == [str(engine), "--level=1"]
    monkeypatch.chdir(tmp_path)
    assert find_program("./engine", "") == [str(engine)]
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    assert find_program("engine", "") == [str(engine)]
