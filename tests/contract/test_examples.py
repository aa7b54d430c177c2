"""The examples of the contract are what the service answers."""

from __future__ import annotations

from tests.contract.record_examples import PATH, recorded
from tests.contract.stage import stage


def test_every_example_is_answered_again_to_the_last_byte(store_url: str) -> None:
    with stage(store_url) as on:
        assert recorded(on) == PATH.read_text("utf-8"), "the examples have changed: run `make openapi`"
