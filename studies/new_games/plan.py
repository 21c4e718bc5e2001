"""Who is measured, and against whom: A is the trained agent, of which others know nothing."""

from pathlib import Path

RESULTS = Path(__file__).with_name("results.jsonl")
SEEDS = (1, 2, 3)
SLOW = ("gomoku", "rolit", "sim", "yavalath")  # trainings of more than two minutes: one seed
GAMES = 300  # of each measurement
OWN_GAMES = 24  # of an agent with itself
MATCHES = 7  # the seed of all games
MCTS = "mcts(iterations=1000)"
ITSELF = "A"  # games of an agent with itself tell how many actions there are to choose from

Pair = tuple[str, str]  # agent, opponent ("": it plays alone)
ALONE = ["A", "puct(A,iterations=1000)", MCTS, "random"]
PLAN: dict[str, list[Pair]] = {
    "sliding": [(agent, "") for agent in [*ALONE, "nply(A,depth=8)"]],
    "solitaire": [(agent, "") for agent in [*ALONE, "nply(A,depth=4)"]],
}
# as deep as a look ahead takes some hundredths of a second
SEARCHES = {
    "breakthrough": "maxn(depth=3)",
    "gomoku": "maxn(depth=3)",
    "kalah": "maxn(depth=9)",
    "dotsandboxes": "maxn(depth=6)",
    "einstein": "expectimax(depth=4)",
    "sim": "maxn(depth=8)",
    "yavalath": "maxn(depth=3)",
    "connectfour3p": "maxn(depth=6)",
    "hex3p": "maxn(depth=3)",
    "rolit": "maxn(depth=5)",
    "nimnp": "maxn(depth=15)",
}
PLAN |= {n: [("A", other) for other in ("random", MCTS, s)] for n, s in SEARCHES.items()}
PLAN["nimnp"] += [("exact", other) for other in ("random", MCTS, SEARCHES["nimnp"])]
PLAN["connectfour"] = []  # to compare costs with
for pairs in PLAN.values():
    pairs.append(("A", ITSELF))


def uses_trained(agent: str) -> bool:
    """Say whether it is the trained agent, or a search around it."""
    return agent == "A" or "(A," in agent
