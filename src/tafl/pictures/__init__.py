"""Pictures and charts of learning curves, tournaments and sweeps."""
