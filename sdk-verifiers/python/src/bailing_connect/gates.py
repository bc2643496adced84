"""The gate: verify, then authorise, fail closed (SIGNING section G). A signature is not a permission."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field, replace
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Tuple, Union

from .parameters import ParameterError, read_parameters
from .replay import ReplayGuard
from .scheme import BAD_SIGNATURE, TIMESTAMP_OUT_OF_WINDOW, WINDOW_SECONDS
from .signed_request import SignedRequest
from .wire_bytes import BytesLike

Authorize = Callable[[str, str, Dict[str, Any]], bool]
AsyncAuthorize = Callable[[str, str, Dict[str, Any]], Union[bool, Awaitable[bool]]]

_IDEMPOTENCY_KEY = re.compile(rb"[0-9a-f]{64}")

REFUSALS: Mapping[str, Tuple[int, str]] = {
    TIMESTAMP_OUT_OF_WINDOW: (401, "The time header is missing, malformed or too far from this clock; check the clocks of both machines."),
    BAD_SIGNATURE: (401, "The signature does not fit these bytes; check the secret, the raw body, the raw target and the signed path."),
    "replayed": (401, "This very call was accepted before; a repeat must be signed anew by the hub."),
    "replay_guard_failed": (403, "The store of the replay guard could not be asked, so the call was refused; look at that store."),
    "authorize_missing": (403, "No authorize function was given, so nothing is allowed; hand the gate one that asks your own permissions."),
    "authorize_failed": (403, "The authorize function raised, so the call was refused; the log of this service says why."),
    "not_authorized": (403, "This operator may not do this; authorize did not answer True."),
    "bad_parameters": (403, "The parameters cannot be read without doubt; send a JSON object and a form-encoded query, each name once."),
}


@dataclass(frozen=True)
class GateResult:
    """The gate's answer. Act on ``params``, which are what was authorised, and only where ``ok`` is True.

    ``code`` is the HTTP status to answer with (200, 401, 403), ``error`` the stable word and ``message`` the sentence of
    a refusal. ``operator`` and ``job_id`` are empty unless the signature was right. ``content`` is a hash of the signed
    content without its time, and ``idempotency_key`` the unsigned header (empty unless 64 lower-case hex digits).
    """

    ok: bool
    code: int
    error: Optional[str] = None
    message: str = ""
    operator: str = ""
    job_id: str = ""
    tool: str = ""
    params: Dict[str, Any] = field(default_factory=dict)
    idempotency_key: str = ""
    content: str = ""


def gate(
    secret: BytesLike,
    authorize: Authorize,
    request: SignedRequest,
    *,
    tool: str,
    path_params: Optional[Mapping[str, str]] = None,
    known_path: Optional[BytesLike] = None,
    base_path: Optional[BytesLike] = None,
    window_sec: float = WINDOW_SECONDS,
    now: Optional[float] = None,
    replay: Optional[ReplayGuard] = None,
) -> GateResult:
    """Verifies ``request``, then asks ``authorize(operator, tool, params)``. Only the answer ``True`` lets it through.

    ``authorize`` is **required**: ask your own permission tables there, and deny by default. Never write
    ``return True``: the call comes server to server, no login of yours stands behind it, and this is the only place
    that decides whether ``operator`` may do ``tool`` with ``params``. Anything but ``True``, and an exception, is 403.
    """
    options = _Options(tool, path_params, known_path, base_path, window_sec, now, replay)
    ready = _ready(secret, authorize, request, options)
    if not ready.ok:
        return ready
    try:
        answer: object = authorize(ready.operator, tool, ready.params)
    except Exception:
        return _refused("authorize_failed", ready)
    if inspect.iscoroutine(answer):
        answer.close()  # an async authorize belongs to gate_async; left unawaited it would only warn, and never decide
    return _decided(answer, request, ready, options)


async def gate_async(
    secret: BytesLike,
    authorize: AsyncAuthorize,
    request: SignedRequest,
    *,
    tool: str,
    path_params: Optional[Mapping[str, str]] = None,
    known_path: Optional[BytesLike] = None,
    base_path: Optional[BytesLike] = None,
    window_sec: float = WINDOW_SECONDS,
    now: Optional[float] = None,
    replay: Optional[ReplayGuard] = None,
) -> GateResult:
    """As :func:`gate`, for an ``authorize`` that may be a coroutine function."""
    options = _Options(tool, path_params, known_path, base_path, window_sec, now, replay)
    ready = _ready(secret, authorize, request, options)
    if not ready.ok:
        return ready
    try:
        answer: object = authorize(ready.operator, tool, ready.params)
        if inspect.isawaitable(answer):
            answer = await answer
    except Exception:
        return _refused("authorize_failed", ready)
    return _decided(answer, request, ready, options)


@dataclass(frozen=True)
class _Options:
    tool: str
    path_params: Optional[Mapping[str, str]]
    known_path: Optional[BytesLike]
    base_path: Optional[BytesLike]
    window_sec: float
    now: Optional[float]
    replay: Optional[ReplayGuard]


def _ready(secret: BytesLike, authorize: object, request: SignedRequest, options: _Options) -> GateResult:
    """Everything before the business is asked: signature, texts, a callable authorize, parameters without doubt."""
    reason = request.failure_reason(
        secret,
        window_sec=options.window_sec,
        now=options.now,
        known_path=options.known_path,
        base_path=options.base_path,
    )
    nobody = GateResult(ok=False, code=401, tool=options.tool)
    if reason is not None:
        return _refused(reason, nobody)
    operator, job_id = _utf8(request.headers.on_behalf_of), _utf8(request.headers.job_id)
    if operator is None or job_id is None or "." in job_id:  # a dot would let the signed string be cut in two ways
        return _refused(BAD_SIGNATURE, nobody)
    known = replace(
        nobody,
        operator=operator,
        job_id=job_id,
        idempotency_key=_key(request.headers.idempotency_key),
        content=request.content_digest(),
    )
    if not callable(authorize):
        return _refused("authorize_missing", known)
    try:
        params = read_parameters(request, options.path_params)
    except ParameterError:
        return _refused("bad_parameters", known)
    return replace(known, ok=True, code=200, params=params)


def _decided(answer: object, request: SignedRequest, ready: GateResult, options: _Options) -> GateResult:
    if answer is not True:
        return _refused("not_authorized", ready)
    if options.replay is not None and request.method not in (b"GET", b"HEAD"):
        try:
            first = options.replay.first_time(request.headers.signature or b"", ready.job_id)
        except Exception:
            return _refused("replay_guard_failed", ready)
        if first is not True:
            return _refused("replayed", ready)
    return ready


def _refused(error: str, known: GateResult) -> GateResult:
    code, message = REFUSALS[error]
    return replace(known, ok=False, code=code, error=error, message=message, params={})


def _utf8(raw: Optional[bytes]) -> Optional[str]:
    try:
        return (raw or b"").decode("utf-8")
    except UnicodeDecodeError:
        return None


def _key(raw: Optional[bytes]) -> str:
    return raw.decode("ascii") if raw is not None and _IDEMPOTENCY_KEY.fullmatch(raw) else ""
