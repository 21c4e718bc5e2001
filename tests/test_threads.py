"""One agent asked by many threads answers as if it were asked by one."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

import tafl

THREADS = 4


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run"
    return tafl.train("connectfour", episodes=300, seed=1, out=path)


@pytest.fixture(scope="module")
def states(run):
    """Positions along some random games."""
    found = []
    for record in tafl.match(run.game, ["random", "random"], games=4).records:
        found += [state for _, state in record.replay() if not state.over]
    return found


def together(task):
    """What four threads get that do the same at once."""
    with ThreadPoolExecutor(THREADS) as threads:
        return [future.result() for future in [threads.submit(task) for _ in range(THREADS)]]


AGENTS = {
    "run:{run}": 30,
    "nply(run:{run},depth=2)": 5,
    "puct(run:{run},iterations=50)": 3,
    "maxn(depth=3)": 5,
    "alphabeta(depth=4)": 5,
    "expectimax(depth=3)": 5,
}


@pytest.mark.parametrize("text", AGENTS)
def test_values_are_those_of_one_thread(text, run, states):
    agent = tafl.agent(text.format(run=run.path), run.game, seed=1)
    expected = [agent.values(state) for state in states]
    times = AGENTS[text]
    found = together(lambda: [agent.values(state) for _ in range(times) for state in states])
    assert found == [expected * times] * THREADS


def test_chance_of_one_agent_gives_only_legal_moves(run, states):
    agent = tafl.agent("mcts(iterations=60)", run.game, seed=1)

    def task():
        for _ in range(5):
            for state in states:
                assert agent.act(state) in state.legal_actions
                values = agent.values(state)
                assert sorted(values) == state.legal_actions
                assert all(-1 <= value <= 1 for value in values.values())

    together(task)


@pytest.mark.parametrize("text", ["maxn(depth=3)", "mcts(iterations=30)", "puct(run:{run})"])
def test_an_agent_around_another_shares_no_memory_with_it(text, run, states):
    bare = run.agent
    around = tafl.agent(text.format(run=run.path), run.game)
    other = around.twin()
    expected = [bare.values(state) for state in states]
    with ThreadPoolExecutor(2) as threads:
        for one in (around, other):
            threads.submit(lambda one=one: [one.act(state) for state in states])
        assert [bare.values(state) for _ in range(20) for state in states] == expected * 20


def test_scores_of_maxn_belong_to_their_state():
    game = tafl.game("nim3p")
    agent = tafl.agent("maxn(depth=4)", game)
    states = [game.position([a, b, 1], player=(a + b) % 3) for a in range(5) for b in range(5)]
    expected = [agent.scores(state) for state in states]
    assert together(lambda: [agent.scores(state) for state in states * 5]) == [expected * 5] * 4


@pytest.mark.parametrize(
    "opponent", ["random", "mcts(iterations=20)", "puct(run:{run},iterations=9)"]
)
def test_matches_with_the_same_agents_are_those_of_one_thread(opponent, run):
    text = opponent.format(run=run.path)
    agents = [run.agent, tafl.agent(text, run.game)]

    def task():
        return tafl.match(run.game, agents, games=6, seed=3).records

    alone = task()
    by_text = tafl.match(run.game, [f"run:{run.path}", text], games=6, seed=3).records
    assert [record.moves for record in alone] == [record.moves for record in by_text]
    assert together(task) == [alone] * THREADS


def test_evaluations_of_one_agent_are_those_of_one_thread(run):
    agent = run.agent

    def task():
        return [
            tafl.evaluate(agent, vs=vs, games=20, seed=2).records
            for vs in ("random", "maxn(depth=1)")
        ]

    alone = task()
    assert together(task) == [alone] * THREADS


def test_a_match_leaves_the_agents_as_they_were(run):
    agent = tafl.agent("mcts(iterations=9)", run.game, seed=5)
    tafl.match(run.game, [agent, agent], games=2)
    assert agent.rng.tolist() == [5]


def test_a_kernel_that_many_threads_need_first_is_compiled_once(tmp_path):
    """A game that nobody has compiled before."""
    from planted import plant

    game = tafl.game(plant(tmp_path))
    agent = tafl.agent("maxn(depth=1)", game)
    state = game.start()
    assert len({str(found) for found in together(lambda: agent.twin().values(state))}) == 1


def test_agents_can_be_pickled(run, states):
    again = pickle.loads(pickle.dumps(run.agent))
    assert again.values(states[0]) == run.agent.values(states[0])


class Mine:
    """An agent of one's own, which remembers whom it was asked by."""

    asked = 0

    def act(self, state):
        self.asked += 1
        return state.legal_actions[0]


def test_agents_of_ones_own_are_used_as_they_are():
    mine = Mine()
    tafl.match("tictactoe", [mine, "random"], games=2)
    assert mine.asked > 0


def test_engines_have_no_twins():
    agent = tafl.agent("gtp(command=cat)", "othello")
    assert agent.twin() is agent
