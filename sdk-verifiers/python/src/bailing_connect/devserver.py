"""A server of the standard library to try things with. ``wsgiref`` alone keeps no raw target; this one does. Not for production."""

from __future__ import annotations

import socketserver
from typing import Any, Dict
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from .wsgi import WsgiApp


class RawTargetHandler(WSGIRequestHandler):
    """wsgiref's handler with ``REQUEST_URI``, as uWSGI, mod_wsgi and waitress set it. Writes no log lines."""

    def get_environ(self) -> Dict[str, Any]:
        """wsgiref's environ, and the target as it stood in the request line (``self.path`` has its leading slashes merged)."""
        environ = super().get_environ()
        environ["REQUEST_URI"] = self.requestline.split()[1]
        return environ

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a request line may hold what does not belong on a screen."""


class _ThreadedServer(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


def development_server(app: WsgiApp, host: str = "127.0.0.1", port: int = 0) -> WSGIServer:
    """Binds a WSGI app, a free port for 0; run it with ``serve_forever()``, its port is ``server_port``."""
    server = _ThreadedServer((host, port), RawTargetHandler)
    server.set_app(app)
    return server
