"""Right moves of trained agents in solved positions, with and without FARL."""
