"""`tafl`: the commands, and what becomes of errors.

Exit code 0: done; 1: failed; 2: wrong input, said in one line; 130: interrupted; 143: terminated. A
command is a function that returns None or its exit code. Its module is imported when the command is
used or its help is shown, so what takes long to import is imported inside the function.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from cyclopts import App, CycloptsError, UnusedCliTokensError

from tafl.cli.output import complain
from tafl.core.compile.stop import insist
from tafl.errors import InputError

COMMANDS = {
    "games": "tafl.cli.games:games",
    "state": "tafl.cli.state:state",
    "perft": "tafl.cli.perft:perft",
    "train": "tafl.cli.train:train",
    "settings": "tafl.cli.settings:settings",
    "runs": "tafl.cli.runs:runs",
    "compare": "tafl.cli.compare:compare",
    "export": "tafl.cli.export:export",
    "eval": "tafl.cli.eval:evaluate",
    "values": "tafl.cli.values:values",
    "match": "tafl.cli.match:match",
    "tournament": "tafl.cli.tournament:tournament",
    "play": "tafl.cli.play:play",
    "replay": "tafl.cli.replay:replay",
    "check": "tafl.cli.check:check",
    "new-game": "tafl.cli.new_game:new_game",
    "bench": "tafl.cli.bench:bench",
    "reproduce": "tafl.cli.reproduce:reproduce",
    "demo": "tafl.cli.demo:demo",
}


def _version() -> str:
    import tafl

    return tafl.__version__


def make_app() -> App:
    """All commands, in the order of the table."""
    app = App(
        name="tafl",
        help="Teaches a computer any turn-taking board game by self-play.",
        version=_version,
        suppress_keyboard_interrupt=False,  # main knows what to do
    )
    for number, (name, path) in enumerate(COMMANDS.items()):
        app.command(path, name=name, sort_key=number)
    return app


def run(arguments: Sequence[str]) -> int:
    """Runs a command."""
    app = make_app()
    if set(arguments) <= {"--help", "-h"}:
        for name in COMMANDS:
            app[name]  # imports it: the list shows what commands say about themselves
    result = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    sys.stdout.flush()
    return result if isinstance(result, int) else 0


class Terminated(KeyboardInterrupt):
    """SIGTERM; as after Ctrl-C, what was begun is left in order."""


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated


@contextmanager
def _signals() -> Iterator[None]:
    """Lets SIGTERM raise an exception, unless somebody else wants to handle it."""
    insist()
    free = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not free or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code, whatever happens."""
    try:
        with _signals():
            return run(sys.argv[1:] if arguments is None else arguments)
    except UnusedCliTokensError as error:
        complain(f"too many arguments: {' '.join(error.unused_tokens or [])}")
        return 2
    except InputError as error:
        if error.exit_code == 1 and os.environ.get("TAFL_TRACEBACK"):
            raise  # the input was right, but a player failed
        complain(str(error))
        return error.exit_code
    except CycloptsError as error:
        complain(str(error))
        return 2
    except KeyboardInterrupt as error:
        return 128 + (signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT)
    except BrokenPipeError:
        # whoever read our output has gone: let Python's own flush at exit find nobody, too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        complain(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        return 1
    except Exception as error:
        if os.environ.get("TAFL_TRACEBACK"):
            raise
        complain(f"{type(error).__name__}: {error} (TAFL_TRACEBACK=1 shows where)")
        return 1


if __name__ == "__main__":
    sys.exit(main())
