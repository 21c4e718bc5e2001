"""Compare approximators: n-tuples, n-tuples of lines, single cells, and neural networks.

Each learns ten games, with FARL and without it, for an equal processor time and for an equal number
of episodes. plan.py says what is trained, run.py trains and measures, and report.py writes
docs/science/approximators.md. positions.py made the solved positions of ConnectFour in
positions.jsonl, which were not used to choose any setting.
"""
