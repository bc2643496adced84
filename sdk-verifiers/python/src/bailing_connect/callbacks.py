"""Callbacks and webhooks of the hub: sign and verify, clock in milliseconds (WIRE 10.1)."""

from __future__ import annotations

from typing import Optional, Union

from .scheme import (
    BAD_SIGNATURE,
    TIMESTAMP_OUT_OF_WINDOW,
    WINDOW_MILLISECONDS,
    now_milliseconds,
    outside_window,
    require_bytes,
    require_key,
    signature_matches,
    signature_of,
)
from .wire_bytes import BytesLike, as_bytes


def sign_callback(secret: BytesLike, *, ts: Union[int, BytesLike], raw_body: BytesLike) -> str:
    """The ``X-Bailing-Signature`` of ``raw_body`` sent at ``ts``, unix **milliseconds**.

    Raises ValueError for an empty secret and TypeError where bytes are needed and something else was given.
    """
    stamp = require_bytes("ts", str(ts) if isinstance(ts, int) else ts)
    return signature_of(require_key(secret), stamp + b"." + require_bytes("raw_body", raw_body)).decode("ascii")


def callback_failure_reason(
    secret: BytesLike,
    raw_body: BytesLike,
    timestamp: Optional[BytesLike],
    signature: Optional[BytesLike],
    window_ms: float = WINDOW_MILLISECONDS,
    *,
    now: Optional[float] = None,
) -> Optional[str]:
    """Why a callback is refused: None (it is genuine), ``timestamp_out_of_window`` or ``bad_signature``. Never raises.

    ``raw_body`` is the bytes as they arrived, before any parser; ``now`` is unix milliseconds.
    """
    if outside_window(timestamp, now_milliseconds() if now is None else now, window_ms):
        return TIMESTAMP_OUT_OF_WINDOW
    stamp, body = as_bytes(timestamp), as_bytes(raw_body)
    message = None if stamp is None or body is None else stamp + b"." + body
    return None if signature_matches(secret, message, signature) else BAD_SIGNATURE


def verify_callback(
    secret: BytesLike,
    raw_body: BytesLike,
    timestamp: Optional[BytesLike],
    signature: Optional[BytesLike],
    window_ms: float = WINDOW_MILLISECONDS,
    *,
    now: Optional[float] = None,
) -> bool:
    """True if the hub signed exactly these bytes within the window. Callbacks repeat: remember ``job_id`` and act once."""
    return callback_failure_reason(secret, raw_body, timestamp, signature, window_ms, now=now) is None
