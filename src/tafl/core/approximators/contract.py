"""The contract of an approximator: a NamedTuple class marked with @approximator.

Learners know of a state only its *code*, a row of `code_size()` uint32 numbers; by default the
cells that a player sees. V(s) = sigma(nu) of a code is the approximator's own business. All that it
learns is one field, `weights`: float32 numbers, which checkpoints and files of agents store. These
methods are scalar, allocate nothing, and run compiled; `p` is the player whose values are meant:

    activation(work, p, code)       nu of a code that `keep_code` has made
    change(work, p, k, alpha, delta, slope)     one step of the weights that nu of trace k depends
                                    on: nu should grow by about alpha * delta * slope

and these are optional:

    encode(game, s, p, code)        the code of a state as player p sees it
    encode_candidates(game, work, p, first, end)    codes of candidates: work.afters -> work.codes
    encode_next(game, work, i)      work.now, the code of the state that chance made of candidate i
    activate(work, p, first, end)   nu of candidates: work.codes -> work.activations; the code of
                                    the state before them is work.now
    keep_code(p, code, out)         a code as it is kept until it learns
    recall(work, p, k, code, rng)   nu of a code kept earlier; writes what `change` needs into
                                    work.trace[p, k], and how many numbers that are to work.counts
    squash(nu), slope(v)            sigma, and sigma'(nu) where sigma(nu) = v: tanh
    looks_ahead()                   should candidates be encoded before the last state learns?
    explain(work, p, a, out)        what each number of the code of candidate 0 adds to nu, for
                                    people

With SARSA and Q-learning there is a nu for each action of the state work.now:

    rates_actions()                 is that so?
    q_activation(work, p, a)        nu of an action
    keep_choice(p, a, code, out)    a code and an action as they are kept

These run as plain Python:

    code_size()                     how many numbers a code has
    make_memory()                   scratch memory, `work.memory`: an array or a NamedTuple of them
    plain()                         itself without what only learning needs

@approximator(learns_by=...) names what else it is able to do (ABILITIES); settings refuse the rest.
"""

from typing import Any

import numpy as np

from tafl.core.approximators.sigma import slope_at, squashed
from tafl.core.compile import inline

REQUIRED = ("code_size", "activation", "change")

# What settings may ask for, and how a refusal calls it.
ABILITIES = {
    "traces": "td.lambda above 0",
    "actions": "algo = sarsa or q",
    "coherence": "temporal coherence",
    "cuda": "device = cuda",
}


@inline
def copy_code(code, out):
    """Copy a code."""
    for k in range(code.size):
        out[k] = code[k]


def encode(self, game, s, p, code):
    """Write the cells that player p sees."""
    for c in range(code.size):
        code[c] = game.sees(s, p, c) if game.hides(s) else game.input(s, c)


def encode_candidates(self, game, work, p, first, end):
    """Encode each candidate by itself."""
    for i in range(first, end):
        self.encode(game, work.afters[i], p, work.codes[i])


def encode_next(self, game, work, i):
    """Encode the state for the player to move."""
    self.encode(game, work.state, game.player(work.state), work.now)


def activate(self, work, p, first, end):
    """Activate each candidate by itself."""
    for i in range(first, end):
        work.activations[i] = self.activation(work, p, work.codes[i])


def keep_code(self, p, code, out):
    """Copy a code."""
    copy_code(code, out)


def recall(self, work, p, k, code, rng):
    """Keep the code itself as what `change` needs, and return nu."""
    copy_code(code, work.trace[p, k])
    work.counts[p, k] = code.size
    return self.activation(work, p, code)


def squash(self, nu):
    """Return tanh(nu)."""
    return squashed(False, nu)


def slope(self, v):
    """Return the slope of tanh."""
    return slope_at(False, v)


def looks_ahead(self):
    """Return False."""
    return False


def explain(self, work, p, a, out):
    """Write nothing."""


def rates_actions(self):
    """Return False: nu is of states."""
    return False


def q_activation(self, work, p, a):
    """Return 0: there is no nu of actions."""
    return np.float32(0)


def keep_choice(self, p, a, code, out):
    """Copy a code."""
    copy_code(code, out)


def make_memory(self) -> Any:
    """Return no memory."""
    return np.zeros(0, np.float32)


def plain(self) -> Any:
    """Return the network itself."""
    return self


OPTIONAL = (
    *(encode, encode_candidates, encode_next, activate, keep_code, recall, squash, slope),
    *(looks_ahead, explain, rates_actions, q_activation, keep_choice),
    *(make_memory, plain),
)


def approximator(kind: Any = None, *, learns_by: Any = (), learning: Any = None) -> Any:
    """Mark a class of approximators, and complete it with defaults.

    `learns_by` names abilities, and `learning` has settings of [td] that are usual for it.
    """
    if kind is None:
        return lambda kind: approximator(kind, learns_by=learns_by, learning=learning)
    name = kind.__name__
    if "weights" not in getattr(kind, "_fields", ()):
        raise TypeError(f"{name} must be a NamedTuple with a field weights")
    missing = [method for method in REQUIRED if not callable(getattr(kind, method, None))]
    if missing:
        needed = ", ".join(REQUIRED)
        raise TypeError(f"{name} has no method {missing[0]}(); an approximator needs {needed}")
    for default in OPTIONAL:
        if not hasattr(kind, default.__name__):
            setattr(kind, default.__name__, default)
    if strange := sorted(set(learns_by) - set(ABILITIES)):
        known = ", ".join(ABILITIES)
        raise TypeError(f"{name} learns_by {strange[0]}, which is not one of {known}")
    if "width" not in kind._fields:
        kind.width = 1  # numbers that learning keeps for each weight
    kind.learns_by, kind.learning = frozenset(learns_by), dict(learning or {})
    kind.is_approximator = True
    return kind
