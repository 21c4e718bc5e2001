"""n-tuples for Backgammon and Hypergammon, and search around them, against a hand-written player."""
