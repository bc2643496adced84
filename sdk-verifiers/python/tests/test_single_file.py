"""The single-file reference in docs/examples: checks itself, serves over real HTTP, denies by default."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
import unittest
from typing import Any
from unittest import mock

from support import REPOSITORY, SECRET, call, call_raw, signed_headers

FILE = REPOSITORY / "docs" / "examples" / "bailing-tool-verify.py"


class SingleFile(unittest.TestCase):
    def test_it_checks_itself_against_the_shared_vectors(self) -> None:
        done = subprocess.run([sys.executable, "-W", "error", str(FILE)], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^\d{3} vectors and the gate: right\n$")

    def test_a_planted_fault_turns_its_check_red(self) -> None:
        text = FILE.read_text(encoding="utf-8")
        for right, wrong in (("< window", "<= window"), ("method.upper()", "method"), ('(b"GET", b"HEAD")', '(b"POST",)'), ("is True", "")):
            self.assertIn(right, text)
            broken = f"__file__ = {str(FILE)!r}\n" + text.replace(right, wrong, 1)
            done = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout[:6]), (1, "wrong:"), right)

    def served(self, authorize: Any) -> Any:
        spec = importlib.util.spec_from_file_location("single_file", FILE)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        with mock.patch.object(sys, "dont_write_bytecode", True):
            spec.loader.exec_module(module)
        if authorize is not None:
            module.authorize = authorize
        module.Service.log_message = lambda *_: None
        server = module.ThreadingHTTPServer(("127.0.0.1", 0), module.Service)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.enterEnvironment()
        return server.server_port

    def enterEnvironment(self) -> None:
        patched = mock.patch.dict("os.environ", {"BAILING_SECRET": SECRET})
        patched.start()
        self.addCleanup(patched.stop)

    def test_as_it_stands_it_denies_a_rightly_signed_call(self) -> None:
        port = self.served(None)
        self.assertEqual(call(port, "POST", "/orders/1/refund", b"{}", signed_headers()), (403, {"error": "not_authorized"}))
        self.assertEqual(call(port, "POST", "/orders/1/refund", b"{}", {})[0], 401)

    def test_with_an_authorize_of_ones_own_it_lets_that_call_in_and_no_other(self) -> None:
        port = self.served(lambda operator, tool, params: operator == "t1:u1" and params.get("q") == "a b")
        target = "//orders%2F1?q=a+b"
        self.assertEqual(call(port, "POST", target, b"{}", signed_headers("POST", target)), (200, {"ok": True}))
        headers = signed_headers("POST", target)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        twice = f"POST {target} HTTP/1.1\r\nContent-Length: 2\r\n{lines}x-bailing-job-id: job-1\r\n\r\n{{}}"
        self.assertEqual(call_raw(port, twice.encode())[0], 401)
        self.assertEqual(call(port, "POST", "/other?q=a+b", b"{}", headers)[0], 401)


if __name__ == "__main__":
    unittest.main()
