"""Flask without what this service has no use for, which every request would pay for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Request, Response
from flask.sessions import NullSession, SessionInterface
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound
from werkzeug.routing import MapAdapter

_NO_SESSION: Final = NullSession()


class _NoSessions(SessionInterface):
    """Gives every request the same session, in which nothing can be kept."""

    def open_session(self, app: Flask, request: Request) -> NullSession:
        return _NO_SESSION


class Application(Flask):
    """An application without sessions, blueprints and coroutines, whose routes depend on method and path alone.

    Nobody listens to Flask's signals about a request.
    """

    session_interface = _NoSessions()

    def full_dispatch_request(self) -> Response:
        """Answer a request."""
        try:
            given = self.preprocess_request() or self.dispatch_request()
        except Exception as error:
            given = self.handle_user_exception(error)
        return self.process_response(self.make_response(given))

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Ask what is to be asked before every request, if there is anything."""
        return super().preprocess_request() if self.before_request_funcs else None

    def process_response(self, response: Response) -> Response:
        """Do what is to be done to every answer, if there is anything."""
        return super().process_response(response) if self.after_request_funcs else response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Do what is to be done after every request, if there is anything."""
        if self.teardown_request_funcs:
            super().do_teardown_request(exc)

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        """Do what is to be done at the end of every context of the application, if there is anything."""
        if self.teardown_appcontext_funcs:
            super().do_teardown_appcontext(exc)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Give a function as it is: none is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match a request by its method and path, whatever host its client has named.

        Raises:
            NotFound: a slash of the path is encoded; decoded, it would lead to another operation.
        """
        if request is None:
            return None
        environ = request.environ
        target = environ.get("RAW_URI", "")
        if "%" in target and "%2f" in target.partition("?")[0].lower():
            raise NotFound
        path = environ.get("PATH_INFO", "").encode("latin-1").decode("utf-8", "replace")
        return MapAdapter(self.url_map, "", "/", None, environ["wsgi.url_scheme"], path, request.method)
