"""The methods of a game that run compiled, with the names of their arguments after self.

Kernels know `moves` as `list_moves`: there are games with a parameter called `moves`.
"""

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
}


def written(name: str) -> str:
    """Return the name of a method as the author of a game writes it."""
    return "moves" if name == "list_moves" else name
