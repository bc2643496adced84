#!/usr/bin/env python3
"""Verify a signed tool call in one file: Python 3.9 or later, nothing else. Copy it, change authorize(), keep the rest.

    python3 bailing-tool-verify.py                             checks itself against the shared vectors
    BAILING_SECRET=... python3 bailing-tool-verify.py 8080     serves; everything is denied until you change authorize()

The rules are in sdk-verifiers/SIGNING.md. For tickets, the tool document, WSGI and ASGI doors and more there is sdk-verifiers/python.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent.parent / "sdk-verifiers" / "vectors"
MAX_BODY_BYTES = 1_048_576


def authorize(operator, tool, params):
    """YOUR decision: may this acting user call this tool with these parameters?

    A signature says who is asking, never that he may. Only True lets the call in. This one denies everything.
    """
    return False


def signature_of(secret, message):
    return b"sha256=" + hmac.new(secret.encode("utf-8"), message, hashlib.sha256).hexdigest().encode("ascii")


def string_to_sign(timestamp, method, target, body, subject, job):
    """timestamp.METHOD.target.sha256(body).subject.job, all bytes; bytes.upper() touches a to z only."""
    return b".".join([timestamp, method.upper(), target, hashlib.sha256(body).hexdigest().encode("ascii"), subject or b"", job or b""])


def failure_reason(secret, message, timestamp, signature, now, window):
    """None when the message is rightly signed, else timestamp_out_of_window (tested first) or bad_signature."""
    if timestamp is None or not re.fullmatch(rb"[0-9]{1,15}", timestamp) or not abs(now - int(timestamp)) < window:
        return "timestamp_out_of_window"
    if not secret or signature is None or not re.fullmatch(rb"sha256=[0-9a-f]{64}", signature):
        return "bad_signature"
    return None if hmac.compare_digest(signature_of(secret, message), signature) else "bad_signature"


def tool_call_failure(secret, call, now, window=300):
    """Seconds. call: method, target, body, timestamp, signature, subject, job as the raw bytes that came, None for a missing header."""
    parts = (call["timestamp"] or b"", call["method"], call["target"], call["body"], call["subject"], call["job"])
    return failure_reason(secret, string_to_sign(*parts), call["timestamp"], call["signature"], now, window)


def callback_failure(secret, body, timestamp, signature, now, window=300_000):
    """Milliseconds. Callbacks and webhooks of the hub."""
    return failure_reason(secret, (timestamp or b"") + b"." + body, timestamp, signature, now, window)


def decoded(text):
    """Form decoding without guesses: a lone % or bytes beyond UTF-8 are an error."""
    if re.search(rb"%(?![0-9A-Fa-f]{2})", text):
        raise ValueError("a lone percent sign")
    spaced = text.replace(b"+", b" ")
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes.fromhex(match.group(1).decode("ascii")), spaced).decode("utf-8")


def params_of(call):
    """What the handler will act on: query, and the JSON object of the body unless it is a GET. ValueError when in doubt."""
    pairs = []
    for piece in filter(None, call["target"].partition(b"?")[2].split(b"&")):
        name, _, value = piece.partition(b"=")
        pairs.append((decoded(name), decoded(value)))
    if call["body"] and call["method"].upper() not in (b"GET", b"HEAD"):
        body = json.loads(call["body"].decode("utf-8"))
        if not isinstance(body, dict):
            raise ValueError("the body is no object")
        pairs.extend(body.items())
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name given twice")
    return dict(pairs)


def gate(secret, authorizer, tool, call, now):
    """Verifies, then authorises; fails closed. (200, None), or 401 or 403 with the word of the refusal."""
    reason = tool_call_failure(secret, call, now)
    try:
        operator = (call["subject"] or b"").decode("utf-8")
    except UnicodeDecodeError:
        reason = reason or "bad_signature"
    if reason or b"." in (call["job"] or b""):
        return 401, reason or "bad_signature"
    if not callable(authorizer):
        return 403, "authorize_missing"
    try:
        params = params_of(call)
    except (ValueError, RecursionError):
        return 403, "bad_parameters"
    try:
        allowed = authorizer(operator, tool, params)
    except Exception:
        return 403, "authorize_failed"
    return (200, None) if allowed is True else (403, "not_authorized")


class Service(BaseHTTPRequestHandler):
    """The request line holds the raw target (self.path has its leading slashes merged), and rfile gives the raw body."""

    def headers_of(self, call):
        for part, name in (("timestamp", "Timestamp"), ("signature", "Signature"), ("subject", "On-Behalf-Of"), ("job", "Job-Id")):
            values = self.headers.get_all("X-Bailing-" + name, [])
            call[part] = values[0].strip(" \t").encode("latin-1", "replace") if len(values) == 1 else None
            if len(values) > 1:
                call["repeated"] = True  # equal or not: which of them was signed cannot be told
        if call.pop("repeated", False):
            call["signature"] = None
        return call

    def do_POST(self):
        length = self.headers.get("Content-Length") or "0"
        if not re.fullmatch("[0-9]{1,7}", length) or int(length) > MAX_BODY_BYTES:
            return self.answer(413, {"error": "body_too_large"})
        target = self.requestline.split()[1].encode("latin-1")
        call = self.headers_of({"method": self.command.encode(), "target": target, "body": self.rfile.read(int(length))})
        code, error = gate(os.environ.get("BAILING_SECRET", ""), authorize, "your_tool", call, int(time.time()))
        # here, at code 200, your action runs
        return self.answer(code, {"error": error} if error else {"ok": True})

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

    def answer(self, code, value):
        text = json.dumps(value).encode("utf-8")
        self.send_response(code)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


def answer_vector(group, case):
    """What this file answers to a vector of tool-call.json or callback.json."""
    given, now = case["input"], case.get("now")

    def wire(name):
        return bytes.fromhex(given[name + "Hex"]) if name + "Hex" in given else given[name].encode() if name in given else None

    call = {part: wire(part) for part in ("method", "target", "timestamp", "signature")}
    call.update(body=bytes.fromhex(given["bodyHex"]), subject=wire("onBehalfOf"), job=wire("jobId"))
    if case["kind"] == "sign" and group == "callback":
        return signature_of(given["secret"], call["timestamp"] + b"." + call["body"]).decode("ascii")
    if case["kind"] == "sign":
        parts = (call["timestamp"], call["method"], call["target"], call["body"], call["subject"], call["job"])
        return signature_of(given["secret"], string_to_sign(*parts)).decode("ascii")
    if group == "callback":
        window = given.get("window", 300_000)
        return callback_failure(given["secret"], call["body"], call["timestamp"], call["signature"], now, window) or "ok"
    return tool_call_failure(given["secret"], call, now, given.get("window", 300)) or "ok"


def raises(*_):
    raise LookupError("no database")


def check_gate():
    """The gate with the contract's own call, and every way authorize can fail. The names of what is wrong."""
    call = {"method": b"POST", "target": b"/goods/create", "body": b'{"title":"test","price":9.9}', "timestamp": b"1718000000"}
    call.update(subject=b"179:1", job=b"job-test-001")
    call["signature"] = b"sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5"
    seen = []
    wanted = {
        "true": (lambda *asked: seen.append(asked) or True, (200, None)),
        "the deny that stands in this file": (authorize, (403, "not_authorized")),
        "one": (lambda *_: 1, (403, "not_authorized")),
        "an exception": (raises, (403, "authorize_failed")),
        "missing": (None, (403, "authorize_missing")),
    }
    wrong = [name for name, (check, answer) in wanted.items() if gate("bailing-test-secret", check, "t", call, 1718000000) != answer]
    if gate("other", lambda *_: True, "t", call, 1718000000) != (401, "bad_signature"):
        wrong.append("another secret")
    if gate("bailing-test-secret", lambda *_: True, "t", call, 1718000300) != (401, "timestamp_out_of_window"):
        wrong.append("a late call")
    if params_of({"method": b"GET", "target": b"/o?q=a+b%21&flag", "body": b""}) != {"q": "a b!", "flag": ""}:
        wrong.append("a query")
    for query in (b"?a=1&a=2", b"?title=x", b"?a=%", b"?a=%ff"):
        try:
            wrong.append(f"params {params_of({**call, 'target': b'/goods/create' + query})}")
        except ValueError:
            continue
    return wrong + ([] if seen == [("179:1", "t", {"title": "test", "price": 9.9})] else ["what authorize was asked"])


def check(folder):
    """Answers the vectors in folder and the gate's own cases; prints what is wrong, and exits 1 for it."""
    wrong, count = check_gate(), 0
    for group in ("tool-call", "callback"):
        vectors = json.loads((folder / f"{group}.json").read_text(encoding="utf-8"))
        count += len(vectors["cases"])
        if len(vectors["cases"]) != vectors["count"]:
            wrong.append(f"{group}.json is not complete")
        for case in vectors["cases"]:
            if answer_vector(group, case) != case["expected"]["result"]:
                wrong.append(case["id"])
    print("wrong: " + ", ".join(wrong) if wrong else f"{count} vectors and the gate: right")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].isdigit():
        ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
    check(Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS)
