"""Tools as decorated functions, and one object that answers for all of them: document, probe, and calls behind the gate."""

from __future__ import annotations

import inspect
import json
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .gates import Authorize, GateResult, gate
from .openapi import build_openapi_spec
from .parameters import path_params
from .probe import PROBE_PATH
from .replay import ReplayGuard
from .scheme import WINDOW_SECONDS
from .signed_request import SignedRequest, signed_target
from .spec_server import SPEC_PATH, HttpAnswer, SpecServer
from .tools import Tool, tool
from .wire_bytes import BytesLike

Handler = Callable[[GateResult], Any]


class ToolSet:
    """Tools and the functions behind them. Iterating gives the tools, as :func:`bailing_connect.build_openapi_spec` takes them."""

    def __init__(self) -> None:
        self._entries: List[Tuple[Tool, Handler]] = []
        self._by_precedence: List[Tuple[Tool, Handler]] = []

    def __iter__(self) -> Iterator[Tool]:
        return iter([declared for declared, _ in self._entries])

    def tool(self, **options: Any) -> Callable[[Handler], Handler]:
        """Decorates ``handler(call)``, which acts on ``call.params`` for ``call.operator``. Options as :func:`bailing_connect.tool`.

        The name is the function's unless stated, and the description the first paragraph of its docstring.
        """

        def declare(handler: Handler) -> Handler:
            said = (inspect.getdoc(handler) or "").split("\n\n")[0].replace("\n", " ")
            stated: Dict[str, Any] = {"name": handler.__name__, "description": said, **options}
            self._entries.append((tool(**stated), handler))
            self._by_precedence = sorted(self._entries, key=lambda entry: "{" in entry[0].path)
            return handler

        return declare

    def find(self, method: str, target: bytes) -> Optional[Tuple[Tool, Handler, Dict[str, str]]]:
        """The tool that serves a signed target, with its path parameters; a path without parameters goes first."""
        for declared, handler in self._by_precedence:
            found = path_params(declared.path, target) if declared.method == method else None
            if found is not None:
                return declared, handler, found
        return None


class ToolService:
    """Answers every request of the hub: the document at ``/.well-known/bailing/tools.json``, the probe, and the tools.

    ``authorize(operator, tool, params)`` is required and asked for every call, the probe included. Hand
    :meth:`handle` to :func:`bailing_connect.wsgi.wsgi_app` or :func:`bailing_connect.asgi.asgi_app`.
    """

    def __init__(
        self,
        tools: ToolSet,
        *,
        secret: BytesLike,
        authorize: Authorize,
        title: str,
        version: str = "1.0.0",
        base_path: Optional[BytesLike] = None,
        window_sec: float = WINDOW_SECONDS,
        replay: Optional[ReplayGuard] = None,
    ) -> None:
        document = build_openapi_spec(title, version, tools, authz_probe=True)
        self._tools = tools
        self._secret = secret
        self._authorize = authorize
        self._base_path = base_path
        self._window_sec = window_sec
        self._replay = replay
        self._server = SpecServer(document, secret, window_sec=window_sec, base_path=base_path)

    def handle(self, request: SignedRequest, *, now: Optional[float] = None) -> HttpAnswer:
        """The answer to one request. A handler answers a JSON value, or ``(status, value)``; what it raises goes through."""
        target = signed_target(request.path_with_query, base_path=self._base_path) or b""
        path = target.partition(b"?")[0].decode("utf-8", "replace")
        if path == SPEC_PATH:
            return self._server.handle(request, now=now)
        if path == PROBE_PATH:
            return self._server.authz_probe(request, self._authorize, now=now)
        found = self._tools.find(request.method.decode("ascii", "replace"), target)
        if found is None:
            return json_answer(404, {"error": "not_found", "message": "No tool is declared for this method and path."})
        declared, handler, in_path = found
        call = gate(
            self._secret,
            self._authorize,
            request,
            tool=declared.name,
            path_params=in_path,
            base_path=self._base_path,
            window_sec=self._window_sec,
            now=now,
            replay=self._replay,
        )
        return _of(handler(call)) if call.ok else refusal_answer(call)


def json_answer(status: int, value: Any) -> HttpAnswer:
    """``value`` as a JSON answer that no cache keeps."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return HttpAnswer(status, {"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"}, body)


def refusal_answer(refused: GateResult) -> HttpAnswer:
    """What to answer where the gate refused: its code, word and sentence."""
    return json_answer(refused.code, {"error": refused.error, "message": refused.message})


def _of(answered: Any) -> HttpAnswer:
    if isinstance(answered, HttpAnswer):
        return answered
    status, value = answered if isinstance(answered, tuple) else (200, answered)
    return json_answer(status, value)
