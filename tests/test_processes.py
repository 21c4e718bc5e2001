"""Whatever ends a command, Ctrl-C, SIGTERM or kill -9, nothing that it has started runs on."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from long import long
from tafl import guard, processes
from tafl.arena.records import read_records
from tafl.processes import Guarded, SharedArray, cores
from test_failures import ENGINE

MARK = "TAFL_TEST_MARK"  # in the environment of a command and of all that it starts
CODES = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}
MAINLY = [signal.SIGKILL, long(signal.SIGTERM), signal.SIGINT]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux can do this")


def until(condition, seconds=20.0):
    """Waits for something to be so; returns whether it is."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def alive(mark):
    """The command lines of all processes with a mark."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
    return found


class Command:
    """A command of tafl, in a process of its own."""

    def __init__(self, folder, *words):
        self.mark, self.errors = uuid.uuid4().hex, folder / "stderr"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tafl", *map(str, words)],
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**os.environ, MARK: self.mark},
            )

    def waits_for(self, condition):
        """Waits until something has come about, while the command runs."""
        assert until(lambda: condition() or self.process.poll() is not None, 120)
        assert self.process.poll() is None, self.errors.read_text()

    def runs(self, line, times=1):
        """Do so many of its processes have this command line?"""
        return alive(self.mark).count(line) == times

    def end(self, number, times=1):
        """Sends it a signal, and looks that it ends as it should."""
        for _ in range(times):
            self.process.send_signal(number)
        assert self.process.wait(20) == CODES[number]
        assert until(lambda: not alive(self.mark)), alive(self.mark)
        assert "Traceback" not in self.errors.read_text()

    def clean_up(self):
        self.process.kill()
        self.process.wait()
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get(MARK) == self.mark:
                    process.kill()


@pytest.fixture
def command(tmp_path):
    made = []

    def make(*words):
        made.append(Command(tmp_path, *words))
        return made[-1]

    yield make
    for one in made:
        one.clean_up()


# Before an engine stops answering it starts a child, and a daemon: two forks and a session.
FAMILY = """
    import subprocess
    subprocess.Popen(["sleep", "1001"])
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "1002"])
        os._exit(0)
    os.wait()
    time.sleep(1000)
"""


def engine(folder, games=3):
    """The text of an agent whose program plays so many games, and then has a family and hangs."""
    fail = textwrap.indent(textwrap.dedent(FAMILY), 16 * " ").strip()
    source = ENGINE.replace("FAIL", fail).replace("games > 3", f"games > {games}")
    path = folder / "engine.py"
    path.write_text(textwrap.dedent(source))
    return f"gtp(command='{sys.executable} {path}',timeout=600)"


DAEMON = "sleep 1002"  # the last that it starts


@pytest.mark.parametrize("number", CODES)
def test_a_match_with_an_engine(number, command, tmp_path):
    """Its child and its daemon end with it, and the games that were finished stay."""
    file = tmp_path / "games.jsonl"
    words = ["random", engine(tmp_path), "--games", 10, "--record", file, "--workers", 1]
    match = command("match", "othello", *words)
    match.waits_for(lambda: match.runs(DAEMON))
    match.end(number, times=2 if number == signal.SIGTERM else 1)  # as `timeout` does
    kept = tmp_path / "games.jsonl.writing" if number == signal.SIGKILL else file
    assert [record.number for record in read_records(kept)] == [0, 1, 2]
    assert {path.name for path in tmp_path.iterdir()} == {"engine.py", "stderr", kept.name}


@pytest.mark.parametrize("number", MAINLY)
def test_a_match_in_several_processes(number, command, tmp_path):
    """Whose engines have families, too."""
    words = [engine(tmp_path, games=0), "random", "--games", 10, "--workers", 2]
    match = command("match", "othello", *words)
    match.waits_for(lambda: match.runs(DAEMON, times=2))
    match.end(number)


@pytest.mark.parametrize("number", MAINLY)
def test_slow_agents_in_several_processes(number, command):
    """They are in compiled code, or about to be."""
    slow = "mcts(iterations=1000000000)"
    match = command("tournament", "tictactoe", slow, "random", "exact", "--workers", 2)
    own = f"{sys.executable} -c from tafl.workers import serve; serve()"
    match.waits_for(lambda: match.runs(own, times=2))
    match.end(number)


@pytest.mark.parametrize("number", MAINLY)
def test_quick_agents_in_several_processes(number, command, tmp_path):
    """They answer all the time, also when there is nobody to answer to."""
    file = tmp_path / "games.jsonl"
    words = ["--games", 200_000, "--workers", 2, "--record", file]
    match = command("match", "nim", "random", "random", *words)
    match.waits_for(lambda: list(tmp_path.glob("games.jsonl.writing")))
    match.end(number)


@pytest.mark.parametrize("number", MAINLY)
def test_several_seeds(number, command, tmp_path):
    folder = tmp_path / "seeds"
    words = ["--seeds", 2, "--episodes", 10**9, "--set", "evaluation.every=0"]
    train = command("train", "nim", *words, "--out", folder)
    first = [folder / f"seed-{k}" / "progress" for k in (1, 2)][: cores()]
    train.waits_for(lambda: all(file.exists() for file in first))
    train.end(number, times=2 if number == signal.SIGTERM else 1)
    if number != signal.SIGKILL:
        assert "continue with: tafl train --resume" in train.errors.read_text()
        assert list(folder.glob("seed-1/checkpoints/*.safetensors"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_reproduction(number, command, tmp_path):
    words = ["--quick", "--seeds", 1, "--out", tmp_path]
    made = command("reproduce", "fig4", *words)
    made.waits_for(lambda: list((tmp_path / "runs").rglob("progress")))
    made.end(number)


@pytest.mark.parametrize("number", MAINLY)
def test_play(number, command, tmp_path):
    """Somebody thinks, while the engine that moved first waits."""
    path = tmp_path / "engine.py"
    path.write_text(textwrap.dedent(ENGINE).replace("FAIL", "pass"))
    agent = f"gtp(command='{sys.executable} {path}')"
    reader, writer = os.pipe()
    before = os.dup(0)
    try:
        os.dup2(reader, 0)  # a person who says nothing
        play = command("play", "othello", "--against", agent, "--role", 1)
    finally:
        os.dup2(before, 0)
    play.waits_for(lambda: play.runs(f"{sys.executable} {path}"))
    play.end(number)
    for pipe in (reader, writer, before):
        os.close(pipe)


def test_compiled_code_that_does_not_come_back():
    """What has to be done in any case is done."""
    source = """
        import os, signal, threading
        from typing import NamedTuple
        from tafl.cli.interrupts import Interrupts, in_any_case
        from tafl.core.play.perft import perft
        from tafl.rules import Facts, rules

        @rules
        class Endless(NamedTuple):
            def start(self, state):
                state[:] = 0

            def player(self, state):
                return 0

            def legal(self, state, action):
                return True

            def play(self, state, action):
                while state[0] >= 0:
                    state[0] = (state[0] * 3 + 1) % 1000

            def over(self, state):
                return False

            def score(self, state, player):
                return 0.0

            def cell(self, state, c):
                return 0

            def facts(self):
                return Facts(players=1, actions=1, cells=1, values=1, words=1)

        game = Endless()
        perft(game, game.facts(), 1)
        threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGTERM]).start()
        with Interrupts(), in_any_case(lambda: print("saved", flush=True)):
            perft(game, game.facts(), 3)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (143, "saved\n", "")


PROBE = """
    import json, os, sys
    about = {
        "folder": os.getcwd(),
        "arguments": sys.argv[1:],
        "environment": dict(os.environ),
        "files": len(os.listdir("/dev/fd")),
        "input": sys.stdin.read(),
    }
    print(json.dumps(about))
    print("complaint", file=sys.stderr)
    sys.exit(7)
"""


@pytest.fixture(params=["with fork", "without fork"])
def either_guard(request, monkeypatch):
    """Both ways to guard a program; Windows has no fork."""
    if request.param == "without fork":
        monkeypatch.delattr(os, "fork", raising=False)
    return request.param


@pytest.mark.usefixtures("either_guard")
def test_a_guard_changes_nothing(tmp_path):
    """Streams, folder, arguments, environment, open files and exit code."""
    words = [sys.executable, "-c", textwrap.dedent(PROBE), "-x", "", "ä \udcff"]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    pipe = subprocess.PIPE
    plain = subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=tmp_path, env=environment
    )
    guarded = Guarded(
        words, stdin=pipe, stdout=pipe, stderr=pipe, folder=tmp_path, environment=environment
    )
    both = plain, guarded.process
    heard = [process.communicate(b"question\n", timeout=60) for process in both]
    assert heard[0] == heard[1]
    assert heard[1][1] == b"complaint\n"
    about = json.loads(heard[1][0])
    assert about["input"] == "question\n"
    assert about["folder"] == str(tmp_path.resolve())
    assert [process.returncode for process in both] == [7, 7]


@LINUX
def test_a_guard_leaves_signals_as_they_are():
    look = ["/bin/grep", "^Sig\\(Blk\\|Ign\\)", "/proc/self/status"]
    guarded = Guarded(look, stdout=subprocess.PIPE)
    assert guarded.process.communicate(timeout=60)[0] == subprocess.check_output(look)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGHUP])
def test_signals_are_passed_on(number):
    source = """
        import signal, sys
        signal.signal(int(sys.argv[1]), lambda number, frame: sys.exit(number + 1))
        print("ready", flush=True)
        while True:
            signal.pause()
    """
    words = [sys.executable, "-c", textwrap.dedent(source), str(int(number))]
    program = Guarded(words, stdout=subprocess.PIPE)
    with program.process as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.wait(20) == number + 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGPIPE])
def test_a_guard_ends_as_its_program(number):
    program = Guarded(["/bin/sh", "-c", f"kill -{int(number)} $$"])
    assert program.process.wait(20) == -number


def test_a_program_is_asked_to_stop(either_guard):
    source = """
        import signal, sys, time
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
        print("ready", flush=True)
        time.sleep(1000)
    """
    program = Guarded([sys.executable, "-c", textwrap.dedent(source)], stdout=subprocess.PIPE)
    with program.process as process:
        assert process.stdout.readline() == b"ready\n"
        program.ask_to_stop()
        assert process.wait(20) == 7
        program.ask_to_stop()  # it has ended, which is no error


@pytest.mark.usefixtures("either_guard")
def test_a_program_that_does_not_exist(tmp_path):
    program = Guarded([str(tmp_path / "nothing")])
    with pytest.raises(FileNotFoundError):
        program.confirm()
    assert not program.end.alive


@pytest.mark.usefixtures("either_guard")
def test_closed_pipes_are_heard():
    """The guard does not hold the streams of its program open."""
    pipe = subprocess.PIPE
    program = Guarded(
        ["/bin/sh", "-c", "exec <&- >&- 2>&-; sleep 1000"], stdin=pipe, stdout=pipe, stderr=pipe
    )
    assert program.process.stdout.read() == b""
    assert program.process.stderr.read() == b""
    with pytest.raises(BrokenPipeError):
        os.write(program.process.stdin.fileno(), b"x")
    program.end()
    with program.process:
        pass


@LINUX
def test_a_program_ends_with_its_guard():
    program = Guarded(["/bin/sleep", "1003"])
    program.confirm()
    [child] = psutil.Process(program.process.pid).children()
    program.process.kill()
    assert until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_a_guard_without_the_ways_of_linux(tmp_path, monkeypatch):
    """Only a daemon escapes it."""
    if shutil.which("ps") is None:
        pytest.skip("there is no ps on this machine")
    elsewhere = tmp_path / "guard.py"
    elsewhere.write_text(
        "import runpy, sys\n"
        "sys.platform = 'darwin'\n"
        f"runpy.run_path({guard.__file__!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(processes, "GUARD", elsewhere)
    mark = uuid.uuid4().hex
    source = "sleep 1004 & (sleep 1005 &) ; sleep 1006"
    program = Guarded(["/bin/sh", "-c", source], environment={**os.environ, MARK: mark})
    program.confirm()
    texts = ["sleep 1004", "sleep 1005", "sleep 1006"]
    assert until(lambda: {line for line in alive(mark) if line in texts} == set(texts))
    program.end()
    assert alive(mark) == []


FAMILY_OF_GUARDED = """
    import os, sys, time
    if sys.argv[1] == "without fork":
        del os.fork
    from tafl.processes import Guarded
    program = Guarded(["/bin/sh", "-c", "sleep 1007 & sleep 1008"])
    program.confirm()
    print("ready", flush=True)
    time.sleep(1000)
"""


@pytest.mark.parametrize("number", CODES)
def test_a_family_ends_with_the_process_that_wanted_it(number, either_guard):
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(FAMILY_OF_GUARDED), either_guard],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, MARK: mark},
    )
    with process:
        assert process.stdout.readline() == b"ready\n"
        assert until(lambda: {"sleep 1007", "sleep 1008"} <= set(alive(mark)))
        process.send_signal(number)
    assert until(lambda: not alive(mark)), alive(mark)


SEEN_ELSEWHERE = """
    import sys
    from tafl.processes import shared_array
    numbers = shared_array(sys.argv[1])
    print(numbers.tolist())
    numbers[0] = 5
"""


@pytest.mark.parametrize("hidden", ["", "memfd_create"])
def test_processes_share_an_array(hidden, monkeypatch):
    if hidden:
        monkeypatch.delattr(os, hidden, raising=False)
    memory = SharedArray(3)
    memory.array[1] = 2
    path = Path(memory.address.partition(" ")[2])
    words = [sys.executable, "-c", textwrap.dedent(SEEN_ELSEWHERE), memory.address]
    assert subprocess.check_output(words, text=True) == "[0.0, 2.0, 0.0]\n"
    assert memory.array.tolist() == [5, 2, 0]
    assert path.exists()
    del memory
    assert not path.exists()


def test_the_guard_needs_little():
    """It is started for every engine."""
    code = "import sys; sys.argv[1:] = []; import guard; print(*sys.modules)"
    loaded = subprocess.check_output(
        [sys.executable, "-S", "-c", code], cwd=Path(guard.__file__).parent, text=True
    ).split()
    assert not {"subprocess", "socket", "typing", "threading", "re", "pathlib"} & set(loaded)
