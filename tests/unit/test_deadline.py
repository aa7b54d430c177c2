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
    def work() -> float:
        deadline.begin(10)
        with deadline.paused():
            time.sleep(0.2)
        return deadline.seconds_left()

    assert 9.9 < copy_context().run(work) <= 10
