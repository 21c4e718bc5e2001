"""OpenSpiel: tafl's games there, its bots here, tafl's agents there, and rules that agree."""

import re
from pathlib import Path

import numpy as np
import pytest

import tafl
from long import long
from tafl.adapters.openspiel_names import openspiel_name
from tafl.agents.spec import parameters
from tafl.arena.contest import begin, derived_seeds
from tafl.cli.main import main
from tafl.errors import InputError

pyspiel = pytest.importorskip("pyspiel")
from tafl.adapters import openspiel  # noqa: E402 - needs the library

BOTH = [
    "tictactoe",
    "connectfour",
    "hex(size=6)",
    "othello",
    "nim(heaps=3,stones=5)",
    "nim(heaps=2,stones=7,take=9,misere=true)",
]
# Boxes are points there, too, and this small board of Gomoku is one word.
RULES = [*BOTH, "dotsandboxes(rows=2,cols=3)", "gomoku(size=5,line=4)"]
DICE = '''
from typing import NamedTuple
from tafl.rules import Facts, below, rules


@rules
class Dice(NamedTuple):
    """state = [eyes, thrown, player]; who throws six first wins. {about}"""

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[2]

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[1] = 1
        state[2] = 1 - state[2]

    def chance(self, state, rng):
        state[0] = 1 + below(rng, 6) if state[1] else 0

    def over(self, state):
        return state[0] == 6

    def score(self, state, player):
        if state[0] != 6:
            return 0.0
        return -1.0 if player == state[2] else 1.0

    def cell(self, state, c):
        return state[0]

    def facts(self):
        return Facts(players=2, actions=1, cells=1, values=7, words=3)
'''
OUTCOMES = """
    def outcomes(self, state):
        return 6 if state[1] else 1

    def outcome(self, state, i):
        state[0] = 1 + i if state[1] else 0
        return 1 / 6 if state[1] else 1.0
"""


# OpenSpiel wants all outcomes of chance: a cube begins in one of more positions than that.
LISTED = [name for name in tafl.games() if name != "cube"]


@pytest.mark.parametrize("name", LISTED)
def test_openspiel_accepts_every_game(name):
    game = tafl.openspiel(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert str(game).startswith(f"tafl_{name}(")
    assert pyspiel.load_game(str(game)).tafl == tafl.game(name)


@pytest.mark.parametrize("name", LISTED)
def test_a_playthrough_is_the_same_again(name, tmp_path):
    """OpenSpiel's record of a game, with all that can be asked on the way, replayed by its own."""
    from absl.flags import FLAGS
    from open_spiel.python.algorithms.generate_playthrough import playthrough, replay

    FLAGS.mark_as_parsed()  # it has options of a command
    path = tmp_path / "playthrough.txt"
    path.write_text(playthrough(f"tafl_{name}", None, seed=1))
    original, again = replay(str(path))
    assert original == again
    assert "IsTerminal() = True" in original


def legal_actions(rules, words, actions):
    """As `State.legal_actions`, from the mask where there is one."""
    mask = int(rules.legal_mask(words))
    if mask == -1:
        return [action for action in range(actions) if rules.legal(words, action)]
    return [action for action in range(actions) if mask >> action & 1]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("games", [100, long(1000)])
def test_the_rules_agree_in_random_games(name, games):
    """Legal actions at every move, and the returns; where they pass, we have passed already."""
    game, theirs = tafl.game(name), pyspiel.load_game(openspiel_name(tafl.game(name)))
    rules, chance, actions = game.rules, np.random.default_rng(1), game.facts.actions
    with np.errstate(over="ignore"):
        for _ in range(games):
            words, there = game.start().words, theirs.new_initial_state()
            while not there.is_terminal():
                legal = there.legal_actions()
                if legal[0] >= actions:
                    there.apply_action(legal[0])
                    continue
                assert legal_actions(rules, words, actions) == legal
                assert rules.player(words) == there.current_player()
                action = legal[int(chance.random() * len(legal))]
                rules.play(words, action)
                there.apply_action(action)
            assert rules.over(words)
            scores = [game.points(rules.score(words, player)) for player in (0, 1)]
            assert scores == there.returns()


def merged_left(row):
    """Which tiles of a row are merged ones after it has slid to the left."""
    tiles, merged = [], []
    for tile in filter(None, row):
        if tiles and tiles[-1] == tile and not merged[-1]:
            tiles[-1], merged[-1] = tile + 1, True
        else:
            tiles, merged = [*tiles, tile], [*merged, False]
    return merged + [False] * (len(row) - len(merged))


def slides_left(row, merged):
    """Does a row change, if a tile that was merged does not merge?"""
    pairs = zip(row, row[1:], merged, strict=False)
    return any(tile and (not left or (left == tile and not m)) for left, tile, m in pairs)


def turned(cells, action):
    """A board turned so that the action slides to the left."""
    return np.rot90(np.reshape(cells, (4, 4)), (1, 2, 3, 0)[action])


def test_the_rules_of_2048_agree():
    """Their chance is put on our board; boards and rewards are the same, move by move.

    So are the legal actions, except that OpenSpiel 2.0 does not see that a tile which the move
    before has merged can merge again.
    """
    game, theirs, chance = tafl.game("2048"), pyspiel.load_game("2048"), np.random.default_rng(1)
    for _ in range(20):
        there, cells, merged = theirs.new_initial_state(), [0] * 16, np.zeros((4, 4), bool)
        while not there.is_terminal():
            if there.is_chance_node():
                outcomes, probabilities = zip(*there.chance_outcomes(), strict=True)
                outcome = int(chance.choice(outcomes, p=probabilities))
                cells[outcome // 2] = 1 + outcome % 2
                there.apply_action(outcome)
                continue
            state, legal = game.position(cells), there.legal_actions()
            boards = [zip(turned(cells, a), turned(merged, a), strict=True) for a in range(4)]
            seen = [a for a, rows in enumerate(boards) if any(slides_left(*row) for row in rows)]
            assert legal in (state.legal_actions, seen)
            action = int(chance.choice(legal))
            after = state.afterstate(action)
            there.apply_action(action)
            assert there.rewards() == after.scores
            assert str(there).split() == [str(1 << cell if cell else 0) for cell in after.cells]
            left = np.array([merged_left(row) for row in turned(cells, action)])
            merged, cells = np.rot90(left, -(1, 2, 3, 0)[action]), after.cells


@pytest.mark.parametrize("name", ["nim3p", "2048"])
def test_a_state_there_is_one_of_ours(name):
    game = tafl.openspiel(name)
    state, chance = game.new_initial_state(), np.random.default_rng(3)
    total = np.zeros(game.num_players())
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
            assert sum(probabilities) == pytest.approx(1)
            state.apply_action(int(chance.choice(outcomes, p=probabilities)))
            continue
        ours = state.tafl
        assert (state.current_player(), state.legal_actions()) == (ours.player, ours.legal_actions)
        assert [state.action_to_string(a) for a in ours.legal_moves] == [*ours.legal_moves.values()]
        clone = state.clone()
        state.apply_action(int(chance.choice(ours.legal_actions)))
        total += state.rewards()
        assert clone.tafl == ours != state.tafl
    assert state.returns() == state.tafl.scores == pytest.approx(total.tolist())


def test_observations_are_planes():
    state = tafl.openspiel("nim(heaps=2,stones=1)").new_initial_state()
    state.apply_action(0)
    assert state.observation_tensor(1) == [1, 0, 0, 1, 0, 0, 1, 1]
    assert state.observation_string(0) == "0: \n1: o\nplayer 1"


def test_a_game_of_ones_own_with_chance(tmp_path):
    path = tmp_path / "dice.py"
    path.write_text(DICE.format(about="It tells its outcomes.") + OUTCOMES)
    game = tafl.openspiel(path)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    other = tmp_path / "other.py"
    other.write_text(path.read_text().replace("six first wins", "six first has won"))
    with pytest.raises(InputError, match="OpenSpiel knows another game as tafl_Dice"):
        tafl.openspiel(other)


def test_chance_has_to_tell_its_outcomes(tmp_path):
    path = tmp_path / "secret.py"
    path.write_text(DICE.replace("class Dice", "class Secret").format(about="It does not."))
    with pytest.raises(InputError, match=r"has chance but does not tell its outcomes\(\)"):
        tafl.openspiel(path)
    with pytest.raises(InputError, match=r"cube.* has chance but does not tell its outcomes\(\)"):
        tafl.openspiel("cube")


class Last:
    """Plays the last legal action."""

    def act(self, state):
        return state.legal_actions[-1]


@pytest.mark.parametrize("name", BOTH)
def test_our_agents_play_there(name):
    """In OpenSpiel's own game and in tafl's, the same games as here."""
    played = tafl.match(name, [Last(), "random"], games=2, seed=1).records[0]
    theirs = pyspiel.load_game(openspiel_name(tafl.game(name)))
    for game in (theirs, tafl.openspiel(name)):
        agent = tafl.agent("random", name)
        begin(agent, derived_seeds(1, 0, 3)[2])
        bots = [openspiel.bot(Last(), 0, game=name), openspiel.bot(agent, 1)]
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        assert [a for a in state.history() if a < played_actions(name)] == played.moves
        assert state.returns() == played.scores
    assert pyspiel.evaluate_bots(theirs.new_initial_state(), bots, 1)[0] in (-1, 0, 1)


def played_actions(name):
    return tafl.game(name).facts.actions


def test_a_run_plays_there(tmp_path):
    tafl.train("tictactoe", episodes=200, seed=1, out=tmp_path / "run")
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    state.apply_action(0)
    agent = tafl.load(tmp_path / "run")
    best = max(agent.values(tafl.position("tictactoe: 4 0")).values())
    action = openspiel.bot(tmp_path / "run", player=0).step(state)
    assert agent.values(tafl.position("tictactoe: 4 0"))[action] == best


def test_a_bot_refuses_what_it_does_not_play():
    bot = openspiel.bot("random", 1, game="tictactoe")
    with pytest.raises(InputError, match="this bot is player 1, not 0"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())
    wrong = pyspiel.load_game("connect_four").new_initial_state()
    wrong.apply_action(3)
    with pytest.raises(InputError, match=r"plays tictactoe, not OpenSpiel's connect_four\(\)"):
        bot.step(wrong)
    with pytest.raises(InputError, match=r"pass game="):
        openspiel.bot(object())


def test_their_search_plays_here_the_same_games_in_any_number_of_processes(capsys):
    agents = ["openspiel:mcts(simulations=30)", "random"]
    one = tafl.match("othello", agents, games=4, seed=1)
    two = tafl.match("othello", agents, games=4, seed=1, workers=2)
    assert one.records == two.records
    assert one.win_rate > 0.5
    options = ["--games", "4", "--workers", "1"]
    assert (
        main(["match", "connectfour", "openspiel:mcts(simulations=100)", "random", *options]) == 0
    )
    assert "openspiel:mcts(simulations=100)" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "moves"), [("connectfour", "d c d c d a"), ("nim3p", "12 13 2")])
def test_their_search_finds_the_end(game, moves):
    """Also in a game that only tafl has, and in a position without a past."""
    state = tafl.position(f"{game}: {moves}")
    agent = tafl.agent("openspiel:mcts(simulations=300)", game, seed=1)
    best = tafl.agent("maxn(depth=9)", game).values(state)
    alone = state.game.from_words(state.words)
    for position in (state, alone):
        assert best[agent.act(position)] == max(best.values())
        values = agent.values(position)
        assert list(values) == state.legal_actions
        assert all(-1 <= value <= 1 for value in values.values())


def test_bots_and_policies_play_here():
    uniform = openspiel.agent(pyspiel.make_uniform_random_bot, "othello")
    once, again = (tafl.match("othello", [Last(), uniform], games=4, seed=1) for _ in range(2))
    assert once.records == again.records

    class Third:
        def action_probabilities(self, state):
            legal = state.legal_actions()
            return {legal[0]: 0.25, legal[2]: 0.75}

    policy, start = (
        openspiel.agent(Third(), "hex(size=2)", seed=1),
        tafl.game("hex(size=2)").start(),
    )
    assert policy.values(start) == {0: 0.25, 1: 0.0, 2: 0.75, 3: 0.0}
    chosen = [policy.act(start) for _ in range(400)]
    assert set(chosen) == {0, 2}
    assert 260 < chosen.count(2) < 340


def test_the_page_of_agents_has_the_parameters_of_their_search():
    page = (Path(__file__).parent.parent / "docs" / "reference" / "agents.md").read_text()
    [(text, shown)] = re.findall(r"`openspiel:(mcts\((.*)\))`", page)
    takes = parameters(openspiel.SpielMCTS)
    assert shown == ",".join(f"{key}={str(p.default).lower()}" for key, p in takes.items())
    assert tafl.agent(f"openspiel:{text}", "hex").simulations == 1000


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("openspiel:mcts", "2048", "2048 has rewards on the way, which OpenSpiel's MCTS refuses"),
        ("openspiel:mct", "hex", "there is no agent 'mct'; did you mean mcts"),
        ("openspiel:mcts(sims=3)", "hex", "mcts has no parameter 'sims'; available: simulations"),
        ("openspiel:mcts(simulations=0)", "hex", "simulations and rollouts must be 1 or more"),
        ("openspiel", "hex", "bot is missing"),
    ],
)
def test_wrong_bots_are_refused(spec, game, message):
    with pytest.raises(InputError, match=message):
        tafl.agent(spec, game)
