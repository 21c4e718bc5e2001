"""tafl uses no network: not to train, not to play, not to draw, not to report."""

import subprocess
import sys

import pytest

from long import long

PROGRAM = """
import sys

LOCAL = 1  # AF_UNIX, which is no network

def audit(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostname",
                 "urllib.Request", "http.client.connect", "ftplib.connect", "smtplib.connect"):
        raise SystemExit(f"network: {event} {arguments}")
    if event == "socket.__new__" and arguments[1] != LOCAL:
        raise SystemExit(f"network: {event} {arguments}")
    if event in ("socket.connect", "socket.bind", "socket.sendto") and arguments[0].family != LOCAL:
        raise SystemExit(f"network: {event} {arguments[1:]}")

sys.addaudithook(audit)
from tafl.cli.main import main

for line in sys.stdin.read().splitlines():
    code = main(line.split())
    if code:
        sys.exit(f"{line}: exit code {code}")
if sys.argv[1:] == ["really"]:
    import socket
    socket.create_connection(("localhost", 9))
"""
COMMANDS = """games
train nim --episodes 50 --seed 1 --out {0}/run
train --resume {0}/run --episodes 100
train nim --episodes 20 --seeds 2 --out {0}/seeds
eval {0}/run --games 4
values {0}/run
match nim run:{0}/run mcts(iterations=10) --games 4 --workers 2 --record {0}/games
tournament nim random exact --games 4 --workers 1 --out {0}/league
replay {0}/games
compare {0}/run {0}/run --vs random --out {0}/curves.png
export {0}/run --csv {0}/run.csv --agent {0}/run.agent
runs {0}
new-game mine --out {0}/mine.py
"""


def ran(commands, *words):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        input=commands,
        capture_output=True,
        text=True,
        check=False,
    )


FEW = ("games", "train nim", "values", "new-game")


@pytest.mark.parametrize("start", [FEW, long("")], ids=["few", "all"])
def test_no_command_uses_the_network(start, tmp_path):
    commands = [line for line in COMMANDS.splitlines() if line.startswith(start)]
    assert len(commands) >= len(FEW)
    done = ran("\n".join(commands).format(tmp_path))
    assert done.returncode == 0, done.stderr


def test_that_would_be_noticed():
    done = ran("games\n", "really")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("network: socket.getaddrinfo ('localhost', 9")
