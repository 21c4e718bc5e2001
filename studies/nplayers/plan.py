"""What is trained, and how it is judged."""

from dataclasses import dataclass, field
from typing import Any

from studies.records import results

RESULTS = results("nplayers")
MCTS = "mcts(iterations=1000)"
CHUNK = 72  # games of one judge, or a few more: every role from every first move


@dataclass(frozen=True)
class Judged:
    """An agent that plays, against whom, and how many games."""

    agent: str = "A"
    games: int = 288
    against: str = MCTS

    @property
    def pair(self) -> tuple[str, str]:
        """Return the agents of both sides."""
        return self.agent, self.against


GREEDY = Judged("A", 288)
PUCT = Judged("puct(A,iterations=1000,c=0.1)", 144)


@dataclass(frozen=True)
class Trial:
    """One training with some seeds."""

    game: str
    overrides: dict[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = (1,)
    agents: tuple[Judged, ...] = (GREEDY, PUCT)
    preset: str = ""
    device: str = "cuda"


def puct(iterations: int = 1000, **given: float) -> Judged:
    """Return a search around the trained agent."""
    more = "".join(f",{name}={value}" for name, value in given.items())
    return Judged(f"puct(A,iterations={iterations}{more})", 144)


SEARCHES = (
    GREEDY,
    PUCT,
    puct(c=0.1, paranoid=0.5),
    puct(c=0.1, paranoid=1),
    puct(c=0.3),
    puct(c=1),
    Judged("nply(A,depth=3)", 144),
)
LINES: dict[str, Any] = {"network.tuples": "lines"}
EXPLORING = {"td.epsilon_final": 0.1, "start.plies": 2}
STEADY = {"td.alpha_final": 0.37, **EXPLORING}
TRACES = {"coherence.transfer": "exp", "td.alpha": 3.7, "td.lambda": 0.5}
OTHELLO = {
    "network.tuples": "othello-patterns",
    "td.alpha_final": 0.2,
    "td.epsilon_final": 0.1,
    "start.plies": 4,
}


def lines(length: int, episodes: int, **_: int) -> dict[str, Any]:
    """Return the settings of n-tuples of lines."""
    return {"episodes": episodes, **LINES, "network.length": length}


def default(game: str, episodes: int, number: int, *lengths: int) -> list[Trial]:
    """Return trainings on a core that compare random n-tuples with those of lines."""
    walks = {"network.tuples": "random-walk", "network.number": number, "network.length": 8}
    sets = [walks, *({**LINES, "network.length": length} for length in lengths)]
    seeds, agents = (1, 2, 3), (GREEDY,)
    return [Trial(game, {"episodes": episodes, **one}, seeds, agents, device="cpu") for one in sets]


FOUR = "connectfour3p"
THREE = ("sim(players=3)", "yavalath(players=3)")
ALL_CELLS = [list(range(15))]
SHARED, APART = {"network.shared": True}, {"network.shared": False}
FRESH = (101, 102, 103)  # seeds that took part in no trial
SEARCH, PUCT_1 = puct(2000, c=1), puct(c=1)
CEILINGS = (Judged("mcts(iterations=10000)", 72),)  # agents that learned nothing


def judges_of(game: str, seed: int) -> tuple[Judged, ...]:
    """Return how a preset is judged: with search only the first seed, since that takes longer."""
    if seed != FRESH[0]:
        return (GREEDY,)
    return (GREEDY, SEARCH, *(CEILINGS if game == THREE[0] else ()))


PARTS: dict[str, list[Trial]] = {
    "connectfour3p": [
        Trial(FOUR, {**lines(8, 20_000_000), **STEADY, **APART}, (1,), SEARCHES),
        Trial(FOUR, {**lines(8, 20_000_000), **STEADY, **TRACES, **APART}),
        Trial(FOUR, {**lines(9, 20_000_000), **STEADY, **APART}),
        Trial(FOUR, {**lines(8, 20_000_000), "td.alpha_final": 0.1, **EXPLORING, **APART}),
    ],
    "rolit": [
        Trial("rolit", {"episodes": 2_000_000, **OTHELLO, **APART}, (1,), SEARCHES),
        Trial("rolit", {"episodes": 2_000_000, **OTHELLO, **TRACES, **APART}),
        Trial("rolit(players=3)", {"episodes": 2_000_000, **OTHELLO, **APART}, (1,), SEARCHES),
        Trial("rolit", {"episodes": 6_000_000, **OTHELLO, **APART}),
    ],
    "small": [
        Trial("hex3p", {"episodes": 10_000_000, **EXPLORING, **APART}, (1,), SEARCHES),
        Trial("hex3p", {"episodes": 10_000_000, **STEADY, **TRACES, **APART}),
        Trial(THREE[0], {"episodes": 3_000_000, "network.tuples": ALL_CELLS,
                         "network.hash_bits": 24, "network.symmetries": 6,
                         **EXPLORING, **APART}, (1,), SEARCHES),
        Trial(THREE[0], {**lines(8, 2_000_000), **EXPLORING, **APART}),
        Trial(THREE[1], {**lines(8, 2_000_000), **STEADY, **APART}, (1,), SEARCHES),
        Trial(THREE[1], {**lines(9, 2_000_000), **STEADY, **TRACES, **APART}),
        Trial("hex3p", {"episodes": 20_000_000, **EXPLORING, "network.tuples": "random-walk",
                        "network.number": 100, "network.length": 9, **APART}),
    ],
    "defaults": [
        *default("gomoku", 200_000, 81, 8, 9),
        *default("yavalath", 200_000, 61, 8, 9),
        Trial(THREE[1], {"episodes": 200_000, **LINES, "network.length": 8, **APART},
              (1,), (GREEDY,), device="cpu"),
    ],
    "presets": [
        Trial(game, {}, (seed,), judges_of(game, seed), preset="best")
        for seed in FRESH
        for game in (FOUR, "rolit", "hex3p", *reversed(THREE), "rolit(players=3)")
    ],
    "questions": [
        Trial(FOUR, {**lines(8, 20_000_000), **STEADY, **SHARED}, (1,), (GREEDY, PUCT_1)),
        Trial("rolit", {"episodes": 2_000_000, **OTHELLO, **SHARED}, (1,), (GREEDY, PUCT_1)),
        Trial("hex3p", {"episodes": 10_000_000, **EXPLORING, **SHARED}, (1,), (GREEDY, PUCT_1)),
        Trial(THREE[0], {"episodes": 3_000_000, "network.tuples": ALL_CELLS,
                         "network.hash_bits": 24, "network.symmetries": 120,
                         **EXPLORING, **SHARED}, (1,), (GREEDY, PUCT_1)),
        Trial(THREE[0], {"episodes": 3_000_000, **EXPLORING, **SHARED}, (1,), (GREEDY, PUCT_1)),
        Trial(THREE[1], {**lines(9, 2_000_000), **STEADY, **TRACES, **SHARED}, (1,),
              (GREEDY, PUCT_1)),
    ],
    "shared": [
        Trial(game, {"episodes": episodes, **more, **also}, (1,), (GREEDY,), device="cpu")
        for game, episodes, more in (
            (THREE[0], 200_000, {**LINES, "network.length": 8}),
            (FOUR, 600_000, {**LINES, "network.length": 8}),
            (THREE[1], 60_000, {**LINES, "network.length": 8}),
            ("hex3p", 200_000, {}),
        )
        for also in (APART, SHARED)
    ],
}  # fmt: skip
