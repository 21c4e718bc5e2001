"""What search around a trained agent gains: puct(500) in three games, nply and puct in 2048.

    python benchmarks/puct_gain.py [GAME ...] [--games 300] [--seed 1] [--out DIR]

Trains an agent for a short time (or takes it from DIR, where it is kept), then lets the searching
agent play in every role against bare ones, each random opening in all roles; 2048 is played alone,
a fifth as often. Prints mean scores, their standard errors, and how many of those they gain.
"""

import argparse
import tempfile
from math import hypot
from pathlib import Path

import numpy as np

import tafl
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import NPlyAgent
from tafl.agents.trees import PUCTAgent
from tafl.arena.statistics import standard_error

EPISODES = {"connectfour": 50_000, "othello": 3_000, "nim3p": 3_000, "2048": 2_000}
PLIES = {"connectfour": 4, "othello": 4, "nim3p": 2}  # random ones that games begin with


def trained(name: str, folder: Path, seed: int) -> LearnedAgent:
    """A moderately trained agent: the settings of the paper, but few episodes."""
    path = folder / f"{name}-{seed}"
    if not path.exists():
        tafl.train(name, preset="paper", episodes=EPISODES[name], seed=seed, out=path)
    return tafl.Run.open(path).agent


def show(
    what: str, mean: float, error: float, games: int, equal: float, uncertain: float = 0.0
) -> None:
    """One line: mean, standard error, and how many of them lie between it and equality."""
    gain = (mean - equal) / hypot(error, uncertain)
    line = f"{what:44}{mean:10,.3f} +- {error:<9,.3f}{games:5} games"
    print(f"{line}   equal: {equal:,.2f}, {gain:+.1f} standard errors", flush=True)


def main() -> None:
    """Measures all games, or those named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="GAME", help=", ".join(EPISODES))
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    folder = options.out or Path(tempfile.mkdtemp())
    for name in options.names or EPISODES:
        bare = trained(name, folder, options.seed)
        game, players = bare.game, bare.game.facts.players
        if players > 1:
            seats = [PUCTAgent(game, bare), *[bare] * (players - 1)]
            match = tafl.match(game, seats, options.games, starts=PLIES[name])
            found = match.payoffs[0], match.standard_errors[0], len(match.records)
            show(f"{name}: puct(iterations=500) against bare", *found, np.mean(match.payoffs))
            continue
        searches = {"bare": bare, "nply(depth=2)": NPlyAgent(game, bare)}
        searches["puct(iterations=100)"] = PUCTAgent(game, bare, iterations=100)
        equal = uncertain = 0.0
        for what, agent in searches.items():
            match = tafl.match(game, [agent], options.games // 5)
            points = match.scores[:, 0] / game.facts.score_unit
            mean, error = float(points.mean()), standard_error(points)
            if agent is bare:
                equal, uncertain = mean, error
            show(f"{name}: {what}", mean, error, len(points), equal, uncertain)


if __name__ == "__main__":
    main()
