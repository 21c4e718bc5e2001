"""PIMC and IS-MCTS: solved games, no peeking, strategy fusion, equal bits, and who refuses."""

import numpy as np
import pytest

import tafl
from coin import Guess
from tafl.agents.hidden import ISMCTSAgent, PIMCAgent
from tafl.agents.learned import LearnedAgent
from tafl.boards.game import Game
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import make_net
from tafl.core.search.ismcts import ismcts_search
from tafl.core.search.pimc import pimc_search
from tafl.errors import InputError

SEARCHES = ["pimc(worlds=20,iterations=30)", "ismcts(iterations=200)"]
KUHN2, KUHN3 = tafl.game("kuhn"), tafl.game("kuhn(players=3)")
LEDUC = tafl.game("leduc")


def positions(game, number):
    """Positions of random games, one of each game."""
    found = []
    for seed in range(number):
        state, rng = game.start(seed), np.random.default_rng(seed)
        for _ in range(rng.integers(4)):
            after = state.copy()
            after.play(int(rng.choice(state.legal_actions)))
            if after.over:
                break
            state = after
        found.append(state)
    return found


@pytest.mark.parametrize("spec", SEARCHES)
@pytest.mark.parametrize("game", [KUHN2, KUHN3, LEDUC], ids=str)
def test_hidden_cards_change_nothing(game, spec):
    different = 0
    for number, state in enumerate(positions(game, 12)):
        answers = set()
        for seed in range(6):
            other = state.redealt(state.player, seed)
            different += not np.array_equal(other.words, state.words)
            agents = [tafl.agent(spec, game, seed=number) for _ in range(3)]
            values = tuple(agents[0].values(other).items())
            answers.add((values, agents[1].act(other), tuple(agents[2].policy(other).items())))
        assert len(answers) == 1
    assert different > 20


def test_strategy_fusion():
    """In each world PIMC knows the coin, so it believes that guessing is worth 1, not 0.5."""
    game = Game(Guess(), "guess")
    start = game.start()
    fused = tafl.agent("pimc(worlds=100,iterations=200)", game, seed=1)
    assert fused.act(start) == 1
    assert fused.values(start)[1] > 0.9
    honest = tafl.agent("ismcts(iterations=3000)", game, seed=1)
    assert honest.act(start) == 0
    assert honest.values(start) == pytest.approx({0: 0.6, 1: 0.5}, abs=0.06)
    found = [tafl.exploitability(agent, game).players[0] for agent in (fused, honest)]
    assert [player.value for player in found] == pytest.approx([0.5, 0.6])
    assert [player.best_response for player in found] == pytest.approx([0.6, 0.6])


@pytest.mark.parametrize("spec", ["pimc(worlds=40,iterations=60)", "ismcts(iterations=2000)"])
def test_sure_decisions_of_kuhn_poker(spec):
    agent = tafl.agent(spec, KUHN2, seed=1)
    for seed in range(30):
        state = KUHN2.start(seed)
        state.play("bet")
        card = state.cells[1]
        if card != 2:  # the highest card calls, the lowest folds
            assert agent.act(state) == (1 if card == 3 else 0)
            assert agent.values(state)[0] == -1  # the chip that is in


def test_ismcts_gets_closer_to_an_equilibrium_than_pimc():
    convs = {
        spec: tafl.exploitability(spec, LEDUC, seed=1).nash_conv
        for spec in ("ismcts(iterations=2000)", "pimc(worlds=300,iterations=3)", "random")
    }
    few, many, even = convs.values()
    assert few < 1.6 < even == pytest.approx(4.747222222)  # the known NashConv of random play
    assert many > even


@pytest.mark.parametrize("spec", ["pimc(worlds=5,iterations=300)", "ismcts(iterations=1500)"])
def test_games_without_hidden_information(spec):
    game, found = tafl.game("tictactoe"), 0
    exact, agent = tafl.agent("exact", game), tafl.agent(spec, game, seed=2)
    for state in positions(game, 10):
        for _ in range(2):
            if not state.over:
                state.play(exact.act(state))
        if not state.over:
            values = exact.values(state)
            found += values[agent.act(state)] == max(values.values())
    assert found >= 9


@pytest.mark.parametrize("search", ["pimc(champion,worlds=1,", "ismcts(champion,"])
def test_games_that_a_perfect_agent_plays_to_the_end_have_exact_values(search):
    game = tafl.game("nim")
    for heaps in ([1, 2, 4], [0, 3, 5], [2, 2, 1]):
        state = game.position(heaps)
        spec = f"{search}iterations={len(state.legal_actions)})"  # each action once
        values = tafl.agent(spec, game, seed=1).values(state)
        assert values == tafl.agent("exact", game).values(state)


@pytest.mark.parametrize("kind", [PIMCAgent, ISMCTSAgent])
@pytest.mark.parametrize("by_action", [False, True])
def test_searches_around_an_agent_that_knows_cards(kind, by_action):
    net = make_net(LEDUC.facts, [[0, 1, 2], [2, 3, 4]], by_action=by_action)
    net.weights[:] = np.random.default_rng(1).normal(0, 0.5, net.weights.shape)
    search = kind(LEDUC, LearnedAgent(LEDUC, net, TD()), seed=1, iterations=20)
    bare = kind(LEDUC, seed=1, iterations=20)
    differ = 0
    for state in positions(LEDUC, 6):
        others = [state.redealt(state.player, seed) for seed in range(6)]
        answers = {tuple(search.twin().values(other).items()) for other in others}
        assert len(answers) == 1
        differ += answers != {tuple(bare.twin().values(state).items())}
    assert differ


def expected(state, agent, player):
    """The score of a player if all play as the agent does."""
    if state.over:
        return state.scores[player]
    shares = agent.policy(state).items()
    return sum(p * expected(state.afterstate(a), agent, player) for a, p in shares if p)


def test_an_agent_of_regret_matching_plays_games_to_their_end(tmp_path):
    run = tafl.train(KUHN2, algo="regret", episodes=2_000, seed=1, out=tmp_path / "run")
    start = run.game.start(2)
    others = {tuple(other.words): other for other in (start.redealt(0, k) for k in range(20))}
    for spec in ("pimc(run:{},worlds=5000,iterations=2)", "ismcts(run:{},iterations=50)"):
        search = tafl.agent(spec.format(run.path), seed=1)
        answers = {tuple(search.twin().values(other).items()) for other in others.values()}
        assert len(answers) == 1 < len(others)
    # two iterations a world try each of the two actions once
    values = tafl.agent(f"pimc(run:{run.path},worlds=5000,iterations=2)", seed=1).values(start)
    for action, value in values.items():
        afters = [other.afterstate(action) for other in others.values()]
        mean = np.mean([expected(after, run.agent, 0) for after in afters])
        assert value == pytest.approx(mean, abs=0.1)


@pytest.mark.parametrize("kernel", [pimc_search, ismcts_search], ids=["pimc", "ismcts"])
def test_uncompiled_kernels_find_the_same(kernel, monkeypatch):
    module = "tafl.agents.hidden." + kernel.__name__
    spec = {pimc_search: "pimc(worlds=4,iterations=9)", ismcts_search: "ismcts(iterations=40)"}
    for state in [*positions(KUHN3, 2), *positions(LEDUC, 3)]:
        compiled = tafl.agent(spec[kernel], state.game, seed=3).values(state)
        with monkeypatch.context() as plain, np.errstate(over="ignore"):
            plain.setattr(module, kernel.python)
            assert tafl.agent(spec[kernel], state.game, seed=3).values(state) == compiled


@pytest.mark.parametrize(
    "spec", ["mcts", "maxn", "alphabeta", "expectimax", "exact", "openspiel:mcts"]
)
def test_searches_that_look_at_all_cards_are_refused(spec):
    with pytest.raises(InputError, match=r"would look at what kuhn.* hides .* use pimc or ismcts"):
        tafl.agent(spec, KUHN2)


@pytest.mark.parametrize("final", ["mean", "visits"])
@pytest.mark.parametrize("name", ["mcts", "ismcts"])
def test_the_policy_is_what_is_played(name, final):
    state = tafl.game("hex(size=3)").start()
    for seed in range(5):
        agent = tafl.agent(f"{name}(iterations=60,final={final})", state.game, seed=seed)
        policy = agent.twin().policy(state)
        assert policy[agent.act(state)] == max(policy.values())
        assert sum(policy.values()) == pytest.approx(1)
