"""Serves the page on 127.0.0.1, to whoever has its address.

The address has a random token.  A request without it is refused, and so is one with a `Host` or an `Origin` that is
not this server's.  A page of another site can then neither read nor run anything, even if its name leads to 127.0.0.1.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import ttkit.json_shapes as json_shapes
from ttkit.explorer.workbench import Workbench, WorkFailed
from ttkit.tracing.trace_page import page

LARGEST = 64 << 20
"""Bytes of a request."""


class Server(ThreadingHTTPServer):
    """Serves a workbench.

    Args:
        bench: what it shows.
        port: 0 for any that is free.

    Attributes:
        address: of the page.
    """

    daemon_threads = True

    def __init__(self, bench: Workbench, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.bench = bench
        self.token = secrets.token_urlsafe(32)
        self.names = [f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")]
        self.address = f"http://{self.names[0]}/{self.token}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing: the browser has gone."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "ttkit", ""
    timeout = 60

    def do_GET(self) -> None:
        """Answers `/TOKEN/` with the page; other paths with 404, other tokens and hosts with 403."""
        asked = self._asked()
        if asked == "":
            self._answer("text/html; charset=utf-8", page(self.server.bench.contents(), is_workbench=True))
        elif asked is not None:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Does the work that `/TOKEN/WORK` names, and answers with JSON; a wrong request is `{"error": ...}`."""
        asked = self._asked()
        if asked is None:
            return
        if asked not in _WORKS:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        given = self._content()
        if given is None:
            return
        try:
            work, shape = _WORKS[asked]
            json_shapes.check(given, shape, "the request")
            reply = work(self.server.bench, given)
        except (WorkFailed, ValueError) as error:
            reply = {"error": str(error) or type(error).__name__}
        self._answer("application/json", json.dumps(reply))

    def _asked(self) -> str | None:
        """The path after the token; None if the request was refused."""
        hosts, origin = self.headers.get_all("Host") or [], self.headers.get("Origin")
        is_ours = len(hosts) == 1 and hosts[0] in self.server.names
        if origin is not None:
            is_ours = is_ours and origin in [f"http://{name}" for name in self.server.names]
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            is_ours = False
        token, slash, rest = self.path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()) or not slash or not is_ours:
            self.send_error(HTTPStatus.FORBIDDEN)
            return None
        return rest

    def _content(self) -> dict[str, Any] | None:
        """The request's JSON; None if it was refused."""
        length = self.headers.get("Content-Length", "")
        kind = self.headers.get("Content-Type", "").partition(";")[0]
        if kind != "application/json" or not re.fullmatch("[0-9]{1,9}", length) or int(length) > LARGEST:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None
        try:
            found: dict[str, Any] = json_shapes.load(self.rfile.read(int(length)), dict)
        except ValueError:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return None
        return found

    def _answer(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def end_headers(self) -> None:
        """Forbids caches, frames, guesses at types, and use by other sites."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Writes nothing: addresses have the token."""


def _place(bench: Workbench, given: dict[str, Any]) -> tuple[int, int, int, str]:
    """Kernel, stage, pass and side."""
    kernel, stage, place, side = (given[name] for name in _PLACE)
    if side not in ("before", "after"):
        raise ValueError("a side is before or after")
    try:
        bench.kernels[kernel].stages[stage].passes[place]
    except IndexError:
        raise ValueError("there is no such kernel, stage or pass") from None
    return kernel, stage, place, side


def _rest(bench: Workbench, given: dict[str, Any]) -> dict[str, Any]:
    return {"pipeline": bench.rest(*_place(bench, given))}


def _run(bench: Workbench, given: dict[str, Any]) -> dict[str, Any]:
    place, text = _place(bench, given), given.get("text")
    number = bench.run(*place, text, given["pipeline"], given.get("check", False))
    return {"kernel": number, "error": bench.kernels[number].error}


def _interpret(bench: Workbench, given: dict[str, Any]) -> dict[str, Any]:
    arguments, text = given.get("arguments", "").split(), given.get("text")
    place = _place(bench, given)
    before = bench.text(*place)
    shown, other = (before, "") if text is None else (text, before)
    lines = bench.interpret(shown, given.get("grid", ""), arguments, other, place[0])
    return {"lines": lines}


_PLACE: json_shapes.Shape = dict.fromkeys(("kernel", "stage", "pass"), json_shapes.natural) | {"side": str}
_TEXT: json_shapes.Shape = {**_PLACE, "text?": (str, None)}
_WORKS: dict[str, tuple[Callable[[Workbench, dict[str, Any]], dict[str, Any]], json_shapes.Shape]] = {
    "rest": (_rest, _PLACE),
    "run": (_run, {**_TEXT, "pipeline": str, "check?": bool}),
    "interpret": (_interpret, {**_TEXT, "grid?": str, "arguments?": str}),
}
"""What a request's work is, and what its JSON has to be."""
