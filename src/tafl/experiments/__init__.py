"""Experiments: settings and presets, the run folder, checkpoints, and the training loop."""
