"""Settings of a run, presets, and what kernels take from them."""
