"""The contract as it is written down: complete, valid, and what the code says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from openapi_spec_validator import validate

from service import serving
from service.api.contract import Operation
from service.api.openapi import as_yaml, document
from service.api.problems import KINDS
from service.api.routes import OPERATIONS
from service.engine.errors import RulesError
from service.engine.rules import resolve
from service.webhooks.hook import EVENTS
from tests.client import ROOT
from tests.contract.checking import contract

COMMITTED = ROOT / "openapi.yaml"
CONTRACT: dict[str, Any] = document(OPERATIONS)
EVERY_OPERATION = [pytest.param(operation, id=operation.name) for operation in OPERATIONS]


def described(operation: Operation) -> dict[str, Any]:
    found: dict[str, Any] = CONTRACT["paths"][operation.path][operation.method.lower()]
    return found


def schemas_of(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        if "properties" in node or node.get("type") == "object":
            yield path, node
        for name, value in node.items():
            yield from schemas_of(value, f"{path}/{name}")


def test_the_committed_contract_is_the_one_that_the_code_makes() -> None:
    assert COMMITTED.read_text("utf-8") == as_yaml(CONTRACT), "openapi.yaml has drifted: run `make openapi`"


def test_the_contract_is_valid_openapi() -> None:
    validate(contract())


@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_every_operation_is_named_and_explained(operation: Operation) -> None:
    written = described(operation)

    assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", written["operationId"])
    assert 5 < len(written["summary"]) < 60
    assert not written["summary"].endswith(".")
    assert len(written["description"]) > 20
    for parameter in written["parameters"]:
        assert "schema" in parameter, parameter
        assert parameter["description"].endswith("."), parameter


def test_no_two_operations_have_one_name() -> None:
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)


@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_every_refusal_of_an_operation_stands_at_its_status(operation: Operation) -> None:
    responses = described(operation)["responses"]

    for code in operation.all_refusals:
        response = responses[str(KINDS[code].status)]
        assert f"`{code}`" in response["description"]
        assert list(response["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_every_write_can_be_repeated_safely(operation: Operation) -> None:
    written = described(operation)
    [success] = [response for status, response in written["responses"].items() if status.startswith("2")][:1]
    keys = [parameter for parameter in written["parameters"] if parameter["name"] == "Idempotency-Key"]

    assert len(keys) == operation.writes
    assert ("Idempotency-Replayed" in success.get("headers", {})) == operation.writes


@pytest.mark.parametrize("operation", EVERY_OPERATION)
def test_every_operation_has_examples_that_fit_its_schemas(operation: Operation) -> None:
    written = described(operation)
    bodies = [written["requestBody"]] if "requestBody" in written else []
    for body in [*bodies, *written["responses"].values()]:
        for media_type, content in body.get("content", {}).items():
            if body in bodies or body is next(iter(written["responses"].values())):
                assert content["examples"], (operation.name, media_type)
            for example in content.get("examples", {}).values():
                if "$ref" in example:
                    example = CONTRACT["components"]["examples"][example["$ref"].rpartition("/")[2]]
                assert example["summary"]
                schema = {**content["schema"], "components": CONTRACT["components"]}
                jsonschema_rs.Draft202012Validator(schema).validate(example["value"])


@pytest.mark.parametrize("kind", EVENTS)
def test_every_webhook_has_an_example_that_fits_its_schema(kind: str) -> None:
    content = CONTRACT["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]
    [example] = content["examples"].values()

    assert example["value"]["type"] == kind
    jsonschema_rs.Draft202012Validator({**content["schema"], "components": CONTRACT["components"]}).validate(
        example["value"]
    )


def test_nearly_every_problem_code_has_an_example() -> None:
    text = COMMITTED.read_text("utf-8")
    unshown = {code for code in KINDS if not re.search(rf"\bcode: {code}$", text, re.MULTILINE)}

    # Only a race, a fault, no operation, or no request at all brings these about.
    assert unshown == {
        "conflict",
        "expectation_failed",
        "headers_too_large",
        "internal_error",
        "malformed_request",
        "method_not_allowed",
        "not_implemented",
        "uri_too_long",
    }


def test_every_problem_code_is_listed_with_its_status() -> None:
    description = CONTRACT["components"]["schemas"]["Problem"]["properties"]["code"]["description"]

    for code, kind in KINDS.items():
        assert f"- {kind.status} `{code}`: {kind.title}.\n" in description + "\n"


def test_what_the_server_itself_answers_is_listed_too() -> None:
    for status, code in serving.CODES.items():
        assert {name: kind.status for name, kind in KINDS.items()}[code] == status  # type: ignore[index]


def test_the_stream_is_documented_as_one() -> None:
    [stream] = [described(operation) for operation in OPERATIONS if operation.name == "streamMatch"]

    assert list(stream["responses"]["200"]["content"]) == ["text/event-stream"]
    assert "content" not in stream["responses"]["204"]
    assert {parameter["name"] for parameter in stream["parameters"]} >= {"Last-Event-ID", "after", "limit", "ticket"}


def test_request_schemas_are_closed_and_answers_are_open() -> None:
    for name, schema in CONTRACT["components"]["schemas"].items():
        if name == "MoveRequest":
            assert schema["discriminator"]["propertyName"] == "type"
        elif name != "Suit":
            asked = name.endswith(("Request", "Move")) and name != "LegalMove"
            assert schema["additionalProperties"] is not (asked or name == "Creator"), name


def test_no_default_of_a_request_is_sent_by_a_generated_client() -> None:
    for name, schema in CONTRACT["components"]["schemas"].items():
        assert all("default" not in member for _, member in _members(schema)), name


def test_a_legal_move_has_the_schema_of_the_request_that_it_is_posted_as() -> None:
    move = {"$ref": "#/components/schemas/MoveRequest"}
    [make_move] = [described(operation) for operation in OPERATIONS if operation.name == "makeMove"]

    assert CONTRACT["components"]["schemas"]["LegalMoves"]["properties"]["moves"]["items"] == move
    assert make_move["requestBody"]["content"]["application/json"]["schema"] == move


def test_sets_that_may_grow_are_plain_strings() -> None:
    enums = {
        path.rpartition("/")[2]
        for name, schema in CONTRACT["components"]["schemas"].items()
        if schema.get("additionalProperties") is True and name != "Rules"  # `Suit` is closed too
        for path, member in _members(schema)
        if "enum" in member
    }

    assert enums == {"direction"}


def _members(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, member in schema.get("properties", {}).items():
        yield name, member
        if "items" in member:
            yield name, member["items"]


@pytest.fixture(scope="module")
def create_match() -> jsonschema_rs.Draft202012Validator:
    """What the contract takes for a match to be created."""
    schema = CONTRACT["components"]["schemas"]["CreateMatchRequest"]
    return jsonschema_rs.Draft202012Validator({**schema, "components": CONTRACT["components"]})


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("hand_size", [None, *range(3, 14)])
def test_r1_is_written_down_as_the_engine_judges_it(
    create_match: jsonschema_rs.Draft202012Validator, seats: int, hand_size: int | None
) -> None:
    for decks in ("left out", None, 1, 2, 3, 4):
        rules: dict[str, object] = {} if hand_size is None else {"hand_size": hand_size}
        rules |= {} if decks == "left out" else {"decks": decks}
        try:
            resolve(rules, seats)
            plays = True
        except RulesError:
            plays = False
        assert create_match.is_valid({"seats": seats, "rules": rules}) is plays, rules


def test_links_lead_from_creating_to_a_move_and_its_match() -> None:
    links = {
        operation.name: set(response.get("links", {}))
        for operation in OPERATIONS
        for status, response in described(operation)["responses"].items()
        if status.startswith("2")
    }

    assert "joinMatch" in links["createMatch"]
    assert "startMatch" in links["joinMatch"]
    assert "makeMove" in links["startMatch"]
    assert "getMatch" in links["makeMove"]
    assert set().union(*links.values()) <= {operation.name for operation in OPERATIONS}


def test_nothing_in_the_contract_names_the_place_where_it_was_made() -> None:
    text = COMMITTED.read_text("utf-8")

    assert str(Path.cwd()) not in text
    assert "localhost" not in text
