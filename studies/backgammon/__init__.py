"""n-tuples for Backgammon and Hypergammon, and search, against a hand-written player."""
