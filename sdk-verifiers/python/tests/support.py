"""What the tests share: the SDK of this folder, a signer, and real HTTP on loopback with raw bytes."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple
from wsgiref.simple_server import WSGIRequestHandler

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = ROOT.parent.parent
VECTORS = ROOT.parent / "vectors"
sys.path.insert(0, str(ROOT / "src"))

import bailing_connect as sdk  # noqa: E402
from bailing_connect.devserver import development_server  # noqa: E402

SECRET = "bailing-test-secret"
NOW = 1718000000
KEY = "2a3282191eb5a3ec622162a5c4a9e914a901f8da23e5fa7c164993389adfe75d"
FROZEN_BODY = b'{"title":"test","price":9.9}'
FROZEN_SIGNATURE = "sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5"


def signed_headers(
    method: str = "POST",
    target: str = "/orders/1/refund",
    body: bytes = b"{}",
    *,
    subject: str = "t1:u1",
    job: str = "job-1",
    ts: Optional[int] = None,
    secret: str = SECRET,
) -> Dict[str, str]:
    """The headers of a hub that signs right now."""
    stamp = int(time.time()) if ts is None else ts
    signature = sdk.sign_tool_call(
        secret, ts=stamp, method=method, path_with_query=target, body=body, on_behalf_of=subject, job_id=job
    )
    headers = {
        "X-Bailing-Timestamp": str(stamp),
        "X-Bailing-Signature": signature,
        "X-Bailing-Job-Id": job,
        "X-Bailing-Client": "crm",
        "X-Bailing-Tool-Scope": "order.refund",
        "X-Bailing-Idempotency-Key": KEY,
    }
    if subject:
        headers["X-Bailing-On-Behalf-Of"] = subject
    return headers


def request(method: str = "POST", target: str = "/orders/1/refund", body: bytes = b"{}", **options: Any) -> sdk.SignedRequest:
    """A signed request, not sent over any wire."""
    headers = signed_headers(method, target, body, **options)
    return sdk.SignedRequest(method=method, path_with_query=target, body=body, headers=headers)


def call(port: int, method: str, target: str, body: bytes = b"", headers: Optional[Dict[str, str]] = None) -> Tuple[int, Any]:
    """One request whose target goes out exactly as given; status and parsed JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in (headers or {}).items():
            connection.putheader(name, value.encode("utf-8"))
        if body or method != "GET":
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None
    finally:
        connection.close()


def call_raw(port: int, wire: bytes, pieces: Optional[List[bytes]] = None) -> Tuple[int, bytes]:
    """Bytes as they are down a socket, then ``pieces`` one by one; status and body."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(wire)
        for piece in pieces or []:
            time.sleep(0.02)  # so that the server reads the pieces apart
            connection.sendall(piece)
        received = b""
        while True:
            more = connection.recv(65536)
            if not more:
                break
            received += more
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), body


class QuietHandler(WSGIRequestHandler):
    """wsgiref's handler, which knows the raw target but does not hand it on."""

    def log_message(self, *args: Any) -> None:
        return None


@contextmanager
def wsgi_server(app: Any, handler: Any = None) -> Iterator[int]:
    """Serves a WSGI app on a free port of loopback and gives the port."""
    server = development_server(app)
    if handler is not None:
        server.RequestHandlerClass = handler
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
