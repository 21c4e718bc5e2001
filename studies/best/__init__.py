"""The presets `best`: how strong their agents are, and every trial for them."""
