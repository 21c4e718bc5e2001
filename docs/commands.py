"""Write docs/reference/commands.md, the table of all commands and options, from their help texts.

python docs/commands.py
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tafl.cli.main import EXAMPLES, GROUPS, make_app
from tafl.files import replacing

PAGE = Path(__file__).resolve().parent / "reference" / "commands.md"
HEAD = """<!-- Written by `python docs/commands.py` from the help texts. -->

# Commands

All commands and options of `tafl`, as `tafl COMMAND --help` prints them. All commands accept
`--json`, which prints one JSON document, and `--trust`, which allows a game file to run that only
stored data names ([trust](trust.md)). A wrong command line exits with code 2 and one line.
"""


def options(command: Any) -> Iterator[str]:
    """Yield a table row for each argument and option of a command."""
    for argument in command.assemble_argument_collection(parse_docstring=True):
        name = argument.names[0]
        if name == "--json" or not argument.show:
            continue
        text, default = argument.parameter.help or "", argument.field_info.default
        known = argument.show_default and default not in (None, False, "", inspect.Parameter.empty)
        shown = f" (default: {default})." if known and "default" not in text else "."
        label = name.lstrip("-").upper() if argument.field_info.is_positional else name
        if default in (None, True) and len(argument.names) > 1 and label == name:
            label += f", {argument.names[1]}"  # --farl, --no-farl
        yield f"| `{label}` | {' '.join(text.split()).rstrip('.')}{shown} |"


def page() -> str:
    """Return the page."""
    app, parts = make_app(), [HEAD]
    for title, names in GROUPS.items():
        parts.append(f"\n## {title}\n")
        for name in names:
            command = app[name]
            about = inspect.cleandoc(command.default_command.__doc__).split("\n\n")[0]
            parts.append(
                f"\n### tafl {name}\n\n{' '.join(about.split())}\n\n    {EXAMPLES[name]}\n"
            )
            if rows := list(options(command)):
                parts.append("\n| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n")
    return "".join(parts)


if __name__ == "__main__":
    with replacing(PAGE) as file:
        file.write(page())
