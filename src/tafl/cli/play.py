"""`tafl play GAME --against AGENT`"""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from tafl.cli.options import GameText, RecordFile, Seed
from tafl.cli.output import Json, fitting, print_json
from tafl.errors import InputError, Left, TakenBack
from tafl.files import check_writable
from tafl.numbers import player, points

if TYPE_CHECKING:
    from tafl.agents import Agent
    from tafl.arena.records import Record
    from tafl.boards import Game, State

PEOPLE = "human"
AGAINST = "Agent in all other roles, or human (default: champion, or human if the game has none)."
HELP = "type the number or name of an action;  v: values  u: undo  q: quit  ?: this help"


def play(
    game: GameText,
    /,
    *,
    against: Annotated[str, Parameter(show_default=False, help=AGAINST)] = "",
    role: Annotated[int, Parameter(help="Your player number, counted from 0; 0 moves first.")] = 0,
    seed: Seed = 0,
    record: RecordFile = None,
    json: Json = False,
) -> None:
    """Play in the terminal, against an agent or other people."""
    from tafl.agents import make_agent
    from tafl.arena.records import Record, write_records
    from tafl.boards import load_game
    from tafl.runs.champions import has_champion

    if record is not None:
        check_writable(record, "--record")
    loaded = load_game(game)
    players = range(loaded.facts.players)
    if role not in players:
        raise InputError(f"--role must be 0 to {players[-1]}, not {role}")
    other = against or ("champion" if has_champion(loaded) else PEOPLE)
    others = [p for p in players if other != PEOPLE and p != role]
    agents = {p: make_agent(other, loaded, seed + p) for p in others}
    session = Session(loaded, agents, other, sys.stderr if json else sys.stdout)
    loaded.start(seed)  # refuses a wrong seed before anything is printed
    session.introduce()
    records: list[Record] = []
    while not records or session.wants_another():
        records.append(session.game_from(seed + len(records), len(records)))
        if record is not None:
            write_records(record, records)
    if json:
        print_json({**asdict(records[-1]), "over": session.state.over})


class Session:
    """Games at one terminal; the session is the agent that plays for people."""

    def __init__(self, game: "Game", agents: "dict[int, Agent]", name: str, file: TextIO):
        self.game, self.agents, self.name, self.file = game, agents, name, file
        self.state = game.start()
        self.left = False

    def introduce(self) -> None:
        """Print the commands, and the stones of each player."""
        self.say(HELP)
        for p in range(self.game.facts.players):
            if self.game.sign(p):
                who = self.name if p in self.agents else "you" if self.agents else "a person"
                self.say(f"{player(p)}, {self.game.sign(p)} on the board: {who}")

    def game_from(self, seed: int, number: int = 0) -> "Record":
        """Play a game until it is over or the person leaves."""
        from tafl.arena import play_on
        from tafl.arena.records import Record

        players = range(self.game.facts.players)
        agents = [self.agents.get(p, self) for p in players]
        names = [self.name if p in self.agents else PEOPLE for p in players]
        self.state = self.game.start(seed)
        try:
            self.state = play_on(agents, self.state, names, watch=self.watch)
            self.say(f"\n{self.state}\n\ngame over, scores: {points(self.state.scores)}")
        except Left:
            self.left = True
            self.say("")
        state = self.state
        return Record(self.game.name, number, seed, names, [], state.history, scores=state.scores)

    def wants_another(self) -> bool:
        """Offer another game, at a terminal."""
        if self.left or not sys.stdin.isatty():
            return False
        return self.ask("another game? (y/n) ").strip().casefold() in ("y", "yes")

    def watch(self, state: "State", action: int) -> None:
        """Print the move of an agent, if all people at the terminal may see it."""
        if state.player in self.agents:
            people = [p for p in range(self.game.facts.players) if p not in self.agents]
            known = all(state.notices(p, action) for p in people)
            what = f"plays {self.game.action_name(action)}" if known else "moves"
            self.say(f"{player(state.player)} {what}")
        if self.game.hides:  # `act` is given another deal
            self.state = state.copy()
            self.state.play(action)

    def act(self, state: "State") -> int:
        """Return the move that a person types; answer their questions first."""
        from tafl.boards.state import listed

        if not self.game.hides:
            self.state = state
        while True:
            self.say(f"\n{state.drawn(state.player)}\n\nlegal actions: {listed(state)}")
            sign = self.game.sign(state.player)
            line = self.ask(f"{player(state.player)}{f' ({sign})' if sign else ''}: ")
            text = line.strip()
            if not line or text == "q":
                raise Left
            if text in ("", "?"):
                self.say(HELP)
            elif text == "v":
                self.show_values(state)
            elif text == "u":
                self.undo(state)
            else:
                try:
                    return state.action(text)
                except InputError as error:
                    self.say(str(error))

    def values(self, state: "State") -> dict[int, float]:
        """Return zeros: the values of a person are unknown."""
        return dict.fromkeys(state.legal_actions, 0.0)

    def show_values(self, state: "State") -> None:
        """Print the agent's value of every action, and mark the best."""
        if not self.agents:
            self.say("no agent is playing; name one with --against")
            return
        worth = next(iter(self.agents.values())).values(state)
        best = max(worth.values())
        for action, value in worth.items():
            mark = "  best" if value == best else ""
            self.say(f"{action:>4}  {self.game.action_name(action):<16} {value:.4f}{mark}")

    def undo(self, state: "State") -> None:
        """Go back to the last move of a person."""
        if self.game.hides:
            self.say("no move can be taken back: it may have shown something hidden")
            return
        earlier = state.copy()
        while earlier.history:
            earlier.undo()
            if earlier.player not in self.agents:
                for _ in range(len(state.history) - len(earlier.history)):
                    state.undo()
                raise TakenBack
        self.say("nothing to undo")

    def say(self, text: str) -> None:
        """Print a text."""
        print(fitting(text, self.file), file=self.file)

    def ask(self, question: str) -> str:
        """Return the line that a person types; empty at the end of the input."""
        print(question, end="", file=self.file, flush=True)
        return sys.stdin.readline()
