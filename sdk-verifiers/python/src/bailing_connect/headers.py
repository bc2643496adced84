"""The hub's request headers, read once and strictly (WIRE 6.2, SIGNING section F)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, FrozenSet, Iterable, List, Mapping, Optional, Tuple, Union

from .wire_bytes import BytesLike, as_bytes

HeaderPairs = Iterable[Tuple[BytesLike, BytesLike]]
Headers = Union[Mapping[str, BytesLike], Mapping[bytes, BytesLike], HeaderPairs]

_FIELDS = {
    b"x-bailing-timestamp": "timestamp",
    b"x-bailing-signature": "signature",
    b"x-bailing-on-behalf-of": "on_behalf_of",
    b"x-bailing-job-id": "job_id",
    b"x-bailing-client": "client",
    b"x-bailing-tool-scope": "tool_scope",
    b"x-bailing-idempotency-key": "idempotency_key",
    b"x-bailing-conversation": "conversation",
}


@dataclass(frozen=True)
class HubHeaders:
    """The hub's headers as bytes; None where one was not sent. ``doubtful`` names those that came twice or not as text.

    Only ``timestamp``, ``signature``, ``on_behalf_of`` and ``job_id`` are covered by the signature. The others inform;
    nothing that matters may be decided by them.
    """

    timestamp: Optional[bytes] = None
    signature: Optional[bytes] = None
    on_behalf_of: Optional[bytes] = None
    job_id: Optional[bytes] = None
    client: Optional[bytes] = None
    tool_scope: Optional[bytes] = None
    idempotency_key: Optional[bytes] = None
    conversation: Optional[bytes] = None
    doubtful: FrozenSet[str] = frozenset()


def read_headers(headers: object) -> HubHeaders:
    """Reads a mapping or, better, a list of (name, value) pairs as they stood on the wire. Never raises.

    Names match without case (ASCII); spaces and tabs around a value are not part of it. Text values stand for their
    UTF-8 bytes: where a server decoded header text as Latin-1, encode it back first (the doors of this package do).
    """
    seen: Dict[str, List[Optional[bytes]]] = {}
    for name, value in _pairs(headers):
        raw_name = as_bytes(name)
        field = _FIELDS.get(raw_name.lower()) if raw_name is not None else None
        if field is not None and value is not None:
            raw = as_bytes(value)
            seen.setdefault(field, []).append(None if raw is None else raw.strip(b" \t"))
    doubtful = frozenset(field for field, values in seen.items() if len(values) > 1 or values[0] is None)
    return HubHeaders(doubtful=doubtful, **{field: values[0] for field, values in seen.items()})


def _pairs(headers: object) -> "List[Tuple[object, object]]":
    if isinstance(headers, Mapping):
        found: "List[Tuple[object, object]]" = []
        for name, value in headers.items():
            many = value if isinstance(value, (list, tuple)) else [value]
            found.extend((name, item) for item in many)
        return found
    if not isinstance(headers, Iterable) or isinstance(headers, (str, bytes, bytearray)):
        return []
    return [(pair[0], pair[1]) for pair in headers if isinstance(pair, (tuple, list)) and len(pair) == 2]
