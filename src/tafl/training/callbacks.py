"""Your own code in a training: called after each evaluation and each checkpoint."""

from collections.abc import Sequence

from tafl.errors import InputError
from tafl.runs.run import Run
from tafl.settings.tables import Fields
from tafl.training.progress import Progress

METHODS = ("on_evaluation", "on_checkpoint")


class Callback:
    """Code that a training calls, in its own process; derive from it and override a method.

    An exception ends the training; the run can be resumed from its last checkpoint.

    >>> import tafl, tempfile
    >>> class Last(tafl.Callback):
    ...     def on_checkpoint(self, run, episode):
    ...         print(run.settings.game.partition("(")[0], episode)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=folder, callbacks=[Last()])
    nim 100
    """

    def on_evaluation(self, run: Run, evaluation: Fields) -> None:
        """Take an evaluation, as it is in `run.metrics`: its episode, its results and so on."""

    def on_checkpoint(self, run: Run, episode: int) -> None:
        """Take a checkpoint; the agent of `tafl.Run.open(run.path)` is that of this episode."""


class CallbackProgress(Progress):
    """Passes evaluations and checkpoints on to callbacks."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        for one in callbacks:
            if not all(callable(getattr(one, name, None)) for name in METHODS):
                raise InputError(
                    f"a callback must be a tafl.Callback, with {' and '.join(METHODS)}, not {one!r}"
                )
        self.callbacks = list(callbacks)

    def evaluated(self, run: Run, line: Fields) -> None:
        """Pass an evaluation on."""
        for one in self.callbacks:
            one.on_evaluation(run, line)

    def saved(self, run: Run, episode: int) -> None:
        """Pass a checkpoint on."""
        for one in self.callbacks:
            one.on_checkpoint(run, episode)
