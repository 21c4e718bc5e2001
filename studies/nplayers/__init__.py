"""N players: which n-tuples, seats and searches make agents strong with three and more players."""
