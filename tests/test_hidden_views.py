"""Whatever shows a position on behalf of a player shows what the player sees, and no more."""

import io
import json
import sys

import numpy as np
import pytest

import tafl
from tafl.arena.contest import view
from tafl.boards.picture import svg
from tafl.cli.main import main
from tafl.core.games import DICE, HIDDEN

FACES = {1: "J", 2: "Q", 3: "K"}


def cards(seed):
    """Return the cards of both players in Kuhn poker."""
    return [FACES[value] for value in tafl.game("kuhn").start(seed).cells[:2]]


def output(capsys, *arguments):
    """Return what a command prints."""
    assert main([*map(str, arguments)]) == 0
    return capsys.readouterr().out


def refusal(capsys, *arguments):
    """Return the line with which a command refuses its input."""
    assert main([*map(str, arguments)]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("player", [0, 1])
def test_state_shows_a_players_view(player, capsys):
    own, other = cards(5)[player], cards(5)[1 - player]
    text = output(capsys, "state", "kuhn", "--moves", "pass", "--seed", 5, "--as-player", player)
    drawing = text.split("\n\n")[0]
    assert own in drawing
    assert other not in drawing
    seen = json.loads(output(capsys, "state", "kuhn", "--seed", 5, "--as-player", player, "--json"))
    assert seen["cells"] == tafl.game("kuhn").start(5).seen_by(player)
    assert seen["scores"][1 - player] is None
    assert (seen["legal_actions"] is None) == (player == 1)


def test_state_shows_everything_and_says_so(capsys):
    text = output(capsys, "state", "kuhn", "--seed", 5)
    assert all(card in text for card in cards(5))
    assert "--as-player" in text
    assert "--as-player" not in output(capsys, "state", "nim")


def test_a_player_that_does_not_exist_is_refused(capsys):
    assert "--as-player must be 0 to 1, not 2" in refusal(capsys, "state", "kuhn", "--as-player", 2)


def played(capsys, monkeypatch, lines, *arguments):
    """Return what a person sees who types these lines in `tafl play`."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return output(capsys, "play", *arguments)


@pytest.mark.parametrize("seed", range(6))
def test_a_person_sees_no_card_of_the_agent_before_the_end(seed, capsys, monkeypatch):
    text = played(
        capsys, monkeypatch, ["pass", "pass"], "kuhn", "--against", "random", "--seed", seed
    )
    own, other = cards(seed)
    before, end = text.rsplit("cards:", 1)
    assert f"{own} ?" in before
    assert f" {other}" not in before.split("cards:", 1)[1]
    assert end.split()[:2] == [own, other]
    assert "game over" in end


def test_a_game_that_is_left_is_recorded_as_it_was_dealt(capsys, monkeypatch, tmp_path):
    file = tmp_path / "games.jsonl"
    for seed in range(4):
        arguments = ["kuhn", "--against", "random", "--seed", seed, "--record", file]
        played(capsys, monkeypatch, ["pass", "q"], *arguments)
        [row] = [json.loads(line) for line in file.read_text().splitlines() if "moves" in line]
        assert row["seed"] == seed
        assert row["moves"][0] == 0


def test_no_move_is_taken_back(capsys, monkeypatch):
    text = played(capsys, monkeypatch, ["u", "q"], "kuhn", "--against", "random")
    assert "no move can be taken back" in text


def test_a_replay_shows_a_players_view(capsys, tmp_path):
    file = tmp_path / "games.jsonl"
    output(capsys, "match", "kuhn", "random", "random", "--games", 4, "--record", file)
    for number in range(4):
        whole = json.loads(output(capsys, "replay", file, "--game", number, "--json"))
        game = tafl.game("kuhn").start(whole["seed"])
        arguments = [file, "--game", number, "--as-player", 1]
        seen = json.loads(output(capsys, "replay", *arguments, "--json"))
        assert seen["seed"] is seen["moves"] is seen["start"] is None
        assert seen["positions"][0]["cells"] == game.seen_by(1)
        assert seen["positions"][-1]["cells"] == whole["positions"][-1]["cells"]
        own, other = (FACES[game.cells[p]] for p in (1, 0))
        first = output(capsys, "replay", *arguments).split("1. ")[0]
        assert own in first
        assert other not in first
    assert "--game" in refusal(capsys, "replay", file, "--as-player", 1)


def test_pictures_have_a_players_view():
    start = tafl.game("kuhn").start(5)
    assert svg(start, 0) != svg(start, 1)
    alike = [svg(start.redealt(0, seed), 0) for seed in range(20)]
    assert set(alike) == {svg(start, 0)}


class Spy:
    """A foreign agent that keeps the positions it is given."""

    def __init__(self):
        self.states = []

    def act(self, state):
        self.states.append(state)
        return state.legal_actions[0]

    def values(self, state):
        return {}


def test_gymnasium_shows_a_role_its_view():
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("tafl.adapters.gymnasium")
    spy = Spy()
    env = gymnasium.make("tafl/kuhn-v0", opponents=[spy], render_mode="ansi").unwrapped
    fakes = set()
    for seed in range(60):
        seen, _ = env.reset(seed=seed)
        truth = env.state.cells
        values = seen[: env.game.facts.values].argmax(axis=0).tolist()
        assert values == env.state.seen_by(0)
        assert FACES[truth[1]] not in env.render().splitlines()[0]
        env.step(1)
        given = spy.states[-1]
        assert given.cells[1] == truth[1]  # its own card
        fakes.add((truth[0], given.cells[0]))
    assert any(real != fake for real, fake in fakes)


def test_pettingzoo_shows_an_agent_its_view():
    environments = pytest.importorskip("tafl.adapters.pettingzoo")
    from pettingzoo.test import api_test

    api_test(environments.make("kuhn"), num_cycles=50)
    env = environments.GameEnv("kuhn")
    env.reset(seed=1)
    values = env.game.facts.values
    for p, agent in enumerate(env.agents):
        seen = env.observe(agent)["observation"][:values].argmax(axis=0).tolist()
        assert seen == env.position.seen_by(p)
    assert env.state()[:values].argmax(axis=0).tolist() == env.position.cells


@pytest.mark.parametrize(("ours", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_openspiel_finds_the_same_exploitability(ours, theirs):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from tafl.adapters.openspiel_games import make

    found = []
    for game in (make(ours), pyspiel.load_game(theirs)):
        assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        found.append(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize("name", [*HIDDEN, *DICE])
def test_openspiel_knows_what_kind_of_game_it_is(name):
    pyspiel = pytest.importorskip("pyspiel")
    from tafl.adapters.openspiel_games import make

    game, kinds = make(name), pyspiel.GameType
    known = game.get_type()
    hidden = known.information == kinds.Information.IMPERFECT_INFORMATION
    assert hidden == known.provides_information_state_tensor == (name in HIDDEN)
    dealt = known.chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert dealt == (name != "phantom")
    if hidden:  # its tensors are of one size, in every state of a game
        state, choice, sizes = game.new_initial_state(), np.random.default_rng(1), set()
        while not state.is_terminal():
            if not state.is_chance_node():
                players = range(game.num_players())
                sizes |= {len(state.information_state_tensor(p)) for p in players}
            legal = state.legal_actions()
            state.apply_action(int(choice.choice(legal)))
        assert sizes == {game.information_state_tensor_size()}


def test_openspiel_plays_random_games_of_kuhn_poker():
    pyspiel = pytest.importorskip("pyspiel")
    from tafl.adapters.openspiel_games import make

    game = make("kuhn")
    pyspiel.random_sim_test(game, num_sims=20, serialize=False, verbose=False)
    state = game.new_initial_state()
    state.apply_action(0)
    other = game.new_initial_state()
    other.apply_action(1)
    alike = [state.information_state_string(p) == other.information_state_string(p) for p in (0, 1)]
    cells = [[s.tafl.cells[p] for s in (state, other)] for p in (0, 1)]
    assert alike == [first == second for first, second in cells]
    tensors = [s.information_state_tensor(0) for s in (state, other)]
    assert np.array_equal(*tensors) == alike[0]


def test_a_view_has_no_way_back_to_the_deal():
    state = tafl.game("kuhn").start(1)
    seen = view(state)
    assert seen.history == []
    assert seen.rng[0] != state.rng[0]
    assert view(tafl.game("nim").start()).history == []
