"""Cross-origin requests: pages of the listed origins may call the service, and no others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings

OURS, OTHER = "https://play.example.org", "https://else.example.org"


def application(store_url: str, **variables: str) -> Flask:
    return create_app(Settings.from_env({"DATA_DIR": "/nowhere", "REDIS_URL": store_url, **variables}))


@pytest.fixture
def client(store_url: str) -> Iterator[FlaskClient]:
    app = application(store_url, CORS_ORIGINS=f"{OURS},http://localhost:5173")
    yield app.test_client()
    app.extensions["hub"].stop()


def preflight(origin: str) -> dict[str, str]:
    return {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-api-key"}


def test_a_page_of_a_listed_origin_may_ask_and_read_what_it_needs(client: FlaskClient) -> None:
    for origin in (OURS, "http://localhost:5173"):
        allowed = client.options("/v1/matches", headers=preflight(origin))
        assert (allowed.status_code, allowed.data) == (204, b"")
        assert allowed.headers["Access-Control-Allow-Origin"] == origin
        assert "POST" in allowed.headers["Access-Control-Allow-Methods"]
        assert {"Authorization", "Idempotency-Key", "X-API-Key"} <= {*allowed.access_control_allow_headers}
    made = client.post("/v1/matches", json={"seats": 2}, headers={"Origin": OURS})
    assert made.headers["Access-Control-Allow-Origin"] == OURS
    exposed = {*made.access_control_expose_headers}
    assert {"ETag", "Idempotency-Replayed", "Location", "RateLimit", "Retry-After"} <= exposed
    assert "Origin" in made.vary
    assert "Access-Control-Allow-Credentials" not in made.headers


@pytest.mark.parametrize("path,status", [("/v1/matches/x", 404), ("/nowhere", 404), ("/v1/matches?limit=0", 422)])
def test_a_refusal_can_be_read_too(client: FlaskClient, path: str, status: int) -> None:
    refused = client.get(path, headers={"Origin": OURS})
    assert (refused.status_code, refused.headers["Access-Control-Allow-Origin"]) == (status, OURS)


def test_a_page_of_another_origin_is_not_let_in(client: FlaskClient) -> None:
    for reply in (
        client.options("/v1/matches", headers=preflight(OTHER)),
        client.get("/v1/matches", headers={"Origin": OTHER}),
        client.get("/v1/matches"),
    ):
        assert "Access-Control" not in str(reply.headers)
        assert "Origin" in reply.vary


def test_without_the_setting_nobody_is_let_in_and_options_is_no_method(store_url: str) -> None:
    client = application(store_url).test_client()
    assert client.options("/v1/matches", headers=preflight(OURS)).status_code == 405
    assert "Access-Control-Allow-Origin" not in client.get("/v1/matches", headers={"Origin": OURS}).headers
