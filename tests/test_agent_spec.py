"""Agents by a text: what is built, and what is said to a text that is none."""

import re
from pathlib import Path

import pytest

import tafl
from tafl.agents.spec import AGENTS, parameters, parse
from tafl.errors import InputError, MissingPackage

GAME = tafl.game("tictactoe")
ANY_GAME = ("random", "exact", "maxn", "expectimax", "alphabeta", "mcts")
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "agents.md"
ROWS = dict(
    re.findall(r"^\| `([^`]+)` \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of TicTacToe in a folder whose name needs quotes."""
    path = tmp_path_factory.mktemp("runs") / "a run, (small)"
    tafl.train("tictactoe", episodes=200, seed=1, out=path)
    return path


def test_the_page_names_every_agent():
    assert {parse(text)[0] for text in ROWS} == set(AGENTS)


@pytest.mark.parametrize("text", ROWS)
def test_the_page_names_all_parameters_and_defaults(text):
    name, arguments, given = parse(text)
    module, _, attribute = AGENTS[name].partition(":")
    try:
        maker = getattr(__import__(module, fromlist=[attribute]), attribute)
    except MissingPackage as error:
        pytest.skip(str(error))
    takes = parameters(maker)
    needed = [key for key, p in takes.items() if p.default is p.empty]
    by_place = [key for key in takes if key == "agent" or key in needed]  # some need no agent
    assert len(arguments) in (len(needed), len(by_place))
    assert given == {k: str(p.default) for k, p in takes.items() if k not in by_place}


@pytest.mark.parametrize("text", [t for t in ROWS if parse(t)[0] in ANY_GAME])
def test_every_agent_of_the_page_plays(text):
    name = parse(text)[0]
    game = tafl.game("tictactoe")
    text = text.replace("run:PATH", "champion")
    if name == "mcts":
        text = text.replace("seconds=0.0", "seconds=0.01")
    state = game.position([1, 2, 1, 2, 1, 2, 0, 0, 0], player=0)
    agent = tafl.agent(text, game, seed=1)
    assert agent.act(state) in (6, 7, 8)
    assert set(agent.values(state)) == {6, 7, 8}
    assert name == "random" or agent.act(state) in (6, 8)  # three in a row


def test_agents_around_a_run(run):
    state = GAME.position([1, 2, 1, 2, 0, 0, 0, 0, 0], player=0)
    bare = tafl.agent(f"run:{run}", GAME, seed=1)
    assert bare.values(state) == tafl.Run.open(run).agent.values(state)
    one_ply = tafl.agent(f"nply('run:{run}', depth=1)", GAME)
    assert one_ply.values(state) == bare.values(state)
    assert tafl.agent(f'puct("run:{run}",iterations=200)', GAME).act(state) in (4, 8)  # wins
    assert tafl.agent(f"nply(agent='run:{run}',depth=5)", GAME).act(state) in (4, 8)


def test_a_run_of_another_game_is_refused(run):
    with pytest.raises(InputError, match="this agent was trained on tictactoe, not nim"):
        tafl.agent(f"run:{run}", tafl.game("nim"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is not an agent; write for example mcts(iterations=1000)"),
        ("mcts(iterations=3", "'mcts(iterations=3' is not an agent; write for example"),
        ("mct", "there is no agent 'mct'; did you mean mcts?"),
        ("perfect", "there is no agent 'perfect'; available: random, "),
        ("random(x=1)", "random has no parameter 'x'; it has no parameters"),
        ("mcts(iteration=1)", "mcts has no parameter 'iteration'; did you mean iterations?"),
        ("mcts(q=1)", "mcts has no parameter 'q'; available: iterations, seconds, k, "),
        ("mcts(1000)", "mcts: '1000' must be like parameter=value; available: iterations, "),
        ("mcts(iterations=many)", "mcts: iterations must be a whole number, not many"),
        ("mcts(k=nan)", "mcts: k must be a number, not nan"),
        ("mcts(iterations=0)", "iterations must be 1 to 1,000,000,000, not 0"),
        ("mcts(final=first)", "mcts: final must be mean or visits, not first"),
        ("mcts(k=1,k=2)", "k is given twice"),
        ("mcts(k=)", "'k=' must be like iterations=1000"),
        ("maxn(depth=(3)", "unbalanced parentheses"),
        ("maxn(depth=3))", "unbalanced parentheses"),
        ("puct", "puct: agent is missing; write for example puct(run:PATH)"),
        ("nply(q=3)", "nply has no parameter 'q'; available: agent, depth, positions"),
        ("puct(random)", "puct needs a trained agent such as run:PATH, not random"),
        ("puct(mcts(k=))", "'k=' must be like iterations=1000"),
        ("run", "run: path is missing; write for example run:PATH"),
        ("run:nowhere", "run:nowhere: nowhere is not a run"),
        ("puct(run:nowhere)", "run:nowhere: nowhere is not a run"),
    ],
)
def test_wrong_text_is_refused_in_one_line(text, words):
    with pytest.raises(InputError) as refused:
        tafl.agent(text, GAME)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1"])
def test_a_wrong_seed_is_refused(seed):
    with pytest.raises(InputError, match="a seed must be a whole number from 0"):
        tafl.agent("random", GAME, seed)


def test_arguments_may_be_nested_and_quoted():
    assert parse(" puct( run:a/b , iterations = 5 ) ") == ("puct", ["run:a/b"], {"iterations": "5"})
    assert parse("gtp(command='x --y=1, 2')") == ("gtp", [], {"command": "x --y=1, 2"})
    assert parse("a-b(c(d=1,e(f)),g=h(i,j))") == ("a-b", ["c(d=1,e(f))"], {"g": "h(i,j)"})
    assert parse('run:"my runs/a"') == ("run", ["my runs/a"], {})
