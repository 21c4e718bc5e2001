"""All agents share one door: no move after the end, no position of another game, points outside."""

import pytest
from safetensors.numpy import load_file

import tafl
from tafl.errors import InputError

AGENTS = {
    "tictactoe": [
        "random",
        "human",
        "exact",
        "maxn(depth=3)",
        "expectimax(depth=2)",
        "alphabeta(depth=3)",
        "mcts(iterations=20)",
        "pimc(worlds=3,iterations=9)",
        "ismcts(iterations=20)",
        "run:{}/tictactoe",
        "nply(run:{}/tictactoe)",
        "puct(run:{}/tictactoe,iterations=5)",
    ],
    "connectfour": ["ab", "ab-dl"],
    "othello": ["bench", "heur"],
}
CASES = [(game, agent) for game, agents in AGENTS.items() for agent in agents]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    tafl.train("tictactoe", episodes=20, seed=1, out=folder / "tictactoe")
    return folder


def finished(name):
    """A game that is over, as it can be reached."""
    if name == "othello":
        return tafl.game(name).position([1] * 64, player=0)
    moves = {"tictactoe": "0 3 1 4 2", "connectfour": "0 1 0 1 0 1 0"}[name]
    return tafl.position(f"{name}: {moves}")


@pytest.mark.parametrize(("name", "text"), CASES)
def test_nobody_moves_after_the_end(name, text, runs):
    agent, over = tafl.agent(text.format(runs), name), finished(name)
    assert over.over
    assert agent.values(over) == agent.policy(over) == {}
    with pytest.raises(InputError, match="the game is over; there is no action to choose"):
        agent.act(over)


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_position_of_another_game_is_refused(name, text, runs):
    agent, other = tafl.agent(text.format(runs), name), tafl.game("nim").start()
    for ask in (agent.act, agent.values, agent.policy):
        with pytest.raises(InputError, match=rf"this agent plays {name}, not nim\("):
            ask(other)


@pytest.mark.parametrize("text", ["random", "exact", "maxn(depth=9)", "run:{}/tictactoe"])
def test_the_best_actions_share_the_probability(text, runs):
    state = tafl.position("tictactoe: b2 a1 c3 a3")  # a2 alone does not lose
    agent = tafl.agent(text.format(runs), "tictactoe")
    policy, values = agent.policy(state), agent.values(state)
    assert list(policy) == list(values) == state.legal_actions
    best = [a for a in values if values[a] == max(values.values())]
    assert policy == {a: 1 / len(best) if a in best else 0.0 for a in values}
    assert {agent.act(state) for _ in range(100)} == set(best)


def test_a_trained_agent_knows_its_game(runs):
    for text in ("run:{}/tictactoe", "nply(run:{}/tictactoe)", "puct(run:{}/tictactoe)"):
        assert tafl.agent(text.format(runs)).game == tafl.game("tictactoe")
    with pytest.raises(InputError, match=r"mcts: name a game; only trained agents know theirs"):
        tafl.agent("mcts")
    with pytest.raises(InputError, match="this agent was trained on tictactoe, not nim"):
        tafl.agent(f"run:{runs}/tictactoe", "nim")


def test_an_agent_in_a_file_of_its_own(tmp_path):
    """Temporal coherence is left behind: the file has a number for each weight, and no more."""
    run = tafl.train("nim3p", episodes=50, seed=1, out=tmp_path / "run")
    tafl.save(run, tmp_path / "nim3p.agent")
    agent, state = tafl.load(tmp_path / "nim3p.agent"), run.game.start()
    assert agent.net.width == 1
    assert agent.net.weights.size == load_file(run.learned()[0])["weights"].size / 3
    assert 4 * agent.net.weights.size < (tmp_path / "nim3p.agent").stat().st_size
    while not state.over:
        assert agent.values(state) == run.agent.values(state)
        state.play(agent.act(state))
    one, other = (tafl.agent(f"run:{tmp_path}/{name}") for name in ("nim3p.agent", "run"))
    games = [tafl.evaluate(agent, "random", 30).records for agent in (one, other)]
    assert [r.moves for r in games[0]] == [r.moves for r in games[1]]
    (tmp_path / "broken").write_bytes((tmp_path / "nim3p.agent").read_bytes()[:-1])
    with pytest.raises(InputError):
        tafl.load(tmp_path / "broken")
    (tmp_path / "nothing").write_text("hello")
    with pytest.raises(InputError, match="is not the file of an agent"):
        tafl.load(tmp_path / "nothing")


def test_scores_and_values_are_points():
    """2048: what a move is worth is what it scores now and later, in points."""
    state = tafl.position("2048 @ 1100000000000011 0")
    state.play("left")
    assert state.scores == [8.0]
    agent = tafl.agent("expectimax(depth=1)", "2048")
    start = tafl.position("2048 @ 1100000000000011 0")
    assert agent.values(start)[3] == 8.0
    record = tafl.match("2048", ["random"], games=1).records[0]
    assert record.scores[0] == int(record.scores[0]) > 100
