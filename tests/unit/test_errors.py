"""Refusals: every code has a status, and says what it has to say."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import service
from service.api.problems import KINDS, problem
from service.errors import Code, Refusal

CONTRACT = {
    400: {"malformed_json", "idempotency_key_invalid"},
    401: {"token_required", "token_invalid"},
    403: {"not_your_match", "not_your_seat", "host_only", "join_code_wrong", "app_key_required"},
    404: {"not_found", "match_not_found", "deal_not_found", "position_not_found", "seat_not_found"},
    405: {"method_not_allowed"},
    406: {"not_acceptable"},
    409: {
        "not_your_turn",
        "illegal_move",
        "version_mismatch",
        "match_not_started",
        "match_already_started",
        "match_finished",
        "seat_taken",
        "seats_free",
        "match_full",
        "conflict",
        "deal_unfinished",
    },
    413: {"body_too_large"},
    415: {"unsupported_media_type"},
    422: {"invalid_body", "invalid_query", "invalid_rules", "idempotency_key_reused"},
    500: {"internal_error"},
    503: {"store_unavailable", "too_many_streams"},
}


def test_every_code_has_a_status_and_no_status_is_without_its_code() -> None:
    assert set(get_args(Code)) == set(KINDS)


def test_the_codes_have_the_statuses_that_were_promised() -> None:
    for status, codes in CONTRACT.items():
        assert codes <= {code for code, kind in KINDS.items() if kind.status == status}


def test_every_code_is_one_that_the_service_can_answer() -> None:
    folder = Path(service.__file__).parent
    said: set[object] = set()
    for path in folder.rglob("*.py"):
        if path.name != "errors.py":
            said |= {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    assert set(get_args(Code)) <= said


def test_a_problem_document_holds_what_is_known_and_nothing_else() -> None:
    refusal = Refusal("illegal_move", "No.", rule="R8", option="jack_on_jack", errors=[{"pointer": "/", "detail": "x"}])
    assert problem(refusal) == {
        "type": "/docs#illegal_move",
        "title": "The rules forbid this move",
        "status": 409,
        "detail": "No.",
        "code": "illegal_move",
        "rule": "R8",
        "option": "jack_on_jack",
        "errors": [{"pointer": "/", "detail": "x"}],
    }
    assert problem(Refusal("not_found", "No.")).keys() == {"type", "title", "status", "detail", "code"}


def test_a_refusal_reads_as_its_code_and_detail() -> None:
    assert str(Refusal("match_full", "Every seat is taken.")) == "match_full: Every seat is taken."
