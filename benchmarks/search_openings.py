"""Why search around ConnectFour's champion wins fewer games when it moves first than the champion.

    python benchmarks/search_openings.py     writes results/search_openings.json

Each agent moves first against `ab-dl`. Of games that it does not win, the first move that gave the
win away is counted. Then each answers the critical positions of the first twenty stones, once those
that the champion met in its own games, once those of tests/data.
"""

import json
from collections import Counter
from pathlib import Path

import tafl
from right_moves import Position, chance, critical_positions
from tafl.arena import evaluate
from tafl.arena.records import Record
from tafl.boards import Game
from tafl.runs.champions import champion_file, read_card

STORE = Path(__file__).resolve().parent.parent / "results" / "search_openings.json"
AGENTS = ["champion", "puct(champion,iterations=1000,c=0.5)", "alphabeta(champion,depth=8)"]
GAMES, STONES = 100, 20


def played(game: Game, text: str) -> list[Record]:
    """Games of an agent that moves first against perfect play."""
    fixed = {"starts": "start", "roles": "first", "seed": 6, "game": game}
    return evaluate(text, "ab-dl", GAMES, **fixed).records


def of_mover(game: Game, record: Record) -> dict[str, Position]:
    """The positions in which the first player could go wrong, by the columns that led there."""
    found, state, solver = {}, game.start(), tafl.agent("ab", game)
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
    """The columns up to the first move that gave a win away."""
    for columns, position in of_mover(game, record).items():
        move = record.moves[position.stones]
        if move not in position.good:
            return f"{columns}{move + 1}"
    return ""


def main() -> None:
    """Measures and stores."""
    game = tafl.game("connectfour")
    games = {text: played(game, text) for text in AGENTS}
    met: dict[str, Position] = {}
    for record in games["champion"]:
        met |= {c: p for c, p in of_mover(game, record).items() if p.stones < STONES}
    sets = {"its own games": list(met.values())}
    sets["tests/data"] = [p for p in critical_positions(game) if p.stones < STONES]
    found = []
    for text in AGENTS:
        agent = tafl.agent(text, game)
        lost = [record for record in games[text] if record.scores[0] < 1]
        mistakes = Counter(first_mistake(game, record) for record in lost)
        right = {name: [chance(agent, p) for p in some] for name, some in sets.items()}
        found.append({"agent": text, "games": GAMES, "not_won": len(lost)})
        found[-1] |= {"first_mistakes": dict(mistakes.most_common()), "right": right}
        print(text, len(lost), mistakes.most_common(5), flush=True)
        print({name: (sum(s) / len(s), len(s)) for name, s in right.items()}, flush=True)
    command = read_card(champion_file("connectfour")).command
    STORE.write_text(json.dumps({"command": command, "agents": found}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
