"""The paper's results made anew: every run stored, every number and picture from stored runs."""
