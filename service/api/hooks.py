"""Webhooks in the contract: who may ask for one, and what they are told, which `webhooks.messages` makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import current_app
from marshmallow import Schema

from ..errors import Refusal
from ..webhooks.addresses import fault_of
from ..webhooks.hook import EVENTS, Webhook
from . import shapes
from .described import Json
from .fields import Metadata
from .incoming import JSON
from .shapes import Open

_HEADERS: Final[Mapping[str, str]] = {
    "webhook-id": "Names the message, in the same way at every attempt: what you have taken once, take no second time.",
    "webhook-timestamp": "When this attempt was made, in seconds of Unix time.",
    "webhook-signature": "`v1,` and the signature in base 64, after Standard Webhooks.",
}


class _About(Open):
    match_id = shapes.text("The match.")
    version = shapes.number("The number of the event in the match's log.")
    metadata = Metadata("What your application noted beside the match; left out if that is nothing.")


class PlayerAtStart(Open):
    """Somebody at the table when the match starts."""

    seat = shapes.number("Their seat.")
    name = shapes.text("Their name.")
    kind = shapes.text("What they are.", known=("human", "bot"))
    metadata = Metadata("What it noted beside them; left out if that is nothing.")


class MatchStarted(_About):
    """A match that has started."""

    name = shapes.text("What it is called.")
    players = shapes.many(shapes.one(PlayerAtStart, "A player."), "Who plays, by seat.")


class YourTurn(_About):
    """A turn that has begun."""

    deal = shapes.number("The number of the deal.")
    seat = shapes.number("Whose turn it is.")
    name = shapes.text("Their name.")
    player_metadata = Metadata("What it noted beside them; left out if that is nothing.")
    deadline = shapes.time("When the turn runs out; null without a clock.", nullable=True)


class EndedDeal(_About):
    """A deal that is over."""

    deal = shapes.number("The number of the deal.")
    reason = shapes.text("How it ended.", known=("went_out", "stock_out"))
    winners = shapes.seats("Who won.")
    points = shapes.many(shapes.number("Points."), "What each seat scores for the deal.")


class EndedMatch(_About):
    """A match that is over."""

    status = shapes.text("How it ended.", known=("finished", "abandoned"))
    totals = shapes.many(shapes.number("Points."), "The points of each seat in all deals; the lowest total wins.")
    winners = shapes.seats("Who won; nobody, if it was abandoned.")


_ABOUT: Final[Mapping[str, tuple[type[Schema], str, str]]] = {
    "match_started": (MatchStarted, "A match has started", "Every seat is taken, and the cards are dealt."),
    "your_turn": (
        YourTurn,
        "It is somebody's turn",
        "Sent for those who play themselves, not for bots or those in whose place a bot plays: wake their device.",
    ),
    "deal_ended": (EndedDeal, "A deal is over", "The next begins at once, unless the match is over."),
    "match_ended": (EndedMatch, "A match is over", "The last deal is over, or the match was abandoned."),
}
assert tuple(_ABOUT) == EVENTS


def _message(kind: str) -> type[Schema]:
    data, summary, _ = _ABOUT[kind]
    members: dict[str, Any] = {
        "__doc__": f"{summary}.",
        "type": shapes.text(f"Always `{kind}`."),
        "timestamp": shapes.time("When it happened."),
        "data": shapes.one(data, "What happened."),
    }
    return type(f"{data.__name__}Message", (Open,), members)


MESSAGES: Final[Mapping[str, type[Schema]]] = {kind: _message(kind) for kind in EVENTS}


def asked_webhook(asked: Mapping[str, Any] | None, app: str | None) -> Webhook | None:
    """Give the webhook that the creator of a match asks for.

    Args:
        asked: the member `webhook` of the request, if it has one.
        app: the name of the application that asks; None where no app key is asked for.

    Raises:
        Refusal: `app_key_required`, or `invalid_body` for a receiver that must not be reached.
    """
    if asked is None:
        return None
    if app is None:
        raise Refusal("app_key_required", "A webhook takes an app key in X-API-Key, and this service has none set.")
    if not current_app.config["WEBHOOKS_ALLOW_PRIVATE"] and (fault := fault_of(asked["url"])):
        errors = [{"pointer": "/webhook/url", "detail": fault}]
        raise Refusal("invalid_body", "The body does not fit the contract.", errors=errors)
    return Webhook(asked["url"], asked["secret"], tuple(asked["events"]))


def webhooks(examples: Json) -> Json:
    """Describe the webhooks, as OpenAPI does; their schemas must be among the components.

    Args:
        examples: a recorded message of each kind.
    """
    return {kind: {"post": _described(kind, examples.get(kind))} for kind in EVENTS}


def _described(kind: str, example: Json | None) -> Json:
    data, summary, description = _ABOUT[kind]
    content: Json = {"schema": {"$ref": f"#/components/schemas/{MESSAGES[kind].__name__}"}}
    if example is not None:
        content["examples"] = {kind: example}
    return {
        "operationId": f"tell{data.__name__}",
        "tags": ["webhooks"],
        "summary": summary,
        "description": description,
        "security": [],
        "parameters": [
            {"name": name, "in": "header", "required": True, "description": meaning, "schema": {"type": "string"}}
            for name, meaning in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": {JSON: content}},
        "responses": {
            "2XX": {"description": "You have taken it."},
            "410": {"description": "You want to hear no more of this match."},
            "default": {"description": "The message is sent again later. Redirects are not followed."},
        },
    }
