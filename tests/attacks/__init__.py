"""Attacks on everything around training: each is a function that makes one try from a seed.

It returns OK, or what went wrong.

    kills.py      commands that are killed: kill -9 and again, processes left behind
    damage.py     files with a bit flipped, or cut short
    lines.py      words of command lines and of agents mixed up
    hostile.py    files made to be run, to fill memory or to break a parser
    speech.py     boards and engines of GTP, and steps of Gymnasium
    painted.py    text that a terminal would obey
"""

OK = "ok"
