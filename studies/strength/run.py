"""Measures how strong engines are, what search gains, and how fast it is.

    python -m studies strength run [PART ...]

The parts are engines (gtp-rhino has to be installed), speed (beside OpenSpiel, if that is
installed), gain and solver; all of them take about twenty minutes. A part that is measured again
replaces what was stored of it.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import tafl
from studies.opponents import LEVELS, gtp_rhino
from studies.records import Measurement, machine, read, results, rewrite
from tafl.agents import Agent
from tafl.agents.connectfour import solver
from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import with_network
from tafl.agents.search import NPlyAgent
from tafl.agents.trees import PUCTAgent
from tafl.arena.statistics import standard_error
from tafl.boards import Game, State
from tafl.cli.search_speed import measure_maxn, measure_search, processor_time
from tafl.errors import InputError

Fields = dict[str, Any]

STORE = results("strength")
GAMES = 488  # all openings of four moves, with both colours
SEARCHED = ["tictactoe", "connectfour", "hex(size=6)", "othello"]
# game: episodes of training, random plies that games begin with, games, seeds
GAINS = {
    "connectfour": (50_000, 4, 300, [1]),
    "othello": (3_000, 4, 300, [1]),
    "nim3p": (3_000, 2, 3_000, [1, 2, 3]),
    "2048": (2_000, 0, 60, [1]),
}
C = 0.5  # of puct: what was measured; search.md compares it with the usual one
STONES = range(0, 36, 3)
POSITIONS = 200  # of each number of stones


def main(options: list[str], store: Path = STORE) -> None:
    """Measure these parts, or all; store each as it ends."""
    if unknown := set(options) - set(PARTS):
        raise InputError(f"unknown part {min(unknown)}; available: {', '.join(PARTS)}")
    for part in options or PARTS:
        found = list(measured(part))
        others = [one for one in read(store) if one.condition["part"] != part]
        rewrite(store, sorted([*others, *found], key=lambda one: _place(one.condition["part"])))
        print(part, "stored", flush=True)


def _place(part: str) -> int:
    return list(PARTS).index(part)


def measured(part: str) -> Iterator[Measurement]:
    """Yield the measurements of a part."""
    for fields in PARTS[part]():
        condition = {"part": part, **fields.pop("condition", {})}
        yield Measurement(study="strength", condition=condition, **fields, **machine())


def engines() -> Iterator[Fields]:
    """Play gtp-rhino without its book, whose openings are random, against bench."""
    for level in LEVELS:
        engine = gtp_rhino(level)
        began = time.perf_counter()
        match = tafl.match("othello", [engine, "bench"], GAMES, starts="all:4")
        passed = time.perf_counter() - began
        n, error = len(match.records), match.standard_errors[0] / 2
        about = {"game": "othello", "agent": engine, "against": "bench", "n": n}
        about |= {"condition": {"starts": "all:4"}}
        rate = (match.means[0] + 1) / 2
        yield {**about, "metric": "win_rate", "value": rate, "error": error}
        yield {**about, "metric": "games_per_second", "value": n / passed}


def speed() -> Iterator[Fields]:
    """Measure what `tafl bench --search` prints."""
    about = {"metric": "simulations_per_second"}
    for name in SEARCHED:
        found = measure_search(tafl.game(name), 3.0)
        yield {**about, "game": name, "agent": "mcts", "value": found["simulations_per_second"]}
        if "openspiel" in found:
            yield {**about, "game": name, "agent": "openspiel-mcts", "value": found["openspiel"]}
    about = {"metric": "milliseconds", "game": "tictactoe", "agent": "maxn"}
    yield {**about, "value": 1000 * measure_maxn()}


def gain() -> Iterator[Fields]:
    """Play trained agents with search against bare ones: each opening in all roles."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (episodes, plies, games, seeds) in GAINS.items():
            for seed in seeds:
                out = Path(folder) / f"{name}-{seed}"
                run = tafl.train(name, preset="paper", episodes=episodes, seed=seed, out=out)
                play = alone if run.game.facts.players == 1 else against_bare
                about = {"game": name, "preset": "paper", "seed": seed, "episodes": episodes}
                for fields in play(run.game, with_network(run.agent), plies, games):
                    yield {**about, **fields, "condition": {"starts": plies}}


def against_bare(game: Game, bare: LearnedAgent, plies: int, games: int) -> list[Fields]:
    """Play puct against the agent that it asks, in every role but its own."""
    seats = [PUCTAgent(game, bare, c=C), *[bare] * (game.facts.players - 1)]
    match = tafl.match(game, seats, games, starts=plies)
    about = {"agent": f"puct(A,iterations=500,c={C})", "against": "A", "n": len(match.records)}
    score, error = match.means[0], match.standard_errors[0]
    equal = {"metric": "equal_score", "value": mean(match.means), "error": 0.0}
    return [{**about, "metric": "score", "value": score, "error": error}, {**about, **equal}]


def alone(game: Game, bare: LearnedAgent, _: int, games: int) -> list[Fields]:
    """Play the bare agent and searches around it, for points."""
    agents: dict[str, Agent] = {"A": bare, "nply(A,depth=2)": NPlyAgent(game, bare)}
    agents[f"puct(A,iterations=100,c={C})"] = PUCTAgent(game, bare, iterations=100, c=C)
    found = list[Fields]()
    for name, agent in agents.items():
        points = tafl.match(game, [agent], games).scores[:, 0]
        about = {"agent": name, "n": games, "metric": "score"}
        found.append({**about, "value": float(points.mean()), "error": standard_error(points)})
        found.append({**found[0], "agent": name, "metric": "equal_score"})
    return found


def moves() -> Iterator[Fields]:
    """Time a move of ab and ab-dl, each with an empty table as if it were the first."""
    game, rng = tafl.game("connectfour"), np.random.default_rng(1)
    agents = {name: tafl.agent(name, game) for name in ("ab", "ab-dl")}
    for agent in agents.values():
        agent.act(game.start())  # reads the book and the machine code
    for stones in STONES:
        states = [drawn(game, stones, rng) for _ in range(POSITIONS)]
        times = np.array([[seconds(agent, s) for agent in agents.values()] for s in states])
        for name, mine in zip(agents, 1000 * times.T, strict=True):
            about = {"game": "connectfour", "agent": name, "n": POSITIONS}
            about |= {"condition": {"stones": stones}}
            yield {**about, "metric": "milliseconds", "value": float(mine.mean())}
            yield {**about, "metric": "milliseconds_worst", "value": float(mine.max())}


def drawn(game: Game, stones: int, rng: np.random.Generator) -> State:
    """Return a random position of this many stones that was not won on the way."""
    while True:
        state = game.start()
        for _ in range(stones):
            quiet = [a for a in state.legal_actions if not state.afterstate(a).over]
            if not quiet:
                break
            state.play(int(rng.choice(quiet)))
        else:
            return state


def seconds(agent: Agent, state: State) -> float:
    """Return the processor time of one move with an empty table."""
    solver().table[:] = 0
    return processor_time(partial(agent.act, state))


PARTS: dict[str, Callable[[], Iterator[Fields]]] = {
    "engines": engines,
    "speed": speed,
    "gain": gain,
    "solver": moves,
}
