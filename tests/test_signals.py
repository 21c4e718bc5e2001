"""The one state machine of signals: requests, policies and what was before them."""

import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from tafl import signals
from tafl.cli.interrupts import Interrupted, Interrupts
from tafl.signals import LISTENER, Policy
from tafl.training.stop import StopSignal


@pytest.fixture(autouse=True)
def new_requests(monkeypatch):
    """No signal of a test before counts."""
    monkeypatch.setattr(LISTENER, "answered", -1e9)
    monkeypatch.setattr(LISTENER, "last_resort", None)


class Noting(Policy):
    """Notes all requests."""

    def __init__(self):
        super().__init__()
        self.noted = []

    def answer(self, number):
        self.noted.append(number)


def test_a_request_is_one_however_often_its_signal_comes(monkeypatch):
    with Noting() as policy:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        assert policy.noted == [signal.SIGTERM]
        monkeypatch.setattr(signals, "ONE_REQUEST", 0.0)
        signal.raise_signal(signal.SIGINT)
    assert policy.noted == [signal.SIGTERM, signal.SIGINT]


def test_the_second_signal_of_a_request_that_training_has_noted_ends_nothing():
    with Interrupts():
        with StopSignal() as stop:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
        assert stop.number == signal.SIGTERM
        LISTENER.answered -= signals.ONE_REQUEST
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)


def test_what_fails_after_a_signal_was_lost_is_not_seen():
    """LLVM calls back where no exception gets through, and finds nothing compiled then."""
    with StopSignal() as stop:
        with stop.at_once:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            raise RuntimeError("no compiled object yet")
        assert stop.number == signal.SIGINT
    with StopSignal() as stop, pytest.raises(RuntimeError), stop.at_once:
        raise RuntimeError("its own fault")


def test_what_was_before_is_again():
    before = [signal.getsignal(number) for number in signals.REQUESTS], signal.set_wakeup_fd(-1)
    with StopSignal(), StopSignal() as stop:
        signal.raise_signal(signal.SIGINT)
    assert stop.number == signal.SIGINT
    assert before == (
        [signal.getsignal(number) for number in signals.REQUESTS],
        signal.set_wakeup_fd(-1),
    )
    assert LISTENER.policies == []


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with Noting() as policy:
            signal.raise_signal(signal.SIGTERM)
            assert policy.noted == []
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_in_another_thread_a_policy_is_idle():
    def enter():
        with Noting():
            assert LISTENER.policies == []

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()


@pytest.mark.parametrize(("patience", "ended"), [(0.1, [signal.SIGTERM]), (None, [])])
def test_a_request_that_no_handler_gets_has_a_last_resort(patience, ended, monkeypatch):
    """Only where a policy is impatient; a C library may keep Python from calling the handler."""
    found = []
    monkeypatch.setattr(signals, "ONE_REQUEST", 0.0)
    monkeypatch.setattr(LISTENER, "last_resort", found.append)
    monkeypatch.setattr(Noting, "patience", patience)
    with Noting() as policy:
        os.write(signal.set_wakeup_fd(-1), bytes([signal.SIGTERM]))  # as if it were unanswered
        time.sleep(0.5)
    assert (found, policy.noted) == (ended, [])
