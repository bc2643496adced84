"""The WSGI and ASGI doors over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import io
import json
import unittest
from typing import Any, Dict
from unittest import mock

from asgi_server import asgi_server
from support import SECRET, QuietHandler, call, call_raw, sdk, signed_headers, wsgi_server
from bailing_connect.asgi import AsgiGate, asgi_app
from bailing_connect.wsgi import WsgiGate, read_wsgi, wsgi_app

tools = sdk.ToolSet()


ORDER_NO, AMOUNT = sdk.param("order_no"), sdk.param("amount", type="number")


@tools.tool(path="/orders/{order_no}/refund", scope="order.refund", risk="high", params=[ORDER_NO, AMOUNT])
def refund_order(call: sdk.GateResult) -> Any:
    """Refunds a paid order."""
    return {"refunded": call.params}


@tools.tool(method="GET", path="/orders", scope="order.read", description="Finds orders by their status", params=[sdk.param("status")])
def find_orders(call: sdk.GateResult) -> Any:
    return 200, {"found": call.params, "by": call.operator}


def allow(operator: str, tool: str, params: Dict[str, Any]) -> bool:
    return operator in ("t1:u1", "租户:三")


SERVICE = sdk.ToolService(tools, secret=SECRET, authorize=allow, title="Orders")


def plain_wsgi(environ: Dict[str, Any], start_response: Any) -> Any:
    start_response("200 OK", [("Content-Type", "application/json")])
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    return [json.dumps({"by": environ["bailing.call"].operator, "body": body.decode()}).encode()]


async def plain_asgi(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    answer = json.dumps({"by": scope["bailing.call"].operator, "body": message["body"].decode()}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": answer})


class BothDoors(unittest.TestCase):
    def ports(self) -> Any:
        with wsgi_server(wsgi_app(SERVICE.handle)) as port:
            yield port
        with asgi_server(asgi_app(SERVICE.handle)) as port:
            yield port

    def gates(self, **options: Any) -> Any:
        with wsgi_server(WsgiGate(plain_wsgi, secret=SECRET, authorize=allow, tool="refund_order", **options)) as port:
            yield port
        with asgi_server(AsgiGate(plain_asgi, secret=SECRET, authorize=allow, tool="refund_order", **options)) as port:
            yield port

    def test_an_encoded_target_is_verified_raw_and_handed_over_decoded(self) -> None:
        for port in self.ports():
            target, body = "/orders/A%201%2F2/refund", '{"amount":9.5,"note":"退"}'.encode()
            answer = call(port, "POST", target, body, signed_headers("POST", target, body))
            self.assertEqual(answer, (200, {"refunded": {"order_no": "A 1/2", "amount": 9.5, "note": "退"}}))
            target = "/orders?status=%E5%BE%85+%E4%BB%98"
            answer = call(port, "GET", target, b"", signed_headers("GET", target, b""))
            self.assertEqual(answer, (200, {"found": {"status": "待 付"}, "by": "t1:u1"}))

    def test_a_target_that_only_decodes_to_the_signed_one_is_refused(self) -> None:
        for port in self.ports():
            headers = signed_headers("POST", "/orders/A%2F1/refund", b"{}")
            for target in ("/orders/A%2f1/refund", "/orders/%41%2F1/refund"):
                self.assertEqual(call(port, "POST", target, b"{}", headers)[0], 401)

    def test_a_body_cut_inside_a_character_is_put_together_from_bytes(self) -> None:
        for port in self.ports():
            target, body = "/orders/1/refund", '{"note":"退款😀"}'.encode()
            headers = signed_headers("POST", target, body)
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"POST {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n{lines}\r\n".encode()
            status, text = call_raw(port, head, [body[:10], body[10:18], body[18:]])
            self.assertEqual((status, json.loads(text)), (200, {"refunded": {"order_no": "1", "note": "退款😀"}}))

    def test_a_subject_in_raw_utf8_reaches_authorize_as_text(self) -> None:
        for port in self.ports():
            headers = signed_headers("GET", "/orders", b"", subject="租户:三")
            self.assertEqual(call(port, "GET", "/orders", b"", headers)[1]["by"], "租户:三")

    def test_what_is_unsigned_or_not_permitted_is_refused_with_word_and_sentence(self) -> None:
        for port in self.ports():
            status, body = call(port, "POST", "/orders/1/refund", b"{}", {})
            self.assertEqual((status, body["error"]), (401, "timestamp_out_of_window"))
            stranger = signed_headers(subject="t1:u9")
            status, body = call(port, "POST", "/orders/1/refund", b"{}", stranger)
            self.assertEqual((status, body["error"]), (403, "not_authorized"))
            self.assertGreater(len(body["message"]), 20)
            self.assertEqual(call(port, "POST", "/nowhere", b"{}", signed_headers("POST", "/nowhere"))[0], 404)

    def test_two_headers_of_one_name_are_refused(self) -> None:
        for port in self.ports():
            lines = "".join(f"{name}: {value}\r\n" for name, value in signed_headers().items())
            twice = "X-Bailing-On-Behalf-Of: t1:u1\r\n"
            head = f"POST /orders/1/refund HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n{lines}{twice}\r\n{{}}"
            self.assertEqual(call_raw(port, head.encode())[0], 401)

    def test_a_body_beyond_the_limit_is_413(self) -> None:
        for port in self.gates(max_body=64):
            big = b'{"x":"' + b"a" * 100 + b'"}'
            self.assertEqual(call(port, "POST", "/orders/1/refund", big, signed_headers(body=big))[0], 413)

    def test_a_gate_in_front_of_an_app_lets_the_body_through_unread(self) -> None:
        for port in self.gates():
            body = '{"note":"退"}'.encode()
            answer = call(port, "POST", "/orders/1/refund", body, signed_headers(body=body))
            self.assertEqual(answer, (200, {"by": "t1:u1", "body": '{"note":"退"}'}))
            self.assertEqual(call(port, "POST", "/orders/1/refund", body, signed_headers(body=body, subject="x"))[0], 403)

    def test_behind_a_prefix_the_gate_verifies_the_path_of_the_document(self) -> None:
        for port in self.gates(base_path="/api"):
            self.assertEqual(call(port, "POST", "/api/orders/1/refund", b"{}", signed_headers())[0], 200)
            self.assertEqual(call(port, "POST", "/orders/1/refund", b"{}", signed_headers())[0], 401)

    def test_a_gate_that_knows_no_tool_for_a_path_answers_404(self) -> None:
        with wsgi_server(WsgiGate(plain_wsgi, secret=SECRET, authorize=allow, tool=lambda asked: None)) as port:
            self.assertEqual(call(port, "POST", "/x", b"{}", signed_headers("POST", "/x"))[0], 404)
        with asgi_server(AsgiGate(plain_asgi, secret=SECRET, authorize=allow, tool=lambda asked: None)) as port:
            self.assertEqual(call(port, "POST", "/x", b"{}", signed_headers("POST", "/x"))[0], 404)

    def test_the_document_is_served_to_the_hub_only_and_kept_by_no_cache(self) -> None:
        for port in self.ports():
            headers = signed_headers("GET", sdk.SPEC_PATH, b"", subject="", job="")
            status, document = call(port, "GET", sdk.SPEC_PATH, b"", headers)
            self.assertEqual((status, document["openapi"]), (200, "3.0.0"))
            self.assertEqual(sorted(document["paths"]), ["/orders", "/orders/{order_no}/refund"])
            self.assertEqual(call(port, "GET", sdk.SPEC_PATH)[0], 401)
            zeros = {**headers, "X-Bailing-Signature": "sha256=" + "0" * 64}
            self.assertEqual(call(port, "GET", sdk.SPEC_PATH, b"", zeros), (401, mock.ANY))
            self.assertEqual(call(port, "POST", sdk.SPEC_PATH, b"")[0], 405)

    def test_the_probe_of_the_hub_hears_no(self) -> None:
        body = b'{"subject":"__bailing_authz_probe__:nobody","reason":"bailing-authz-probe","expect":"deny"}'
        for port in self.ports():
            headers = signed_headers("POST", sdk.PROBE_PATH, body, subject=sdk.PROBE_SUBJECT, job="probe")
            self.assertEqual(call(port, "POST", sdk.PROBE_PATH, body, headers), (200, {"authorized": False}))


class WhereRawIsMissing(unittest.TestCase):
    def test_a_wsgi_server_without_a_raw_target_fails_with_a_sentence_and_never_encodes_again(self) -> None:
        with wsgi_server(wsgi_app(SERVICE.handle), handler=QuietHandler) as port:
            status, body = call(port, "POST", "/orders/1/refund", b"{}", signed_headers())
            self.assertEqual((status, body["error"]), (500, "raw_target_required"))
            self.assertIn("PATH_INFO is percent-decoded", body["message"])

    def test_an_asgi_server_without_a_raw_path_fails_with_a_sentence(self) -> None:
        with asgi_server(asgi_app(SERVICE.handle), keep_raw=False) as port:
            status, body = call(port, "POST", "/orders/1/refund", b"{}", signed_headers())
            self.assertEqual((status, body["error"]), (500, "raw_target_required"))
            self.assertIn("raw_path", body["message"])

    def environ(self, **other: Any) -> Dict[str, Any]:
        given = {"REQUEST_METHOD": "POST", "RAW_URI": "/a%2Fb?x=1", "CONTENT_LENGTH": "2", "wsgi.input": io.BytesIO(b"{}")}
        return {**given, **other}

    def test_gunicorns_raw_uri_is_read(self) -> None:
        self.assertEqual(read_wsgi(self.environ()).path_with_query, b"/a%2Fb?x=1")

    def test_a_body_that_was_read_before_or_cut_short_is_not_taken_for_a_whole_one(self) -> None:
        with self.assertRaises(sdk.RawRequestError) as caught:
            read_wsgi(self.environ(CONTENT_LENGTH="5"))
        self.assertEqual((caught.exception.code, caught.exception.status), ("body_incomplete", 400))

    def test_a_length_that_is_no_number_is_refused(self) -> None:
        for length in ("-1", "1e3", "٣", "0x2", " 2"):
            with self.assertRaises(sdk.RawRequestError) as caught:
                read_wsgi(self.environ(CONTENT_LENGTH=length))
            self.assertEqual(caught.exception.status, 411)

    def test_a_chunked_body_is_read_where_the_server_ends_it_and_refused_where_not(self) -> None:
        chunked = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
        self.assertEqual(read_wsgi(self.environ(**{**chunked, "wsgi.input_terminated": True})).body, b"{}")
        with self.assertRaises(sdk.RawRequestError) as caught:
            read_wsgi(self.environ(**chunked))
        self.assertEqual(caught.exception.code, "length_required")
        endless = {**chunked, "wsgi.input_terminated": True, "wsgi.input": io.BytesIO(b"x" * 100)}
        with self.assertRaises(sdk.RawRequestError) as caught:
            read_wsgi(self.environ(**endless), max_body=10)
        self.assertEqual(caught.exception.status, 413)

    def test_a_caller_that_hangs_up_is_not_taken_for_a_short_body(self) -> None:
        sent = []

        async def receive() -> Any:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "POST", "raw_path": b"/a", "query_string": b"", "headers": []}
        asyncio.run(asgi_app(SERVICE.handle)(scope, receive, send))
        self.assertEqual(sent[0]["status"], 400)

    def test_the_lifespan_of_an_asgi_server_is_answered(self) -> None:
        asked, told = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}], []

        async def receive() -> Any:
            return asked.pop(0)

        async def send(message: Any) -> None:
            told.append(message["type"])

        asyncio.run(asgi_app(SERVICE.handle)({"type": "lifespan"}, receive, send))
        self.assertEqual(told, ["lifespan.startup.complete", "lifespan.shutdown.complete"])


if __name__ == "__main__":
    unittest.main()
