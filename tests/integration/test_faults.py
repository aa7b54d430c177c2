"""What goes wrong inside is answered by a problem document that tells nothing of it, and is logged."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from service.app import create_app
from service.errors import StoreUnavailable
from service.settings import Settings, SettingsError
from service.store.base import Place
from service.store.redis import RedisStore
from service.usecases import UseCases
from tests.tables import Table, commit


def settings(url: str | None, **variables: str) -> Settings:
    return Settings.from_env({"DATA_DIR": "/nowhere", **({"REDIS_URL": url} if url else {}), **variables})


@pytest.fixture
def app(store_url: str) -> Iterator[Flask]:
    application = create_app(settings(store_url))
    yield application
    application.extensions["hub"].stop()


def fail(*_: object, **__: object) -> None:
    raise ZeroDivisionError("a secret of the inside")


@pytest.mark.parametrize("method,path", [("GET", "/v1/matches"), ("HEAD", "/v1/matches"), ("POST", "/v1/matches")])
def test_a_mistake_of_the_service_is_answered_and_logged_with_its_traceback(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, method: str, path: str
) -> None:
    for name in ("lobby", "create"):
        monkeypatch.setattr(UseCases, name, fail)
    reply = app.test_client().open(path, method=method, json={"seats": 2} if method == "POST" else None)

    assert reply.status_code == 500
    assert reply.content_type == "application/problem+json"
    assert reply.headers["Cache-Control"] == "no-store"
    if method != "HEAD":
        assert reply.json is not None
        assert reply.json["code"] == "internal_error"
        assert "secret" not in reply.text
        assert "ZeroDivision" not in reply.text
    [logged] = [record for record in caplog.records if record.name == "service.api.problems"]
    assert logged.levelno == logging.ERROR
    assert "a secret of the inside" in caplog.text
    assert "Traceback" in caplog.text


def test_a_mistake_does_not_hurt_the_next_request(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(UseCases, "lobby", fail)
        assert app.test_client().get("/v1/matches").status_code == 500
    assert app.test_client().get("/v1/matches").status_code == 200


def test_a_match_in_another_format_is_unavailable_and_the_lobby_passes_over_it(
    app: Flask, store: RedisStore, usecases: UseCases, caplog: pytest.LogCaptureFixture
) -> None:
    store.commit("later", commit(0, 1, b'{"format": 1000, "players": []}'))
    store.publish(Place(2**41, "later"), "waiting")
    table = Table(usecases)
    client = app.test_client()
    for path in ("", "/events", "/deals/1", "/legal-moves"):
        reply = client.get(f"/v1/matches/later{path}")
        assert reply.status_code == 503
        assert reply.json is not None
        assert reply.json["code"] == "store_unavailable"
        assert "format 1000" in reply.json["detail"]
        assert int(reply.headers["Retry-After"]) > 0
    assert client.post("/v1/matches/later/players", json={"name": "x"}).status_code == 503
    assert "format 1000" in caplog.text
    listed = client.get("/v1/matches").json
    assert listed is not None
    assert [match["id"] for match in listed["matches"]] == [table.match_id]


def test_without_its_store_the_service_lives_but_is_not_ready(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = create_app(settings(f"unix://{tmp_path}/none")).test_client()
    assert client.get("/healthz").status_code == 200
    assert client.get("/v1/rules").status_code == 200
    for reply in (client.get("/readyz"), client.get("/v1/matches/x"), client.post("/v1/matches", json={"seats": 2})):
        assert reply.status_code == 503
        assert reply.json is not None
        assert reply.json["code"] == "store_unavailable"
        assert int(reply.headers["Retry-After"]) > 0
        assert str(tmp_path) not in reply.text
    assert "does not answer" in caplog.text


def test_a_write_whose_answer_is_lost_says_that_it_may_count(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(*_: object) -> None:
        raise StoreUnavailable("lost")

    monkeypatch.setattr(RedisStore, "commit", lose)
    reply = app.test_client().post("/v1/matches", json={"seats": 2})
    assert reply.json is not None
    assert "may have been carried out: repeat it with the same Idempotency-Key" in reply.json["detail"]


def test_a_read_that_the_store_does_not_answer_speaks_of_no_write(tmp_path: Path) -> None:
    reply = create_app(settings(f"unix://{tmp_path}/none")).test_client().get("/v1/matches")
    assert reply.json is not None
    assert reply.json["detail"] == "The store does not answer."


def test_a_server_that_stops_is_not_ready(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    app.extensions["hub"].stop()
    reply = client.get("/readyz")
    assert reply.status_code == 503
    assert reply.json is not None
    assert reply.json["code"] == "stopping"


def test_without_an_address_of_a_store_there_is_no_application() -> None:
    with pytest.raises(SettingsError, match="REDIS_URL"):
        create_app(settings(None))


def test_streams_beyond_the_limit_are_refused_and_reading_goes_on(store_url: str, usecases: UseCases) -> None:
    application = create_app(settings(store_url, MAX_STREAMS="1"))
    path = f"/v1/matches/{Table(usecases).match_id}"
    client = application.test_client()
    etag = client.get(path).headers["ETag"]
    with client.get(f"{path}/stream"):  # of which nothing has been read yet
        for reply in (
            client.get(f"{path}/stream"),
            client.get(f"{path}?wait=1", headers={"If-None-Match": etag}),
        ):
            assert reply.status_code == 503
            assert reply.json is not None
            assert reply.json["code"] == "too_many_streams"
            assert int(reply.headers["Retry-After"]) > 0
        assert client.get(path).status_code == 200
    for _ in range(2):
        with client.head(f"{path}/stream") as head:
            assert head.status_code == 200
        with client.get(f"{path}/stream?limit=1") as stream:
            assert stream.status_code == 200
