"""Symmetries as a group, on all games and on one with 720 of them."""

import time

import pytest

import tafl
from sim import Sim
from tafl.boards.check import check
from tafl.boards.groups import elements, generators, product, with_boards
from tafl.core.games import GAMES
from tafl.settings.build import build, make_tuples
from tafl.settings.presets import compose

SIM = tafl.game(Sim)


def closed(facts):
    """Is every product of two symmetries one of them?"""
    listed = elements(facts)
    known = set(listed)
    return all(product(a, b) in known for a in listed for b in listed[:24])


@pytest.mark.parametrize("name", GAMES)
def test_generators_make_all_symmetries_of_a_game(name):
    facts = tafl.game(name).facts
    listed = elements(facts)
    found = generators(facts)
    made, latest = {listed[0]}, {listed[0]}
    while latest:
        latest = {product(a, listed[g]) for a in latest for g in found} - made
        made |= latest
    assert made == set(listed)
    assert closed(facts)


def test_sim_has_five_generators():
    assert generators(SIM.facts) == [1, 2, 6, 24, 120]


def test_what_is_no_product_is_a_generator():
    """A list that is no group: whatever the others do not make has to be looked at."""
    facts = tafl.game(Sim, boards=4).facts
    listed = elements(facts)
    made = {product(a, b) for a in listed[:3] for b in listed[:3]}
    assert generators(facts) == [1, 2] + [3] * (listed[3] not in made)


@pytest.mark.parametrize(
    ("most", "boards"), [(False, 1), (1, 1), (2, 2), (5, 4), (8, 6), (30, 24), (120, 120)]
)
def test_fewer_boards_are_a_subgroup(most, boards):
    facts = with_boards(SIM.facts, most)
    assert len(facts.symmetries) == len(facts.action_symmetries) == boards
    assert facts.symmetries[0] == list(range(15))
    assert closed(facts)
    assert set(elements(facts)) <= set(elements(SIM.facts))


@pytest.mark.parametrize("most", [True, 720, 10_000])
def test_all_boards_stay(most):
    assert with_boards(SIM.facts, most) is SIM.facts


def test_a_game_without_preset_has_as_many_boards_as_pay():
    settings = compose(SIM)
    net, *_ = build(SIM, settings, make_tuples(SIM, settings))
    assert settings.network.symmetries == net.symmetries == 120
    assert compose(tafl.game(Sim, boards=24)).network.symmetries is True
    fewer = compose(SIM, overrides={"network": {"symmetries": 30}})
    assert build(SIM, fewer, make_tuples(SIM, fewer))[0].symmetries == 24


def test_checking_many_symmetries_takes_seconds():
    began = time.process_time()
    assert check(SIM).faults == {}
    assert time.process_time() - began < 10
