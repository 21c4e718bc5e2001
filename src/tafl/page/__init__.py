"""A game as a page: rules, agents, search and training as WebAssembly in one HTML file."""
