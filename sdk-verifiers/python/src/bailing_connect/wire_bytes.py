"""Bytes first: what is signed is bytes, so every input is brought to bytes once, here, and never raises.

A ``str`` stands for its UTF-8 bytes. A server that hands out header text decoded as Latin-1 (WSGI does) is turned
back into bytes by its door before it gets here.
"""

from __future__ import annotations

import hmac
from typing import Optional, Union

BytesLike = Union[str, bytes, bytearray, memoryview]


def as_bytes(value: object) -> Optional[bytes]:
    """The bytes of ``value``, or None where there are none to be had: a parsed body, a number, a lone surrogate."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        try:
            return value.encode("utf-8")
        except UnicodeEncodeError:
            return None
    if isinstance(value, (bytearray, memoryview)):
        try:
            return bytes(value)
        except ValueError:  # a released memoryview
            return None
    return None


def header_bytes(value: object) -> Optional[bytes]:
    """As :func:`as_bytes`; an absent header (None) is the same as an empty one."""
    return b"" if value is None else as_bytes(value)


def same_bytes(left: bytes, right: bytes) -> bool:
    """Constant-time comparison. Lengths are not secret (both are fixed by the scheme), so they are looked at first."""
    return len(left) == len(right) and hmac.compare_digest(left, right)
