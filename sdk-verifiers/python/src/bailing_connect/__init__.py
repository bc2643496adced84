"""Verify a call of the Bailing hub in your service, and authorise it.

A signature is not a permission: it says that the hub sent exactly these bytes for this operator in this job. Whether
the operator may do it is decided by you, on every call; :func:`gate` therefore takes an ``authorize`` and refuses
everything that it does not answer with ``True``.
"""

from .callbacks import callback_failure_reason, sign_callback, verify_callback
from .canonical import args_hash, canonical_json, idempotency_key, parse_arguments
from .decisions import SignedDecision, decision_body, decision_failure_reason, sign_decision, verify_decision
from .errors import (
    CanonicalError,
    DecisionError,
    HubError,
    RawRequestError,
    SpecError,
    TicketError,
    ToolDocumentWarning,
)
from .gates import Authorize, GateResult, gate, gate_async
from .headers import HubHeaders, read_headers
from .hub_client import HubClient
from .idempotency import (
    Claim,
    IdempotencyStore,
    MemoryIdempotencyStore,
    NotApplied,
    OnceAnswer,
    StoredAnswer,
    run_once,
)
from .openapi import build_openapi_spec, spec_warnings
from .parameters import path_params
from .probe import PROBE_PATH, PROBE_SUBJECT, authz_probe_response
from .replay import MemoryReplayStore, ReplayGuard, ReplayStore
from .scheme import BAD_SIGNATURE, TIMESTAMP_OUT_OF_WINDOW
from .service import ToolService, ToolSet, json_answer, refusal_answer
from .signed_request import SignedRequest
from .spec_server import SPEC_PATH, HttpAnswer, SpecServer
from .sql_stores import IDEMPOTENCY_TABLE, REPLAY_TABLE, SqlIdempotencyStore, SqlReplayStore
from .tickets import TicketCheck, check_ticket, sign_ticket, verify_ticket
from .tool_calls import failure_reason, sign_tool_call, verify_tool_call
from .tools import Param, Tool, param, tool

__version__ = "0.1.0"

__all__ = [
    "BAD_SIGNATURE",
    "IDEMPOTENCY_TABLE",
    "PROBE_PATH",
    "PROBE_SUBJECT",
    "REPLAY_TABLE",
    "SPEC_PATH",
    "TIMESTAMP_OUT_OF_WINDOW",
    "Authorize",
    "CanonicalError",
    "Claim",
    "DecisionError",
    "GateResult",
    "HttpAnswer",
    "HubClient",
    "HubError",
    "HubHeaders",
    "IdempotencyStore",
    "MemoryIdempotencyStore",
    "MemoryReplayStore",
    "NotApplied",
    "OnceAnswer",
    "Param",
    "RawRequestError",
    "ReplayGuard",
    "ReplayStore",
    "SignedDecision",
    "SignedRequest",
    "SpecError",
    "SpecServer",
    "SqlIdempotencyStore",
    "SqlReplayStore",
    "StoredAnswer",
    "TicketCheck",
    "TicketError",
    "Tool",
    "ToolDocumentWarning",
    "ToolService",
    "ToolSet",
    "args_hash",
    "authz_probe_response",
    "build_openapi_spec",
    "callback_failure_reason",
    "canonical_json",
    "check_ticket",
    "decision_body",
    "decision_failure_reason",
    "failure_reason",
    "gate",
    "gate_async",
    "idempotency_key",
    "json_answer",
    "param",
    "parse_arguments",
    "path_params",
    "read_headers",
    "refusal_answer",
    "run_once",
    "sign_callback",
    "sign_decision",
    "sign_ticket",
    "sign_tool_call",
    "spec_warnings",
    "tool",
    "verify_callback",
    "verify_decision",
    "verify_ticket",
    "verify_tool_call",
]
