"""How gunicorn serves Pis Yedili; used by `make run`, the console script `pis-yedili` and the image.

The choices of an operator come from the environment (service/settings.py). See gunicorn's manual.
"""

from __future__ import annotations

import gc
from typing import Any

from service import companions, figures, serving, turns, whole

settings = serving.settings_or_exit()
serving.replace_gunicorn_answers()
turns.let_newcomers_in()
whole.send_answers_whole()
serving.keep_secrets_out_of_log()
serving.log_like_gunicorn()
serving.allow_open_files(settings.max_streams + 2000)

wsgi_app = "service.wsgi:app"
proc_name = "pis-yedili"
bind = f"[{settings.host}]:{settings.port}" if ":" in settings.host else f"{settings.host}:{settings.port}"

# Green threads, because a request mostly waits for the store, and a stream for the next move.
workers = settings.workers
worker_class = "gevent"
# Room for ordinary requests beside all the streams.
worker_connections = settings.max_streams + 1000

# A worker whose main loop is silent for so long is replaced.
timeout = 30
# On SIGTERM, requests in flight may take so long to finish. Keep a supervisor's own limit above it.
graceful_timeout = 6
# Longer than the 60 s for which common proxies keep idle connections, so that it is they who close them.
keepalive = 75

# RFC 9110 asks that targets of 8000 bytes be understood; the longest honest headers are a token and a trace.
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190

# No header decides what the path or the scheme of a request is, not even one from this machine. From whom such headers
# would be taken is then all the same, and no address needs to be looked at for it.
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
forwarded_allow_ips = "*"

# Access is logged by the application, if at all; tokens stand in headers, never in a log.
accesslog = None
errorlog = "-"
loglevel = "info"

# Nothing may steer the server from outside; by default gunicorn opens a socket under the home folder.
control_socket_disable = True


def on_starting(server: Any) -> None:
    serving.start_store(settings)


def when_ready(server: Any) -> None:
    figures.make_folder(settings)
    companions.start_deliverers(settings)
    serving.give_up_silent_peers(server.LISTENERS)
    serving.greet(str(server.LISTENERS[0]), settings)


def post_worker_init(worker: Any) -> None:
    gc.freeze()  # what is loaded by now stays: no collection need look through it again
    gc.set_threshold(10_000, 20, 50)  # requests leave little for it, and the usual 700 cost a move 30 µs
    serving.begin_background_work(worker)
    serving.ask_store(worker)


def post_fork(server: Any, worker: Any) -> None:
    serving.leave_store_to_master()
    companions.leave_deliverers_to_master()


def pre_request(worker: Any, request: Any) -> None:
    turns.let_others_go_first(request)
    serving.limit_time_of_body(request)


def post_request(worker: Any, request: Any, environ: dict[str, Any], response: Any) -> None:
    serving.discard_unread_body(request, environ)


def worker_exit(server: Any, worker: Any) -> None:
    figures.leave(worker)


def child_exit(server: Any, worker: Any) -> None:
    figures.forget_worker(worker)


def on_exit(server: Any) -> None:
    companions.stop_deliverers()
    serving.stop_store()
    figures.remove_folder()
