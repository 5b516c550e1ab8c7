"""Threads: every share is done, on whichever thread, and exceptions are passed on."""

import os
import threading

import pytest

from solvers.kind import PuzzleError
from solvers.threads import VARIABLE, Threads, read_setting


def test_the_number_is_what_the_environment_says(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert read_setting() == len(os.sched_getaffinity(0))
    monkeypatch.setenv(VARIABLE, "3")
    assert read_setting() == 3


@pytest.mark.parametrize("text", ["many", "-1", "0", "65", "1.5", "²"])
def test_an_invalid_number_of_threads_is_named(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(PuzzleError, match=f"{VARIABLE} must be .*“{text}”"):
        read_setting()


def test_shares_are_done_at_the_same_time_and_come_back_in_order():
    together = threading.Barrier(3, timeout=10)

    def task(share: int) -> tuple[int, int]:
        together.wait()
        return share, threading.get_ident()

    with Threads(3) as threads:
        results = threads.map(task, [5, 6, 7])
    assert [share for share, _ in results] == [5, 6, 7]
    assert len({thread for _, thread in results}) == 3


def test_one_thread_starts_no_other():
    with Threads(1) as threads:
        idents = threads.map(lambda share: threading.get_ident(), range(4))
    assert set(idents) == {threading.get_ident()}


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_a_fault_comes_through_when_all_are_done(bad):
    done = []

    def task(share: int) -> None:
        if share == bad:
            raise ZeroDivisionError
        done.append(share)

    with Threads(3) as threads, pytest.raises(ZeroDivisionError):
        threads.map(task, range(3))
    assert sorted(done) == sorted({0, 1, 2} - {bad})
