"""Words of command lines and of agents mixed up: an answer, or a refusal in one line."""

import contextlib
import random
import tempfile
import time

import tafl
from attacks import OK
from attacks.home import called, home
from tafl.errors import InputError

WORDS = [
    'games', 'state', 'perft', 'train', 'sweep', 'settings', 'runs', 'compare', 'export', 'eval',
    'values', 'match', 'tournament', 'play', 'replay', 'check', 'new-game', 'bench',
    'reproduce', 'demo', 'nim', 'tictactoe', 'hex(size=3)', 'connectfour', '2048', 'nosuch.py',
    'random', 'exact', 'maxn', '--json', '--help', '--games', '--seed', '--starts', '--workers',
    '--moves', '--out', '--vs', '--csv', '--episodes', '--set', '--preset', '--roles',
    '--record', '--seeds', '--minutes', '--algo', '--resume', '--schema', '--role', '--against',
    '0', '1', '2', '-1', '3', '1e3', 'nan', 'inf', 'all:1', 'start', 'first', 'td.alpha=0.5',
    'td.alpha=1..2:log', 'td.lambda=0,0.5', '--trials',
    'td.alhpa=1', 'paper', 'as-run', 'sarsa', 'td', 'q', 'x', '', 'é', '\x00', 'a=b', 'run:',
    'run:nowhere', 'mcts(', 'mcts(iterations=2)', '{0}/run', '{0}/games.jsonl', '{0}/nim.agent',
]  # fmt: skip
LONG = {"demo", "bench", "reproduce", "check"}  # not for many tries
REAL = [
    line.split()
    for line in (
        "train nim --episodes 5 --seed 1 --out x",
        "train nim --algo q --episodes 5 --set td.alpha=0.5 --out x",
        "train --resume {0}/run",
        "sweep nim --episodes 5 --trials 2 --set td.alpha=0.5,1 --confirm 1 --fresh 1 --out x",
        "match nim random exact --games 2 --workers 1 --record x",
        "tournament nim(stones=2) random exact --games 2 --workers 1 --out x",
        "eval {0}/run --vs random --games 4 --seed 3",
        "values {0}/run --moves 1 2",
        "export {0}/run --csv x",
        "export {0}/run --agent x",
        "export {0}/run {0}/run --vs exact --latex x",
        "export {0}/games.jsonl --latex x --csv y",
        "compare {0}/run {0}/run --vs exact --out x.png",
        "replay {0}/games.jsonl",
        "play nim --against random --role 1",
        "state tictactoe --moves 1 2",
        "perft nim 3",
        "settings nim --preset paper --set td.alpha=0.5",
        "runs {0}",
        "new-game x",
    )
]


def command_line(rng: random.Random) -> str:
    """Words of commands in any order, or a real command with a few of its words changed."""
    if rng.random() < 0.5:
        words = [rng.choice(WORDS) for _ in range(rng.randrange(1, 7))]
    else:
        words = list(rng.choice(REAL))
        for _ in range(rng.randrange(3)):
            change(words, rng)
    if LONG & set(words) and not {"--help", "--schema"} & set(words):
        words = [word for word in words if word not in LONG] or ["games"]
    if {"train", "sweep"} & set(words) and "--episodes" not in words:
        words += ["--episodes", "3"]
    if "sweep" in words and "--trials" not in words:
        words += ["--trials", "2"]
    words = [word.format(home()) for word in words]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        code, _, err = called(*words, answers="0\n1\nx\nundo\nquit\n")
    fine = code in (0, 1, 2) and "Traceback" not in err and (code == 0 or err.count("\n") <= 1)
    if fine and time.monotonic() - began < 60:
        return OK
    seconds = time.monotonic() - began
    return f"{words}: exit code {code} after {seconds:.0f} s, {err.strip()[:300]}"


def change(words: list[str], rng: random.Random) -> None:
    """Drops, doubles, replaces or moves one word."""
    k = rng.randrange(len(words)) if words else 0
    way = rng.randrange(4)
    if way == 0:
        del words[k : k + 1]
    elif way == 1:
        words[k:k] = words[k : k + 1]
    elif way == 2:
        words[k : k + 1] = [rng.choice(WORDS)]
    else:
        rng.shuffle(words)


PIECES = [
    'random', 'exact', 'maxn', 'mcts', 'puct', 'nply', 'run', ':', '(', ')', ',', '=', 'depth',
    'iterations', 'seed', '1', '2', '-3', '1e9', "'a'", '"', "'", 'k', 'run:nowhere',
    'mcts(iterations=5)', 'agent', 'command=', 'gtp', 'edax', '\x00', 'é',
]  # fmt: skip


def agent_text(rng: random.Random) -> str:
    """The text of an agent, mixed up."""
    text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 9)))
    if rng.random() < 0.1:
        text = "puct(" * rng.randrange(1, 3000) + text
    try:
        tafl.agent(text, "tictactoe")
    except InputError as error:
        return OK if "\n" not in str(error) else f"{text!r}: {error}"
    except Exception as error:
        return f"{text[:80]!r}: {type(error).__name__}: {error}"
    return OK
