"""Stable-Baselines3 learns with `tafl.gymnasium`, and what it has learned plays here."""

import pytest

import tafl
from tafl.errors import InputError


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """TicTacToe after a few seconds of MaskablePPO, as its class and the path of its file."""
    contrib = pytest.importorskip("sb3_contrib")
    import torch
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    envs = DummyVecEnv([lambda: tafl.gymnasium("tictactoe", role=None)] * 16)
    settings = {"n_steps": 64, "batch_size": 256, "n_epochs": 6, "learning_rate": 2e-3}
    model = contrib.MaskablePPO("MlpPolicy", envs, seed=1, device="cpu", **settings)
    folder = tmp_path_factory.mktemp("sb3")
    model.save(folder / "before.zip")
    model.learn(16_384)
    model.save(folder / "after.zip")
    return folder


def test_it_learns_tictactoe(learned):
    before = tafl.evaluate(f"sb3:{learned}/before.zip", games=100, game="tictactoe").mean
    after = tafl.evaluate(f"sb3:{learned}/after.zip", games=100, game="tictactoe").mean
    assert before < 0.35
    assert after > 0.5


def test_it_values_legal_actions_by_their_probability(learned):
    agent, state = (
        tafl.agent(f"sb3:{learned}/after.zip", "tictactoe"),
        tafl.position("tictactoe: b2 a1"),
    )
    values = agent.values(state)
    assert list(values) == state.legal_actions
    assert sum(values.values()) == pytest.approx(1)
    assert agent.act(state) == max(values, key=values.get)


def test_other_algorithms(tmp_path):
    baselines = pytest.importorskip("stable_baselines3")
    state = tafl.position("nim: 0")
    for kind in (baselines.DQN, baselines.PPO, baselines.A2C):
        model = kind("MlpPolicy", tafl.gymnasium("nim"), seed=1, device="cpu")
        path = tmp_path / f"{kind.__name__}.zip"
        model.save(path)
        agent = tafl.agent(f"sb3({path},algorithm={kind.__name__})", "nim")
        assert list(agent.values(state)) == state.legal_actions
        assert agent.act(state) in state.legal_actions


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("sb3:none.zip", "tictactoe", "there is no file none.zip"),
        ("sb3:{}/after.zip", "nim", "this agent was not trained on nim"),
        ("sb3:{}/text.zip", "nim", "text.zip is not a model of MaskablePPO: "),
        ("sb3({}/after.zip,algorithm=X)", "nim", "algorithm must be MaskablePPO or PPO or A2C"),
        ("sb3", "nim", "path is missing; write for example sb3:PATH"),
    ],
)
def test_wrong_models_are_refused(learned, spec, game, message):
    (learned / "text.zip").write_text("not a model")
    with pytest.raises(InputError, match=message):
        tafl.agent(spec.format(learned), game)
