"""States as kernels handle them: rows of words that are copied and compared."""

from tafl.core.compile import inline


@inline
def copy_state(s, to):
    """Copy the state s to `to`."""
    for j in range(s.size):
        to[j] = s[j]


@inline
def same_state(s, other):
    """Return whether two states are equal."""
    for j in range(s.size):
        if s[j] != other[j]:
            return False
    return True
