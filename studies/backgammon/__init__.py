"""n-tuples for Backgammon and Hypergammon, and search around them, against a player by hand."""
