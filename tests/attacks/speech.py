"""Other programs at the doors: boards and engines of GTP, and environments for learners."""

import os
import random
import sys
import tempfile
import threading
from io import StringIO
from pathlib import Path

import numpy as np

import tafl
from attacks import OK
from tafl.adapters.gtp import Engine
from tafl.adapters.gtp_line import serve
from tafl.agents import make_agent
from tafl.errors import InputError

GTP = [
    "play", "genmove", "boardsize", "undo", "clear_board", "final_score", "reg_genmove", "analyze",
    "known_command", "list_commands", "showboard", "name", "version", "quit", "komi", "black", "w",
    "a1", "b2", "d3", "pass", "resign", "0", "-1", "9" * 5_000, "8", "#", "\t", "\x1b]52", "é",
    "\x00", "x" * 100_000, "nan", "²", "1",
]  # fmt: skip


def board(rng: random.Random) -> str:
    """Lines from a board program: each gets one answer, and the engine goes on."""
    lines = [" ".join(rng.choices(GTP, k=rng.randrange(5))) for _ in range(rng.randrange(1, 12))]
    game = rng.choice(["tictactoe", "othello", "nim(heaps=2,stones=3)"])
    engine = Engine(make_agent("random", game), tafl.game(game), "random", "1")
    source, mouth = os.pipe()
    out = StringIO()

    def write() -> None:
        with os.fdopen(mouth, "wb") as pipe:
            ending = rng.choice(["\n", ""])
            pipe.write(("\n".join(lines) + ending).encode(errors="replace"))

    with os.fdopen(source):
        thread = threading.Thread(target=write)
        thread.start()
        try:
            serve(engine, source, out)
        except Exception as error:
            return f"{[line[:50] for line in lines]}: {type(error).__name__}: {error}"[:300]
        finally:
            while os.read(source, 2**16):
                pass
            thread.join()
    answers = [text for text in out.getvalue().split("\n\n") if text]
    if not all(text.lstrip("\n")[:1] in ("=", "?") for text in answers if text[:1] in "=?"):
        return f"{lines}: {out.getvalue()[:200]}"
    return OK


ANSWERS = [
    "= pass\\n\\n", "= d3\\n\\n", "? no\\n\\n", "=\\n\\n", "\\n", "=1 c4\\n\\n", "x" * 70_000,
    "= \\x1b]52;c\\x07\\n\\n", "= zz\\n\\n", "= d3", "\\xff\\xfe\\n\\n", "= resign\\n\\n",
]  # fmt: skip
PROGRAM = """
import os, sys, time
for line, answer in zip(sys.stdin, [{answers}] * 20):
    os.write(1, answer)
{end}
"""


def engine(rng: random.Random) -> str:
    """An engine that answers what it likes: a move, or an error of tafl in one line."""
    answers = ", ".join(f'b"{rng.choice(ANSWERS)}"' for _ in range(rng.randrange(1, 8)))
    end = rng.choice(["", "time.sleep(60)", "sys.exit(3)", "os.kill(os.getpid(), 9)"])
    state = tafl.game("othello").start()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "engine.py"
        file.write_text(PROGRAM.format(answers=answers, end=end))
        agent = tafl.agent(f"gtp(command='{sys.executable} {file}',timeout=0.5)", "othello")
        for _ in range(3):
            try:
                action = agent.act(state)
            except InputError as error:
                if "\n" in str(error):
                    return f"{answers[:200]}: {error}"
                continue
            except Exception as error:
                return f"{answers[:200]}: {type(error).__name__}: {error}"
            if action not in state.legal_actions:
                return f"{answers[:200]}: the illegal action {action}"
            state.play(action)
    return OK


def environment(rng: random.Random) -> str:
    """Steps of Gymnasium, illegal ones and ones after the end: no reward comes twice."""
    name = rng.choice(["tictactoe", "nim", "nim3p", "othello"])
    env = tafl.gymnasium(name)
    seed = rng.randrange(2**31)
    env.reset(seed=seed)
    low, high = (env.game.points(score) for score in env.game.facts.score_range)
    total, over = env.state.scores[env.role], False
    for _ in range(40):
        legal = [] if env.state.over else env.state.legal_actions
        wild = not legal or rng.random() < 0.2
        action = rng.randrange(env.game.facts.actions) if wild else rng.choice(legal)
        before = env.state.copy()
        _, reward, ended, truncated, info = env.step(np.int64(action))
        total += reward
        if over and (reward or not ended or env.state != before):
            return f"{name} {seed}: after the end, reward {reward}, ended {ended}"
        if not low - 1e-9 <= total <= high + 1e-9 or truncated:
            return f"{name} {seed}: rewards add up to {total}"
        if info["illegal"] and (not ended or total != low):
            return f"{name} {seed}: an illegal action gives {total}"
        over = ended
    return OK
