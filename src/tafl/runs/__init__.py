"""Runs: their folders and checkpoints, trained agents, comparing and exporting."""
