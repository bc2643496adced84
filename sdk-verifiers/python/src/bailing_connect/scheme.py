"""What every signature of the hub has in common: the label, the clock and the reason words (SIGNING.md, WIRE 6.3 and 10.1)."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from typing import Optional

from .wire_bytes import as_bytes, header_bytes, same_bytes

TIMESTAMP_OUT_OF_WINDOW = "timestamp_out_of_window"
BAD_SIGNATURE = "bad_signature"

WINDOW_SECONDS = 300
WINDOW_MILLISECONDS = 300_000

_DIGITS = re.compile(rb"[0-9]{1,15}")
_SIGNATURE = re.compile(rb"sha256=[0-9a-f]{64}")


def now_seconds() -> int:
    """Unix time in whole seconds: the clock of tool calls and spec fetches."""
    return int(time.time())


def now_milliseconds() -> int:
    """Unix time in whole milliseconds: the clock of callbacks, webhooks and approval decisions."""
    return time.time_ns() // 1_000_000


def signature_of(key: bytes, message: bytes) -> bytes:
    """``sha256=`` and 64 lower-case hex digits of the HMAC-SHA256."""
    return b"sha256=" + hmac.new(key, message, hashlib.sha256).hexdigest().encode("ascii")


def outside_window(timestamp: object, now: object, window: object) -> bool:
    """True where the time header is not plain ASCII digits, or as far from ``now`` as the window is wide, or farther.

    Written so that nothing odd (a NaN clock, a window that is no number) can come out as "inside".
    """
    raw = header_bytes(timestamp)
    if raw is None or not _DIGITS.fullmatch(raw):
        return True
    if not isinstance(now, (int, float)) or not isinstance(window, (int, float)):
        return True
    return not abs(now - int(raw)) < window


def signature_matches(secret: object, message: Optional[bytes], signature: object) -> bool:
    """True only for a well-formed signature that this secret makes from ``message``; an empty secret makes none."""
    key = as_bytes(secret)
    given = as_bytes(signature)
    if not key or message is None or given is None or not _SIGNATURE.fullmatch(given):
        return False
    return same_bytes(signature_of(key, message), given)


def require_key(secret: object) -> bytes:
    """The key to sign with. Raises ValueError for an empty or unusable secret; the secret itself is never in the text."""
    key = as_bytes(secret)
    if not key:
        raise ValueError("The signing secret is empty or is not text. Give the secret that the hub has for this system.")
    return key


def require_bytes(name: str, value: object) -> bytes:
    """The bytes to sign. Raises TypeError that names the part, where a parsed value was handed over instead of bytes."""
    raw = header_bytes(value)
    if raw is None:
        raise TypeError(
            f"{name} must be bytes or text, not {type(value).__name__}: the signature covers the exact bytes on the wire."
        )
    return raw
