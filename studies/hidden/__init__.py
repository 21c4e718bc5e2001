"""Measure what FARL and n-tuples do to regret matching, in games with hidden information.

Each agent is judged by NashConv, the exact gain of best responses, summed over all players. All
games are learned with `algo = "regret"` with its default settings; ten seeds each, none of which
was used to choose a setting.

    subjects.py    games, ways to learn, seeds
    run.py         trains and measures
    report.py      docs/science/hidden.md; page.md: its words
"""
