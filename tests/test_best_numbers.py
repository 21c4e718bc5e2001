"""No published number was lost or changed when results became records of measurements.

tests/data/best_numbers.jsonl.gz has every number of the files from before, as
[part, game, training, which, name, value].
"""

import gzip
import json
import re
from collections import defaultdict
from math import isclose
from pathlib import Path

import pytest

from studies.opponents import gtp_rhino
from studies.records import assignments, command, read, results

DATA = Path(__file__).parent / "data" / "best_numbers.jsonl.gz"


def numbers_before():
    """All numbers by part."""
    found = defaultdict(dict)
    for line in gzip.decompress(DATA.read_bytes()).decode().splitlines():
        part, *key, value = json.loads(line)
        assert tuple(key) not in found[part]
        found[part][tuple(key)] = value
    return found


BEFORE = numbers_before()


def of_best():
    """Records of trials under the names that numbers had."""
    found = {}
    for one in read(results("best")):
        start = ["best"] if one.preset == "best" else []
        trial = " ".join([*start, *assignments(one.overrides)])
        key = one.game, trial, f"{one.seed} {one.device}"
        name, error, number = _name_in_best(one)
        about = {name: one.value, error: one.error, number: one.n, "episodes": one.episodes}
        about |= {"moves": one.moves, "seconds": one.seconds, "side by side": one.side_by_side}
        about |= {"games at a time": one.threads}
        about |= {"seed of games": one.condition.get("game_seed")}
        found |= {(*key, name): value for name, value in about.items()}
    return found


def _name_in_best(one):
    """The names of the value, of its error, and of how many there were."""
    role, stones = one.condition.get("role"), one.condition.get("stones")
    if one.metric == "right_moves":
        part = ", {} to {} stones".format(*stones) if stones else ""
        return f"right{part}", f"right{part}, error", f"right{part}, positions"
    if one.metric in ("wins", "draws"):
        against = re.fullmatch(r"ab-dl\(error=(.*)\)", one.against)
        name = f"{role}, error {against[1]}" if against else role
        return f"{name}, draws" if one.metric == "draws" else name, "", "games"
    if one.against == gtp_rhino(1):
        name = "against gtp-rhino, level 1"
        return f"win rate, {name}", "", f"games, {name}"
    if one.against == "exact":
        return "value", "", ""
    name = one.metric.replace("_", " ")
    return name, f"{name}, error", "games"


def of_search():
    """Records of searches under the names that numbers had."""
    names = {
        ("wins", "ab-dl"): "first against ab-dl: wins",
        ("wins", "ab-dl(error=0.1)"): "second against ab-dl(error=0.1): wins",
        ("win_rate", gtp_rhino(3)): "win rate against gtp-rhino, level 3",
        ("right_moves", ""): "right moves",
        ("score", ""): "points",
        ("draws", "ab-dl"): "draws",
    }
    found = {}
    for one in read(results("search")):
        if one.condition["part"] == "strength":
            key = one.game, command(one), one.agent.replace("A", "run:PATH")
            usual = f"{one.metric.replace('_', ' ')} against {one.against}"
            name = names.get((one.metric, one.against), usual)
            name = f"reached {one.condition.get('tile')}" if one.metric == "reached" else name
            found[*key, "milliseconds" if one.metric == "milliseconds" else ""] = one.value
            found |= {(*key, f"{name}/value"): one.value, (*key, f"{name}/error"): one.error}
            found[*key, f"{name}/n"] = one.n
    return found


def of_search_part(part):
    """Records of openings and traps under the names that numbers had."""
    found = {}
    for one in read(results("search")):
        if one.condition["part"] == part:
            key = one.game, command(one), one.agent
            if part == "traps":
                error = re.fullmatch(r"ab-dl\(error=(.*)\)", one.against)[1]
                found[*key, f"{one.metric}/{error}"] = one.value
            elif one.metric == "first_mistakes":
                found[*key, f"mistakes/{one.condition['first_moves']}"] = one.value
            elif one.metric == "right_moves":
                found[*key, f"right/{one.condition['positions']}"] = one.value
                found[*key, f"positions/{one.condition['positions']}"] = one.n
            else:
                found |= {(*key, "games"): one.n}
                found |= {(*key, "not_won"): one.n - round(one.value * one.n)}
    return found


def of_learning():
    """Records of right moves under the names that numbers had."""
    found = {}
    for one in read(results("right_moves")):
        farl = "no-farl" if one.overrides else "farl"
        key = one.game, f"{one.preset} {farl}", str(one.seed)
        names = {"right_moves": "right", "score": "reward", "active_weights": "active"}
        name = one.condition.get("states", "").removesuffix(" play")
        name = name or names.get(one.metric, one.metric)
        found |= {(*key, "moves"): one.moves, (*key, "seconds"): one.seconds}
        found[*key, name if name == "active" else f"{name}/{one.condition['episode']}"] = one.value
    return found


def of_strength(part):
    """Records of engines and searches under the names that numbers had."""
    found = {}
    for one in read(results("strength")):
        if one.condition["part"] != part:
            continue
        if part == "engines":
            key = one.game, "", re.search("level=(.)", one.agent)[1]
            about = {one.metric: one.value, "games": one.n}
            about |= {"standard_error": one.error} if one.metric == "win_rate" else {}
        elif part == "speed":
            key = one.game, "", ""
            names = {"openspiel-mcts": "openspiel", "mcts": "simulations_per_second"}
            name = names.get(one.agent, "maxn_seconds")
            about = {name: one.value / 1000 if name == "maxn_seconds" else one.value}
            if name == "openspiel":
                about["ratio"] = found[*key, "simulations_per_second"] / one.value
        elif part == "gain":
            agent = "bare" if one.agent == "A" else one.agent.replace("(A,", "(")
            key = one.game, agent, str(one.seed)
            names = {"score": ("mean", "standard_error"), "equal_score": ("equal", "equal_error")}
            value, error = names[one.metric]
            about = {value: one.value, error: one.error, "games": one.n, "episodes": one.episodes}
        else:
            key = one.game, one.agent, str(one.condition["stones"])
            name = "mean" if one.metric == "milliseconds" else "worst"
            about = {name: one.value / 1000, "positions": one.n}
        found |= {(*key, name): value for name, value in about.items()}
    return found


@pytest.mark.parametrize("part", BEFORE)
def test_every_number_is_stored_as_it_was(part):
    now = {
        "best": of_best,
        "search": of_search,
        "openings": lambda: of_search_part("openings"),
        "traps": lambda: of_search_part("traps"),
        "learning": of_learning,
    }.get(part, lambda: of_strength(part))()
    assert len(BEFORE[part]) > 2
    for key, value in BEFORE[part].items():
        assert isclose(now[key], value, rel_tol=1e-12), key


def test_61_trainings_are_history():
    gone = {one.training for one in read(results("best")) if one.history}
    assert len(gone) == 61
