"""Serves the tool document to the hub: protected by its signature, or public by an explicit word (WIRE 4.1 to 4.3 and 17)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .gates import REFUSALS
from .probe import ProbeAuthorize, authz_probe_response
from .scheme import WINDOW_SECONDS
from .signed_request import SignedRequest
from .wire_bytes import BytesLike

SPEC_PATH = "/.well-known/bailing/tools.json"

Spec = Union[Mapping[str, Any], Callable[[], Mapping[str, Any]]]


@dataclass(frozen=True)
class HttpAnswer:
    """An HTTP answer: ``status``, ``headers`` (name to value) and ``body``, JSON as UTF-8 bytes."""

    status: int
    headers: Dict[str, str]
    body: bytes


class SpecServer:
    """Answers fetches of ``spec``, which is the document or a function that builds it.

    ``SpecServer(spec, secret)`` answers only the hub; an empty secret answers nobody. ``SpecServer.public(spec)``
    answers everybody: paths, parameters, scopes and risks are then readable by anyone who reaches the URL.
    ``known_path`` and ``base_path`` say which part of the raw target is not signed, as in the gate.
    """

    def __init__(
        self,
        spec: Spec,
        secret: Optional[BytesLike],
        *,
        window_sec: float = WINDOW_SECONDS,
        known_path: Optional[BytesLike] = None,
        base_path: Optional[BytesLike] = None,
    ) -> None:
        self._spec = spec
        self._secret = secret
        self._window_sec = window_sec
        self._known_path = known_path
        self._base_path = base_path

    @classmethod
    def public(cls, spec: Spec) -> "SpecServer":
        """A server whose document everybody may read. Calls of the tools stay signed and authorised all the same."""
        return cls(spec, None)

    @staticmethod
    def response_headers(secret: Optional[BytesLike]) -> Dict[str, str]:
        """Headers of a document answer. A protected one must not be kept by any cache, or the next reader needs no signature."""
        headers = {"Content-Type": "application/json; charset=utf-8"}
        if secret is not None:
            headers["Cache-Control"] = "private, no-store"
        return headers

    def handle(self, request: SignedRequest, *, now: Optional[float] = None) -> HttpAnswer:
        """405 for a method other than GET, 401 with ``reason`` for a bad signature, 500 where building fails, else 200."""
        if request.method != b"GET":
            return self._answer(405, {"error": "method not allowed"}, {"Allow": "GET"})
        reason = None if self._secret is None else self._failure_reason(self._secret, request, now)
        if reason is not None:
            return self._answer(401, {"error": "bad signature", "reason": reason, "message": REFUSALS[reason][1]})
        try:
            return self._answer(200, self._spec() if callable(self._spec) else self._spec)
        except Exception as error:
            kind = type(error).__name__
            return self._answer(500, {"error": f"The tool document could not be built ({kind}). See the log of this service."})

    def authz_probe(self, request: SignedRequest, authorize: ProbeAuthorize, *, now: Optional[float] = None) -> HttpAnswer:
        """Answers the hub's authorization probe with the same secret and paths; see :func:`authz_probe_response`."""
        status, body = authz_probe_response(
            b"" if self._secret is None else self._secret,
            request,
            authorize,
            window_sec=self._window_sec,
            now=now,
            known_path=self._known_path,
            base_path=self._base_path,
        )
        return self._answer(status, body)

    def _failure_reason(self, secret: BytesLike, request: SignedRequest, now: Optional[float]) -> Optional[str]:
        return request.failure_reason(
            secret, window_sec=self._window_sec, now=now, known_path=self._known_path, base_path=self._base_path
        )

    def _answer(self, status: int, value: Mapping[str, Any], extra: Optional[Mapping[str, str]] = None) -> HttpAnswer:
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        return HttpAnswer(status, {**self.response_headers(self._secret), **(extra or {})}, body)
