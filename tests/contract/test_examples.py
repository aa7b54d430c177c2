"""The examples of the contract are what the service answers, and what the contract says of it."""

from __future__ import annotations

from email import message_from_string

from tests.client import Reply
from tests.contract.checking import check, operations
from tests.contract.record_examples import PATH, recorded
from tests.contract.stage import stage


def test_every_example_is_answered_again_to_the_last_byte_and_is_as_the_contract_says(store_url: str) -> None:
    with stage(store_url) as on:
        recorder = recorded(on)

    assert recorder.text() == PATH.read_text("utf-8"), "the examples have changed: run `make openapi`"
    by_name = operations()
    for name, answer in recorder.answers:
        check(by_name[name], Reply(answer.status_code, message_from_string(str(answer.headers)), answer.data))
