"""Kernels in WebAssembly are those on the CPU: the same games, and the same values of moves."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tafl
from kinds import KINDS
from long import long_except
from tafl.agents.learned import LearnedAgent
from tafl.boards.layout import board_of
from tafl.boards.template import write_template
from tafl.core.compile.wasm_object import Module, exporting
from tafl.core.games import PAPER
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import make_net
from tafl.core.play.replay import make_trace, replay
from tafl.core.search.foresee import make_trained
from tafl.errors import InputError
from tafl.page.html import about
from tafl.page.pack import Bytes, blank, packed
from tafl.page.program import CHECKED, RULES, Program
from tafl.page.small_agents import networks
from tafl.settings.presets import compose

HOME = Path(__file__).parent.parent
NODE = shutil.which("node") or shutil.which("nodejs")
SHORT = ("2048", "tictactoe", "connectfour", "nim3p")  # the others compile longer
SET_UP = ("tictactoe", "connectfour", "hex", "nim", "nim3p")  # where a search finds any position
needs_node = pytest.mark.skipif(NODE is None, reason="no Node on this machine (nodejs)")


def digest_of_traces(game, games):
    """A hash of every state, legal move, score and cell of these games on the CPU.

    What was random in WebAssembly was legal here, up to the end of the game.
    """
    total = hashlib.sha256()
    for seed, moves in enumerate(games):
        moves = np.array(moves, np.int64)
        trace = make_trace(game.facts, moves.size)
        replay(game.rules, moves, np.array([seed], np.uint64), trace)
        assert trace.legals[np.arange(moves.size), moves].all()
        assert trace.overs.tolist() == [0] * moves.size + [1]
        for array in trace:
            total.update(array.tobytes())
    return total.hexdigest()


def some_agent(game):
    """An agent with random weights, whatever they may mean."""
    facts = game.facts
    net = make_net(facts, [[c, (c + 1) % facts.cells] for c in range(min(6, facts.cells))])
    net.weights[:] = np.random.default_rng(1).normal(size=net.weights.size) / 10
    return LearnedAgent(game, net, TD())


def some_positions(game, number):
    """Positions in the middle of games."""
    rng, found, state = np.random.default_rng(2), [], game.start(1)
    while len(found) < number:
        state = game.start(len(found)) if state.over else state
        found.append(state.copy())
        state.play(int(rng.choice(state.legal_actions)))
    return found


def run(job, folder):
    file, answer = folder / "job.json", folder / "answer.json"
    file.write_text(json.dumps(job))
    command = [NODE, str(HOME / "tests" / "wasm.mjs"), str(HOME / "web"), str(file), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(answer.read_bytes())


def check_way(game, wanted, actions):
    """These actions lead to what was set up cell by cell."""
    state = game.start()
    for action in actions:
        state.play(action)
    assert (state.cells, state.player) == (wanted.cells, wanted.player)


@needs_node
@pytest.mark.parametrize("name", long_except(SHORT, [*PAPER, *KINDS, "template"]))
def test_games_and_values_are_those_of_the_cpu(name, tmp_path):
    if name == "template":
        name = str(write_template("mygame", tmp_path / "mygame.py"))
    game, kept = tafl.game(name), Bytes()
    agent, positions = some_agent(game), some_positions(game, 100)
    trained = make_trained(game.facts, agent.net, agent.td, agent.work)
    program = Program(game, CHECKED).document(kept)
    found = run(
        {
            "program": program,
            "game": about(game),
            "games": 1000,
            "trace": blank(make_trace(game.facts, 1)),
            "agent": packed(trained, kept),
            "positions": [[str(word) for word in state.words] for state in positions],
            "board": board_of(game).document(),
            "wanted": [{"cells": s.cells, "player": s.player} for s in positions[:20]]
            if name in SET_UP
            else [],
            "packed": kept.packed,
        },
        tmp_path,
    )
    assert len(found["games"]) == 1000
    assert found["traces"] == digest_of_traces(game, found["games"])
    for state, values in zip(positions, found["values"], strict=True):
        expected = agent.values(state)
        assert {int(action): value for action, value in values.items()} == pytest.approx(
            expected, abs=1e-6, rel=1e-6
        )
    for state, way in zip(positions, found["ways"], strict=False):
        check_way(game, state, way["actions"])
    start = game.start(7)
    assert [int(word) for word in found["start"]["words"]] == start.words.tolist()
    assert found["start"]["legal"] == start.legal_actions
    assert int(found["start"]["rng"]) == int(start.rng[0])
    # nothing comes from outside but memory and what JavaScript computes, too
    assert set(found["imports"]) <= {"__linear_memory", "__stack_pointer", "pow", "log", "exp"}


@needs_node
def test_networks_are_laid_out_as_on_the_cpu(tmp_path):
    """Also n-tuples that are found by a hash."""
    game, kept = tafl.game("connectfour"), Bytes()
    tuples = [[0, 1, 7], list(range(42)), [3]]
    found = run(
        {
            "program": Program(game, (*RULES, "index_tuples")).document(kept),
            "game": about(game),
            "network": networks(game),
            "settings": compose(game).tree(),
            "tuples": tuples,
            "packed": kept.packed,
        },
        tmp_path,
    )["net"]
    net = make_net(game.facts, tuples, tables=False)
    assert found["size"] == net.size
    assert found["strides"] == net.strides.reshape(-1).tolist()
    assert found["base"] == net.base.tolist()


def test_an_object_file_becomes_a_module():
    with pytest.raises(ValueError, match="not WebAssembly"):
        Module.read(b"ELF")
    empty = Module([])
    assert Module.read(empty.data).sections == []
    with pytest.raises(ValueError, match="no symbol table"):
        exporting(empty, ["f"])


def test_what_a_page_cannot_compute_is_said(tmp_path):
    file = tmp_path / "gammas.py"
    source = write_template("gammas", tmp_path / "template.py").read_text()
    source = source.replace("from typing", "from math import gamma\nfrom typing", 1)
    source = source.replace("return 0.0", "return gamma(1.0 + state[0] % 2) - 1.0", 1)
    file.write_text(source)
    with pytest.raises(InputError, match=r"the rules need .*gamma.*, which a page does not have"):
        Program(tafl.game(str(file)), ("look_at",)).compile()
