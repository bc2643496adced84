"""The ASGI door: raw target and raw body out of scope and receive, an app that answers, and a gate in front of an app of yours.

``scope["path"]`` is percent-decoded; the raw target is ``scope["raw_path"]`` and ``scope["query_string"]``, both bytes.
ASGI cannot tell ``/orders?`` from ``/orders``; the hub never sends a bare question mark.
"""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, List, Mapping, MutableMapping, Optional, Union

from .errors import RawRequestError
from .gates import AsyncAuthorize, gate_async
from .replay import ReplayGuard
from .scheme import WINDOW_SECONDS
from .service import json_answer, refusal_answer
from .signed_request import SignedRequest
from .spec_server import HttpAnswer
from .wire_bytes import BytesLike
from .wsgi import MAX_BODY_BYTES

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


async def read_asgi(scope: Mapping[str, Any], receive: Receive, *, max_body: int = MAX_BODY_BYTES) -> SignedRequest:
    """The request as it stood on the wire. It consumes the body: call it before anything else reads ``receive``.

    Raises :class:`RawRequestError` with the status to answer: 500 ``raw_target_required`` where the server keeps no raw
    path, 413 ``body_too_large``, 400 ``body_incomplete``.
    """
    raw_target(scope)  # refused before a byte of the body is read
    return asgi_request(scope, await _raw_body(receive, max_body))


def asgi_request(scope: Mapping[str, Any], body: bytes) -> SignedRequest:
    """The same, where a framework keeps the raw body: ``await request.body()`` in FastAPI, ``request.body`` in Django."""
    return SignedRequest(
        method=str(scope.get("method", "")),
        path_with_query=raw_target(scope),
        body=body,
        headers=[(bytes(name), bytes(value)) for name, value in scope.get("headers", ())],
    )


def raw_target(scope: Mapping[str, Any]) -> bytes:
    """The raw request target of a scope. Raises :class:`RawRequestError` (``raw_target_required``) where there is none."""
    path, query = scope.get("raw_path"), scope.get("query_string") or b""
    if not isinstance(path, bytes) or not path:
        raise RawRequestError(
            "raw_target_required",
            "This ASGI server keeps no scope['raw_path']. scope['path'] is percent-decoded and cannot be turned back into what "
            "was signed: serve with uvicorn, hypercorn or daphne, and take the scope before any mount rewrites it.",
        )
    return path + b"?" + query if query else path


def asgi_app(
    answer: Callable[[SignedRequest], Union[HttpAnswer, Awaitable[HttpAnswer]]], *, max_body: int = MAX_BODY_BYTES
) -> AsgiApp:
    """An ASGI application of ``answer``, such as :meth:`bailing_connect.ToolService.handle`.

    ``answer`` may be async; a plain function runs on the event loop, so put what blocks into a thread of yours.
    """

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        try:
            request = await read_asgi(scope, receive, max_body=max_body)
        except RawRequestError as error:
            return await _send(_unreadable(error), send)
        answered = answer(request)
        return await _send(answered if isinstance(answered, HttpAnswer) else await answered, send)

    return application


class AsgiGate:
    """Middleware: the gate in front of ``app``. What passes finds its :class:`GateResult` in ``scope["bailing.call"]``.

    ``authorize`` may be a coroutine function; a plain one runs on the event loop, so let it not block. ``tool`` is the
    tool's name, or a function that tells it from the request (None: no tool is there, 404). The body is put back.
    """

    def __init__(
        self,
        app: AsgiApp,
        *,
        secret: BytesLike,
        authorize: AsyncAuthorize,
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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send) if scope["type"] == "lifespan" else await _refuse_socket(send)
        try:
            request = await read_asgi(scope, receive, max_body=self._max_body)
        except RawRequestError as error:
            return await _send(_unreadable(error), send)
        name = self._tool(request) if callable(self._tool) else self._tool
        if name is None:
            return await _send(json_answer(404, {"error": "not_found", "message": "No tool is declared here."}), send)
        call = await gate_async(self._secret, self._authorize, request, tool=name, **self._options)
        if not call.ok:
            return await _send(refusal_answer(call), send)
        return await self._app({**scope, "bailing.call": call}, _again(request.body, receive), send)


async def _raw_body(receive: Receive, max_body: int) -> bytes:
    pieces: List[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise RawRequestError("body_incomplete", "The caller went away before the body was complete.", 400)
        piece = message.get("body") or b""
        size += len(piece)
        if size > max_body:
            raise RawRequestError("body_too_large", f"The body is larger than {max_body} bytes.", 413)
        pieces.append(piece)
        if not message.get("more_body"):
            return b"".join(pieces)


def _again(body: bytes, receive: Receive) -> Receive:
    waiting: List[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _refuse_socket(send: Send) -> None:
    await send({"type": "websocket.close", "code": 1008})


def _unreadable(error: RawRequestError) -> HttpAnswer:
    return json_answer(error.status, {"error": error.code, "message": str(error)})


async def _send(answer: HttpAnswer, send: Send) -> None:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers.items()]
    headers.append((b"content-length", str(len(answer.body)).encode("ascii")))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
