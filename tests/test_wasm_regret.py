"""Regret matching in WebAssembly learns what it learns on the CPU, for training in a page."""

import base64
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tafl
from long import long
from tafl.agents.regret import RegretAgent
from tafl.core.learn.regret import Regret, make_moves, train_regret
from tafl.core.learn.store import make_store
from tafl.core.ntuple.net import make_net
from tafl.page.pack import Bytes, blank, packed
from tafl.page.program import Program

HOME = Path(__file__).parent.parent
NODE = shutil.which("node") or shutil.which("nodejs")
PARTS = [[0, 700], [700, 1300]]  # first episode, and how many
STATES = {"leduc": 400, "hearts(ranks=2)": 2000}


@pytest.mark.skipif(NODE is None, reason="no Node on this machine (nodejs)")
@pytest.mark.parametrize("name", ["leduc", long("hearts(ranks=2)")])
def test_a_page_learns_what_the_cpu_learns(name, tmp_path):
    game = tafl.game(name)
    facts, rng = game.facts, np.array([9], np.uint64)
    net = make_net(facts, [], symmetries=False, tables=False)
    store, work, way = make_store(facts, net, STATES[name]), make_moves(facts, net), Regret()
    totals = np.zeros(1 + facts.players)
    found = np.zeros(facts.actions, np.int64), *np.zeros((2, facts.actions))
    module, signatures = Program(game, kernels=("train_regret", "look_up")).compile()
    names = ("game", "store", "way", "work", "rng", "totals", "actions", "values", "policy")
    memory = (game.rules, store, way, work, rng, totals, *found)
    state = game.start(3)
    job = {
        "module": base64.b64encode(module).decode(),
        "kernels": signatures,
        "memory": {k: blank(one) for k, one in zip(names, memory, strict=True)},
        "small": packed(make_store(facts, net, 4), Bytes()),
        "seed": 9,
        "parts": PARTS,
        "state": [str(word) for word in state.words],
    }
    there = run(job, tmp_path)

    for first, episodes in PARTS:
        train_regret(game.rules, store, way, work, first, episodes, rng, totals)
    assert [int(word) for word in there["keys"]] == store.keys.ravel().tolist()
    assert int(there["used"][0]) == store.used[0] > 100
    assert int(there["rng"][0]) == rng[0]
    assert [float(x) for x in there["totals"]] == pytest.approx(totals.tolist())
    tables = np.array([float(x) for x in there["tables"]]).reshape(store.tables.shape)
    assert np.count_nonzero(tables) > 1000
    assert tables == pytest.approx(store.tables, rel=1e-9, abs=1e-9)
    agent = RegretAgent(game, store)
    assert there["policy"] == pytest.approx(list(agent.policy(state).values()))
    assert there["values"] == pytest.approx(list(agent.values(state).values()))
    assert there["full"]
    assert set(there["imports"]) <= {"__linear_memory", "__stack_pointer"}


def run(job, folder):
    file, answer = folder / "job.json", folder / "answer.json"
    file.write_text(json.dumps(job))
    program = str(HOME / "tests" / "wasm_regret.mjs")
    command = [NODE, program, str(HOME / "web"), str(file), str(answer)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(answer.read_bytes())
