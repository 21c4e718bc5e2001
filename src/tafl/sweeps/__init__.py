"""Sweeps: many settings tried, the best ones confirmed with fresh seeds, and what mattered."""
