"""Looks for openings in which searches around ConnectFour's champion give a win away.

Each agent moves first against `ab-dl`. Of games that it does not win, the first move that gave the
win away is counted. Then each answers the critical positions of the first twenty stones, once those
that the champion met in its own games, once those of tests/data.
"""

from collections import Counter
from dataclasses import replace
from statistics import mean
from typing import Any

import tafl
from studies.best.judges import share
from studies.records import Measurement
from studies.right_moves.measure import Position, chance, critical_positions
from studies.search.searches import command_of
from studies.search.strength import made_by
from tafl.arena import evaluate
from tafl.arena.records import Record
from tafl.arena.statistics import standard_error
from tafl.boards import Game

AGENTS = ["champion", "puct(champion,iterations=1000,c=0.5)", "alphabeta(champion,depth=8)"]
GAMES, STONES, SEED = 100, 20, 6


def measure_openings() -> list[Measurement]:
    """Measure all agents."""
    game = tafl.game("connectfour")
    games = {text: played(game, text) for text in AGENTS}
    met: dict[str, Position] = {}
    for record in games["champion"]:
        met |= {c: p for c, p in of_mover(game, record).items() if p.stones < STONES}
    sets = {"its own games": list(met.values())}
    sets["tests/data"] = [p for p in critical_positions(game) if p.stones < STONES]
    about = replace(made_by(command_of("connectfour")), condition={"part": "openings"})
    found = list[Measurement]()
    for text in AGENTS:
        mine = replace(about, agent=text)
        found += openings_of(game, mine, games[text])
        found += [right_in(game, mine, name, some) for name, some in sets.items()]
        print(text, [(one.metric, one.value) for one in found if one.agent == text], flush=True)
    return found


def played(game: Game, text: str) -> list[Record]:
    """Play games of an agent that moves first against perfect play."""
    fixed: dict[str, Any] = {"starts": "start", "roles": "first", "seed": SEED, "game": game}
    return evaluate(text, "ab-dl", GAMES, **fixed).records


def openings_of(game: Game, about: Measurement, records: list[Record]) -> list[Measurement]:
    """Return the share of games won, and how often each move was the first mistake."""
    lost = [record for record in records if record.scores[0] < 1]
    mistakes = Counter(first_mistake(game, record) for record in lost)
    condition = {**about.condition, "role": "first", "starts": "start", "game_seed": SEED}
    mine = replace(about, against="ab-dl", n=GAMES, condition=condition)
    wins = replace(mine, metric="wins", **share(1 - len(lost) / GAMES, GAMES))
    return [wins] + [
        replace(
            mine,
            metric="first_mistakes",
            value=count,
            condition={**condition, "first_moves": columns},
        )
        for columns, count in mistakes.most_common()
    ]


def right_in(game: Game, about: Measurement, name: str, some: list[Position]) -> Measurement:
    """Return the share of right moves in a set of positions."""
    agent = tafl.agent(about.agent, game)
    shares = [chance(agent, position) for position in some]
    condition = {**about.condition, "positions": name}
    return replace(
        about,
        metric="right_moves",
        value=mean(shares),
        error=standard_error(shares),
        n=len(shares),
        condition=condition,
    )


def of_mover(game: Game, record: Record) -> dict[str, Position]:
    """Return the positions in which the first player could go wrong, by the columns before."""
    found, state, solver = dict[str, Position](), game.start(), tafl.agent("ab", game)
    for i, move in enumerate(record.moves):
        if i % 2 == 0:
            values = solver.values(state)
            good = {a for a, value in values.items() if value == max(values.values())}
            if len(good) < len(values):
                columns = "".join(str(m + 1) for m in record.moves[:i])
                found[columns] = Position(state.copy(), good, i)
        state.play(move)
    return found


def first_mistake(game: Game, record: Record) -> str:
    """Return the columns up to the first move that gave a win away."""
    for columns, position in of_mover(game, record).items():
        move = record.moves[position.stones]
        if move not in position.good:
            return f"{columns}{move + 1}"
    return ""
