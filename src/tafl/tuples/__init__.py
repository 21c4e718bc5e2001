"""Sets of n-tuples: lists of cells whose values together index a table of weights.

fixed("connectfour-1", facts)             one of the sets the paper's authors drew once and kept
random_walk(facts, 25, 6, seed=1)         cells that hang together on the board
random_points(facts, 25, 6, seed=1)       any cells
lines(facts, 8)                           the lines of the game, with cells around them
checked([[0, 1], [1, 2]], facts)          a set of your own
"""

from tafl.tuples.drawn import random_points, random_walk
from tafl.tuples.fixed import checked, fixed, names
from tafl.tuples.lines import lines

__all__ = ["checked", "fixed", "lines", "names", "random_points", "random_walk"]
