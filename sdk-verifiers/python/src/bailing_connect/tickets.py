"""Chat tickets: bind a chat turn to a user of your business (WIRE 1.4, SIGNING section I)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
import time
from dataclasses import dataclass
from typing import Any, Optional, Union

from .ecma_text import WHITE_SPACE
from .errors import TicketError
from .json_text import parse_json
from .scheme import now_milliseconds, require_key
from .wire_bytes import BytesLike, as_bytes, same_bytes

BAD_TICKET = "bad_ticket"
TICKET_EXPIRED = "ticket_expired"

_TICKET = re.compile(rb"v1\.([A-Za-z0-9_-]+)\.([0-9a-f]{64})")
_UID_BYTES = 64
_UID_UNITS = 64
_WHOLE_NUMBER = 2**53 - 1


@dataclass(frozen=True)
class TicketCheck:
    """What a ticket says: ``uid`` where ``reason`` is None, else ``bad_ticket`` or ``ticket_expired`` and an empty uid."""

    uid: str
    reason: Optional[str]

    @property
    def ok(self) -> bool:
        """True where the ticket is genuine and not expired."""
        return self.reason is None


def sign_ticket(
    client_token: BytesLike, uid: Union[str, int], ttl_seconds: int = 7200, expires_at: Optional[int] = None
) -> str:
    """A ticket for ``uid`` (1 to 64 UTF-8 bytes after trimming), valid ``ttl_seconds`` or until ``expires_at`` (unix seconds).

    Raises :class:`TicketError` (``invalid_uid``) for a uid that no ticket can carry, ValueError for an empty token.
    """
    name = _signable_uid(uid)
    expiry = int(time.time()) + int(ttl_seconds) if expires_at is None else int(expires_at)
    text = json.dumps({"uid": name, "exp": expiry}, ensure_ascii=False, separators=(",", ":"))
    payload = base64.urlsafe_b64encode(text.encode("utf-8")).rstrip(b"=")
    return (b"v1." + payload + b"." + _mac(require_key(client_token), payload)).decode("ascii")


def check_ticket(client_token: BytesLike, ticket: Optional[BytesLike], *, now_ms: Optional[float] = None) -> TicketCheck:
    """Reads a ticket. Never raises, for any input whatever. ``now_ms`` is unix milliseconds, by default the clock."""
    key, text = as_bytes(client_token), as_bytes(ticket)
    match = _TICKET.fullmatch(text) if text is not None else None
    if not key or match is None or not same_bytes(_mac(key, match.group(1)), match.group(2)):
        return TicketCheck("", BAD_TICKET)
    members = _payload(match.group(1))
    uid, expiry = _uid(members.get("uid")), members.get("exp")
    if not uid or not isinstance(expiry, float) or not math.isfinite(expiry):
        return TicketCheck("", BAD_TICKET)
    if expiry * 1000 < (now_milliseconds() if now_ms is None else now_ms):
        return TicketCheck("", TICKET_EXPIRED)
    return TicketCheck(uid, None)


def verify_ticket(client_token: BytesLike, ticket: Optional[BytesLike], *, now_ms: Optional[float] = None) -> bool:
    """True where the ticket is genuine and not expired; :func:`check_ticket` also tells the uid and the reason."""
    return check_ticket(client_token, ticket, now_ms=now_ms).ok


def _mac(key: bytes, payload: bytes) -> bytes:
    return hmac.new(key, payload, hashlib.sha256).hexdigest().encode("ascii")


def _signable_uid(uid: object) -> str:
    text = str(uid) if isinstance(uid, int) and not isinstance(uid, bool) else uid
    if not isinstance(text, str):
        raise TicketError("The uid must be a text or a whole number.")
    text = text.strip(WHITE_SPACE)
    size = len(as_bytes(text) or b"")
    if not 0 < size <= _UID_BYTES:
        raise TicketError(f"The uid must be 1 to {_UID_BYTES} bytes of UTF-8 after trimming; this one has {size}.")
    return text


def _payload(encoded: bytes) -> "dict[str, Any]":
    """The members of the payload; none at all where it cannot be read (no member is then there to be believed)."""
    try:
        raw = base64.urlsafe_b64decode(encoded + b"=" * (-len(encoded) % 4))
        value = parse_json(raw)
    except ValueError:  # not base64, not UTF-8, not JSON, too deep
        return {}
    return value if isinstance(value, dict) else {}


def _uid(value: object) -> Optional[str]:
    if isinstance(value, float) and value.is_integer() and abs(value) <= _WHOLE_NUMBER:
        value = str(int(value))
    if not isinstance(value, str):
        return None
    try:
        units = value.strip(WHITE_SPACE).encode("utf-16-le")
    except UnicodeEncodeError:  # a lone surrogate
        return None
    return units[: 2 * _UID_UNITS].decode("utf-16-le", "ignore")
