"""Runs the recipes behind real servers, as far as frameworks and servers are installed here, and says which were.

    python3 recipes/check.py
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from support import call, signed_headers  # noqa: E402

# framework, server module, the server's command; {port} is put in
COMMANDS = [
    ("flask", "werkzeug", ["-m", "flask", "--app", "flask_app", "run", "--port", "{port}"]),
    ("flask", "gunicorn", ["-m", "gunicorn", "-b", "127.0.0.1:{port}", "flask_app:app"]),
    ("flask", "waitress", ["-m", "waitress", "--listen=127.0.0.1:{port}", "flask_app:app"]),
    ("django", "gunicorn", ["-m", "gunicorn", "-b", "127.0.0.1:{port}", "django_app:application"]),
    ("django", "waitress", ["-m", "waitress", "--listen=127.0.0.1:{port}", "django_app:application"]),
    ("django", "uvicorn", ["-m", "uvicorn", "--port", "{port}", "django_app:asgi_application"]),
    ("fastapi", "uvicorn", ["-m", "uvicorn", "--port", "{port}", "fastapi_app:app"]),
    ("fastapi", "hypercorn", ["-m", "hypercorn", "-b", "127.0.0.1:{port}", "fastapi_app:app"]),
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def checked(port: int) -> str:
    """Waits for the server, then asks it what the recipes must answer; the first difference, or an empty text."""
    target, body = "/orders/A%201-%E5%BE%85/refund?reason=a+b", '{"amount":9.5,"note":"退"}'.encode()
    for _ in range(100):
        try:
            answer = call(port, "POST", target, body, signed_headers("POST", target, body))
            break
        except OSError:
            time.sleep(0.1)
    else:
        return "the server did not come up"
    params = {"order_no": "A 1-待", "amount": 9.5, "note": "退", "reason": "a b"}
    wanted = (200, {"refunded": params, "by": "t1:u1"})
    if answer != wanted:
        return f"a right call was answered {answer}"
    headers = signed_headers("POST", target, body)
    lower = call(port, "POST", target.replace("%E5", "%e5"), body, headers)
    stranger = call(port, "POST", target, body, signed_headers("POST", target, body, subject="t1:u2"))
    form = {**signed_headers("POST", target, b"amount=1"), "Content-Type": "application/x-www-form-urlencoded"}
    parsed = call(port, "POST", target, b"amount=1", form)
    got = [(status, answer["error"]) for status, answer in (lower, stranger, parsed)]
    refusals = [(401, "bad_signature"), (403, "not_authorized"), (403, "bad_parameters")]
    return "" if got == refusals else f"refusals were {got}"


def run(framework: str, server: str, command: "list[str]") -> str:
    missing = [name for name in (framework, server) if importlib.util.find_spec(name) is None]
    if missing:
        return f"not run, {' and '.join(missing)} not installed here"
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), os.environ.get("PYTHONPATH", "")])}
    line = [sys.executable, *(part.format(port=port) for part in command)]
    process = subprocess.Popen(line, cwd=HERE, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return checked(port)
    finally:
        process.terminate()
        process.wait(20)


if __name__ == "__main__":
    wrong = 0
    for framework, server, command in COMMANDS:
        outcome = run(framework, server, command)
        wrong += 0 if not outcome or outcome.startswith("not run") else 1
        print(f"{framework} on {server}: {outcome or 'right'}")
    sys.exit(wrong)
