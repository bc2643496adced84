"""A small ASGI server of the standard library: real sockets, raw path and query, the body in the pieces it arrived in."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from typing import Any, Dict, Iterator


async def _exchange(app: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, keep_raw: bool) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head[:-4].split(b"\r\n")
    method, target, _ = first.split(b" ", 2)
    headers = [(name.lower(), value.strip(b" \t")) for name, _, value in (line.partition(b":") for line in lines)]
    path, _, query = target.partition(b"?")
    scope: Dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "method": method.decode("ascii"),
        "path": path.decode("latin-1"),
        "query_string": query,
        "headers": headers,
    }
    if keep_raw:
        scope["raw_path"] = path
    left = int(dict(headers).get(b"content-length", b"0"))

    async def receive() -> Dict[str, Any]:
        nonlocal left
        piece = await reader.read(left) if left else b""
        if left and not piece:
            return {"type": "http.disconnect"}
        left -= len(piece)
        return {"type": "http.request", "body": piece, "more_body": left > 0}

    async def send(message: Dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            lines = b"".join(name + b": " + value + b"\r\n" for name, value in message["headers"])
            writer.write(b"HTTP/1.1 %d X\r\n%sconnection: close\r\n\r\n" % (message["status"], lines))
        else:
            writer.write(message.get("body", b""))

    await app(scope, receive, send)
    await writer.drain()
    writer.close()


@contextmanager
def asgi_server(app: Any, keep_raw: bool = True) -> Iterator[int]:
    """Serves an ASGI app on a free port of loopback and gives the port. ``keep_raw`` false leaves ``raw_path`` out."""
    loop = asyncio.new_event_loop()

    async def serve() -> asyncio.AbstractServer:
        return await asyncio.start_server(lambda r, w: _exchange(app, r, w, keep_raw), "127.0.0.1", 0)

    server = loop.run_until_complete(serve())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        loop.close()
