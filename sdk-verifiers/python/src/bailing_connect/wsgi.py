"""The WSGI door: raw target and raw body out of an environ, an app that answers, and a gate in front of an app of yours.

WSGI's own ``PATH_INFO`` is percent-decoded, and what was signed cannot be told from it. The raw target is where the
server keeps it beside: ``REQUEST_URI`` (uWSGI, mod_wsgi, waitress from 2.1, Werkzeug) or ``RAW_URI`` (gunicorn, Werkzeug).
"""

from __future__ import annotations

import io
import re
from http import HTTPStatus
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from .errors import RawRequestError
from .gates import Authorize, gate
from .replay import ReplayGuard
from .scheme import WINDOW_SECONDS
from .service import json_answer, refusal_answer
from .signed_request import SignedRequest
from .spec_server import HttpAnswer
from .wire_bytes import BytesLike

MAX_BODY_BYTES = 1_048_576

Environ = Dict[str, Any]
StartResponse = Callable[..., Any]
WsgiApp = Callable[[Environ, StartResponse], Iterable[bytes]]

_LENGTH = re.compile(r"[0-9]{1,15}")


def read_wsgi(environ: Mapping[str, Any], body: Optional[bytes] = None, *, max_body: int = MAX_BODY_BYTES) -> SignedRequest:
    """The request as it stood on the wire.

    Without ``body`` it consumes ``wsgi.input``: call it before anything parses the body. Where a framework keeps the raw
    bytes, hand them over: ``request.get_data()`` in Flask, ``request.body`` in Django (``environ`` is ``request.META``).

    Raises :class:`RawRequestError` with the status to answer: 500 ``raw_target_required`` where the server keeps no raw
    target, 413 ``body_too_large``, 411 ``length_required``, 400 ``body_incomplete``.
    """
    pairs = [
        (name[5:].replace("_", "-"), _latin1(value))
        for name, value in environ.items()
        if name.startswith("HTTP_") and isinstance(value, str)
    ]
    return SignedRequest(
        method=_latin1(environ.get("REQUEST_METHOD", "")),
        path_with_query=_raw_target(environ),
        body=_raw_body(environ, max_body) if body is None else _kept_body(environ, body),
        headers=pairs,
    )


def wsgi_app(answer: Callable[[SignedRequest], HttpAnswer], *, max_body: int = MAX_BODY_BYTES) -> WsgiApp:
    """A WSGI application of ``answer``, such as :meth:`bailing_connect.ToolService.handle`."""

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            request = read_wsgi(environ, max_body=max_body)
        except RawRequestError as error:
            return _send(_unreadable(error), start_response)
        return _send(answer(request), start_response)

    return application


class WsgiGate:
    """Middleware: the gate in front of ``app``. What passes finds its :class:`GateResult` in ``environ["bailing.call"]``.

    ``tool`` is the tool's name, or a function that tells it from the request (None: no tool is there, 404). The body is
    put back, so ``app`` reads and parses it as ever.
    """

    def __init__(
        self,
        app: WsgiApp,
        *,
        secret: BytesLike,
        authorize: Authorize,
        tool: Union[str, Callable[[SignedRequest], Optional[str]]],
        known_path: Optional[BytesLike] = None,
        base_path: Optional[BytesLike] = None,
        window_sec: float = WINDOW_SECONDS,
        replay: Optional[ReplayGuard] = None,
        max_body: int = MAX_BODY_BYTES,
    ) -> None:
        self._app = app
        self._secret = secret
        self._authorize = authorize
        self._tool = tool
        self._options: Dict[str, Any] = {
            "known_path": known_path,
            "base_path": base_path,
            "window_sec": window_sec,
            "replay": replay,
        }
        self._max_body = max_body

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            request = read_wsgi(environ, max_body=self._max_body)
        except RawRequestError as error:
            return _send(_unreadable(error), start_response)
        name = self._tool(request) if callable(self._tool) else self._tool
        if name is None:
            return _send(json_answer(404, {"error": "not_found", "message": "No tool is declared here."}), start_response)
        call = gate(self._secret, self._authorize, request, tool=name, **self._options)
        if not call.ok:
            return _send(refusal_answer(call), start_response)
        inner = {**environ, "bailing.call": call, "wsgi.input": io.BytesIO(request.body), "CONTENT_LENGTH": str(len(request.body))}
        return self._app(inner, start_response)


def _raw_target(environ: Mapping[str, Any]) -> bytes:
    for name in ("REQUEST_URI", "RAW_URI"):
        value = environ.get(name)
        if isinstance(value, str) and value:
            return _latin1(value)
    raise RawRequestError(
        "raw_target_required",
        "This WSGI server keeps no raw request target. PATH_INFO is percent-decoded and cannot be turned back into what was signed: "
        "serve with gunicorn (RAW_URI), uWSGI, mod_wsgi or waitress 2.1 (REQUEST_URI), or let your server set environ['REQUEST_URI'].",
    )


def _raw_body(environ: Mapping[str, Any], max_body: int) -> bytes:
    stated = str(environ.get("CONTENT_LENGTH") or "")
    stream = environ.get("wsgi.input")
    if _LENGTH.fullmatch(stated):
        if int(stated) > max_body:
            raise _too_large(max_body)
        body = _read(stream, int(stated))
        if len(body) < int(stated):
            raise RawRequestError("body_incomplete", "The body is shorter than its Content-Length, or was read before the gate.", 400)
        return body
    if environ.get("wsgi.input_terminated"):  # gunicorn and others: a chunked body that ends by itself
        body = _read(stream, max_body + 1)
        if len(body) > max_body:
            raise _too_large(max_body)
        return body
    if stated or environ.get("HTTP_TRANSFER_ENCODING"):
        raise RawRequestError("length_required", "This server cannot read a body without a Content-Length of digits.", 411)
    return b""


def _kept_body(environ: Mapping[str, Any], body: bytes) -> bytes:
    """The bytes a framework kept, unless it kept only a part: a form parser that was there first leaves none."""
    stated = str(environ.get("CONTENT_LENGTH") or "")
    if _LENGTH.fullmatch(stated) and int(stated) != len(body):
        says = "The body that was kept is not as long as its Content-Length: a parser was there first."
        raise RawRequestError("body_incomplete", says, 400)
    return body


def _read(stream: Any, size: int) -> bytes:
    pieces: List[bytes] = []
    while size > 0 and stream is not None:
        piece = stream.read(size)
        if not piece:
            break
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _too_large(max_body: int) -> RawRequestError:
    return RawRequestError("body_too_large", f"The body is larger than {max_body} bytes.", 413)


def _latin1(text: str) -> bytes:
    """WSGI hands out header and target bytes decoded as Latin-1; this undoes it. Text of another kind becomes UTF-8."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def _unreadable(error: RawRequestError) -> HttpAnswer:
    return json_answer(error.status, {"error": error.code, "message": str(error)})


def _send(answer: HttpAnswer, start_response: StartResponse) -> Iterable[bytes]:
    try:
        phrase = HTTPStatus(answer.status).phrase
    except ValueError:
        phrase = "Status"
    headers: List[Tuple[str, str]] = [*answer.headers.items(), ("Content-Length", str(len(answer.body)))]
    start_response(f"{answer.status} {phrase}", headers)
    return [answer.body]
