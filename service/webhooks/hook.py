"""What the creator of a match asks to be told, and where."""

from __future__ import annotations

from typing import Final, NamedTuple

EVENTS: Final = ("match_started", "your_turn", "deal_ended", "match_ended")
"""What can be told. To add one is compatible: those who named theirs get no other."""


class Webhook(NamedTuple):
    """Where to tell what. Neither the address nor the secret is ever shown.

    Attributes:
        url: the address of the receiver.
        secret: signs the messages: `whsec_` and base 64, after Standard Webhooks.
        events: what is told.
    """

    url: str
    secret: str
    events: tuple[str, ...] = EVENTS
