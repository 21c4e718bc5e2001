"""The methods of a game that run compiled, with the names of their arguments after self."""

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
    "outcomes": ("state",),
    "outcome": ("state", "i"),
    "sees": ("state", "player", "c"),
    "redeal": ("state", "player", "rng"),
    "hides": ("state",),
}
