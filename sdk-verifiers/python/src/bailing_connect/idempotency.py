"""Run a handler once per idempotency key, and give the first answer again (SIGNING rule 36)."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Protocol, Tuple

from .gates import GateResult

NEW, ANSWERED, RUNNING, UNKNOWN, OTHER_CONTENT = "new", "answered", "running", "unknown", "other-content"

_REFUSALS: Dict[str, Tuple[int, str, str]] = {
    "no-key": (400, "idempotency_key_missing", "A write needs the header X-Bailing-Idempotency-Key, 64 lower-case hex digits."),
    RUNNING: (409, "idempotency_running", "The first call with this key still runs; ask again when it has ended."),
    UNKNOWN: (409, "idempotency_unknown", "The first call with this key failed half way; a person must look at what it did."),
    OTHER_CONTENT: (422, "idempotency_other_content", "This key was used for another call; a new call needs a new key."),
}


@dataclass(frozen=True)
class StoredAnswer:
    """What is remembered of a first run: HTTP ``status`` and JSON text."""

    status: int
    body: str


@dataclass(frozen=True)
class Claim:
    """What a store says to a key: ``new``, ``answered`` (with the answer), ``running``, ``unknown`` or ``other-content``."""

    state: str
    answer: Optional[StoredAnswer] = None


class IdempotencyStore(Protocol):
    """Where keys are remembered. Two claims at once: exactly one of them is ``new``."""

    def claim(self, key: str, content: str) -> Claim:
        """Takes ``key`` for ``content``, or says what is known of it. Must be atomic."""
        ...

    def settle(self, key: str, answer: StoredAnswer) -> None:
        """The handler ended: its answer is given to every repeat from here on."""
        ...

    def mark_unknown(self, key: str) -> None:
        """The handler failed and may have done something: repeats are refused until a person releases the key."""
        ...

    def release(self, key: str) -> None:
        """Forgets the key, so that the call may run again."""
        ...


class NotApplied(Exception):
    """Raise it from a handler that certainly did nothing: the key is released, and the call may come again."""


@dataclass(frozen=True)
class OnceAnswer:
    """What to answer. ``state`` is ``first`` or ``repeated`` with the handler's answer, else the name of a refusal."""

    state: str
    status: int
    body: str


def run_once(store: IdempotencyStore, call: GateResult, handler: Callable[[], Tuple[int, Any]]) -> OnceAnswer:
    """Runs ``handler() -> (status, json value)`` once for the key of ``call``, which must have passed the gate.

    The key is bound to the signed content: the same key with another call is refused. An exception of the handler goes
    on to the caller after the key was marked unknown (or released, for :class:`NotApplied`). Where the effect lives in
    one database, let the store write in the same transaction: then a crash leaves nothing half done.
    """
    if not call.ok or not call.idempotency_key:
        return _refusal("no-key")
    key = call.idempotency_key
    claim = store.claim(key, call.content)
    if claim.state == ANSWERED and claim.answer is not None:
        return OnceAnswer("repeated", claim.answer.status, claim.answer.body)
    if claim.state != NEW:
        return _refusal(claim.state)
    try:
        status, value = handler()
        answer = StoredAnswer(status, json.dumps(value, ensure_ascii=False, separators=(",", ":")))
        store.settle(key, answer)
    except NotApplied:
        store.release(key)
        raise
    except BaseException:
        store.mark_unknown(key)
        raise
    return OnceAnswer("first", answer.status, answer.body)


def _refusal(state: str) -> OnceAnswer:
    status, error, message = _REFUSALS.get(state, _REFUSALS[UNKNOWN])
    return OnceAnswer(state, status, json.dumps({"error": error, "message": message}))


@dataclass
class _Row:
    content: str
    state: str
    answer: Optional[StoredAnswer]
    at: float


class MemoryIdempotencyStore:
    """Remembers keys in this process, for tests and single-process services.

    Answered rows leave after ``ttl_sec``, or earlier when there are ``limit`` of them; unsettled rows stay. Full of
    unsettled rows it raises, and the handler does not run.
    """

    def __init__(self, *, ttl_sec: float = 86_400, limit: int = 10_000, clock: Callable[[], float] = time.time) -> None:
        self._ttl = ttl_sec
        self._limit = limit
        self._clock = clock
        self._rows: Dict[str, _Row] = {}
        self._lock = threading.Lock()

    def claim(self, key: str, content: str) -> Claim:
        """See :class:`IdempotencyStore`."""
        with self._lock:
            self._sweep()
            row = self._rows.get(key)
            if row is None:
                if len(self._rows) >= self._limit:
                    raise RuntimeError("The idempotency store is full of unsettled calls. Release them, or use a database.")
                self._rows[key] = _Row(content, RUNNING, None, self._clock())
                return Claim(NEW)
            return Claim(row.state, row.answer) if row.content == content else Claim(OTHER_CONTENT)

    def settle(self, key: str, answer: StoredAnswer) -> None:
        """See :class:`IdempotencyStore`."""
        with self._lock:
            row = self._rows.get(key)
            if row is not None and row.state == RUNNING:
                row.state, row.answer = ANSWERED, answer

    def mark_unknown(self, key: str) -> None:
        """See :class:`IdempotencyStore`."""
        with self._lock:
            row = self._rows.get(key)
            if row is not None and row.state == RUNNING:
                row.state = UNKNOWN

    def release(self, key: str) -> None:
        """See :class:`IdempotencyStore`."""
        with self._lock:
            self._rows.pop(key, None)

    def _sweep(self) -> None:
        oldest = self._clock() - self._ttl
        for key, row in list(self._rows.items()):
            if row.at > oldest and len(self._rows) < self._limit:
                return
            if row.state == ANSWERED:
                del self._rows[key]
