"""Solve Rubik's cube: how often, how short, and how fast beams around trained agents are.

Of 2x2x2 all positions are as likely, and solutions are compared with the shortest ones. Of 3x3x3
positions are some random quarter turns from the goal. report.py writes docs/science/puzzles.md.
"""
