"""Modules of `tafl export --js` are the games and agents of Python: in Node, and in Chromium."""

import http.server
import json
import re
import shutil
import subprocess
import threading
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import tafl
from kinds import KINDS
from long import long_except
from pages import until
from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import RegretAgent
from tafl.agents.search import NPlyAgent
from tafl.agents.spec import make_agent
from tafl.agents.trees import PUCTAgent
from tafl.boards.template import write_template
from tafl.cli.main import main
from tafl.core.games import PAPER
from tafl.core.learn.adapt import TD
from tafl.core.learn.store import find_rows
from tafl.core.ntuple.net import make_net
from tafl.page.bot import agent_name, write_bot
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
# Searches with random games: their sums are rounded otherwise (log, and a * b + c in one step), and
# a tie that is broken once sends them another way. So short ones, before sums are compared, are
# equal in all positions, and long ones in most.
TREES = {"mcts", "pimc", "ismcts", "puct"}
AGREED = 0.8  # of positions in which both play the same move, at least
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
    texts += [re.sub(r"iterations=\d+", "iterations=2", text) for text in texts if "iter" in text]
    positions = some_positions(game, POSITIONS)
    found = ask(
        folder / script,
        tmp_path,
        positions=[{"seed": seed, "actions": actions} for _, seed, actions in positions],
        agents=["mine", *texts],
        seed=SEED,
        games=GAMES,
    )
    assert str(tmp_path) not in found["name"]  # of a game of one's own: only the name of its file
    assert set(found["agents"]) == {"mine", "random", *kinds(game)}
    equal = defaultdict(list)
    for (state, _, _), told in zip(positions, found["positions"], strict=True):
        check_position(state, told)
        for text, action, values in zip(
            ["mine", *texts], told["acts"], told["values"], strict=True
        ):
            agent = the_same(known, text, game)
            expected = agent.values(state)
            got = {entry["action"]: entry["value"] for entry in values}
            same = the_same(known, text, game).act(state) == action
            if text.partition("(")[0] in TREES and "iterations=2)" not in text:
                equal[text].append(same)
                continue
            assert got == pytest.approx(expected, abs=1e-6, rel=1e-6), text
            assert same, text
    shares = {text: np.mean(found) for text, found in equal.items()}
    assert all(share >= AGREED for share in shares.values()), shares
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


GUIDE = (HOME.parent / "docs" / "guides" / "web_bot.md").read_text(encoding="utf-8")
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "worker-src 'self'; img-src data:"
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """TicTacToe with an agent, as the guide exports a game, and Kuhn poker."""
    folder = tmp_path_factory.mktemp("exported")
    for name in SHORT:
        game = tafl.game(name)
        small = Small(some_agent(game), DOUBLE if game.hides else 32, name)
        write_bot(game, [small], folder / "bot")
    return folder


def listing(title, game):
    """A file of the guide, for another game; from Node, libraries are found by their files."""
    body = re.search(rf'^```\w+ title="{title}"\n(.*?)^```$', GUIDE, re.MULTILINE | re.DOTALL)[1]
    library = r'"boardgame.io/(\w+)"'
    return re.sub(library, r'"boardgame.io/dist/cjs/\1.js"', body.replace("mygame", game))


class Strict(http.server.SimpleHTTPRequestHandler):
    """Serves files under a strict policy."""

    extensions_map: ClassVar = {".js": "text/javascript", ".html": "text/html"}

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def served(exported):
    """The address of the folder on a server of this machine."""
    handler = partial(Strict, directory=str(exported))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


PLAYED = """async ({ worker, steps }) => {
    const { load } = await import("/bot/tictactoe.js");
    const game = await load({ worker });
    const state = game.start();
    const names = ["tictactoe", "mcts(iterations=100)"];
    const agents = names.map((name) => game.agent(name, { seed: 5 }));
    while (!state.over) state.play(await agents[state.player].act(state));
    await game.close();
    return state.history;
}"""


INLINE = """() => {
    const script = document.createElement("script");
    script.textContent = "window.done = true";
    document.body.append(script);
    return window.done;
}"""


def test_a_module_plays_in_chromium_under_a_strict_policy(exported, served):
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    for title in ("index.html", "play.js"):
        (exported / title).write_text(listing(title, "tictactoe"))
    game, faults = tafl.game("tictactoe"), []
    state = game.start()
    agents = [some_agent(game), make_agent("mcts(iterations=100)", game, 5)]
    agents[0].rng[:] = 5
    while not state.over:
        state.play(agents[state.player].act(state))
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        page.goto(f"{served}/index.html")
        for worker in (False, True):
            found = page.evaluate(PLAYED, {"worker": worker})
            assert found == state.history
        assert faults == []
        assert page.evaluate(INLINE) is None  # the policy is in force
        faults.clear()
        for _ in range(9):  # the page of the guide
            buttons = page.locator("#moves button:not([disabled])")
            until(
                page,
                "document.querySelector('#moves button:not([disabled])') || "
                "document.querySelector('#board').textContent.startsWith('The end')",
            )
            if not buttons.count():
                break
            buttons.first.click()
        assert "The end. Scores:" in page.locator("#board").inner_text()
        browser.close()
    assert faults == []


MATCH = """
import { client } from "./match.mjs";
const { default: out } = await import("node:fs");
const seen = [];
let moves = 0;
for (let n = 0; n < 2000; n++) {
  const state = client.getState();
  if (state) seen.push(state.G);
  if (state?.ctx.gameover) break;
  if (state?.G.legal.length && moves <= state.ctx.numMoves + seen.length) {
    client.moves.play(state.G.legal[0].action);
  }
  await new Promise((done) => setTimeout(done, 20));
}
const { G, ctx } = client.getState();
out.writeFileSync("answer.json", JSON.stringify({ seen, scores: G.scores, end: ctx.gameover }));
process.exit(0);
"""


@needs_node
@pytest.mark.parametrize("name", SHORT)
def test_games_and_bots_work_in_boardgame_io(name, exported):
    if not (HOME / "node_modules" / "boardgame.io").exists():
        pytest.skip("boardgame.io is not installed: cd tests && npm ci")
    folder = exported / name
    folder.mkdir(exist_ok=True)
    for link, target in (("bot", exported / "bot"), ("node_modules", HOME / "node_modules")):
        (folder / link).symlink_to(target)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "boardgame.js").write_text(listing("boardgame.js", name))
    (folder / "match.mjs").write_text(listing("match.js", name))
    (folder / "main.mjs").write_text(MATCH)
    done = subprocess.run(
        [NODE, "main.mjs"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads((folder / "answer.json").read_bytes())
    assert told["end"] == {"scores": told["scores"]}
    assert sum(told["scores"]) == 0  # both are games of two players who win what the other loses
    assert all("saved" not in view for view in told["seen"])
    if name == "kuhn":  # until the end the first player sees its own card alone
        before = [view for view in told["seen"] if view["scores"] is None]
        assert before
        assert all(view["cells"][0] > 0 and view["cells"][1] == 0 for view in before)


MEMBERS = """
const { load } = await import(process.argv[1]);
const game = await load();
const names = (what) => [
  ...Object.keys(what),
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(what)),
].filter((name) => name !== "constructor").sort();
const state = game.start();
const agent = game.agent("random");
console.log(JSON.stringify({ Game: names(game), State: names(state), Agent: names(agent) }));
"""


@needs_node
def test_the_types_are_those_of_the_module(exported):
    types = (exported / "bot" / "tictactoe.d.ts").read_text()
    command = [NODE, "--input-type=module", "-e", MEMBERS, str(exported / "bot" / "tictactoe.js")]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    for name, members in found.items():
        body = re.search(rf"^export interface {name} {{\n(.*?)^}}", types, re.MULTILINE | re.DOTALL)
        named = re.findall(r"^  (?:readonly )?(\w+)[(:?]", body[1], re.MULTILINE)
        assert sorted(named) == members


def test_names_of_agents_and_wrong_input(tmp_path, capsys):
    assert [agent_name(text) for text in ("runs/c4 a", "champion", "maxn", "..")] == [
        "runs-c4-a",
        "champion",
        "maxn-agent",
        "agent",
    ]
    (tmp_path / "file").write_text("")
    wrong = {
        "connectfour --js {0}/file": "--js {0}/file: this is a file; name a folder",
        "connectfour --js {0}/bot --csv x.csv": "--js writes a folder",
        "connectfour nim --js {0}/bot": "a page has one game, not connectfour and nim",
        "nogame --js {0}/bot": "there is no game 'nogame'",
        "--js {0}/bot": "name a run",
    }
    for line, message in wrong.items():
        assert main(["export", *line.format(tmp_path).split()]) == 2
        assert message.format(tmp_path) in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
