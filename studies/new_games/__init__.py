"""Measure how strong the games beyond the paper become with default settings.

A training is a measurement of its time; contests of its agent are measurements of win rates and
scores. report.py writes docs/science/new_games.md, and a part of each game's page.
"""
