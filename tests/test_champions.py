"""Agents that come with tafl: small files, checked when they are read, and what their cards say."""

import io
import json
import shlex
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file

import tafl
from studies.best.expected import expected_scores
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.runs import champions as module
from tafl.runs.champions import (
    LARGEST,
    Strength,
    champion_file,
    champions,
    read_card,
    save_champion,
)
from tafl.runs.checkpoint import save
from tafl.runs.run import Run
from tafl.runs.small import fewest_bits, packed, same_moves, unpack
from tafl.runs.tensors import DamagedError, read_metadata, write_tensors
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.settings.tables import parse_assignments

STRENGTH = [Strength(measure="wins against nobody", result="1.0 ± 0.1 %")]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "nim"
    return tafl.train("nim", preset="best", episodes=5000, seed=1, out=path)


@pytest.fixture
def home(run, tmp_path, monkeypatch):
    """A folder of champions with one for Nim, and nothing that was made here."""
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setenv("TAFL_DATA_DIR", str(tmp_path / "data"))
    save_champion(run, champion_file("nim"), "tafl train nim", "the only run", STRENGTH, "Few.")
    return tmp_path


def called(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def all_states(game):
    """Every position of a small game."""
    seen, stack = {}, [game.start()]
    while stack:
        state = stack.pop()
        if not state.over and state.words.tobytes() not in seen:
            seen[state.words.tobytes()] = state
            stack += [state.afterstate(action) for action in state.legal_actions]
    return list(seen.values())


def test_a_champion_plays_what_its_run_plays(run, home):
    card = read_card(champion_file("nim"))
    agent = tafl.agent("champion", "nim", seed=3)
    for state in all_states(run.game):
        values, own = agent.values(state), run.agent.values(state)
        assert values == pytest.approx(own, abs=2e-3 if card.bits == 16 else 0)
        top = max(own.values())
        assert all(own[a] > top - 1e-3 for a, v in values.items() if v == max(values.values()))
    assert (card.game, card.episodes, card.strength) == (run.game.name, 5000, STRENGTH)
    assert card.settings == run.settings.tree()
    weights = run.agent.net.weights
    assert card.active == np.count_nonzero(weights)
    assert sum(a.nbytes for a in packed(weights, card.bits).values()) < weights.nbytes / 1.5


def test_its_file_is_read_like_any_agent(home):
    file = champion_file("nim")
    state = tafl.game("nim").start()
    assert tafl.load(file).values(state) == tafl.agent("champion", "nim").values(state)


@pytest.mark.parametrize(("bits", "share"), [(16, 0.1), (32, 0.1), (32, 0.003), (32, 1), (16, 0)])
def test_packed_weights_are_the_same(bits, share):
    rng = np.random.default_rng(1)
    weights = (rng.normal(size=1003) * (rng.random(1003) < share)).astype(np.float32)
    weights = weights.astype(np.float16).astype(np.float32)
    arrays, found = packed(weights, bits), np.zeros(1003, np.float32)
    assert arrays["values"].itemsize * 8 == bits
    unpack(arrays, found)
    assert np.array_equal(found, weights)
    tiny = packed(np.array([1e-9, 0, 1], np.float32), bits)  # too small for 16 bits
    assert tiny["values"].tolist() == ([1] if bits == 16 else [np.float32(1e-9), 1])
    with pytest.raises(DamagedError, match="of another network"):
        unpack(arrays, np.zeros(999, np.float32))
    with pytest.raises(DamagedError, match="do not fit each other"):
        unpack(
            {**arrays, "values": np.append(arrays["values"], arrays["values"].dtype.type(1))}, found
        )


@pytest.mark.parametrize(
    ("zeros", "gaps"),
    [
        ((0, 0), [0, 0]),
        ((254, 1), [254, 1]),
        ((255, 256), [255, 0, 255, 1]),
        ((700, 0), [255, 255, 190, 0]),
    ],
)
def test_gaps_are_counted_in_bytes(zeros, gaps):
    before, behind = zeros
    weights = np.zeros(before + 1 + behind, np.float32)
    weights[before] = 2.5
    arrays = packed(weights, 32)
    assert arrays["gaps"].tolist() == gaps
    assert arrays["values"].tolist() == [2.5]
    found = np.zeros_like(weights)
    unpack(arrays, found)
    assert np.array_equal(found, weights)


@pytest.mark.parametrize("gaps", [[], [255], [0, 255], [0, 0, 0]])
def test_gaps_that_do_not_end_are_refused(gaps):
    arrays = {"gaps": np.array(gaps, np.uint8), "values": np.zeros(1, np.float32)}
    with pytest.raises(DamagedError, match="of another network"):
        unpack(arrays, np.zeros(255, np.float32))


def with_weights(run, change):
    """The agent of a run, with other weights."""
    agent = run.agent.twin()
    agent.net = agent.net._replace(weights=change(agent.net.weights))
    return agent


def test_sums_of_temporal_coherence_do_not_count(run, tmp_path):
    """They are too large for 16 bits in a long training, but nobody plays with them."""
    shutil.copytree(run.path, tmp_path / "run")
    other = Run.open(tmp_path / "run")
    path, header = other.learned()
    tensors = load_file(path)
    tensors["weights"][::3] = tensors["weights"][::3].astype(np.float16)
    tensors["weights"][2::3] = 1e6
    save(other.checkpoints, header, tensors)
    assert save_champion(other, tmp_path / "x", "", "", STRENGTH, "").bits == 16


def test_weights_keep_32_bits_where_16_would_change_a_move(run):
    """Rounded to 16 bits, numbers near 1000 differ by 0.5 or not at all."""
    shifted = with_weights(run, lambda w: (1000 + w).astype(np.float32))
    shifted.net = shifted.net._replace(tanh=False)
    assert fewest_bits(shifted) == 32
    assert fewest_bits(with_weights(run, lambda w: w * np.float32(1e6))) == 32  # beyond 65,504
    exact = with_weights(run, lambda w: w.astype(np.float16).astype(np.float32))
    assert fewest_bits(exact) == 16


def test_other_moves_are_noticed(run):
    assert same_moves(run.agent, run.agent.twin(), 500)
    assert not same_moves(run.agent, with_weights(run, lambda w: -w), 500)


def test_a_damaged_champion_is_refused_in_one_line(home, capsys):
    file = champion_file("nim")
    content = file.read_bytes()
    rng = np.random.default_rng(1)
    damages = [content[:100], content[:-1], content + b"x", b""]
    for place in rng.integers(len(content), size=60):
        damages.append(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    for damage in damages:
        file.write_bytes(damage)
        with pytest.raises(InputError, match="is not the file of an agent: ") as refused:
            tafl.agent("champion", "nim")
        assert "\n" not in str(refused.value)
        with pytest.raises(InputError, match="is not the file of a champion: "):
            read_card(file)
    assert main(["agents"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("card", [None, "{}", "[]", '{"game": 1}'])
def test_a_file_without_a_valid_card_is_no_champion(card, home):
    """Its checksum is right, but nobody has written such a file."""
    file = champion_file("nim")
    with file.open("rb") as stream:
        texts = {n: t for n, t in read_metadata(stream).items() if n not in ("sha256", "card")}
    texts |= {} if card is None else {"card": card}
    with file.open("wb") as stream:
        write_tensors(stream, {"values": np.zeros(1, np.float32)}, texts)
    with pytest.raises(InputError, match=r"it has no valid card$"):
        read_card(file)
    with pytest.raises(InputError, match="cannot be read: its array gaps cannot be read"):
        tafl.agent("champion", "nim")


@pytest.mark.parametrize("dtype", [np.float64, np.int64])
def test_weights_of_another_type_are_refused(dtype, run, home):
    file = champion_file("nim")
    with file.open("rb") as stream:
        texts = {n: t for n, t in read_metadata(stream).items() if n != "sha256"}
    arrays = packed(np.zeros(8, np.float32), 32)
    with file.open("wb") as stream:
        write_tensors(stream, {**arrays, "values": np.zeros(3, dtype)}, texts)
    with pytest.raises(InputError, match="cannot be read"):
        tafl.agent("champion", "nim")


def test_a_champion_without_room_is_not_written(run, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 2)
    with pytest.raises(InputError, match="no room in a champion of at most 2 bytes"):
        save_champion(run, tmp_path / "x", "", "", STRENGTH, "")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("largest", [700, 100])
def test_what_a_large_champion_used_least_is_left_out(largest, run, tmp_path, monkeypatch):
    """What is kept is as it was, and nothing that was left out was used more."""
    monkeypatch.setattr(module, "LARGEST", largest)
    card = save_champion(run, tmp_path / "x", "", "", STRENGTH, "")
    everything, used = load_file(run.learned()[0])["weights"].reshape(-1, 3).T[[0, 2]]
    kept = tafl.load(tmp_path / "x").net.weights
    there = kept != 0
    assert (card.active, card.left_out) == (there.sum(), (everything != 0).sum() - there.sum())
    assert card.left_out > 0
    assert sum(a.nbytes for a in packed(kept, card.bits).values()) <= largest
    assert kept[there] == pytest.approx(everything[there], rel=1e-3)
    without = (everything != 0) & ~there
    assert used[without].max() <= used[there].min()
    assert f"{card.left_out:,} that were used least are left out" in card.rounding


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("nim(stones=4)", "champion: the champion plays nim(heaps=3,stones=5,"),
        (
            "tictactoe",
            "champion: tictactoe has no champion; games that have one: nim; "
            "tafl agents --make tictactoe makes one",
        ),
        (None, "champion: name a game"),
    ],
)
def test_other_games_are_refused(game, message, home):
    with pytest.raises(InputError) as refused:
        tafl.agent("champion", game)
    assert message in str(refused.value)


def test_the_list_and_the_card(home, capsys):
    code, out, _ = called(capsys, "agents")
    assert code == 0
    assert "wins against nobody: 1.0 ± 0.1 %" in out
    (one,) = json.loads(called(capsys, "agents", "--json")[1])
    card = json.loads(called(capsys, "agents", "--card", "nim", "--json")[1])
    assert one == card
    assert card["bytes"] == champion_file("nim").stat().st_size
    out = called(capsys, "agents", "--card", "nim")[1]
    assert "tafl train nim" in out
    assert "Few." in out
    assert "weights" in out
    code, _, err = called(capsys, "agents", "--card", "hex")
    assert (code, err) == (2, "tafl: --card hex: no such champion; games that have one: nim\n")


def test_people_play_the_champion_unless_they_say_otherwise(home, capsys, monkeypatch):
    def agents(*arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        return json.loads(called(capsys, "play", *arguments, "--json")[1])["agents"]

    assert agents("nim") == ["human", "champion"]
    assert agents("nim", "--against", "human") == ["human", "human"]
    assert agents("nim", "--against", "random") == ["human", "random"]
    assert agents("nim(stones=4)") == ["human", "human"]
    assert agents("tictactoe") == ["human", "human"]


def test_a_champion_can_be_made(home, capsys):
    left = home / "data" / "champions" / "tictactoe.run"  # by a process that was killed at once
    left.mkdir(parents=True)
    (left / "lock").touch()
    code, out, _ = called(capsys, "agents", "--make", "tictactoe", "--json")
    card = json.loads(out)
    assert code == 0
    assert card["command"] == "tafl train tictactoe --preset best --seed 101"
    assert [path.name for path in (home / "data" / "champions").iterdir()] == [
        "tictactoe.safetensors"
    ]
    assert champions() == ["tictactoe", "nim"]
    assert "not measured" in called(capsys, "agents")[1]
    result = tafl.match("tictactoe", ["champion", "exact"], games=20, starts="first-moves")
    assert result.mean == 0
    for name, said in (("nim", "there is a champion already"), ("go", "unknown game")):
        code, _, err = called(capsys, "agents", "--make", name)
        assert (code, err.count("\n")) == (2, 1)
        assert f"--make {name}: {said}" in err


# What comes with tafl.


@pytest.mark.parametrize("name", champions())
def test_champions_of_the_package(name):
    """Small, of this game, made by a command that exists, and as settings say."""
    file, game = champion_file(name), tafl.game(name)
    card = read_card(file)
    assert file.stat().st_size <= LARGEST
    assert card.game == game.name
    words = shlex.split(card.command)
    assert words[:3] == ["tafl", "train", name]
    preset = words[4] if words[3] == "--preset" else None
    changes = [words[i + 1] for i, word in enumerate(words) if word == "--set"]
    said = {"seed": int(words[words.index("--seed") + 1])}
    if "--device" in words:
        said["device"] = words[words.index("--device") + 1]
    expected = compose(game, preset, None, parse_assignments(changes) | said).tree()
    settings = Settings.of(card.settings).tree()  # an older version knew fewer of them
    assert {**settings, "evaluation": 0} == {**expected, "evaluation": 0}
    agent = tafl.agent("champion", game)
    assert np.count_nonzero(agent.net.weights) == card.active


@pytest.mark.parametrize(
    ("name", "starts", "ideal"),
    [
        ("tictactoe", "first-moves", 0.0),
        ("nim", "start-or-first", 0.0),
        ("nim3p", "start-or-first", 0.4),
    ],
)
def test_champions_of_small_games_are_perfect(name, starts, ideal):
    champion, exact = tafl.agent("champion", name), tafl.agent("exact", name)
    assert np.mean(expected_scores(champion, exact, starts)) == pytest.approx(ideal)


def test_a_champion_goes_wherever_an_agent_goes():
    result = tafl.match("tictactoe", ["champion", "exact"], games=20, starts="first-moves")
    assert result.mean == 0
    state = tafl.position("tictactoe: a1 b1 a2 b2")
    assert (
        state.legal_moves[tafl.agent("puct(champion,iterations=100)", "tictactoe").act(state)]
        == "a3"
    )
