"""Search at play time: what it adds to trained agents, and what it costs."""
