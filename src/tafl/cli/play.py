"""`tafl play GAME --against AGENT`"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tafl.cli.contests import check_record
from tafl.cli.moves import Seed
from tafl.cli.output import Json, print_json
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.agents import Agent
    from tafl.arena.records import Record
    from tafl.games import Game, State

HELP = "a number or a name plays it;  v: values  u: undo  q: quit  ?: this help"


def play(
    game: str,
    /,
    *,
    against: str = "",
    seat: int = 0,
    seed: Seed = 0,
    record: Path | None = None,
    json: Json = False,
) -> None:
    """Play a game in the terminal, against an agent or among people.

    Parameters
    ----------
    game
        A name such as hex(size=6), or a file of your own.
    against
        The agent that plays all other seats; without one, people play all of them.
    seat
        Which player you are, from 0 on.
    record
        A file for the record of the game, as `tafl replay` reads it.
    """
    from tafl.arena.records import write_records
    from tafl.experiments import make_agent
    from tafl.games import load_game

    check_record(record)
    loaded = load_game(game)
    players = loaded.facts.players
    if not 0 <= seat < players:
        raise InputError(f"--seat {seat}: should be from 0 to {players - 1}")
    others = [p for p in range(players) if against and p != seat]
    session = Session(loaded, {p: make_agent(against, loaded, seed + p) for p in others}, seed)
    session.file = sys.stderr if json else sys.stdout
    session.run()
    names = [against if p in session.agents else "human" for p in range(players)]
    result = session.record(names)
    if record is not None:
        write_records(record, [result])
    if json:
        print_json({**asdict(result), "over": session.state.over})


class Session:
    """A game under way; `past` are the positions before each move."""

    def __init__(self, game: "Game", agents: "dict[int, Agent]", seed: int):
        self.game, self.agents, self.seed = game, agents, seed
        self.state = game.start(seed)
        self.past: list[State] = []
        self.moves: list[int] = []
        self.file = sys.stdout

    def run(self) -> None:
        """Plays until the game is over or the person leaves."""
        self.say(HELP)
        while not self.state.over:
            player = self.state.player
            if player in self.agents:
                action = self.agents[player].act(self.state)
                self.say(f"player {player} plays {self.game.action_name(action)}")
                self.play(action)
            elif not self.turn():
                return
        scores = " ".join(f"{score / self.game.facts.score_unit:g}" for score in self.state.scores)
        self.say(f"\n{self.state}\n\nthe game is over, scores: {scores}")

    def turn(self) -> bool:
        """Lets a person do something; tells whether they stay."""
        from tafl.agents.human import find_action, listed

        self.say(f"\n{self.state}\n\nlegal actions: {listed(self.state)}")
        print(f"player {self.state.player}: ", end="", file=self.file, flush=True)
        line = sys.stdin.readline()
        text = line.strip()
        if not line or text == "q":
            self.say("")
            return False
        commands = {"": self.help, "?": self.help, "v": self.values, "u": self.undo}
        if text in commands:
            commands[text]()
            return True
        try:
            self.play(find_action(self.state, text))
        except InputError as error:
            self.say(str(error))
        return True

    def play(self, action: int) -> None:
        """Plays an action and remembers where it was played."""
        self.past.append(self.state.copy())
        self.moves.append(action)
        self.state.play(action)

    def help(self) -> None:
        """Says what can be typed."""
        self.say(HELP)

    def values(self) -> None:
        """Shows what the agent thinks of every action."""
        if not self.agents:
            self.say("there is no agent to ask; name one with --against")
            return
        agent, unit = next(iter(self.agents.values())), self.game.facts.score_unit
        for action, value in agent.values(self.state).items():
            self.say(f"{action:>4}  {self.game.action_name(action):<16} {value / unit:.4f}")

    def undo(self) -> None:
        """Goes back to where a person moved last."""
        steps = [k for k, state in enumerate(self.past) if state.player not in self.agents]
        if not steps:
            self.say("there is nothing to undo")
            return
        self.state = self.past[steps[-1]]
        del self.past[steps[-1] :], self.moves[steps[-1] :]

    def record(self, names: list[str]) -> "Record":
        """The game so far."""
        from tafl.arena.records import Record

        return Record(self.game.name, 0, self.seed, names, [], self.moves, self.state.scores)

    def say(self, text: str) -> None:
        """Prints a line."""
        print(text, file=self.file)
