"""The names that parameters of a game cannot have, because tafl uses them for something else."""

from types import FunctionType
from typing import Any

from tafl.core.compile.methods import METHODS

# Methods that a class may take over from another, besides those that run compiled.
PLAIN = (
    "facts",
    "draw",
    "board",
    "action_name",
    "sign",
    "position",
    "reached",
    "rotate",
    "validate",
)
RESERVED = {*METHODS, *PLAIN, "quiet", "nothing", "is_rules"}


def refuse_reserved(game_class: Any) -> None:
    """Refuse a parameter with the name of a method, which would hide the method.

    Python makes the method the default of such a parameter. A parameter called `moves` is fine in a
    game without that method.
    """
    defaults = game_class._field_defaults
    for name in game_class._fields:
        if name in RESERVED or isinstance(defaults.get(name), FunctionType):
            said = "the name of a method" if name in {*METHODS, *PLAIN, "moves"} else "reserved"
            raise TypeError(
                f"{game_class.__name__} has a parameter {name}, which is {said}; rename it, for "
                f"example to {name}_count"
            )
