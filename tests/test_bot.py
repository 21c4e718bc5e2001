"""Modules of `tafl export --js` are the games and agents of Python: in Node, and in Chromium."""

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
from tafl.agents.regret import RegretAgent
from tafl.agents.search import NPlyAgent
from tafl.agents.spec import make_agent
from tafl.agents.trees import PUCTAgent
from tafl.boards.template import write_template
from tafl.core.games import PAPER
from tafl.core.learn.adapt import TD
from tafl.core.learn.store import find_rows
from tafl.core.ntuple.net import make_net
from tafl.page.bot import write_bot
from tafl.page.small_agents import DOUBLE, Small
from tafl.settings.build import build_store
from tafl.settings.presets import compose

HOME = Path(__file__).parent
NODE = shutil.which("node") or shutil.which("nodejs")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CARDS = ("kuhn", "leduc", "liarsdice", "phantom", "hearts")  # games that hide something
SHORT = ("tictactoe", "kuhn")  # the others compile longer
POSITIONS, GAMES, SEED = 100, 30, 7
LARGEST = 25_000  # bytes of a module
SEARCHES = {
    "mcts": "mcts(iterations=200)",
    "pimc": "pimc(worlds=5,iterations=40)",
    "ismcts": "ismcts(iterations=200)",
    "maxn": "maxn(depth=2)",
    "alphabeta": "alphabeta(depth=3)",
    "expectimax": "expectimax(depth=1)",
    "puct": "puct({0},iterations=60)",
    "nply": "nply({0},depth=1)",
}
needs_node = pytest.mark.skipif(NODE is None, reason="no Node on this machine (nodejs)")


def some_agent(game):
    """An agent with random numbers, whatever they may mean."""
    facts, rng = game.facts, np.random.default_rng(1)
    if game.hides:
        settings = compose(game, overrides={"regret": {"states": 1000}})
        agent = RegretAgent(game, build_store(game, settings, []))
        fill(agent, rng)
        return agent
    net = make_net(facts, [[c, (c + 1) % facts.cells] for c in range(min(6, facts.cells))])
    net.weights[:] = rng.normal(size=net.weights.size) / 10
    return LearnedAgent(game, net, TD())


def fill(agent, rng):
    """Visit positions of random games, and give them random values and policies."""
    store, game, work = agent.store, agent.game, agent.work
    for state, _, _ in some_positions(game, POSITIONS):
        work.state[:] = state.words
        with np.errstate(over="ignore"):
            find_rows(game.rules, store, work.state, True, work, work.rows[0])
    used = int(store.used[0])
    store.tables[:used] = rng.random((used, *store.tables.shape[1:]))


def some_positions(game, number):
    """Positions in the middle of games: with their seeds and moves."""
    rng, found, seed = np.random.default_rng(2), [], 0
    state = game.start(seed)
    while len(found) < number:
        if state.over:
            seed += 1
            state = game.start(seed)
        found.append((state.copy(), seed, state.history))
        state.play(int(rng.choice(state.legal_actions)))
    return found


def ask(module, folder, **job):
    """What the module answers in Node."""
    file, out = folder / "job.json", folder / "answer.json"
    file.write_text(json.dumps(job))
    command = [NODE, str(HOME / "bot.mjs"), str(module), str(file), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(out.read_bytes())


@needs_node
@pytest.mark.parametrize("name", long_except(SHORT, [*PAPER, *KINDS, *CARDS, "template"]))
def test_a_module_is_the_game_of_python(name, tmp_path):
    if name == "template":
        name = str(write_template("mygame", tmp_path / "mygame.py"))
    game = tafl.game(name)
    mine = some_agent(game)
    folder = tmp_path / "bot"
    sizes = write_bot(game, [Small(mine, DOUBLE if game.hides else 32, "mine")], folder)
    (script,) = (file for file in sizes if file.endswith(".js"))
    assert sizes[script] < LARGEST
    known = {"mine": mine}
    texts = [text.format("mine") for kind, text in SEARCHES.items() if kind in kinds(game)]
    positions = some_positions(game, POSITIONS)
    found = ask(
        folder / script,
        tmp_path,
        positions=[{"seed": seed, "actions": actions} for _, seed, actions in positions],
        agents=["mine", *texts],
        seed=SEED,
        games=GAMES,
    )
    assert set(found["agents"]) == {"mine", "random", *kinds(game)}
    wrong = 0
    for (state, _, _), told in zip(positions, found["positions"], strict=True):
        check_position(state, told)
        for text, action, values in zip(
            ["mine", *texts], told["acts"], told["values"], strict=True
        ):
            agent = the_same(known, text, game)
            expected = agent.values(state)
            got = {entry["action"]: entry["value"] for entry in values}
            assert got == pytest.approx(expected, abs=1e-6, rel=1e-6), text
            wrong += the_same(known, text, game).act(state) != action
    assert wrong == 0
    for number, told in enumerate(found["games"]):
        check_game(game, number, told)


def kinds(game):
    """The searches that a game has."""
    if game.hides:
        return {"pimc", "ismcts"}
    found = {"mcts", "puct"}
    if not game.has_chance:
        found |= {"maxn"}
        if game.facts.players == 2 and game.facts.is_zero_sum:
            found |= {"alphabeta"}
    if not game.has_chance or hasattr(game.rules, "outcome"):
        found |= {"expectimax", "nply"}
    return found


def the_same(known, text, game):
    """The agent of Python that a text in JavaScript names, with the same seed."""
    if text == "mine":
        twin = known["mine"].twin()
        twin.rng[:] = SEED
        return twin
    kind, _, rest = text.partition("(mine,")
    if rest:  # a search around the agent
        maker = {"puct": PUCTAgent, "nply": NPlyAgent}[kind]
        parameters = dict(pair.split("=") for pair in rest.rstrip(")").split(","))
        numbers = {key: int(value) for key, value in parameters.items()}
        return maker(game, known["mine"], SEED, **numbers)
    return make_agent(text, game, SEED)


def check_position(state, told):
    """Python and JavaScript say the same of a position."""
    legal = [{"action": a, "name": name} for a, name in state.legal_moves.items()]
    assert told["legal"] == legal
    assert (told["player"], told["over"]) == (state.player, state.over)
    assert told["cells"] == state.cells
    assert told["scores"] == pytest.approx(state.scores, abs=1e-12, rel=1e-12)
    assert told["seen"] == [state.seen_by(p) for p in range(state.game.facts.players)]
    assert told["same"]


def check_game(game, number, told):
    """Random agents of Python play the same game."""
    players = [make_agent("random", game, number + p) for p in range(game.facts.players)]
    state = game.start(number)
    while not state.over:
        state.play(players[state.player].act(state))
    assert told["history"] == state.history
    assert told["scores"] == pytest.approx(state.scores, abs=1e-12, rel=1e-12)
    assert told["begun"]  # all moves were taken back
