"""`tafl check FILE.py`"""

from typing import Annotated

from cyclopts import Parameter

from tafl.cli.options import Seed
from tafl.cli.output import Json, print_json
from tafl.errors import InputError

MOST_GAMES = 1_000_000
OwnGame = Annotated[str, Parameter(help='A file such as mygame.py, or "mygame.py(size=4)".')]
Games = Annotated[int, Parameter(help="Number of random games to play.")]


def check(game: OwnGame, /, *, games: Games = 50, seed: Seed = 0, json: Json = False) -> int:
    """Check your own game or approximator for faults; exit with 1 if there are any."""
    from tafl.boards.check import check as find_faults
    from tafl.settings.own_networks import has_approximator

    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"--games must be from 1 to {MOST_GAMES:,}, not {games}")
    if not 0 <= seed < 2**63:
        raise InputError(f"--seed must be 0 to 2**63 - 1, not {seed}")
    if has_approximator(game):
        from tafl.training.check_approximator import check_approximator

        findings = check_approximator(game)
    else:
        findings = find_faults(game, games, seed)
    faults = list(findings.faults.values())
    if json:
        shown = [{"fault": f.text, "seed": f.seed, "moves": f.moves} for f in faults]
        played = {"games": findings.games, "moves": findings.moves}
        print_json({"game": findings.game, **played, "faults": shown, "notes": findings.notes})
    else:
        for line in [*map(str, faults), *findings.notes]:
            print(f"- {line}")
        found = f"{len(faults) or 'no'} fault{'s' * (len(faults) != 1)}"
        print(f"{game}: {found} in {findings.games} random games, {findings.moves:,} moves")
    return 1 if faults else 0
