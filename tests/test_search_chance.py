"""The enumeration of chance, and searches through it."""

from pathlib import Path

import numpy as np
import pytest

import gamble
import tafl
from gamble import Gamble
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import FURTHER_PLIES, NPlyAgent
from tafl.boards.check import check
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import make_net
from tafl.core.search.expectimax import expectimax_values, make_levels
from tafl.core.search.foresee import make_trained
from tafl.errors import InputError


def outcomes_of(game, after):
    """Every next state with its probability."""
    for i in range(game.call("outcomes", after)):
        words = after.copy()
        probability = game.call("outcome", words, i)
        yield words, probability


def solve(game, words):
    """The expected scores of all players, if everyone maximises its own; of equals the first."""
    if game.call("over", words):
        return np.array([game.call("score", words, p) for p in range(game.facts.players)])
    player = game.call("player", words)
    return max(action_scores(game, words).values(), key=lambda scores: scores[player])


def action_scores(game, words):
    """What each action leads to."""
    results = {}
    for action in range(game.facts.actions):
        if game.call("legal", words, action):
            after = words.copy()
            game.call("play", after, action)
            results[action] = sum(p * solve(game, w) for w, p in outcomes_of(game, after))
    return results


def random_agent(game, seed=1, by_action=False):
    """A network with random weights."""
    cells = list(range(game.facts.cells))
    net = make_net(game.facts, [cells], by_action=by_action, symmetries=False)
    net.weights[:] = np.random.default_rng(seed).normal(0, 0.3, net.weights.size)
    return LearnedAgent(game, net, TD(), seed)


@pytest.mark.parametrize("tiles", [0, 1, 7, 15])
def test_outcomes_of_2048(tiles):
    """Each empty cell as likely as any other, a 4 in one of ten; at the start two tiles."""
    game = tafl.game("2048")
    after = game.position([3] * tiles + [0] * (16 - tiles)).words
    results = {}
    for words, probability in outcomes_of(game, after):
        cells = tuple(tafl.State(game, words, None).cells)
        results[cells] = results.get(cells, 0.0) + probability
    empty = 16 - tiles
    for cells, probability in results.items():
        new = cells[tiles:]
        assert cells[:tiles] == (3,) * tiles
        assert new.count(1) + new.count(2) == (2 if tiles == 0 else 1)
        orders = 2 / (empty * (empty - 1)) if tiles == 0 else 1 / empty
        assert probability == pytest.approx(orders * 0.9 ** new.count(1) * 0.1 ** new.count(2))
    assert sum(results.values()) == pytest.approx(1)
    assert len(results) == (2 * empty if tiles else 4 * 120)


def test_expectimax_solves_a_game_of_chance_for_three():
    game = tafl.game(Gamble)
    agent = tafl.agent("expectimax(depth=6)", game)
    state = game.start()
    for seed in range(5):
        state = game.start()
        while not state.over:
            exact = action_scores(game, state.words)
            expected = {a: scores[state.player] for a, scores in exact.items()}
            assert agent.values(state) == pytest.approx(expected)
            state.play(state.legal_actions[seed % len(state.legal_actions)])


def test_expectimax_of_one_ply_counts_the_points_of_a_move():
    game = tafl.game("2048")
    state = game.position([1, 1, 2, 2, 3, 3, 0, 0] + [0] * 8)
    values = tafl.agent("expectimax(depth=1)", game).values(state)
    assert values == {1: 28.0, 2: 0.0, 3: 28.0}


@pytest.mark.parametrize("by_action", [False, True])
def test_one_ply_is_the_trained_agent_and_all_plies_are_the_exact_values(by_action):
    """Whatever V or Q say, at the end of the game the rules say it better."""
    game = tafl.game(Gamble)
    bare = random_agent(game, by_action=by_action)
    state = game.start()
    assert NPlyAgent(game, bare, depth=1).values(state) == bare.values(state)
    exact = action_scores(game, state.words)
    searched = NPlyAgent(game, bare, depth=7).values(state)  # 6 moves, and what chance adds
    assert searched == pytest.approx({a: scores[0] for a, scores in exact.items()})
    assert searched != pytest.approx(bare.values(state))
    likely = NPlyAgent(game, bare, depth=1, positions=10**9)  # no line of play is as rare as that
    assert likely.values(state) == searched


def points_to_come(game, agent, words, depth, reached, rarest):
    """What each action of 2048 is worth: searched on where play at random comes often enough."""
    state = tafl.State(game, words, None)
    if depth <= 1 and reached < rarest:
        return agent.values(state)
    found = {}
    for action in state.legal_actions:
        after = words.copy()
        game.call("play", after, action)
        found[action] = float(after[1] - words[1])
        for following, probability in outcomes_of(game, after):
            chance = reached / len(state.legal_actions) * probability
            values = points_to_come(game, agent, following, depth - 1, chance, rarest)
            found[action] += probability * max(values.values(), default=0.0)
    return found


@pytest.mark.parametrize(("depth", "positions"), [(1, 1), (1, 20), (1, 60), (2, 60), (3, 1)])
def test_what_is_likely_is_searched_beyond_the_depth(depth, positions):
    game = tafl.game("2048")
    net = make_net(game.facts, [[0, 1, 4, 5]], tanh=False)
    net.weights[:] = np.random.default_rng(2).normal(0, 1e-6, net.weights.size)
    agent = LearnedAgent(game, net, TD(), 1)
    words = game.position([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 0, 2, 2, 0]).words
    found = NPlyAgent(game, agent, depth=depth, positions=positions)
    expected = points_to_come(game, agent, words, depth, 1.0, 1 / positions)
    assert found.values(tafl.State(game, words, None)) == pytest.approx(expected)
    uniform = NPlyAgent(game, agent, depth=max(depth, 2)).values(tafl.State(game, words, None))
    assert (uniform == pytest.approx(expected)) == (positions == 1)


def test_a_forced_line_of_play_ends():
    """Nothing is rare where there is no choice and no chance: the number of plies is limited."""
    game = tafl.game("nim(heaps=1,stones=9,take=1)")
    bare = random_agent(game)
    with pytest.raises(InputError, match=r"positions must be 0 to 1,000,000,000, not -1"):
        NPlyAgent(game, bare, positions=-1)
    won = NPlyAgent(game, bare, depth=1, positions=2).values(game.start())
    assert won == {0: 1.0}  # nine stones, one at a time: the first player takes the last
    game = tafl.game("nim(heaps=1,stones=60,take=1)")
    bare, state = random_agent(game), game.start()
    far = NPlyAgent(game, bare, depth=1 + FURTHER_PLIES).values(state)  # 19 stones are left then
    assert NPlyAgent(game, bare, depth=1, positions=2).values(state) == far != {0: -1.0}


def test_two_plies_ask_everyone_at_its_next_turn():
    """The second player picks what it thinks best, then the third and the first say what they
    expect of their own best actions."""
    game = tafl.game(Gamble)
    bare = random_agent(game, seed=4)
    state = game.start()
    found = NPlyAgent(game, bare, depth=2).values(state)
    following = state.afterstate(0)  # nothing random happens after action 0
    assert following.legal_actions == [0]
    after = following.afterstate(0)
    third = bare.values(after)
    best = max(third, key=third.get)
    assert best == 0  # else what comes out is random
    expected = bare.values(after.afterstate(0))
    assert found[0] == pytest.approx(max(expected.values()))


@pytest.mark.parametrize("asked", [False, True])
def test_compiled_equals_plain_expectimax(asked):
    game = tafl.game(Gamble)
    facts, agent, found = game.facts, random_agent(game), []
    for run in (expectimax_values, expectimax_values.python):
        actions, values = np.zeros(2, np.int64), np.zeros(2)
        trained = make_trained(facts, agent.net, agent.td, make_work(facts, agent.net), asked)
        levels, rng = make_levels(facts, 3), np.array([5], np.uint64)
        words = game.start().words
        with np.errstate(over="ignore"):
            n = run(game.rules, trained, levels, words, 3, rng, actions, values)
        found.append((n, actions.tolist(), values.tolist(), rng.tolist()))
    assert found[0][2] == pytest.approx(found[1][2], rel=1e-6)
    assert found[0][:2] == found[1][:2]
    assert found[0][3] == found[1][3]


def with_fault(tmp_path, old, new):
    """The game with one passage replaced."""
    source = Path(gamble.__file__).read_text()
    assert source.count(old) == 1
    path = tmp_path / "gamble.py"
    path.write_text(source.replace(old, new))
    return path


def test_check_finds_no_fault(tmp_path):
    assert check(Gamble, games=20).faults == {}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return CHANCES[i]", "return 0.5", "add up to 1.5, not 1"),
        ("return 3 if", "return 2 if", "add up to 0.8, not 1"),
        ("return CHANCES[i]", "return CHANCES[(i + 1) % 3]", "to a state that chance() made"),
        ("+= WINS[i]\n        state[self.players] = 0", "+= WINS[i]", "not among the outcomes"),
    ],
)
def test_check_finds_wrong_outcomes(tmp_path, old, new, said):
    faults = check(with_fault(tmp_path, old, new), games=20).faults
    assert said in str(faults["outcomes"])


def test_chance_that_cannot_be_enumerated_is_refused(tmp_path):
    path = with_fault(tmp_path, "def outcomes(self, state)", "def counted(self, state)")
    game = tafl.game(path)
    with pytest.raises(InputError, match=r"the rules of .* have no outcomes"):
        tafl.agent("expectimax", game)
    state = game.start()
    assert tafl.agent("mcts(iterations=50)", game).act(state) in state.legal_actions
