"""What a client does about each problem: the text that the `type` of a problem document leads to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..errors import Code

ADVICE: Final[Mapping[Code, str]] = {
    "malformed_request": "The server could not read the request as HTTP. Mend the client or the proxy in between.",
    "malformed_json": "The body is not JSON in UTF-8. `detail` says where the reading failed.",
    "idempotency_key_invalid": "Send 1 to 255 printable ASCII characters; at least 22, such as a random UUID, to "
    "create or join.",
    "token_required": "Send `Authorization: Bearer TOKEN` with the token from creating or joining.",
    "token_invalid": "The token or ticket is misspelt, or died when its seat was freed. Take it away, or join anew.",
    "not_your_match": "A token is good for one match: send the one that this match gave.",
    "not_your_seat": "This is for the player of the seat. A host who does not play has none, and follows the match "
    "with the token itself, or without one.",
    "host_only": "Send the token of the match's creator, or of the player who became host when the creator left.",
    "join_code_wrong": "Send `join_code`: ask the creator of this private match for its join code.",
    "app_key_required": "Send your key in `X-API-Key`: this service lets only known applications create matches, and "
    "only the one that created a match give its players new tokens.",
    "not_found": "Compare the path with those on this page.",
    "match_not_found": "The id is misspelt, or the match was forgotten after a time without changes.",
    "deal_not_found": "Deals are numbered from 1, up to the one being played.",
    "position_not_found": "`detail` says how many moves the deal had; the positions are 0 to this number.",
    "join_code_unknown": "Compare the code with what you were given. It is good until its match starts, ends or "
    "expires.",
    "seat_not_found": "Seats are numbered from 0; one that is to be freed must be taken.",
    "method_not_allowed": "The header `Allow` lists the methods that this path knows.",
    "not_acceptable": "Ask for the media type that `detail` names, or send no `Accept`.",
    "bot_plays": "The player has left, or did not move in time: `POST …/return` takes the seat back.",
    "not_your_turn": "Wait until `deal.turn_seat` is your seat. If two of your requests crossed, the first one "
    "counted.",
    "illegal_move": "Show `detail` to the player. `rule` names the clause, `option` the house rule; "
    "`GET …/legal-moves` lists what is allowed.",
    "version_mismatch": "Something has happened since the version that you saw. Read the view again and decide anew.",
    "match_not_started": "Wait for `match_started`.",
    "match_already_started": "Joining, starting and freeing another's seat are for waiting matches. A match that is "
    "played can be deleted when only bots play it.",
    "match_finished": "The match is over or was abandoned; it stays readable until it expires.",
    "seat_taken": "Take another seat, or name none to get the lowest free one. In a rematch you have your seat: only a "
    "repeat with the same `Idempotency-Key` shows its token again.",
    "seats_free": "The host can start the match when every seat is taken; `detail` lists the free ones.",
    "match_full": "Join another match.",
    "conflict": "Others changed the match several times while this was being decided. Nothing was changed: try again.",
    "deal_unfinished": "Hands and seed are shown when the deal is over: wait for `deal_ended`.",
    "match_unfinished": "There is a rematch when the match is over: play it to its end, or let the host delete it when "
    "only bots play.",
    "body_too_large": "A body has at most 16 KiB.",
    "uri_too_long": "A request line has at most 8190 bytes.",
    "rate_limited": "Wait for `Retry-After` seconds: too many wrong join codes came from your address, perhaps from "
    "others who share it. Right ones do not count, but have to wait too.",
    "headers_too_large": "A header field has at most 8190 bytes, and a request at most 64 of them.",
    "unsupported_media_type": "Send `Content-Type: application/json`, and no compression.",
    "expectation_failed": "Send no `Expect` but `100-continue`.",
    "not_implemented": "Send the body with a `Content-Length`, or chunked.",
    "invalid_body": "`errors` names each member that does not fit, with a JSON Pointer. Unknown members are "
    "refused too.",
    "invalid_query": "`errors` names each parameter that does not fit. Unknown and repeated ones are refused too.",
    "invalid_rules": "`errors` names each option that is unknown, has a bad value or does not go with the others.",
    "idempotency_key_reused": "The key belongs to another request: send a new key with each new intent.",
    "internal_error": "A fault of the service; its log tells the operator more. Try again; for a write, with the same "
    "`Idempotency-Key`.",
    "store_unavailable": "Try again after `Retry-After` seconds. A write may have been carried out: repeat it with the "
    "same `Idempotency-Key`, or look first if it had none.",
    "too_many_streams": "Try again after `Retry-After` seconds, or read `…/events` from time to time instead.",
    "stopping": "This server is about to stop: ask another one, or this one when it is back.",
}
