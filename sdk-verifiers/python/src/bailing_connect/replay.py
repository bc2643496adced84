"""A replay guard: the second sight of an accepted call is refused (SIGNING rule 35)."""

from __future__ import annotations

import hashlib
import threading
import time
from typing import Callable, Dict, Optional, Protocol

from .scheme import WINDOW_SECONDS, require_bytes
from .wire_bytes import BytesLike

Clock = Callable[[], float]


class ReplayStore(Protocol):
    """Where seen calls are remembered. Share one among processes, or each process accepts a call once."""

    def add(self, key: str, expires_at: float) -> bool:
        """True only for the first of equal keys, atomically. ``expires_at`` is unix seconds; after it the key may go."""
        ...


class MemoryReplayStore:
    """Remembers up to ``limit`` keys in this process. Full of living keys it raises, and the call is refused: it never forgets early."""

    def __init__(self, *, limit: int = 100_000, clock: Clock = time.time) -> None:
        self._limit = limit
        self._clock = clock
        self._seen: Dict[str, float] = {}
        self._lock = threading.Lock()

    def add(self, key: str, expires_at: float) -> bool:
        """See :class:`ReplayStore`. Keys live equally long, so the oldest stand first and sweeping stops at a living one."""
        with self._lock:
            now = self._clock()
            while self._seen:
                oldest = next(iter(self._seen))
                if self._seen[oldest] > now:
                    break
                del self._seen[oldest]
            if key in self._seen:
                return False
            if len(self._seen) >= self._limit:
                raise RuntimeError("The replay store is full. Raise its limit, or use a shared store.")
            self._seen[key] = expires_at
            return True


class ReplayGuard:
    """Remembers signature and job for twice the window. Hand it to the gate as ``replay``."""

    def __init__(
        self, store: Optional[ReplayStore] = None, *, window_sec: float = WINDOW_SECONDS, clock: Clock = time.time
    ) -> None:
        self._store: ReplayStore = MemoryReplayStore(clock=clock) if store is None else store
        self._lifetime = 2 * window_sec
        self._clock = clock

    def first_time(self, signature: BytesLike, job_id: BytesLike) -> bool:
        """True where this signature was not accepted for this job before. What the store raises goes through."""
        seen = require_bytes("signature", signature) + b"\n" + require_bytes("job_id", job_id)
        return self._store.add(hashlib.sha256(seen).hexdigest(), self._clock() + self._lifetime)
