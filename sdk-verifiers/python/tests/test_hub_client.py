from __future__ import annotations

import json
import threading
import time
import unittest
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator, List, Tuple
from unittest import mock

from support import sdk

Seen = List[Tuple[str, str, str, Any]]


@contextmanager
def hub(answer: Callable[[str], Tuple[int, Any]]) -> Iterator[Tuple[sdk.HubClient, Seen]]:
    seen: Seen = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            return None

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            seen.append((self.command, self.path, self.headers["Authorization"], json.loads(body) if body else None))
            status, value = answer(self.path)
            text = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/stolen")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_POST = do_GET

    class Server(ThreadingHTTPServer):
        def handle_error(self, *args: Any) -> None:
            return None  # a client that hung up on a slow answer is part of a test

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        with mock.patch.dict("os.environ", {"no_proxy": "127.0.0.1"}):
            yield sdk.HubClient(f"http://127.0.0.1:{server.server_port}/", "client-token-1", timeout=2.0), seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


class HubClientCalls(unittest.TestCase):
    def test_run_sends_only_what_the_hub_knows(self) -> None:
        with hub(lambda path: (202, {"job_id": "j", "status": "queued"})) as (client, seen):
            answer = client.run("crm:1", "refund_review", "退款", metadata={"operator_uid": "t1:u1"})
            self.assertEqual(answer["job_id"], "j")
        body = {"request_id": "crm:1", "route": "refund_review", "input": "退款", "metadata": {"operator_uid": "t1:u1"}}
        self.assertEqual(seen, [("POST", "/run", "Bearer client-token-1", body)])

    def test_waiting_reads_the_job_and_is_never_sent(self) -> None:
        states = iter(["queued", "dispatched", "done"])
        queued = (202, {"job_id": "j", "status": "queued"})
        with hub(lambda path: queued if path == "/run" else (200, {"status": next(states)})) as (client, seen):
            self.assertEqual(client.run("r", "x", "y", wait_ms=5000)["status"], "done")
        self.assertEqual([path for _, path, _, _ in seen], ["/run"] + ["/jobs/j"] * 3)
        self.assertNotIn("wait_ms", seen[0][3])

    def test_send_and_get_job_go_where_the_contract_says(self) -> None:
        with hub(lambda path: (200, {"ok": True})) as (client, seen):
            client.send("m1", "wecom-main", ["u1", "u2"], text="Hi")
            client.get_job("a/../b?x")
        self.assertEqual(seen[0][3], {"request_id": "m1", "channel": "wecom-main", "to": ["u1", "u2"], "text": "Hi"})
        self.assertEqual(seen[1][1], "/jobs/a%2F..%2Fb%3Fx")

    def test_a_refusal_is_a_runtime_error_with_status_and_body(self) -> None:
        with hub(lambda path: (403, {"error": "route not allowed"})) as (client, _):
            with self.assertRaisesRegex(RuntimeError, "route not allowed") as caught:
                client.run("r", "x", "y")
        error = caught.exception
        self.assertEqual((error.status, error.response), (403, {"error": "route not allowed"}))  # type: ignore[attr-defined]

    def test_a_redirect_is_not_followed_and_the_token_goes_nowhere_else(self) -> None:
        with hub(lambda path: (302, {})) as (client, seen):
            with self.assertRaises(sdk.HubError) as caught:
                client.get("/jobs/x")
        self.assertEqual((caught.exception.status, [path for _, path, _, _ in seen]), (302, ["/jobs/x"]))

    def test_an_answer_that_is_no_json_object_is_an_error(self) -> None:
        for text in (b"<html>", b"[1]", b"", b"\xff", b"[" * 100_000):
            with hub(lambda path: (200, text)) as (client, _):
                with self.assertRaisesRegex(sdk.HubError, "base URL"):
                    client.get("/jobs/x")

    def test_an_endless_answer_is_cut(self) -> None:
        with mock.patch("bailing_connect.hub_client._LARGEST_ANSWER", 1000):
            with hub(lambda path: (200, b'{"x":"' + b"a" * 5000 + b'"}')) as (client, _):
                with self.assertRaisesRegex(sdk.HubError, "larger than"):
                    client.get("/jobs/x")

    def test_a_hub_that_is_away_or_slow_is_an_error_without_status_and_without_the_token(self) -> None:
        away = sdk.HubClient("http://127.0.0.1:9", "client-token-1", timeout=1.0)
        with mock.patch.dict("os.environ", {"no_proxy": "127.0.0.1"}), self.assertRaises(sdk.HubError) as caught:
            away.get("/jobs/x")
        self.assertEqual(caught.exception.status, 0)
        self.assertNotIn("client-token-1", str(caught.exception) + repr(away))

        def slow(path: str) -> Any:
            time.sleep(1.0)
            return 200, {}

        with hub(slow) as (client, _):
            client._timeout = 0.2
            with self.assertRaisesRegex(sdk.HubError, "did not answer in time"):
                client.get("/jobs/x")

    def test_a_base_url_of_another_kind_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            sdk.HubClient("file:///etc/passwd", "t")


if __name__ == "__main__":
    unittest.main()
