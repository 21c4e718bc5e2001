"""Find out how many symmetric boards pay: Sim, which has 720, after equal times of learning.

More boards learn more from each position, and fewer positions fit into the time. Measured is the
share of right moves in positions where a move can be wrong, by exhaustive search; the settings are
those that any game gets. report.py writes docs/science/symmetries.md.
"""
