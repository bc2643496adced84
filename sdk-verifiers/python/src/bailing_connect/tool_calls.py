"""Tool calls and spec fetches: sign and verify, clock in seconds (WIRE 6.3)."""

from __future__ import annotations

import hashlib
from typing import Optional, Union

from .scheme import (
    BAD_SIGNATURE,
    TIMESTAMP_OUT_OF_WINDOW,
    WINDOW_SECONDS,
    now_seconds,
    outside_window,
    require_bytes,
    require_key,
    signature_matches,
    signature_of,
)
from .wire_bytes import BytesLike, as_bytes, header_bytes


def string_to_sign(
    timestamp: bytes, method: bytes, path_with_query: bytes, body: bytes, on_behalf_of: bytes, job_id: bytes
) -> bytes:
    """``ts.METHOD.target.sha256(body).subject.job``. Only ASCII letters of the method are upper-cased."""
    body_hash = hashlib.sha256(body).hexdigest().encode("ascii")
    return b".".join((timestamp, method.upper(), path_with_query, body_hash, on_behalf_of, job_id))


def sign_tool_call(
    secret: BytesLike,
    *,
    ts: Union[int, BytesLike],
    method: BytesLike,
    path_with_query: BytesLike,
    body: BytesLike = b"",
    on_behalf_of: Optional[BytesLike] = "",
    job_id: Optional[BytesLike] = "",
) -> str:
    """The ``X-Bailing-Signature`` of a tool call, for tests of your own endpoints.

    ``ts`` is unix **seconds**. Leave body, subject and job empty for a spec fetch.
    Raises ValueError for an empty secret and TypeError where bytes are needed and something else was given.
    """
    message = string_to_sign(
        require_bytes("ts", str(ts) if isinstance(ts, int) else ts),
        require_bytes("method", method),
        require_bytes("path_with_query", path_with_query),
        require_bytes("body", body),
        require_bytes("on_behalf_of", on_behalf_of),
        require_bytes("job_id", job_id),
    )
    return signature_of(require_key(secret), message).decode("ascii")


def failure_reason(
    secret: BytesLike,
    method: BytesLike,
    path_with_query: BytesLike,
    body: BytesLike,
    timestamp: Optional[BytesLike],
    signature: Optional[BytesLike],
    on_behalf_of: Optional[BytesLike] = "",
    job_id: Optional[BytesLike] = "",
    window_sec: float = WINDOW_SECONDS,
    *,
    now: Optional[float] = None,
) -> Optional[str]:
    """Why a tool call is refused: None (it is genuine), ``timestamp_out_of_window`` or ``bad_signature``.

    The window is tested first. ``path_with_query`` is the raw request target, never decoded or encoded again, and
    ``body`` the raw bytes; a parsed body (a dict) never verifies. Never raises, for any input whatever.
    """
    if outside_window(timestamp, now_seconds() if now is None else now, window_sec):
        return TIMESTAMP_OUT_OF_WINDOW
    stamp, verb, target, raw_body = as_bytes(timestamp), as_bytes(method), as_bytes(path_with_query), as_bytes(body)
    subject, job = header_bytes(on_behalf_of), header_bytes(job_id)
    if stamp is None or verb is None or target is None or raw_body is None or subject is None or job is None:
        return BAD_SIGNATURE
    message = string_to_sign(stamp, verb, target, raw_body, subject, job)
    return None if signature_matches(secret, message, signature) else BAD_SIGNATURE


def verify_tool_call(
    secret: BytesLike,
    method: BytesLike,
    path_with_query: BytesLike,
    body: BytesLike,
    timestamp: Optional[BytesLike],
    signature: Optional[BytesLike],
    on_behalf_of: Optional[BytesLike] = "",
    job_id: Optional[BytesLike] = "",
    window_sec: float = WINDOW_SECONDS,
    *,
    now: Optional[float] = None,
) -> bool:
    """True if the hub signed exactly this call within the window. It says who sent it, **not** that the operator may do it:
    use :func:`bailing_connect.gate`, which asks your own permissions too."""
    reason = failure_reason(
        secret, method, path_with_query, body, timestamp, signature, on_behalf_of, job_id, window_sec, now=now
    )
    return reason is None
