"""Training: plans, the learning loop, progress, signals, and several runs side by side."""
