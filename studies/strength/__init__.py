"""Strength of engines, gain by search, and speed of search."""
