"""States as kernels handle them: rows of words that are copied and compared."""

from tafl.core.compile import inline


@inline
def copy_state(s, to):
    """Makes `to` the state s."""
    for j in range(s.size):
        to[j] = s[j]


@inline
def same_state(s, other):
    """Are these the same words?"""
    for j in range(s.size):
        if s[j] != other[j]:
            return False
    return True
