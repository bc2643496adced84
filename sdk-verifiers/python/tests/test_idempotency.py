from __future__ import annotations

import json
import sqlite3
import tempfile
import threading
import time
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any, Iterator

from support import SECRET, request, sdk


def passed(**options: Any) -> sdk.GateResult:
    return sdk.gate(SECRET, lambda *_: True, request(**options), tool="refund_order")


class RunOnce(unittest.TestCase):
    def stores(self) -> "Iterator[sdk.IdempotencyStore]":
        yield sdk.MemoryIdempotencyStore()
        connection = sqlite3.connect(":memory:", isolation_level=None)
        self.addCleanup(connection.close)
        connection.execute(sdk.IDEMPOTENCY_TABLE)
        yield sdk.SqlIdempotencyStore(connection)

    def test_a_handler_runs_once_per_key_and_its_first_answer_is_given_again(self) -> None:
        for store in self.stores():
            runs = []
            answers = [sdk.run_once(store, passed(), lambda: runs.append(1) or (200, {"refund": "r1"})) for _ in range(3)]
            self.assertEqual(len(runs), 1)
            self.assertEqual([a.state for a in answers], ["first", "repeated", "repeated"])
            self.assertEqual({(a.status, a.body) for a in answers}, {(200, '{"refund":"r1"}')})

    def test_a_later_signature_of_the_same_call_is_the_same_content(self) -> None:
        store = sdk.MemoryIdempotencyStore()
        now = int(time.time())
        first = sdk.run_once(store, passed(ts=now - 20), lambda: (200, 1))
        self.assertEqual((first.state, sdk.run_once(store, passed(ts=now), lambda: (200, 2)).body), ("first", "1"))

    def test_the_same_key_with_other_content_is_refused(self) -> None:
        for store in self.stores():
            sdk.run_once(store, passed(), lambda: (200, {}))
            for other in ({"body": b'{"amount":9}'}, {"subject": "t1:u2"}, {"job": "job-2"}, {"target": "/orders/2/refund"}):
                answer = sdk.run_once(store, passed(**other), lambda: self.fail("it ran"))
                self.assertEqual((answer.state, answer.status), ("other-content", 422))
                self.assertEqual(json.loads(answer.body)["error"], "idempotency_other_content")

    def test_while_the_first_runs_the_second_is_refused(self) -> None:
        for store in self.stores():
            inner = []
            sdk.run_once(store, passed(), lambda: inner.append(sdk.run_once(store, passed(), lambda: (200, 0))) or (200, {}))
            self.assertEqual((inner[0].state, inner[0].status), ("running", 409))

    def test_a_handler_that_fails_leaves_the_key_unknown_until_a_person_releases_it(self) -> None:
        for store in self.stores():
            call = passed()
            with self.assertRaises(ZeroDivisionError):
                sdk.run_once(store, call, lambda: (200, 1 // 0))
            answer = sdk.run_once(store, call, lambda: self.fail("it ran"))
            self.assertEqual((answer.status, json.loads(answer.body)["error"]), (409, "idempotency_unknown"))
            store.release(call.idempotency_key)
            self.assertEqual(sdk.run_once(store, call, lambda: (200, {})).state, "first")

    def test_a_handler_that_surely_did_nothing_may_come_again(self) -> None:
        def nothing() -> Any:
            raise sdk.NotApplied("the stock is locked")

        for store in self.stores():
            with self.assertRaises(sdk.NotApplied):
                sdk.run_once(store, passed(), nothing)
            self.assertEqual(sdk.run_once(store, passed(), lambda: (200, {})).state, "first")

    def test_a_call_without_key_or_without_the_gate_is_refused(self) -> None:
        store = sdk.MemoryIdempotencyStore()
        refused = sdk.gate(SECRET, lambda *_: False, request(), tool="t")
        for call in (replace(passed(), idempotency_key=""), refused):
            answer = sdk.run_once(store, call, lambda: self.fail("it ran"))
            self.assertEqual((answer.state, answer.status), ("no-key", 400))

    def test_an_answer_that_is_no_json_leaves_the_key_unknown(self) -> None:
        store = sdk.MemoryIdempotencyStore()
        with self.assertRaises(TypeError):
            sdk.run_once(store, passed(), lambda: (200, object()))
        self.assertEqual(sdk.run_once(store, passed(), lambda: (200, {})).state, "unknown")

    def test_the_memory_store_forgets_old_answers_and_never_unsettled_calls(self) -> None:
        now = [0.0]
        store = sdk.MemoryIdempotencyStore(ttl_sec=10, limit=2, clock=lambda: now[0])
        self.assertEqual(store.claim("running", "c").state, "new")
        store.claim("done", "c")
        store.settle("done", sdk.StoredAnswer(200, "{}"))
        now[0] = 11.0
        self.assertEqual([store.claim("done", "c").state, store.claim("running", "c").state], ["new", "running"])
        with self.assertRaisesRegex(RuntimeError, "full of unsettled"):
            store.claim("third", "c")

    def test_over_processes_with_their_own_connections_exactly_one_runs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "shop.sqlite")
            with sqlite3.connect(path, isolation_level=None) as connection:
                connection.execute("pragma journal_mode = wal")
                connection.execute(sdk.IDEMPOTENCY_TABLE)
            connection.close()
            runs, states, call = [], [], passed()

            def worker() -> None:
                own = sqlite3.connect(path, isolation_level=None, timeout=10)
                try:
                    answer = sdk.run_once(sdk.SqlIdempotencyStore(own), call, lambda: runs.append(1) or (200, {}))
                    states.append(answer.state)
                finally:
                    own.close()

            threads = [threading.Thread(target=worker) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(20)
            self.assertEqual((len(runs), len(states)), (1, 8))
            self.assertLessEqual(set(states), {"first", "repeated", "running"})

    def test_in_one_transaction_a_crash_leaves_neither_effect_nor_key(self) -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        self.addCleanup(connection.close)
        connection.execute(sdk.IDEMPOTENCY_TABLE)
        connection.execute("create table refunds (order_no text)")
        store = sdk.SqlIdempotencyStore(connection)

        def refund(crash: bool) -> Any:
            connection.execute("insert into refunds values ('A-1')")
            if crash:
                raise OSError("the machine is gone")
            return 200, {"ok": True}

        connection.execute("begin immediate")
        with self.assertRaises(OSError):
            sdk.run_once(store, passed(), lambda: refund(True))
        connection.execute("rollback")
        self.assertEqual(connection.execute("select count(*) from refunds").fetchone(), (0,))
        connection.execute("begin immediate")
        answer = sdk.run_once(store, passed(), lambda: refund(False))
        connection.execute("commit")
        self.assertEqual((answer.state, connection.execute("select count(*) from refunds").fetchone()), ("first", (1,)))

    def test_a_database_in_trouble_runs_nothing(self) -> None:
        connection = sqlite3.connect(":memory:", isolation_level=None)
        self.addCleanup(connection.close)
        with self.assertRaises(sqlite3.OperationalError):
            sdk.run_once(sdk.SqlIdempotencyStore(connection), passed(), lambda: self.fail("it ran"))
        with self.assertRaisesRegex(ValueError, "qmark"):
            sdk.SqlIdempotencyStore(connection, paramstyle="named")


if __name__ == "__main__":
    unittest.main()
