"""Measures what search at play time adds to trained agents, and what it costs.

Times are those of the processor, a mean over all moves, in 2048 over the first thousand of a game.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

import tafl
from studies.opponents import gtp_rhino
from studies.records import HOME, Measurement, command, machine, parse_command
from studies.right_moves.measure import right_moves
from studies.search.searches import around_champion, command_of
from tafl.agents import Agent, make_agent
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.arena.statistics import standard_error
from tafl.boards import Game, State
from tafl.boards.spec import parse
from tafl.processes import cores
from tafl.runs.run import Run
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.settings.tables import differences

Fields = dict[str, Any]

SEED = 5  # of all games
TIMED = 1000  # moves
TILES = (2048, 4096, 8192, 16384, 32768)
GAMES_ALONE = {"depth=4)": 16, "depth=3)": 100, "depth=2)": 200}  # by how a search ends
GAMES_ALONE |= {"positions=10000)": 16, "positions=1000)": 32, "positions=100)": 100, "": 1000}


@dataclass
class Timed:
    """An agent whose moves are counted, with the time that they take."""

    text: str
    game: Game
    agent: Agent = field(init=False)
    rng: Any = field(init=False)
    moves: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.agent = make_agent(self.text, self.game)
        self.agent.act(self.game.start(seed=1))  # compiles
        self.rng = getattr(self.agent, "rng", None)  # every game has a seed of its own

    def act(self, state: State) -> int:
        """Return its move."""
        began = time.process_time()
        action = self.agent.act(state)
        self.seconds += time.process_time() - began
        self.moves += 1
        return action

    def values(self, state: State) -> dict[int, float]:
        """Return its values."""
        return self.agent.values(state)


def share(metric: str, wins: np.ndarray, **fields: Any) -> Fields:
    """Return a share of games with its standard error."""
    mean = float(np.mean(wins))
    error = sqrt(mean * (1 - mean) / len(wins))
    return {"metric": metric, "value": mean, "error": error, "n": len(wins), **fields}


def right(agent: Timed) -> list[Fields]:
    """Return right moves in critical positions."""
    greedy = isinstance(agent.agent, LearnedAgent)
    return right_moves(agent.agent if greedy else agent, agent.game).fields()[:1]


def connectfour(agent: Timed) -> list[Fields]:
    """Play also first against perfect play, and second against perfect play that errs."""
    fixed: Fields = {"starts": "start", "roles": "first", "seed": SEED, "game": agent.game}
    errs = "ab-dl(error=0.1)"
    first = evaluate(agent, "ab-dl", 50, **fixed).scores[:, 0]
    second = evaluate(errs, agent.text, 50, **fixed).scores[:, 1]
    mine = {"against": "ab-dl", "condition": {"role": "first", "starts": "start"}}
    theirs = {"against": errs, "condition": {"role": "second", "starts": "start"}}
    return [
        *right(agent),
        share("wins", first == 1, **mine),
        share("draws", first == 0, **mine),
        share("wins", second == 1, **theirs),
    ]


def hex6(agent: Timed) -> list[Fields]:
    """Play also tree search, after each first move of one half of the board, in both roles."""
    opponent, starts = "mcts(iterations=10000)", "half-board"
    played = evaluate(agent, opponent, 528, starts=starts, seed=SEED, game=agent.game)
    about = {"against": opponent, "condition": {"starts": starts}}
    return [*right(agent), share("win_rate", played.wins[:, 0], **about)]


def othello(agent: Timed) -> list[Fields]:
    """Play also gtp-rhino without its book, after four random moves, with both colours."""
    opponent, plies = gtp_rhino(3), 4
    played = evaluate(agent, opponent, 40, starts=plies, seed=SEED, game=agent.game)
    about = {"against": opponent, "condition": {"starts": plies}}
    return [*right(agent), share("win_rate", played.wins[:, 0], **about)]


def twenty48(agent: Timed) -> list[Fields]:
    """Play for points and tiles; deep searches play few games, on all cores."""
    games = next(n for end, n in GAMES_ALONE.items() if agent.text.endswith(end))
    state = agent.game.start(seed=SEED)
    while not state.over and agent.moves < TIMED:
        state.play(agent.act(state))
    played = evaluate(agent.text, games=games, seed=SEED, workers=cores(), game=agent.game)
    points, tiles = played.scores[:, 0], np.array(played.reached)
    scored = {"metric": "score", "value": float(points.mean()), "error": standard_error(points)}
    reached = [share("reached", tiles >= tile, condition={"tile": tile}) for tile in TILES]
    return [{**scored, "n": games}, *reached]


MEASURES: dict[str, Callable[[Timed], list[Fields]]] = {
    "connectfour": connectfour,
    "hex": hex6,
    "othello": othello,
    "2048": twenty48,
}


class Trained(NamedTuple):
    """The agent that is searched around."""

    text: str
    game: Game  # with its parameters
    about: Measurement  # of its training

    @property
    def command(self) -> str:
        """Return what trained it."""
        return command(self.about)

    def named(self, pattern: str) -> str:
        """Return a search around it as it is stored."""
        return pattern.replace("A", "champion") if self.text == "champion" else pattern


def agent_of(name: str) -> Trained:
    """Return the agent of a long run, or else the champion."""
    game, path = tafl.game(name), HOME.parent / "runs" / "long" / name
    if path.exists():
        run = Run.open(path)
        return Trained(f"'run:{path}'", run.game, training_of(run.game, run.settings))
    if not around_champion(name):
        sys.exit(f"there is no {path}; it is made by: {command_of(name)} --out {path}")
    return Trained("champion", game, made_by(command_of(name)))


def made_by(text: str) -> Measurement:
    """Return the record of the training that a command makes, without a value."""
    about = parse_command(text)
    return Measurement(study="search", metric="milliseconds", value=0.0, **about, **machine())


def training_of(game: Game, settings: Settings) -> Measurement:
    """Return the record of a training, without a value: its changes in the preset `best`."""
    own = differences(compose(game, "best").tree(), settings.tree())
    changed = {key: v for key, _, v in own if key not in ("seed", "device", "threads")}
    name, parameters = parse(game.name)
    return Measurement(
        study="search",
        game=name,
        metric="milliseconds",
        value=0.0,
        preset="best",
        overrides={f"game.{key}": v for key, v in parameters.items()} | changed,
        seed=settings.seed,
        device=settings.device,
        threads=settings.threads if settings.threads > 1 else None,
        **machine(),
    )


def measure(trained: Trained, pattern: str) -> list[Measurement]:
    """Measure one search."""
    text = trained.text.strip("'") if pattern == "A" else pattern.replace("A", trained.text)
    agent = Timed(text, trained.game)
    found = MEASURES[trained.about.game](agent)
    spent = {"metric": "milliseconds", "value": 1000 * agent.seconds / agent.moves}
    about = replace(trained.about, agent=trained.named(pattern))
    played = {"part": "strength", "game_seed": SEED}
    return [
        replace(about, **{**fields, "condition": {**played, **fields.get("condition", {})}})
        for fields in (spent, *found)
    ]
