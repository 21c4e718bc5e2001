"""A block of threads in plain Python, of which one runs at a time, until it waits for others.

Between two barriers one order of the threads is as good as any other on a GPU. Where a barrier is
missing, a thread reads what another has, or has not yet, written: the order makes a difference.
Memory begins with garbage, as there.
"""

import threading
from collections.abc import Callable, Iterable
from types import SimpleNamespace

import numpy as np

from tafl.core.compile import thread_block as block
from tafl.core.compile.translate import Copies

Order = Callable[[Iterable[int]], list[int]]


class Block:
    """Threads in warps of `lanes`; `order` says who goes first. Is it `alone` with its tables?"""

    def __init__(self, threads: int, lanes: int, order: Order, alone: bool = True):
        self.threads, self.lanes, self.order, self.alone = threads, lanes, order, alone
        self.my = threading.local()
        self.turns = [threading.Semaphore(0) for _ in range(threads)]
        self.back = threading.Semaphore(0)
        self.waiting: list[str] = []  # for what each thread waits: "", barrier, warp or end
        self.votes: list = [None] * threads
        self.arrays: dict[int, np.ndarray] = {}  # that the threads share
        self.error: BaseException | None = None

    def run(self, function: Callable, *arguments) -> None:
        """All threads run a function to its end."""
        copy = Copies(self.words(), device=self.device()).copy(function)
        self.waiting = [""] * self.threads
        workers = [
            threading.Thread(target=self.work, args=(t, copy, arguments), daemon=True)
            for t in range(self.threads)
        ]
        for worker in workers:
            worker.start()
        while any(w != "end" for w in self.waiting):
            ready = [t for t in range(self.threads) if not self.waiting[t]]
            assert ready, "threads wait for each other at different places"
            for t in self.order(ready):
                self.turns[t].release()
                self.back.acquire()
                if self.error is not None:
                    raise self.error
            self.let_go()

    def work(self, t: int, function: Callable, arguments: tuple) -> None:
        self.my.thread, self.my.asked = t, 0
        self.turns[t].acquire()
        try:
            with np.errstate(over="ignore"):
                function(*arguments)
        except BaseException as error:  # to be raised in the thread that waits
            self.error = error
        self.waiting[t] = "end"
        self.back.release()

    def let_go(self) -> None:
        """Threads that waited for each other go on once all of them are there."""
        if all(w == "barrier" for w in self.waiting):
            self.waiting = [""] * self.threads
        for first in range(0, self.threads, self.lanes):
            warp = slice(first, first + self.lanes)
            if all(w == "warp" for w in self.waiting[warp]):
                self.waiting[warp] = [""] * self.lanes

    def wait(self, what: str) -> None:
        t = self.my.thread
        self.waiting[t] = what
        self.back.release()
        self.turns[t].acquire()

    def of_warp(self, vote) -> list:
        """What all lanes of a warp say."""
        t = self.my.thread
        self.votes[t] = vote
        self.wait("warp")
        first = t - t % self.lanes
        votes = self.votes[first : first + self.lanes]
        self.wait("warp")  # nobody votes again before all have read
        return votes

    def put_part(self, parts, x) -> None:
        x = self.warp_sum(x)
        if self.my.thread % self.lanes == 0:
            parts[self.my.thread // self.lanes] = x

    def add_parts(self, parts):
        return parts[: self.threads // self.lanes].sum()

    def warp_sum(self, x):
        return np.float32(sum(self.of_warp(x)))

    def block_sum(self, x):
        parts = self.arrays.setdefault(-1, garbage(block.MOST_WARPS, np.float32))
        self.put_part(parts, x)
        self.wait("barrier")
        return self.add_parts(parts)

    def shared_array(self, shape, dtype):
        """The array that all threads share: they ask for theirs in the same order."""
        number, self.my.asked = self.my.asked, self.my.asked + 1
        return self.arrays.setdefault(number, garbage(shape, dtype))

    def device(self) -> SimpleNamespace:
        shared, local = SimpleNamespace(array=self.shared_array), SimpleNamespace(array=garbage)
        return SimpleNamespace(shared=shared, local=local)

    def words(self) -> dict:
        """What stands for the words of `core/compile/thread_block.py`."""
        my, lanes = self.my, self.lanes
        given = {
            "thread": lambda: my.thread,
            "threads": lambda: self.threads,
            "lane": lambda: my.thread % lanes,
            "lanes": lambda: lanes,
            "warp": lambda: my.thread // lanes,
            "warps": lambda: self.threads // lanes,
            "barrier": lambda: self.wait("barrier"),
            "ballot": lambda vote: sum(int(v) << i for i, v in enumerate(self.of_warp(vote))),
            "warp_sum": self.warp_sum,
            "put_part": self.put_part,
            "add_parts": self.add_parts,
            "block_sum": self.block_sum,
            "alone": lambda: self.alone,
        }
        return {getattr(block, name): body for name, body in given.items()}


def garbage(shape, dtype) -> np.ndarray:
    """Memory that nobody has written to."""
    return np.full(shape, 1 if dtype == np.bool_ else 0x5A5A5A5A, dtype)


def backwards(threads: Iterable[int]) -> list[int]:
    """The last thread first."""
    return sorted(threads, reverse=True)
