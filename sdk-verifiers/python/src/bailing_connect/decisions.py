"""Approval decisions: build, sign and verify them, clock in milliseconds (WIRE 9.3 to 9.5, SIGNING section C)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Dict, Optional

from .callbacks import callback_failure_reason, sign_callback
from .errors import DecisionError
from .scheme import WINDOW_MILLISECONDS, now_milliseconds
from .wire_bytes import BytesLike

_DECISION_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_ARGS_HASH = re.compile(r"[0-9a-f]{64}")
_LARGEST_ID = 2**53 - 1


@dataclass(frozen=True)
class SignedDecision:
    """A decision ready to be sent: POST ``body`` with ``headers`` to ``/approvals/<approval_id>/decision``."""

    body: bytes
    timestamp: str
    signature: str

    @property
    def headers(self) -> Dict[str, str]:
        """The request headers that belong to ``body``."""
        return {
            "Content-Type": "application/json",
            "X-Bailing-Timestamp": self.timestamp,
            "X-Bailing-Signature": self.signature,
        }


def decision_body(
    *,
    approval_id: int,
    job_id: str,
    request_id: str,
    args_hash: str,
    decision_id: str,
    decision: str,
    approver: str,
    comment: Optional[str] = None,
    decided_at: Optional[str] = None,
) -> bytes:
    """The full form of a decision as compact JSON bytes, members in the contract's order.

    ``decision`` is ``approved`` or ``denied``; ``decision_id`` is your own stable id of it, so that a repeat is harmless.
    Raises :class:`DecisionError` (``invalid_decision``) with the member that is wrong.
    """
    members = {
        "kind": "tool_approval_decision",
        "schema_version": "bailing.approval-decision.v1",
        "approval_id": _approval_id(approval_id),
        "job_id": _said("job_id", job_id),
        "request_id": _said("request_id", request_id),
        "args_hash": _matching("args_hash", args_hash, _ARGS_HASH, "64 lower-case hex digits"),
        "decision_id": _matching("decision_id", decision_id, _DECISION_ID, "1 to 128 of A-Z a-z 0-9 _ . : -"),
        "decision": _verdict(decision),
        "approver": _said("approver", approver),
    }
    for name, value in (("comment", comment), ("decided_at", decided_at)):
        if value is not None:
            members[name] = _text(name, value)
    text = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise DecisionError("A text of the decision holds half of a surrogate pair.") from None


def sign_decision(
    secret: BytesLike,
    *,
    approval_id: int,
    job_id: str,
    request_id: str,
    args_hash: str,
    decision_id: str,
    decision: str,
    approver: str,
    comment: Optional[str] = None,
    decided_at: Optional[str] = None,
    ts: Optional[int] = None,
) -> SignedDecision:
    """Builds a decision and signs it. ``ts`` is unix milliseconds, by default now. Errors as :func:`decision_body`."""
    body = decision_body(
        approval_id=approval_id,
        job_id=job_id,
        request_id=request_id,
        args_hash=args_hash,
        decision_id=decision_id,
        decision=decision,
        approver=approver,
        comment=comment,
        decided_at=decided_at,
    )
    stamp = str(now_milliseconds() if ts is None else ts)
    return SignedDecision(body=body, timestamp=stamp, signature=sign_callback(secret, ts=stamp, raw_body=body))


def decision_failure_reason(
    secret: BytesLike,
    raw_body: BytesLike,
    timestamp: Optional[BytesLike],
    signature: Optional[BytesLike],
    window_ms: float = WINDOW_MILLISECONDS,
    *,
    now: Optional[float] = None,
) -> Optional[str]:
    """As :func:`bailing_connect.callback_failure_reason`: a decision is signed by the same rule as a callback."""
    return callback_failure_reason(secret, raw_body, timestamp, signature, window_ms, now=now)


def verify_decision(
    secret: BytesLike,
    raw_body: BytesLike,
    timestamp: Optional[BytesLike],
    signature: Optional[BytesLike],
    window_ms: float = WINDOW_MILLISECONDS,
    *,
    now: Optional[float] = None,
) -> bool:
    """True if exactly these bytes were signed within the window."""
    return decision_failure_reason(secret, raw_body, timestamp, signature, window_ms, now=now) is None


def _approval_id(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _LARGEST_ID:
        raise DecisionError("approval_id must be the positive whole number that the approval request named.")
    return value


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise DecisionError(f"{name} must be a text.")
    return value


def _said(name: str, value: object) -> str:
    text = _text(name, value)
    if not text:
        raise DecisionError(f"{name} must not be empty.")
    return text


def _matching(name: str, value: object, pattern: "re.Pattern[str]", rule: str) -> str:
    text = _text(name, value)
    if not pattern.fullmatch(text):
        raise DecisionError(f"{name} must be {rule}.")
    return text


def _verdict(value: object) -> str:
    if value not in ("approved", "denied"):
        raise DecisionError('decision must be "approved" or "denied".')
    return _text("decision", value)
