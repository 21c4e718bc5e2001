"""`run:PATH`: the agent that a run has trained, among all other agents."""

from tafl.agents.learned import LearnedAgent
from tafl.errors import InputError
from tafl.games import Game


def trained(game: Game, path: str, seed: int = 0) -> LearnedAgent:
    """The agent of a run as of its last checkpoint."""
    from tafl.experiments.run import Run

    run = Run.open(path)
    if run.game != game:
        raise InputError(f"it has learned {run.game.name}, not {game.name}")
    return LearnedAgent(game, run.agent.net, run.agent.td, seed)
