"""Do agents set better traps in ConnectFour than perfect play?

    python benchmarks/search_traps.py     writes results/search_traps.json

Each moves second, in a lost position, against perfect play that errs now and then. `ab-dl` holds
out as long as it can; an agent that learned may know where such an opponent goes wrong.
"""

import json
from pathlib import Path
from typing import Any

import tafl
from champions import ERRORS, won_and_drawn
from tafl.arena import evaluate
from tafl.processes import cores
from tafl.runs.champions import champion_file, read_card

STORE = Path(__file__).resolve().parent.parent / "results" / "search_traps.json"
AGENTS = ["ab-dl", "champion", *(f"puct(champion,iterations={n})" for n in (100, 1000, 10000))]
GAMES = 1000


def results(agent: str, error: float) -> dict[str, float]:
    """Shares of games that an agent wins and draws."""
    fixed: dict[str, Any] = {"starts": "start", "roles": "first", "seed": 7, "workers": cores()}
    game = tafl.game("connectfour")
    played = evaluate(f"ab-dl(error={error})", agent, GAMES, game=game, **fixed)
    return dict(zip(("wins", "draws"), won_and_drawn(played, 1), strict=True))


def main() -> None:
    """Measures and stores."""
    found = []
    for agent in AGENTS:
        errors = {str(e): results(agent, e) for e in ERRORS}
        found.append({"agent": agent, "games": GAMES, "errors": errors})
        print(found[-1], flush=True)
    command = read_card(champion_file("connectfour")).command
    STORE.write_text(json.dumps({"command": command, "agents": found}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
