"""What search at play time adds to trained agents, and what it costs: measured and stored.

    python benchmarks/search_strength.py run GAME [AGENT ...]   into results/search.jsonl
    python benchmarks/search_strength.py report    docs/img/search.png, and what the cards recommend

GAME is connectfour, hex, othello or 2048; AGENT is a text of PLAN, by default each that is not
stored. `tafl reproduce best` writes the tables. Games are played by the agent in runs/long/GAME if
there is one, else by the champion. Othello needs gtp-rhino. Times are those of the processor, a
mean over all moves, in 2048 over the first thousand of a game.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tafl
from champions import Recipe
from right_moves import right_moves
from tafl.agents import Agent, make_agent
from tafl.agents.learned import LearnedAgent
from tafl.agents.spec import parse
from tafl.arena import evaluate
from tafl.arena.statistics import standard_error
from tafl.boards import Game, State
from tafl.files import to_json
from tafl.processes import cores
from tafl.reproduction.lines import append_line
from tafl.reproduction.searched import (
    GAMES,
    STORE,
    command_of,
    load_searches,
    of_agent,
    of_game,
    recommendations,
)
from tafl.runs.champions import SEARCHES, has_champion
from tafl.runs.folder import environment
from tafl.runs.run import Run, differences
from tafl.settings.presets import compose

HOME = Path(__file__).resolve().parent.parent
RESULTS = HOME / "results"
SEED = 5  # of all games
Found = dict[str, tuple[float, float, int]]  # measure: mean, standard error, how many

# game: the searches around an agent A
PLAN = {
    "connectfour": ["A", *(f"puct(A,iterations={n})" for n in (100, 1000, 10000, 30000))]
    + ["puct(A,iterations=1000,c=0.5)", "puct(A,iterations=10000,proof=300000)"]
    + [f"puct(A,iterations=10000,proof=300000,trust={w})" for w in (1, 4)]
    + [f"puct(A,iterations=3000,proof=100000{trust})" for trust in ("", ",trust=4")]
    + ["alphabeta(A,depth=8,proof=300000)"]
    + [f"alphabeta(A,depth={d})" for d in (2, 4, 6, 8, 10, 12)],
    "hex": ["A", *(f"puct(A,iterations={n})" for n in (100, 1000, 10000))]
    + [f"puct(A,iterations={n},c=0.5)" for n in (1000, 10000, 30000)]
    + [f"puct(A,iterations=10000,proof=200000{trust})" for trust in ("", ",trust=1")]
    + [f"alphabeta(A,depth={d})" for d in (2, 3, 4, 5, 6, 7)]
    + ["alphabeta(A,depth=5,proof=200000)"],
    "othello": ["A", *(f"puct(A,iterations={n})" for n in (100, 1000))]
    + ["puct(A,iterations=1000,c=0.5)", "puct(A,iterations=10000,proof=60000)"]
    + [f"alphabeta(A,depth={d})" for d in (2, 4, 6)]
    + [f"alphabeta(A,depth={d},proof=60000)" for d in (4, 5, 6)],
    "2048": ["A", *(f"nply(A,depth={d})" for d in (2, 3, 4))]
    + [f"nply(A,positions={n})" for n in (100, 1000, 10000)],
}


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
        """Its move."""
        began = time.process_time()
        action = self.agent.act(state)
        self.seconds += time.process_time() - began
        self.moves += 1
        return action

    def values(self, state: State) -> dict[int, float]:
        """Its values."""
        return self.agent.values(state)


def share(wins: np.ndarray) -> tuple[float, float, int]:
    """A share of games with its standard error."""
    mean = float(np.mean(wins))
    return mean, sqrt(mean * (1 - mean) / len(wins)), len(wins)


def right(agent: Timed) -> Found:
    """Right moves in critical positions."""
    greedy = isinstance(agent.agent, LearnedAgent)
    found = right_moves(agent.agent if greedy else agent, agent.game)
    return {"right moves": (found["right"], found["right, error"], int(found["right, positions"]))}


def connectfour(agent: Timed) -> Found:
    """Also first against perfect play, and second against perfect play that errs."""
    fixed: dict[str, Any] = {"starts": "start", "roles": "first", "seed": SEED, "game": agent.game}
    first = evaluate(agent, "ab-dl", 50, **fixed).scores[:, 0]
    second = evaluate("ab-dl(error=0.1)", agent.text, 50, **fixed).scores[:, 1]
    found = right(agent) | {"first against ab-dl: wins": share(first == 1)}
    found["draws"] = share(first == 0)
    return found | {"second against ab-dl(error=0.1): wins": share(second == 1)}


def hex6(agent: Timed) -> Found:
    """Also against tree search, after each first move of one half of the board, in both roles."""
    opponent = "mcts(iterations=10000)"
    played = evaluate(agent, opponent, 528, starts="half-board", seed=SEED, game=agent.game)
    return right(agent) | {f"win rate against {opponent}": share(played.wins[:, 0])}


def othello(agent: Timed) -> Found:
    """Also against gtp-rhino without its book, after four random moves, with both colours."""
    opponent = "gtp('gtp-rhino --level=3 --book=0')"
    played = evaluate(agent, opponent, 40, starts=4, seed=SEED, game=agent.game)
    return right(agent) | {"win rate against gtp-rhino, level 3": share(played.wins[:, 0])}


def twenty48(agent: Timed) -> Found:
    """Points, and how often each tile is reached; deep searches play few games, on all cores."""
    games = next(n for end, n in GAMES_ALONE.items() if agent.text.endswith(end))
    state = agent.game.start(seed=SEED)
    while not state.over and agent.moves < TIMED:
        state.play(agent.act(state))
    played = evaluate(agent.text, games=games, seed=SEED, workers=cores(), game=agent.game)
    points, tiles = played.scores[:, 0], np.array(played.reached)
    found = {"points": (float(points.mean()), standard_error(points), games)}
    return found | {f"reached {tile}": share(tiles >= tile) for tile in TILES}


TIMED = 1000  # moves
TILES = (2048, 4096, 8192, 16384, 32768)
GAMES_ALONE = {"depth=4)": 16, "depth=3)": 100, "depth=2)": 200}  # by how a search ends
GAMES_ALONE |= {"positions=10000)": 16, "positions=1000)": 32, "positions=100)": 100, "": 1000}
MEASURES: dict[str, Callable[[Timed], Found]] = {
    "connectfour": connectfour,
    "hex": hex6,
    "othello": othello,
    "2048": twenty48,
}


class Trained(NamedTuple):
    """The agent that is searched around."""

    text: str
    game: Game  # with its parameters
    command: str  # what trained it

    def shown(self, pattern: str) -> str:
        """A search around it as people write it."""
        return pattern.replace("A", "champion" if self.text == "champion" else "run:PATH")


def agent_of(name: str) -> Trained:
    """The agent of a long run, or else the champion."""
    game, path = tafl.game(name), HOME / "runs" / "long" / name
    if not path.exists():
        if has_champion(game):
            return Trained("champion", game, command_of(name))
        sys.exit(f"there is no {path}; it is made by: {command_of(name)} --out {path}")
    run = Run.open(path)
    return Trained(f"'run:{path}'", run.game, trained_by(run))


def trained_by(run: Run) -> str:
    """The command of a run of the preset `best`, by its settings."""
    mine = run.settings
    own = differences(compose(run.game, "best").tree(), mine.tree())
    changed = {key: v for key, _, v in own if key not in ("seed", "device", "threads")}
    changes = [f"{key}={v if isinstance(v, str) else to_json(v)}" for key, v in changed.items()]
    games = mine.threads if mine.threads > 1 else 0
    recipe = Recipe("best", tuple(changes), mine.seed, "", mine.device, games)
    return recipe.command(run.game.name)


def measure(name: str, trained: Trained, pattern: str) -> None:
    """Measures and stores one search."""
    text, kind = trained.text, "" if pattern == "A" else parse(pattern)[0]
    (effort, *others) = [*parse(pattern)[2].items()] or [("", 0)]
    way = f"{kind} by positions" if effort[0] == "positions" else kind
    agent = Timed(pattern.replace("A", text) if kind else text.strip("'"), trained.game)
    found = MEASURES[name](agent)
    line: dict[str, Any] = {
        "game": name,
        "command": trained.command,
        "agent": trained.shown(pattern),
        "kind": ", ".join([way, *(f"{name}={value}" for name, value in others)]),
        "effort": int(effort[1]),
        "milliseconds": 1000 * agent.seconds / agent.moves,
        "measures": found,
        "processor": environment()["processor"],
    }
    append_line(RESULTS / STORE, line)
    print(line, flush=True)


def run(name: str, patterns: list[str]) -> None:
    """Measures these, or what is not stored."""
    trained = agent_of(name)
    for pattern in patterns or PLAN[name]:
        done = {line["agent"] for line in of_agent(load_searches(RESULTS), name, trained.command)}
        if trained.shown(pattern) not in done:
            measure(name, trained, pattern)


def picture(path: Path) -> None:
    """The main measure of each game against the time of a move."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import NullFormatter

    lines = load_searches(RESULTS)
    games = [game for game in GAMES if of_game(lines, game.name)]
    figure, axes = pyplot.subplots(
        1, len(games), figsize=(4 * len(games), 5), layout="constrained", squeeze=False
    )
    for game, plot in zip(games, axes[0], strict=True):
        mine = of_game(lines, game.name)
        for kind in dict.fromkeys(line["kind"] for line in mine):
            some = [line for line in mine if line["kind"] == kind]
            means, errors, _ = zip(*(line["measures"][game.main] for line in some), strict=True)
            times = [line["milliseconds"] for line in some]
            plot.errorbar(times, means, errors, marker="o", capsize=3, label=kind or "no search")
        plot.set(xscale="log", xlabel="milliseconds a move", ylabel=game.main, title=game.title)
        plot.grid(alpha=0.3)
        plot.xaxis.set_minor_formatter(NullFormatter())
        plot.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize="small")
    figure.savefig(path, dpi=110, bbox_inches="tight")


if __name__ == "__main__":
    what, *names = sys.argv[1:] or [""]
    if what == "run" and names and names[0] in PLAN and set(names[1:]) <= set(PLAN[names[0]]):
        run(names[0], names[1:])
    elif [what, *names] == ["report"]:
        picture(HOME / "docs" / "img" / "search.png")
        SEARCHES.write_text(to_json(recommendations(load_searches(RESULTS))) + "\n")
    else:
        sys.exit(__doc__)
