"""Both stores on a SQL table of your own, over any DB-API 2.0 driver whose value mark is ``?`` (``sqlite3`` is one).

The statements are plain SQL that SQLite, MySQL and PostgreSQL read alike; a driver that marks values with ``%s`` is served by
``paramstyle="format"``. The stores never commit: open the connection in autocommit mode, or let the claim, the business
effect and the answer share one transaction of yours, and then a crash leaves nothing half done.
"""

from __future__ import annotations

import time
from typing import Any, Callable, Optional, Sequence

from .idempotency import ANSWERED, NEW, OTHER_CONTENT, RUNNING, UNKNOWN, Claim, StoredAnswer

IDEMPOTENCY_TABLE = """create table bailing_idempotency (
  idem_key char(64) not null primary key,
  content char(64) not null,
  state varchar(16) not null,
  status int not null default 0,
  body text,
  created_at bigint not null
)"""

REPLAY_TABLE = """create table bailing_replay (
  call_key char(64) not null primary key,
  expires_at bigint not null
)"""


class _Statements:
    """Runs statements on a connection; the connection's own transaction mode is left alone."""

    def __init__(self, connection: Any, paramstyle: str) -> None:
        if paramstyle not in ("qmark", "format"):
            raise ValueError('paramstyle must be "qmark" (?) or "format" (%s), as your driver documents it.')
        self._connection = connection
        self._mark = "?" if paramstyle == "qmark" else "%s"

    def run(self, sql: str, values: Sequence[Any]) -> Any:
        cursor = self._connection.cursor()
        cursor.execute(sql.replace("?", self._mark), tuple(values))
        return cursor

    def row(self, sql: str, values: Sequence[Any]) -> Any:
        cursor = self.run(sql, values)
        try:
            return cursor.fetchone()
        finally:
            cursor.close()


class SqlIdempotencyStore:
    """Keys in the table :data:`IDEMPOTENCY_TABLE`; its primary key makes a claim atomic, over all processes.

    A row that stays ``running`` belongs to a process that died: look at ``created_at`` (unix milliseconds), find out
    what the call did, and ``release`` it or settle it by hand. Delete answered rows when they are a few days old.
    """

    def __init__(self, connection: Any, *, paramstyle: str = "qmark", clock: Callable[[], float] = time.time) -> None:
        self._sql = _Statements(connection, paramstyle)
        self._clock = clock

    def claim(self, key: str, content: str) -> Claim:
        """See :class:`bailing_connect.IdempotencyStore`."""
        known = self._known(key, content)
        if known is not None:
            return known
        try:
            sql = "insert into bailing_idempotency (idem_key, content, state, created_at) values (?, ?, 'running', ?)"
            self._sql.run(sql, (key, content, int(self._clock() * 1000))).close()
        except Exception:
            quicker = self._known(key, content)  # another call took the key between the two statements
            if quicker is None:
                raise  # no: the database is in trouble, and then nobody may run the handler
            return quicker
        return Claim(NEW)

    def settle(self, key: str, answer: StoredAnswer) -> None:
        """See :class:`bailing_connect.IdempotencyStore`."""
        sql = "update bailing_idempotency set state = 'answered', status = ?, body = ? where idem_key = ? and state = 'running'"
        self._sql.run(sql, (answer.status, answer.body, key)).close()

    def mark_unknown(self, key: str) -> None:
        """See :class:`bailing_connect.IdempotencyStore`."""
        sql = "update bailing_idempotency set state = 'unknown' where idem_key = ? and state = 'running'"
        self._sql.run(sql, (key,)).close()

    def release(self, key: str) -> None:
        """See :class:`bailing_connect.IdempotencyStore`."""
        self._sql.run("delete from bailing_idempotency where idem_key = ?", (key,)).close()

    def _known(self, key: str, content: str) -> Optional[Claim]:
        row = self._sql.row("select content, state, status, body from bailing_idempotency where idem_key = ?", (key,))
        if row is None:
            return None
        stored, state, status, body = row
        if stored != content:
            return Claim(OTHER_CONTENT)
        if state == ANSWERED:
            return Claim(ANSWERED, StoredAnswer(int(status), str(body)))
        return Claim(RUNNING if state == RUNNING else UNKNOWN)


class SqlReplayStore:
    """Seen calls in the table :data:`REPLAY_TABLE`, for a :class:`bailing_connect.ReplayGuard` over all processes."""

    def __init__(self, connection: Any, *, paramstyle: str = "qmark", clock: Callable[[], float] = time.time) -> None:
        self._sql = _Statements(connection, paramstyle)
        self._clock = clock

    def add(self, key: str, expires_at: float) -> bool:
        """See :class:`bailing_connect.ReplayStore`."""
        self._sql.run("delete from bailing_replay where expires_at <= ?", (int(self._clock()),)).close()
        if self._seen(key):
            return False
        try:
            self._sql.run("insert into bailing_replay (call_key, expires_at) values (?, ?)", (key, int(expires_at))).close()
        except Exception:
            if self._seen(key):
                return False
            raise
        return True

    def _seen(self, key: str) -> bool:
        return self._sql.row("select 1 from bailing_replay where call_key = ?", (key,)) is not None
