"""The time that is left for a request."""

from __future__ import annotations

import time
from contextvars import copy_context
from math import inf

from service import deadline


def test_outside_of_a_request_there_is_no_end() -> None:
    assert copy_context().run(deadline.seconds_left) == inf


def test_time_runs_from_the_beginning_of_the_work() -> None:
    def work() -> float:
        deadline.begin(5)
        return deadline.seconds_left()

    assert 4 < copy_context().run(work) <= 5
    assert deadline.seconds_left() == inf


def test_time_that_is_not_ours_does_not_count() -> None:
    def work() -> tuple[float, float]:
        began = time.monotonic()
        deadline.begin(10)
        with deadline.Paused():
            paused = time.monotonic()
            time.sleep(0.2)
            resumed = time.monotonic()
        left = deadline.seconds_left()
        ours = (paused - began) + (time.monotonic() - resumed)
        return left, ours

    left, ours = copy_context().run(work)
    assert 10 - ours <= left <= 10
