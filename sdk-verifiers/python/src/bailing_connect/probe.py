"""The hub's authorization probe: does this business really refuse a stranger? (WIRE 4.5 and 17, SIGNING rule 34)."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Union

from .gates import REFUSALS
from .json_text import parse_json
from .scheme import WINDOW_SECONDS
from .signed_request import SignedRequest
from .wire_bytes import BytesLike

PROBE_SUBJECT = "__bailing_authz_probe__:nobody"
PROBE_PATH = "/.well-known/bailing/authz-probe"

PROBE_TOOL = "__probe__.authz"

ProbeAuthorize = Callable[[str, str, Dict[str, Any]], bool]
ProbeAnswer = Tuple[int, Dict[str, Union[bool, str]]]


def authz_probe_response(
    secret: BytesLike,
    request: SignedRequest,
    authorize: ProbeAuthorize,
    *,
    window_sec: float = WINDOW_SECONDS,
    now: Optional[float] = None,
    known_path: Optional[BytesLike] = None,
    base_path: Optional[BytesLike] = None,
) -> ProbeAnswer:
    """``(status, body)`` for the probe endpoint: 401 to a bad signature, else 200 with ``authorized`` true or false.

    ``authorize`` is the one your gate has; it is asked for the tool ``__probe__.authz`` without parameters. An exception in
    it, and any answer but ``True``, is false. The hub asks with a subject that nobody has, and warns its operator where it hears true.
    """
    reason = request.failure_reason(secret, window_sec=window_sec, now=now, known_path=known_path, base_path=base_path)
    if reason is not None:
        return 401, {"authorized": False, "error": reason, "message": REFUSALS[reason][1]}
    try:
        allowed = authorize(_subject(request), PROBE_TOOL, {}) is True
    except Exception:
        allowed = False
    return 200, {"authorized": allowed}


def _subject(request: SignedRequest) -> str:
    try:
        body = parse_json(request.body)
    except ValueError:
        body = None
    named = body.get("subject") if isinstance(body, dict) else None
    if isinstance(named, str):
        return named
    return (request.headers.on_behalf_of or b"").decode("utf-8", "replace")
