"""tafl match, tournament, play and replay: what they print, what they store, what they refuse."""

import io
import json

import pytest

from tafl.cli.main import main


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments):
    """Runs a command: exit code, stdout and stderr."""
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_json(capsys, *arguments):
    """What a command prints as JSON."""
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def typed(monkeypatch, *lines):
    """Types some lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_match(capsys, tmp_path):
    arguments = ["match", "tictactoe", "random", "exact", "--starts", "first-moves"]
    found = run_json(capsys, *arguments, "--games", "20", "--workers", "1")
    assert (found["games"], found["starts"]) == (20, "first-moves")
    random, exact = found["agents"]
    assert (random["agent"], exact["agent"]) == ("random", "exact")
    assert random["mean"] == -exact["mean"] < -0.5
    assert random["win_rate"] == pytest.approx((random["mean"] + 1) / 2)
    assert random["mean"] == pytest.approx(sum(random["roles"]) / 2)
    assert found["p_values"][0]["p"] < 0.001
    code, out, err = run(capsys, *arguments, "--games", "20", "--workers", "2")
    assert (code, err) == (0, "")
    assert f"{exact['mean']:.4g}" in out
    assert "a draw counts as half a win" in out


def test_repeated_games_are_told(capsys):
    """One stone leaves no choice, so each rotation is one game; random players differ."""
    one = ["match", "nim(heaps=1,stones=1)", "random", "exact", "--games", "12", "--workers", "1"]
    found = run_json(capsys, *one)
    assert (found["games"], found["different_games"]) == (12, 2)
    assert "only 2 of 12 games are different" in run(capsys, *one)[1]
    many = ["match", "tictactoe", "random", "random", "--games", "12", "--workers", "1"]
    assert run_json(capsys, *many)["different_games"] == 12
    assert "differ" not in run(capsys, *many)[1]
    league = ["tournament", *one[1:4], "maxn", *one[4:]]
    assert run_json(capsys, *league)["different_games"] == 6
    assert "only 6 of 36 games are different" in run(capsys, *league)[1]


def test_match_of_one_player(capsys):
    found = run_json(capsys, "match", "2048", "random", "--games", "3", "--workers", "1")
    (alone,) = found["agents"]
    assert 100 < alone["mean"] < 5000  # points as people count them
    assert "win_rate" not in alone
    assert run(capsys, "match", "2048", "random", "--games", "2", "--workers", "1")[0] == 0


def test_records_are_listed_and_replayed(capsys):
    arguments = ["--games", "4", "--starts", "all:1", "--record", "games.jsonl", "--workers", "1"]
    assert run(capsys, "match", "nim(stones=1)", "random", "exact", *arguments)[0] == 0
    listed = run_json(capsys, "replay", "games.jsonl")
    assert [game["number"] for game in listed["games"]] == list(range(6))
    code, out, _ = run(capsys, "replay", "games.jsonl")
    assert code == 0
    assert "exact, random" in out
    one = run_json(capsys, "replay", "games.jsonl", "--game", "3")
    assert one["agents"] == ["exact", "random"]
    assert [sum(position["cells"]) for position in one["positions"]] == [3, 2, 1, 0]
    code, out, _ = run(capsys, "replay", "games.jsonl", "--game", "3")
    assert "1. player 1 (opening): 1 from heap 1" in out
    assert "2. player 2 (random): 1 from heap" in out
    assert out.endswith("scores 1 -1\n")


def test_replay_step_by_step(capsys, monkeypatch):
    run(capsys, "match", "nim(stones=1)", *["random"] * 2, "--record", "g", "--workers", "1")
    typed(monkeypatch, *[""] * 3, "not read")
    assert run(capsys, "replay", "g", "--game", "0", "--step")[0] == 0


def test_tournament(capsys, tmp_path):
    agents = ["random", "exact", "maxn(depth=1)"]
    arguments = ["tournament", "nim(stones=2)", *agents, "--games", "8", "--workers", "1"]
    found = run_json(capsys, *arguments)
    assert found["games"] == 24
    assert [agent["agent"] for agent in found["agents"]] == agents
    assert all(agent["low"] < agent["elo"] < agent["high"] for agent in found["agents"])
    assert found["table"][0][0] is None
    assert found["table"][0][1] == -found["table"][1][0]
    code, out, _ = run(capsys, *arguments, "--out", "t")
    assert code == 0
    first = next(line for line in out.splitlines() if line.split()[:1] == ["1"])
    assert first.split()[1] == "exact"
    assert (tmp_path / "t" / "tournament.png").stat().st_size > 10_000
    assert run_json(capsys, *arguments, "--out", "t") == found


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("match tictactoe random", "needs 2 agents, not 1"),
        ("match tictactoe random exactly", "there is no agent 'exactly'; did you mean exact?"),
        ("match tictactoe random random --games 0", "games must be 1 to 1,000,000, not 0"),
        ("match tictactoe random random --starts end", "unknown start 'end'"),
        ("match tictactoe random random --workers 0", "workers must be from 1 to 1,000, not 0"),
        ("match tictactoe random random --record no/where", "--record no/where"),
        ("tournament tictactoe random", "needs at least 2 agents"),
        ("replay nothing", "file not found: nothing"),
        ("play tictactoe --role 2", "--role must be 0 to 1, not 2"),
        ("play tictactoe --against nobody", "there is no agent 'nobody'"),
    ],
)
def test_wrong_input(capsys, tmp_path, command, message):
    code, out, err = run(capsys, *command.split())
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_the_file_does_not_have(capsys):
    run(capsys, "match", "nim(stones=1)", *["random"] * 2, "--games", "2", "--record", "g")
    code, _, err = run(capsys, "replay", "g", "--game", "2")
    assert code == 2
    assert "g has games 0 to 1" in err


def test_play_against_a_perfect_player(capsys, monkeypatch):
    """Whatever is still free, in the order of the cells: the person cannot win."""
    typed(monkeypatch, *[str(action) for action in range(9)] * 2)
    found = run_json(capsys, "play", "tictactoe", "--against", "exact", "--record", "g")
    assert found["over"]
    assert found["agents"] == ["human", "exact"]
    assert found["scores"][0] <= 0
    assert found["moves"][0] == 0
    assert run_json(capsys, "replay", "g", "--game", "0")["scores"] == found["scores"]


def test_play_with_undo_values_and_wrong_input(capsys, monkeypatch):
    typed(monkeypatch, "u", "v", "b2", "u", "zz", "?", "0", "q")
    code, out, _ = run(capsys, "play", "tictactoe", "--against", "exact", "--seed", "3")
    assert code == 0
    assert "nothing to undo" in out
    assert "   4  b2               0.0000" in out
    assert "'zz' is not legal here; legal actions: 0 (a3), 1 (b3)" in out
    boards = out.split("legal actions")
    assert ". . .\n. . .\n. . ." in boards[4]  # after the undo
    assert out.count("player 2 plays") == 2


def test_play_as_the_second_player_and_leave(capsys, monkeypatch):
    typed(monkeypatch, "v", "3")
    found = run_json(capsys, "play", "nim3p", "--against", "random", "--role", "1")
    assert found["agents"] == ["random", "human", "random"]
    assert not found["over"]
    assert found["moves"][1] == 3
    assert len(found["moves"]) == 4  # the others have moved once more


def test_play_among_people(capsys, monkeypatch):
    typed(monkeypatch, "v", "0", "1", "u", "2", "1")
    code, out, _ = run(capsys, "play", "nim(stones=1)")
    assert code == 0
    assert "no agent is playing" in out
    assert "game over, scores: 1 -1" in out


def test_a_human_in_a_match(capsys, monkeypatch):
    """Taking heap after heap; the games are played here, whatever --workers says."""
    typed(monkeypatch, "x", *"012" * 6)
    agents = ["human", "random", "--games", "2", "--workers", "2"]
    code, out, err = run(capsys, "match", "nim(stones=1)", *agents)
    assert code == 0
    assert "human" in out
    assert "'x' is not legal here" in err
    typed(monkeypatch, "0")
    code, _, err = run(capsys, "match", "nim(stones=1)", *agents)
    assert code == 1
    assert "human: the terminal was closed" in err


def test_eval_takes_any_agent(capsys, tmp_path):
    assert run(capsys, "train", "tictactoe", "--episodes", "100", "--out", "r")[0] == 0
    for agent in ["maxn(depth=9)", "run:r"]:
        found = run_json(capsys, "eval", "r", "--vs", agent, "--games", "20")
        assert (found["opponent"], found["games"]) == (agent, 20)
    arguments = ["match", "tictactoe", "run:r", "random", "--games", "4", "--workers", "2"]
    assert run_json(capsys, *arguments)["agents"][0]["agent"] == "run:r"
