"""One request as it stood on the wire: what a door reads and what the gate looks at."""

from __future__ import annotations

import hashlib
import re
from typing import Optional

from .errors import RawRequestError
from .headers import HubHeaders, read_headers
from .scheme import BAD_SIGNATURE, TIMESTAMP_OUT_OF_WINDOW, WINDOW_SECONDS, now_seconds, outside_window
from .tool_calls import failure_reason, string_to_sign
from .wire_bytes import BytesLike, as_bytes, header_bytes

_SIGNED_ONCE = ("signature", "on_behalf_of", "job_id")
_PLAIN_PATH = re.compile(rb"/[^?#]*", re.DOTALL)


class SignedRequest:
    """Method, raw target, raw body and headers of one request.

    ``path_with_query`` is the target exactly as in the request line, ``body`` the bytes before any parser, ``headers``
    a list of (name, value) pairs or a mapping. Raises :class:`RawRequestError` where a parsed body is handed over:
    it cannot be turned back into the bytes that were signed.
    """

    __slots__ = ("method", "path_with_query", "body", "headers")

    def __init__(self, *, method: BytesLike, path_with_query: BytesLike, body: BytesLike, headers: object) -> None:
        raw_body, target, verb = as_bytes(body), as_bytes(path_with_query), as_bytes(method)
        if raw_body is None:
            raise RawRequestError(
                "raw_body_required",
                f"Only a parsed body ({type(body).__name__}) is at hand. The signature covers the raw bytes, and they cannot be "
                "made again from it: read the body before any parser does (README, Recipes).",
            )
        if target is None or verb is None:
            raise RawRequestError("raw_target_required", "The method and the raw request target must be text or bytes.")
        self.method = verb.upper()
        self.path_with_query = target
        self.body = raw_body
        self.headers: HubHeaders = headers if isinstance(headers, HubHeaders) else read_headers(headers)

    def failure_reason(
        self,
        secret: BytesLike,
        *,
        window_sec: float = WINDOW_SECONDS,
        now: Optional[float] = None,
        known_path: Optional[BytesLike] = None,
        base_path: Optional[BytesLike] = None,
    ) -> Optional[str]:
        """None where the hub signed this request within the window, else the reason word. Never raises.

        Behind a provider base URL with a path, say which part is not signed: ``base_path`` is cut off the raw target,
        or ``known_path`` (the document's path, substituted) takes the place of the raw path and the raw query stays.
        """
        clock = now_seconds() if now is None else now
        sent = self.headers
        if "timestamp" in sent.doubtful or outside_window(sent.timestamp, clock, window_sec):
            return TIMESTAMP_OUT_OF_WINDOW
        target = signed_target(self.path_with_query, known_path=known_path, base_path=base_path)
        if target is None or any(name in sent.doubtful for name in _SIGNED_ONCE):
            return BAD_SIGNATURE
        return failure_reason(
            secret,
            self.method,
            target,
            self.body,
            sent.timestamp,
            sent.signature,
            sent.on_behalf_of,
            sent.job_id,
            window_sec,
            now=clock,
        )

    def content_digest(self) -> str:
        """A hash of what the call says, without its time: method, target, body, subject and job. Same call, same digest."""
        sent = self.headers
        signed = string_to_sign(b"", self.method, self.path_with_query, self.body, sent.on_behalf_of or b"", sent.job_id or b"")
        return hashlib.sha256(signed[1:]).hexdigest()


def signed_target(
    raw: bytes, *, known_path: Optional[BytesLike] = None, base_path: Optional[BytesLike] = None
) -> Optional[bytes]:
    """The part of a raw target that the hub signs (SIGNING rule 6).

    None where the stated prefix is not there, or the known path is not a plain path.
    """
    path, mark, query = raw.partition(b"?")
    known, prefix = header_bytes(known_path), header_bytes(base_path)
    if known is None or prefix is None:
        return None
    if known:
        return known + mark + query if _PLAIN_PATH.fullmatch(known) else None
    prefix = prefix.rstrip(b"/")
    return raw[len(prefix) :] if path.startswith(prefix + b"/") or not prefix else None
