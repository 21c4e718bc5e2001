"""tafl's games in Gymnasium and PettingZoo: they pass the tests of these libraries, and are played
as here."""

import importlib
import sys

import numpy as np
import pytest

import tafl
from tafl.adapters.views import mask, planes
from tafl.arena.contest import begin
from tafl.boards.raster import pixels
from tafl.core.games import DICE, HIDDEN, PAPER
from tafl.errors import InputError, MissingPackage

ACCEPTED = (*PAPER, *HIDDEN, *DICE, "hearts(players=4)", "backgammon(hyper=true)")
LEARNERS = ("connectfour", "hex(size=3)", "nim3p", "2048", "leduc(players=3)", "hearts", "phantom")


@pytest.fixture
def gym():
    """Gymnasium, with tafl's games registered."""
    library = pytest.importorskip("gymnasium")
    importlib.import_module("tafl.adapters.gymnasium")
    return library


@pytest.fixture
def zoo():
    """PettingZoo's tests, with tafl's games registered."""
    pytest.importorskip("pettingzoo", minversion="1.27")
    importlib.import_module("tafl.adapters.pettingzoo")
    return importlib.import_module("pettingzoo.test")


@pytest.mark.parametrize("name", ACCEPTED)
def test_gymnasium_accepts_every_game(name, gym):
    from gymnasium.utils.env_checker import check_env

    if "(" not in name:
        check_env(gym.make(f"tafl/{name}-v0").unwrapped)  # also all render modes
    check_env(tafl.gymnasium(name, role=None))


@pytest.mark.parametrize("name", ACCEPTED)
def test_pettingzoo_accepts_every_game(name, zoo, capsys):
    from pettingzoo import make

    if "(" not in name:
        zoo.api_test(make("aec", f"tafl/{name}_v0"), num_cycles=300)
    zoo.api_test(tafl.pettingzoo(name), num_cycles=100)
    zoo.seed_test(lambda: tafl.pettingzoo(name), num_cycles=100)
    zoo.render_test(lambda render_mode: tafl.pettingzoo(name, render_mode))
    shown = capsys.readouterr().out
    if name in PAPER:  # the others begin with a deal or with dice
        assert str(tafl.game(name).start(0))[-3:] in shown


def random_action(state, chance):
    return int(chance.choice(state.legal_actions))


@pytest.mark.parametrize("name", LEARNERS)
def test_pettingzoo_rewards_are_the_points_since_the_last_own_turn(name, zoo):
    env, chance = tafl.pettingzoo(name), np.random.default_rng(1)
    env.reset(seed=5)
    state = env.unwrapped.position
    known = dict.fromkeys(env.agents, 0.0)
    moves = 0
    for agent in env.agent_iter():
        observation, reward, ended, truncated, _ = env.last()
        player = env.possible_agents.index(agent)
        assert (ended, truncated) == (state.over, False)
        assert reward == pytest.approx(state.scores[player] - known[agent])
        assert (observation["observation"] == planes(state, player)).all()
        known[agent] = state.scores[player]
        legal = [] if ended or state.player != player else state.legal_actions
        assert np.flatnonzero(observation["action_mask"]).tolist() == legal
        assert observation["action_mask"].dtype == np.int8
        env.step(None if ended else random_action(state, chance))
        moves += not ended
    assert state.over
    assert list(known.values()) == state.scores
    assert moves == len(state.history)


@pytest.mark.parametrize("name", ["connectfour", "nim3p"])
def test_state_of_pettingzoo_is_a_method(name, zoo):
    """The API's global view shows the cells and who is to move, to the library's tests too."""
    state_test = importlib.import_module("pettingzoo.test.state_test")
    env = tafl.pettingzoo(name)
    state_test.test_state_space(env)
    state_test.test_state(env, 50)
    env.reset(seed=1)
    env.step(2)
    seen, position = env.state(), env.unwrapped.position
    assert seen[: position.game.facts.values].argmax(axis=0).tolist() == position.cells
    assert seen[position.game.facts.values :].all(axis=1).tolist() == [
        player == position.player for player in range(position.game.facts.players)
    ]


def test_an_illegal_action_ends_a_game_of_pettingzoo(zoo):
    env = tafl.pettingzoo("tictactoe")
    env.reset(seed=1)
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 0, "player_1": -1.0}


@pytest.mark.parametrize(("name", "role"), [("nim3p", 1), ("othello", 1), ("tictactoe", None)])
def test_gymnasium_plays_the_other_roles(name, role, gym):
    """The game is the one that the same agents play with the same chance."""
    game, chance = tafl.game(name), np.random.default_rng(2)
    others = game.facts.players - 1
    env, seen = tafl.gymnasium(name, ["random"] * others, role), set()
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        seen.add(env.role)
        total, ended = 0.0, False
        while not ended:
            assert env.state.player == env.role
            assert (observation == planes(env.state, env.role)).all()
            assert (info["action_mask"] == mask(env.state, env.role)).all()
            action = random_action(env.state, chance)
            observation, reward, ended, truncated, info = env.step(action)
            total += reward
        assert (env.state.over, truncated, info["illegal"]) == (True, False, False)
        assert total == pytest.approx(env.state.scores[env.role])
        replayed = game.start()
        for action in env.state.history:
            replayed.play(action)
        assert replayed == env.state
    assert seen == ({0, 1} if role is None else {role})


def test_opponents_sit_after_the_learner_in_turn(gym):
    """In Nim for three the learner is player 2, so the first opponent is player 0."""

    class Always:
        def __init__(self, action):
            self.action = action

        def act(self, state):
            return self.action

    env = tafl.gymnasium("nim3p", [Always(0), Always(1)], role=2)
    env.reset(seed=1)
    assert env.state.history == [0, 1]


def test_chance_of_an_environment_comes_from_its_seed(gym):
    env, agent = tafl.gymnasium("2048"), tafl.agent("random", "2048")

    def play(seed):
        begin(agent, 1)
        env.reset(seed=seed)
        for _ in range(50):
            env.step(agent.act(env.state))
        return env.state.words.tolist()

    assert play(3) == play(3) != play(4)


def test_an_illegal_action_ends_an_episode_with_the_lowest_score(gym):
    env = tafl.gymnasium("othello")
    env.reset(seed=1)
    before = env.state.copy()
    _, reward, ended, truncated, info = env.step(0)
    assert (reward, ended, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert env.state == before
    for action in (0, *before.legal_actions):  # it stays ended, and the penalty stays
        assert env.step(action)[1:4] == (0.0, True, False)
    assert env.state == before
    env.reset(seed=1)
    assert not env.step(before.legal_actions[0])[2]


def test_a_game_that_is_over_before_the_first_own_move(gym):
    env = tafl.gymnasium("nim(heaps=1,stones=1)", role=1)
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [0]
    assert env.step(0)[1:3] == (-1.0, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"role": 2}, "role must be 0 to 1, or None, not 2"),
        ({"opponents": []}, "tictactoe needs 1 opponents, not 0"),
        ({"opponents": ["maxm"]}, "there is no agent 'maxm'; did you mean maxn?"),
        ({"render_mode": "3d"}, "render_mode must be ansi, rgb_array, human or None, not '3d'"),
        ({"size": 4}, "tictactoe has no parameter 'size'"),
    ],
)
def test_wrong_options_are_refused(options, message, gym):
    with pytest.raises(InputError, match=message):
        tafl.gymnasium("tictactoe", **options)


@pytest.mark.parametrize(
    ("library", "module", "door"),
    [
        ("gymnasium", "gymnasium", tafl.gymnasium),
        ("pettingzoo", "pettingzoo", tafl.pettingzoo),
        ("pyspiel", "openspiel", tafl.openspiel),
        ("pyspiel", "openspiel", lambda game: tafl.agent("openspiel:mcts", game)),
    ],
)
def test_a_missing_library_is_named(library, module, door, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(f"tafl.adapters.{module}")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingPackage) as caught:
        door("tictactoe")
    assert str(caught.value).endswith(f" is not installed: pip install 'tafl[{module}]'")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("door", ["gymnasium", "pettingzoo"])
def test_pixels_are_those_of_the_position(door, gym, zoo):
    env = getattr(tafl, door)("nim(heaps=2,stones=2)", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    env.step(0)
    state = env.unwrapped.state if door == "gymnasium" else env.unwrapped.position
    assert (env.render() == pixels(state)).all()
    assert not np.array_equal(env.render(), before)
    env.render()[:] = 0  # a caller's own
    assert (env.render() == pixels(state)).all()
