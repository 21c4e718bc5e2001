"""Measure what FARL is worth in many games, and predict it from their rules.

All games are learned with the settings that any game gets, for about a second: with FARL, with
each part alone, and without it. An agent plays naive players, which take the highest
immediate reward, in all roles.

    plan.toml, subjects.py     games, ways to learn, seeds
    run.py                     trains and measures; traits.py, last_mover.py, known.py: from rules
    naive.py, unseen.py        compiled kernels of this study
    stored.py, numbers.py      results.jsonl, and what follows from it
    report.py, tables.py, pictures.py    docs/science/farl.md, farl_details.md
    page.md, details.md        their words
"""
