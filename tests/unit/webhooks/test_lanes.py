"""Receivers do not hold each other up, and one that fails holds hardly anything."""

from __future__ import annotations

import gevent
import pytest
from gevent.event import Event

from service.webhooks import lanes
from service.webhooks.lanes import AT_ONCE, NARROW, WAITING, WIDE, Lanes
from service.webhooks.messages import Message


class Road:
    """Lanes whose receivers answer in waves, or hang, and may fail."""

    def __init__(self, *, failing: bool = False) -> None:
        self.failing = failing
        self.sent: list[str] = []
        self.sending = 0
        self.lanes = Lanes(self.attempt)
        self._wave = Event()

    def attempt(self, message: Message) -> bool:
        self.sending += 1
        (Event() if message.url == "hangs" else self._wave).wait()
        self.sending -= 1
        self.sent.append(message.url)
        return not self.failing

    def enter(self, name: str, count: int, seconds: float = 10) -> None:
        for number in range(count):
            self.lanes.enter(name, Message(f"msg_{number}", "match", "your_turn", "{}", name, ""), seconds)
        gevent.sleep(0.01)

    def answer(self) -> int:
        """Let all answer that are being sent to, and tell how many that were."""
        now = self.sending
        wave, self._wave = self._wave, Event()
        wave.set()
        gevent.sleep(0.01)
        return now

    def waves(self) -> list[int]:
        """Let all answer until nothing is sent any more, and tell how many each time."""
        found = []
        while self.sending:
            found.append(self.answer())
        return found


def test_a_receiver_gets_so_many_at_once_and_the_others_wait_their_turn() -> None:
    road = Road()
    road.enter("app", WIDE + 10)
    assert road.lanes.room == AT_ONCE - WIDE - 10
    assert road.waves() == [WIDE, 10]
    assert road.lanes.room == AT_ONCE


def test_who_fails_gets_fewer_and_fewer_at_once_until_it_takes_something() -> None:
    road = Road(failing=True)
    road.enter("app", WIDE + 10)
    assert road.waves() == [WIDE, NARROW, NARROW, NARROW, NARROW, NARROW]
    road.enter("app", 100)
    assert sum(road.waves()) == WAITING * NARROW

    road.failing = False
    road.enter("app", 2 * NARROW)
    road.waves()
    road.enter("app", WIDE)
    assert road.waves() == [WIDE]


def test_one_failure_halves_a_lane() -> None:
    road = Road(failing=True)
    road.enter("app", 1)
    road.waves()
    road.enter("app", WIDE)
    assert road.answer() == WIDE // 2


def test_hanging_receivers_hold_no_other_up() -> None:
    road = Road()
    road.enter("hangs", 2 * WAITING * WIDE)
    assert road.lanes.room == AT_ONCE - WAITING * WIDE
    road.enter("app", 10)
    road.answer()
    assert road.sent == ["app"] * 10
    road.lanes.finish(0.01)
    assert road.sent == ["app"] * 10


@pytest.mark.parametrize("seconds,sent", [(0.0, 0), (10.0, 1)])
def test_what_has_waited_too_long_is_left(seconds: float, sent: int) -> None:
    road = Road()
    road.enter("app", 1, seconds)
    road.answer()
    assert (len(road.sent), road.lanes.room) == (sent, AT_ONCE)


def test_of_receivers_without_number_only_some_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "REMEMBERED", 20)
    several = Lanes(lambda _: False)
    for number in range(100):
        several.enter(f"https://{number}.example", Message(f"msg_{number}", "match", "your_turn", "{}", "", ""), 5)
        gevent.sleep(0)
    assert len(several._lanes) <= 21
