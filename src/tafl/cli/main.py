"""`tafl`: the commands, and the exit codes of errors.

Exit code 0: done; 1: failed; 2: wrong input, with a message of one line; 130 and 143: ended by
Ctrl-C or SIGTERM. A command is a function that returns None or its exit code. Its module is
imported when the command is used or its help is shown, so slow imports stand inside the function;
here, too, so that Ctrl-C is handled before them.
"""

import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import tafl
from tafl.arguments import on_command_line
from tafl.cli.interrupts import Interrupts
from tafl.errors import InputError
from tafl.terminal import guarded_streams, raw

if TYPE_CHECKING:
    from cyclopts import App

# The groups of `tafl --help`; in each of them, commands in the order of their use.
GROUPS = {
    "Learn": ["demo", "settings", "train", "runs", "sweep"],
    "Measure": ["eval", "values", "compare", "match", "tournament", "reproduce", "bench"],
    "Play": ["agents", "play", "replay"],
    "Games": ["games", "state", "new-game", "new-approximator", "check", "perft"],
    "Share": ["page", "export", "gtp"],
}
COMMANDS = [name for names in GROUPS.values() for name in names]

# The last line of each command's help.
EXAMPLES = {
    "demo": "tafl demo --quick",
    "settings": "tafl settings connectfour --preset best",
    "train": "tafl train tictactoe --episodes 20000 --out runs/ttt",
    "runs": "tafl runs",
    "sweep": "tafl sweep nim --set td.alpha=0.1..1:log --trials 8 --episodes 2000",
    "eval": "tafl eval runs/ttt --vs exact --games 200",
    "values": 'tafl values runs/ttt --moves "b2 a1"',
    "compare": "tafl compare runs/farl runs/no-farl --out compare.png",
    "match": 'tafl match connectfour champion "mcts(iterations=1000)" --games 20',
    "tournament": 'tafl tournament nim random exact "maxn(depth=3)" --games 40',
    "reproduce": "tafl reproduce table1 --rows nim,nim3p --quick",
    "bench": "tafl bench connectfour --seconds 5",
    "agents": "tafl agents --card connectfour",
    "play": "tafl play connectfour --against champion",
    "replay": "tafl replay games.jsonl --game 0",
    "games": "tafl games",
    "state": 'tafl state connectfour --moves "d d c"',
    "new-game": "tafl new-game mygame",
    "new-approximator": "tafl new-approximator mynet",
    "check": "tafl check mygame.py",
    "perft": "tafl perft othello 6",
    "page": "tafl page connectfour champion --out connectfour.html",
    "export": "tafl export runs/farl runs/no-farl --latex table.tex",
    "gtp": "tafl gtp champion --game othello",
}
TRUST = """Every command accepts --trust, which lets a game file run that only a run, a record or an
agent refers to (docs/reference/trust.md)."""


def _path(name: str) -> str:
    """Return module and function of a command: both have its name, but `eval` is a built-in."""
    module = name.replace("-", "_")
    return f"tafl.cli.{module}:{'evaluate' if name == 'eval' else module}"


def make_app() -> "App":
    """Return the app with all commands, grouped and in the order of the table."""
    from cyclopts import App, Group
    from rich.console import Console

    app = App(
        console=Console(file=raw(sys.stdout)),
        name="tafl",
        help="Teach a computer any turn-based game by self-play.",
        help_epilogue=TRUST,
        version=lambda: tafl.__version__,
        suppress_keyboard_interrupt=False,  # main handles it
    )
    for number, (title, names) in enumerate(GROUPS.items()):
        group = Group(title, sort_key=number)
        for place, name in enumerate(names):
            epilogue = f"Example: {EXAMPLES[name]}\n\n{TRUST}"
            app.command(_path(name), name=name, group=group, sort_key=place, help_epilogue=epilogue)
    app["--help"].group = app["--version"].group = Group("Options", sort_key=len(GROUPS))
    return app


def run(arguments: Sequence[str]) -> int:
    """Run a command; every command takes --trust."""
    from cyclopts import CycloptsError, UnusedCliTokensError

    if any("\0" in argument for argument in arguments):
        raise InputError("an argument contains the character NUL")
    if "--trust" in arguments:
        from tafl.boards.trust import trust_everything

        trust_everything()
        arguments = [argument for argument in arguments if argument != "--trust"]
    app = make_app()
    if set(arguments) <= {"--help", "-h"}:
        for name in COMMANDS:
            app[name]  # imports it: the list shows the first line of its docstring
    try:
        result = app(
            arguments, exit_on_error=False, print_error=False, result_action="return_value"
        )
    except UnusedCliTokensError as error:
        unused = " ".join(error.unused_tokens or [])
        raise InputError(f"unexpected arguments: {unused}") from None
    except CycloptsError as error:
        raise InputError(str(error)) from None
    sys.stdout.flush()
    return result if isinstance(result, int) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code, whatever happens."""
    with guarded_streams():
        return _exit_code(arguments)


def _exit_code(arguments: Sequence[str] | None) -> int:
    try:
        with Interrupts(), on_command_line():
            return run(sys.argv[1:] if arguments is None else arguments)
    except InputError as error:
        if error.exit_code == 1 and os.environ.get("TAFL_TRACEBACK"):
            raise  # the input was right, but a player failed
        _complain(str(error))
        return error.exit_code
    except KeyboardInterrupt as error:
        if str(error):  # training says how to continue
            _complain(str(error))
        number: int = getattr(error, "number", signal.SIGINT)
        return 128 + number
    except BrokenPipeError:
        # the reader of our output has gone: Python's flush at exit must not fail, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        _complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        return 1
    except Exception as error:
        if os.environ.get("TAFL_TRACEBACK"):
            raise
        _complain(f"{type(error).__name__}: {error} (TAFL_TRACEBACK=1 shows the traceback)")
        return 1


def _complain(message: str) -> None:
    from tafl.cli.output import complain

    complain(message)


if __name__ == "__main__":
    sys.exit(main())
