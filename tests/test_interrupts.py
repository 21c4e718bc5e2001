"""Ctrl-C and SIGTERM are answered soon, whatever compiled code is doing, and leave all in order."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tafl
from long import long
from planted import line_of, plant
from tafl import signals
from tafl.boards.check import check, quick_check
from tafl.core.compile.stop import Interrupted
from tafl.core.play.perft import count_sequences, perft
from tafl.errors import EndlessGame, FaultyGame
from tafl.runs.checkpoint import checkpoint_files
from tafl.runs.run import Run
from tafl.training.plan import checked_mark
from test_train import bits

SIGNALS = [signal.SIGINT, signal.SIGTERM]
MAINLY = [signal.SIGINT, long(signal.SIGTERM)]
SOON = 15  # seconds; far less on a machine that does nothing else

# A command whose kernels leave a file behind when they begin.
PROGRAM = """
import sys
from pathlib import Path
from tafl.cli.main import main
from tafl.signals import Listener
from tafl.training import evaluation
from tafl.training.learner import Learner

def marked(function, name):
    def run(*arguments, **options):
        Path(sys.argv[1], name).touch()
        return function(*arguments, **options)
    return run

Listener.begin = marked(Listener.begin, "kernel")
Learner.learn = marked(Learner.learn, "learning")
evaluation.evaluate = marked(evaluation.evaluate, "evaluating")
sys.exit(main(sys.argv[2:]))
"""

FOREVER = (
    "stone = state[0] % self.players + 1\n",
    "stone = state[0] % self.players + 1\n        while state[0] > 2:\n            pass\n",
)
ENDLESS = (
    ("return state[2 + action] == 0", "return True"),
    ("return state[1] != 0 or", "return 1 >"),
)
SLOW = (  # a move takes a tenth of a millisecond, and no compiler can leave that out
    "        stone = state[0] % self.players + 1\n",
    "        stone = state[0] % self.players + 1\n"
    "        for _ in range(20_000):\n"
    "            state[1] = (state[1] * 1103515245 + state[0]) % 2147483648\n",
)


def interrupted(
    number: int, folder: Path, *arguments: object, at: str = "kernel"
) -> tuple[int, str, float]:
    """Exit code, complaint, and seconds after a signal that a command gets when it is busy."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for(lambda: (folder / at).exists() or process.poll() is not None, 120)
        assert process.poll() is None
        sent = time.monotonic()
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        return process.returncode, said, time.monotonic() - sent
    finally:
        process.kill()


def wait_for(condition, seconds=60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


SEARCH = "mcts(iterations=100000000)"
COMMANDS = {
    "perft": ["othello", 20],
    "match": ["tictactoe", SEARCH, "random", "--workers", 1],
    "play": ["tictactoe", "--against", SEARCH, "--role", 1],
}


@pytest.fixture(scope="module")
def compiled():
    """Whoever waits for the compiler is not in a kernel."""
    othello, tictactoe = tafl.game("othello"), tafl.game("tictactoe")
    perft(othello.rules, othello.facts, 2)
    tafl.agent("mcts(iterations=10)", tictactoe).act(tictactoe.start())


@pytest.mark.parametrize("number", MAINLY)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_answer_signals(command, number, compiled, tmp_path):
    code, said, seconds = interrupted(number, tmp_path, command, *COMMANDS[command])
    assert (code, said) == (128 + number, "")
    assert seconds < SOON


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run of a big game."""
    path = tmp_path_factory.mktemp("runs") / "run"
    evaluation = {"every": 0}
    return tafl.train("connectfour", episodes=5, seed=1, out=path, evaluation=evaluation)


LOST = """
import os, sys, time
from tafl.cli.interrupts import Interrupts

class Thrown:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))
        time.sleep(0.1)

with Interrupts():
    thrown = Thrown()
    del thrown
    time.sleep(100)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_not_lost_while_an_object_is_thrown_away(number):
    command = [sys.executable, "-c", LOST, str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (128 + number, "")


@pytest.mark.parametrize("number", MAINLY)
def test_evaluation_answers_signals(number, trained, tmp_path):
    command = "eval", trained.path, "--vs", "maxn(depth=20)", "--games", 2
    code, said, seconds = interrupted(number, tmp_path, *command)
    assert (code, said) == (128 + number, "")
    assert seconds < SOON


@pytest.mark.parametrize("number", MAINLY)
def test_training_saves_when_an_evaluation_is_interrupted(number, tmp_path):
    """What was learned is in the checkpoint, bit by bit; the evaluation can be done again."""
    path, episodes = tmp_path / "run", 50
    command = ["train", "nim", "--seed", 3, "--episodes", episodes, "--out", path]
    command += ["--set", f"evaluation.every={episodes}", "evaluation.games=2"]
    command += ['evaluation.opponents=["mcts(iterations=1000000000)"]']
    code, said, seconds = interrupted(number, tmp_path, *command, at="evaluating")
    assert code == 128 + number, said
    assert said.endswith(f"tafl: stopped; continue with: tafl train --resume {path}\n")
    assert seconds < SOON
    stopped = Run.open(path)
    assert stopped.metrics == []
    other = {"seed": 3, "episodes": episodes, "evaluation": {"every": 0}}
    assert bits(stopped) == bits(tafl.train("nim", **other, out=tmp_path / "other"))


def unchecked(path):
    """Lets a game train whose faults would else be found before."""
    mark = checked_mark(tafl.game(path))
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    return path


@pytest.mark.long
@pytest.mark.parametrize("number", SIGNALS)
def test_training_gives_up_an_episode_that_does_not_end(number, tmp_path):
    game, path = unchecked(plant(tmp_path, *ENDLESS, SLOW)), tmp_path / "run"
    command = "train", game, "--episodes", 100, "--out", path
    code, said, seconds = interrupted(number, tmp_path, *command, at="learning")
    assert code == 128 + number, said
    assert "stopped in an episode that did not end" in said.splitlines()[-1]
    assert 2 < seconds < SOON
    assert checkpoint_files(path / "checkpoints") == []


@pytest.mark.long
def test_training_reports_an_episode_that_does_not_end(tmp_path):
    game = tafl.game(unchecked(plant(tmp_path, *ENDLESS)))
    with pytest.raises(EndlessGame, match=r"mygame\.py.* not over after 1,000,000 moves"):
        tafl.train(game, episodes=10, out=tmp_path / "run")
    assert checkpoint_files(tmp_path / "run" / "checkpoints") == []


@pytest.mark.parametrize("number", SIGNALS)
def test_process_ends_where_compiled_rules_do_not_return(number, tmp_path):
    """Nothing else can end them."""
    path = plant(tmp_path, FOREVER)
    game = tafl.game(path)
    perft(game.rules, game.facts, 2)  # so that it is not the compiler that ends
    code, said, seconds = interrupted(number, tmp_path, "perft", path, 6)
    assert code == 128 + number
    assert said == ""
    assert seconds < SOON


@pytest.mark.parametrize("number", SIGNALS)
def test_check_answers_signals(number, tmp_path):
    first, mark = "from typing import NamedTuple\n", tmp_path / "kernel"
    loaded = f"import pathlib\n{first}\npathlib.Path({str(mark)!r}).touch()\n"
    game = plant(tmp_path, FOREVER, (first, loaded))
    code, said, seconds = interrupted(number, tmp_path, "check", game)
    assert (code, said) == (128 + number, "")
    assert seconds < SOON


def test_check_finds_a_method_that_does_not_return(tmp_path):
    path = plant(tmp_path, FOREVER)
    before = time.monotonic()
    fault = check(path).faults["endless"]
    assert time.monotonic() - before < 2 * SOON
    lines = {line_of(path, "while state[0] > 2"), line_of(path, "            pass")}
    wanted = [f"{path}:{line}, in play(): it does not return" for line in lines]
    assert any(fault.text.startswith(text) for text in wanted), fault.text
    with pytest.raises(FaultyGame, match=r"in play\(\): it does not return"):
        quick_check(tafl.game(path))


FAULTS = {
    "one word too few": ([("words=2 + cells", "words=1 + cells")], "IndexError"),
    "one value too few": ([("values=self.players + 1", "values=self.players")], "cell"),
    "an endless game": (ENDLESS, "not over after 10,000 moves"),
    "cells that are none": (
        [
            ("return state[2 + action] == 0", "return action % 2 == 0 or state[2 + action] == 0"),
            ("state[2 + action] = stone", "state[2 + action + 9 * state[2 + action]] = stone"),
        ],
        "IndexError",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_quick_check_finds_what_would_crash(kind, tmp_path):
    replacements, said = FAULTS[kind]
    game = tafl.game(plant(tmp_path, *replacements))
    with pytest.raises(FaultyGame, match=said) as found:
        quick_check(game)
    assert found.value.exit_code == 1


def interrupt_next_kernel() -> None:
    """Sends this process Ctrl-C in the middle of the next kernel."""
    calls = signals.LISTENER.calls

    def send() -> None:
        wait_for(lambda: signals.LISTENER.calls > calls)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()


SEARCHES = [
    ("connectfour", "maxn(depth=20)", {"depth": 4}),
    ("connectfour", "alphabeta(depth=40)", {"depth": 6}),
    ("2048", "expectimax(depth=12)", {"depth": 2}),
    ("tictactoe", "mcts(iterations=100000000)", {"iterations": 500}),
    ("tictactoe", "pimc(worlds=1000000)", {"worlds": 5}),
    ("tictactoe", "ismcts(iterations=2000000)", {"iterations": 500}),
    long(("connectfour", "puct(champion,iterations=1,proof=8000000)", {"nodes": 500})),
]


@pytest.mark.parametrize(("name", "spec", "smaller"), SEARCHES)
def test_interrupted_search_leaves_its_agent_as_it_was(name, spec, smaller):
    game = tafl.game(name)
    state = game.start(seed=1)
    agent, fresh = (tafl.agent(spec, game, seed=5) for _ in range(2))
    vars(fresh).update(smaller)
    expected = [(fresh.act(state), fresh.values(state)) for _ in range(2)]
    for _ in range(2):
        interrupt_next_kernel()
        with pytest.raises(KeyboardInterrupt):
            agent.act(state)
    vars(agent).update(smaller)
    assert [(agent.act(state), agent.values(state)) for _ in range(2)] == expected


def test_twin_of_a_kernel_gives_way_too():
    rules = tafl.game("tictactoe").rules
    stack, listed = np.zeros((4, 4), np.int64), np.zeros((3, 9), np.int64)
    left, counts = np.zeros(3, np.int64), np.zeros(3, np.int64)
    signals.LEVEL[0] = signals.STOP
    try:
        with pytest.raises(Interrupted):
            count_sequences.python(rules, 2, stack, listed, left, counts)
    finally:
        signals.LEVEL[0] = signals.RUN


def test_who_was_woken_by_signals_is_again():
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write)
    try:
        tafl.agent("maxn(depth=2)", tafl.game("tictactoe")).act(tafl.game("tictactoe").start())
        assert signal.set_wakeup_fd(before) == write
    finally:
        os.close(read)
        os.close(write)
