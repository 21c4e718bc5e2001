"""Find out why some seeds of Nim3P are weak: trained tables beside exact values.

The n-tuples of Nim3P cover all heaps, so a trained agent is a table, and what TD converges to can
be computed without sampling (exact.py). report.py writes docs/science/nim3p.md.
"""
