"""Settings of a run, presets, and what kernels take from them."""

# The presets; each game has some of them, in files presets/GAME.PRESET.toml.
PRESETS = {
    "paper": "the paper's appendix",
    "as-run": "what its authors ran",
    "usual": "where the paper has none, and default settings learn poorly",
    "large": "as usual, for a larger board",
    "best": "the strongest that we found",
}
