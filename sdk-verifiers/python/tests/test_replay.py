from __future__ import annotations

import sqlite3
import threading
import unittest
from typing import Any

from support import SECRET, request, sdk


def yes(*_: Any) -> bool:
    return True


class ReplayGuards(unittest.TestCase):
    def stores(self, clock: Any) -> "list[sdk.ReplayStore]":
        connection = sqlite3.connect(":memory:", isolation_level=None)
        self.addCleanup(connection.close)
        connection.execute(sdk.REPLAY_TABLE)
        return [sdk.MemoryReplayStore(clock=clock), sdk.SqlReplayStore(connection, clock=clock)]

    def test_the_second_sight_of_an_accepted_write_is_refused(self) -> None:
        for store in self.stores(lambda: 1000.0):
            guard = sdk.ReplayGuard(store, clock=lambda: 1000.0)
            asked = request()
            codes = [sdk.gate(SECRET, yes, asked, tool="t", replay=guard).code for _ in range(2)]
            self.assertEqual(codes, [200, 401])
            self.assertEqual(sdk.gate(SECRET, yes, asked, tool="t", replay=guard).error, "replayed")
            self.assertTrue(sdk.gate(SECRET, yes, request(job="job-2"), tool="t", replay=guard).ok)

    def test_reads_repeat_freely_and_a_refused_call_is_not_remembered(self) -> None:
        guard = sdk.ReplayGuard()
        read = request("GET", "/orders", b"")
        self.assertEqual([sdk.gate(SECRET, yes, read, tool="t", replay=guard).code for _ in range(2)], [200, 200])
        write = request()
        self.assertEqual(sdk.gate(SECRET, lambda *_: False, write, tool="t", replay=guard).code, 403)
        self.assertEqual(sdk.gate(SECRET, yes, write, tool="t", replay=guard).code, 200)

    def test_a_call_is_remembered_for_twice_the_window_and_no_longer(self) -> None:
        now = [1000.0]
        for store in self.stores(lambda: now[0]):
            now[0] = 1000.0
            guard = sdk.ReplayGuard(store, clock=lambda: now[0])
            self.assertTrue(guard.first_time("sha256=x", "j"))
            now[0] = 1599.0
            self.assertFalse(guard.first_time("sha256=x", "j"))
            now[0] = 1600.0
            self.assertTrue(guard.first_time("sha256=x", "j"))

    def test_a_store_that_fails_refuses_the_call(self) -> None:
        class Broken:
            def add(self, key: str, expires_at: float) -> bool:
                raise OSError("the database is away")

        refused = sdk.gate(SECRET, yes, request(), tool="t", replay=sdk.ReplayGuard(Broken()))
        self.assertEqual((refused.code, refused.error), (403, "replay_guard_failed"))

    def test_a_full_store_refuses_rather_than_forgets(self) -> None:
        store = sdk.MemoryReplayStore(limit=2, clock=lambda: 0.0)
        guard = sdk.ReplayGuard(store, clock=lambda: 0.0)
        codes = [sdk.gate(SECRET, yes, request(job=f"j{n}"), tool="t", replay=guard).code for n in range(3)]
        self.assertEqual(codes, [200, 200, 403])

    def test_of_many_at_once_exactly_one_is_the_first(self) -> None:
        store = sdk.MemoryReplayStore()
        guard = sdk.ReplayGuard(store)
        asked = request()
        codes = []
        threads = [
            threading.Thread(target=lambda: codes.append(sdk.gate(SECRET, yes, asked, tool="t", replay=guard).code)) for _ in range(12)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        self.assertEqual(sorted(codes), [200] + [401] * 11)


if __name__ == "__main__":
    unittest.main()
