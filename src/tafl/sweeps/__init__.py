"""Sweeps: many settings are tried, and the best ones confirmed with fresh seeds."""
