"""A neural network in a page: its values, what its cells say, and training in the browser."""

import numpy as np
import pytest

import tafl
from pages import LEARNING, until
from tafl.cli.main import main
from tafl.page.html import make_page
from tafl.page.small_agents import load_small

NETWORK = {"kind": "mlp", "units": 16}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A run with a neural network, and its page."""
    out = tmp_path_factory.mktemp("runs") / "net"
    options = {"network": NETWORK, "evaluation": {"every": 0}}
    run = tafl.train("tictactoe", episodes=30_000, seed=1, out=out, **options)
    return run, make_page(run.game, [load_small(run.path, "net")], LEARNING)


def test_values_are_those_of_the_network_and_cells_say_why(trained, opened):
    run, text = trained
    state, page = run.game.start(), opened(text, anchor="#v=inside")
    for action in (4, 0):
        page.locator(f'.hit[data-action="{action}"] .area').click()
        state.play(action)
    until(page, "document.querySelectorAll('.values tbody tr').length == 7")
    values = run.agent.values(state)
    for row in page.locator(".values tbody tr").all():
        action = state.action(row.locator("th").inner_text())
        shown = row.locator("td b").inner_text().replace("\u2212", "-")
        assert float(shown) == pytest.approx(values[action], abs=0.00501)
    page.locator(".values .move").first.click()
    page.locator(".tuples li button").first.hover()
    assert page.locator(".tuples li button").count() == 3  # stones after the move
    assert "cell" in page.locator(".tuples li").first.inner_text()


def test_a_network_is_trained_in_the_page_saved_and_loaded(trained, opened, tmp_path):
    run, text = trained
    page = opened(text, anchor="#v=train")
    page.get_by_role("button", name="Train once").click()
    until(page, "document.querySelector('.run progress')?.value >= 30000", seconds=40)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save").click()
    file = tmp_path / "mine.agent"
    download.value.save_as(file)
    agent = tafl.load(file)
    assert agent.net.weights.shape == run.agent.net.weights.shape
    # it plays other games than on the CPU, but learns as much
    ours, theirs = (tafl.evaluate(one, "exact", 100).mean for one in (agent, run.agent))
    assert ours == pytest.approx(theirs, abs=0.4)
    assert ours > tafl.evaluate("random", "exact", 100, game="tictactoe").mean + 0.3
    other = opened(text)
    other.locator(".file input").set_input_files(file)
    until(other, "document.querySelector('.seats').innerText.includes('mine')")


def test_a_page_has_networks_of_one_kind(trained, tmp_path, capsys):
    run, _ = trained
    tables = tafl.train("tictactoe", episodes=50, out=tmp_path / "tables")
    words = [str(run.path), str(tables.path), "--out", str(tmp_path / "both.html")]
    assert main(["page", *words]) == 2
    assert "networks of one kind, not Mlp and Net" in capsys.readouterr().err
    assert not (tmp_path / "both.html").exists()


def test_small_weights_are_rounded_where_no_move_changes(trained):
    small = load_small(trained[0].path, "net")
    assert small.bits in (16, 32)
    assert f"{np.count_nonzero(trained[0].agent.net.weights):,} weights" in small.text
