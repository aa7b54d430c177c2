"""What a server knows of outages."""

from __future__ import annotations

from service.outages import SILENCE_MS, Outages

NOW = 1_000_000


def test_a_server_knows_what_the_store_told_it_last() -> None:
    outages = Outages()
    assert outages.until(NOW) == ()
    outages.hear([(1, 2), (3, 4)], NOW)
    assert outages.until(NOW + SILENCE_MS) == [(1, 2), (3, 4)]
    outages.hear([(3, 4)], NOW + 200)
    assert outages.until(NOW + 200) == [(3, 4)]


def test_a_long_silence_of_the_store_is_an_outage_before_the_store_can_tell() -> None:
    outages = Outages()
    outages.hear([(1, 2)], NOW)
    assert outages.until(NOW + 9_000) == [(1, 2), (NOW, NOW + 9_000)]
