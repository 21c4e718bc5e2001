"""The methods that run compiled, with the names of their arguments after self.

Those of a game (core/games/rules.py), then those of an approximator
(core/approximators/contract.py).
Kernels know `moves` as `list_moves`: there are games with a parameter called `moves`.
"""

from collections.abc import Callable

METHODS = {
    "start": ("state",),
    "player": ("state",),
    "legal": ("state", "action"),
    "play": ("state", "action"),
    "chance": ("state", "rng"),
    "over": ("state",),
    "score": ("state", "player"),
    "cell": ("state", "c"),
    "input": ("state", "c"),
    "changed": ("before", "after"),
    "legal_mask": ("state",),
    "list_moves": ("state", "out"),
    "outcomes": ("state",),
    "outcome": ("state", "i"),
    "sees": ("state", "player", "c"),
    "redeal": ("state", "player", "rng"),
    "hides": ("state",),
    "rotates": ("state",),
    "scramble": ("state", "moves", "rng"),
}

APPROXIMATOR_METHODS = {
    "encode": ("game", "state", "player", "code"),
    "encode_candidates": ("game", "work", "player", "first", "end"),
    "encode_next": ("game", "work", "i"),
    "activate": ("work", "player", "first", "end"),
    "activation": ("work", "player", "code"),
    "keep_code": ("player", "code", "out"),
    "recall": ("work", "player", "k", "code", "rng"),
    "change": ("work", "player", "k", "alpha", "delta", "slope"),
    "squash": ("nu",),
    "slope": ("value",),
    "looks_ahead": (),
    "explain": ("work", "player", "action", "out"),
    "rates_actions": (),
    "q_activation": ("work", "player", "action"),
    "keep_choice": ("player", "action", "code", "out"),
}


def written(name: str) -> str:
    """Return the name of a method as the author of a game writes it."""
    return "moves" if name == "list_moves" else name


def overload_of(name: str, arguments: tuple[str, ...], method: Callable) -> Callable:
    """Return a function of these arguments that gives `method` the class of the first one.

    A compiler asks it which function `net.name(...)` is; it reads the number of arguments.
    """
    known = {"method": method}
    taken = ", ".join(("self", *arguments))
    made: Callable = eval(f"lambda {taken}: method(getattr(self.instance_class, {name!r}))", known)
    return made
