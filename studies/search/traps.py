"""Asks whether agents set better traps in ConnectFour than perfect play.

Each moves second, in a lost position, against perfect play that errs now and then. `ab-dl` holds
out as long as it can; a trained agent may know where such an opponent goes wrong.
"""

from dataclasses import replace
from typing import Any

import tafl
from studies.best.judges import won_and_drawn
from studies.opponents import ERRORS
from studies.records import Measurement
from studies.search.searches import command_of
from studies.search.strength import made_by
from tafl.arena import evaluate
from tafl.processes import cores

AGENTS = ["ab-dl", "champion", *(f"puct(champion,iterations={n})" for n in (100, 1000, 10000))]
GAMES, SEED = 1000, 7


def measure_traps() -> list[Measurement]:
    """Measure all agents."""
    fixed: dict[str, Any] = {"starts": "start", "roles": "first", "seed": SEED, "workers": cores()}
    game, about = tafl.game("connectfour"), made_by(command_of("connectfour"))
    found = list[Measurement]()
    for agent in AGENTS:
        for error in ERRORS:
            opponent = f"ab-dl(error={error})"
            result = evaluate(opponent, agent, GAMES, game=game, **fixed)
            for fields in won_and_drawn(result, 1, "second", opponent):
                condition = {"part": "traps", **fields.pop("condition"), "game_seed": SEED}
                found.append(replace(about, agent=agent, **fields, condition=condition))
                print(agent, opponent, found[-1].metric, found[-1].value, flush=True)
    return found
