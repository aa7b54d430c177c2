"""The application does what Flask does, but for what the service has no use for."""

from __future__ import annotations

import pytest
from flask import Response
from werkzeug.exceptions import NotFound

from service.api.application import Application
from service.api.contract import json_response


@pytest.fixture
def app() -> Application:
    app = Application(__name__, static_folder=None)
    app.add_url_rule("/text", view_func=lambda: "text", endpoint="text")
    app.add_url_rule(
        "/json", view_func=lambda: json_response({"a": [1]}, 201, {"Location": "/json/1"}), endpoint="json"
    )
    return app


def test_what_is_to_be_asked_before_a_request_is_asked(app: Application) -> None:
    app.before_request(lambda: Response("first"))
    assert app.test_client().get("/text").text == "first"


def test_what_is_to_be_done_to_an_answer_and_after_it_is_done(app: Application) -> None:
    done: list[BaseException | None] = []
    app.teardown_request(done.append)
    app.teardown_appcontext(done.append)

    @app.after_request
    def mark(response: Response) -> Response:
        response.headers["Mark"] = "yes"
        return response

    for path in ("/text", "/json"):
        assert app.test_client().get(path).headers["Mark"] == "yes"
    assert done == [None] * 4


def test_an_error_is_answered_by_its_handler(app: Application) -> None:
    app.register_error_handler(NotFound, lambda error: ("nothing", 404))
    reply = app.test_client().get("/nowhere")
    assert (reply.status_code, reply.text) == (404, "nothing")


def test_json_has_the_same_header_whether_it_is_asked_for_with_its_body_or_without(app: Application) -> None:
    whole, head = app.test_client().get("/json"), app.test_client().head("/json")
    assert (whole.status_code, whole.json) == (201, {"a": [1]})
    assert dict(whole.headers) == {"Content-Type": "application/json", "Content-Length": "9", "Location": "/json/1"}
    assert (head.status_code, head.data, head.headers) == (201, b"", whole.headers)
