"""Random streams of a run, or a sweep: one for each purpose; close seeds are not related."""

import numpy as np

TRAINING, TUPLES, EVALUATION, POINTS, WEIGHTS = range(5)


def stream(seed: int, purpose: int, number: int = 0) -> np.ndarray:
    """Return a generator for kernels (core/random.py), for example of a numbered thread."""
    return _sequence(seed, purpose, number).generate_state(1, np.uint64)


def derived(seed: int, purpose: int, number: int = 0) -> int:
    """Return a seed for another purpose, for example an evaluation after a number of episodes."""
    return int(_sequence(seed, purpose, number).generate_state(1, np.uint32)[0])


def _sequence(seed: int, purpose: int, number: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(purpose, number))
