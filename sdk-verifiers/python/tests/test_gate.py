from __future__ import annotations

import asyncio
import json
import random
import unittest
from typing import Any, Dict

from support import KEY, SECRET, request, sdk, signed_headers


def allow(operator: str, tool: str, params: Dict[str, Any]) -> bool:
    return operator == "t1:u1" and tool == "refund_order"


def pass_gate(asked: sdk.SignedRequest, authorize: Any = allow, **options: Any) -> sdk.GateResult:
    return sdk.gate(SECRET, authorize, asked, tool="refund_order", **options)


class Gate(unittest.TestCase):
    def test_a_signed_and_authorised_call_passes_with_what_was_authorised(self) -> None:
        seen = []

        def authorize(operator: str, tool: str, params: Dict[str, Any]) -> bool:
            seen.append((operator, tool, params))
            return True

        asked = request(target="/orders/A%2F1/refund?dry=1", body=b'{"amount":5,"note":"x"}')
        answer = pass_gate(asked, authorize, path_params={"order_no": "A/1"})
        self.assertEqual((answer.ok, answer.code, answer.error, answer.message), (True, 200, None, ""))
        params = {"dry": "1", "amount": 5, "note": "x", "order_no": "A/1"}
        self.assertEqual(seen, [("t1:u1", "refund_order", params)])
        self.assertEqual((answer.params, answer.operator, answer.job_id, answer.idempotency_key), (params, "t1:u1", "job-1", KEY))

    def test_authorize_has_no_default(self) -> None:
        with self.assertRaises(TypeError):
            sdk.gate(SECRET, request=request(), tool="refund_order")  # type: ignore[call-arg]

    def test_anything_but_true_is_forbidden(self) -> None:
        for answer in (False, None, 1, "true", [], {}, object(), 0):
            refused = pass_gate(request(), lambda *_: answer)
            self.assertEqual((refused.code, refused.error, refused.params), (403, "not_authorized", {}))
        for missing in (None, "allow", True):
            self.assertEqual(pass_gate(request(), missing).error, "authorize_missing")

    def test_an_exception_in_authorize_is_forbidden_and_its_text_does_not_leak(self) -> None:
        def authorize(*_: Any) -> bool:
            raise RuntimeError("password=hunter2")

        refused = pass_gate(request(), authorize)
        self.assertEqual((refused.code, refused.error), (403, "authorize_failed"))
        self.assertNotIn("hunter2", repr(refused))

    def test_an_async_authorize_is_refused_without_a_warning_at_the_plain_gate(self) -> None:
        async def authorize(*_: Any) -> bool:
            return True

        self.assertEqual(pass_gate(request(), authorize).error, "not_authorized")

    def test_the_async_gate_waits_for_authorize_and_fails_closed(self) -> None:
        async def yes(*_: Any) -> bool:
            await asyncio.sleep(0)
            return True

        async def broken(*_: Any) -> bool:
            raise LookupError("away")

        async def one(*_: Any) -> Any:
            return 1

        for authorize, code in ((yes, 200), (broken, 403), (one, 403), (allow, 200), (None, 403)):
            answer = asyncio.run(sdk.gate_async(SECRET, authorize, request(), tool="refund_order"))  # type: ignore[arg-type]
            self.assertEqual(answer.code, code)
        unsigned = asyncio.run(sdk.gate_async("other", yes, request(), tool="refund_order"))
        self.assertEqual((unsigned.code, unsigned.operator), (401, ""))

    def test_a_wrong_signature_is_401_and_authorize_is_never_asked(self) -> None:
        asked = []
        refused = sdk.gate("other", lambda *a: asked.append(a) or True, request(), tool="t")  # type: ignore[func-returns-value]
        self.assertEqual((refused.code, refused.error, refused.operator, refused.content), (401, "bad_signature", "", ""))
        self.assertEqual(asked, [])

    def test_parameters_that_can_be_read_in_two_ways_are_forbidden(self) -> None:
        doubtful = [
            ("/a?x=1&x=2", b"{}"), ("/a?amount=1", b'{"amount":1000}'), ("/a?x=%", b"{}"), ("/a?x=%ff", b"{}"), ("/a", b"[1]"),
            ("/a", b'{"x":NaN}'), ("/a", b"\xff"), ("/a", b"x=1"), ("/a", b'{"a":"\\ud800"}'), ("/a", b"[" * 200_000),
            ("/a", b'{"x":' + b"[" * 100 + b"]" * 100 + b"}"),
        ]  # fmt: skip
        for target, body in doubtful:
            refused = pass_gate(request(target=target, body=body), lambda *_: True)
            self.assertEqual((refused.code, refused.error), (403, "bad_parameters"), (target, body[:20]))
        clash = pass_gate(request(target="/a?id=1"), lambda *_: True, path_params={"id": "2"})
        self.assertEqual(clash.error, "bad_parameters")

    def test_a_number_no_int_parser_likes_is_read_and_not_raised(self) -> None:
        answer = pass_gate(request(body=b'{"n":' + b"9" * 6000 + b"}"), lambda *_: True)
        self.assertEqual((answer.code, answer.params), (200, {"n": float("inf")}))

    def test_a_get_has_only_its_query(self) -> None:
        answer = pass_gate(request("GET", "/orders?status=%E5%BE%85+%E4%BB%98&flag", b""))
        self.assertEqual(answer.params, {"status": "待 付", "flag": ""})

    def test_behind_a_prefix_only_the_path_of_the_document_is_verified(self) -> None:
        sent = signed_headers("POST", "/orders?x=1")
        behind = sdk.SignedRequest(method="POST", path_with_query="/api/v1/orders?x=1", body=b"{}", headers=sent)
        self.assertEqual(pass_gate(behind).code, 401)
        self.assertEqual(pass_gate(behind, base_path="/api/v1/").code, 200)
        self.assertEqual(pass_gate(behind, known_path="/orders").code, 200)
        self.assertEqual(pass_gate(behind, base_path="/api/v").code, 401)
        self.assertEqual(pass_gate(behind, known_path="/orders?x=1").code, 401)
        self.assertEqual(pass_gate(behind, base_path="/other").code, 401)

    def test_a_job_id_with_a_dot_and_a_subject_beyond_utf8_are_refused(self) -> None:
        self.assertEqual(pass_gate(request(job="job.1"), lambda *_: True).error, "bad_signature")
        sent = dict(signed_headers(subject=b"caf\xe9"))  # type: ignore[arg-type]
        latin = sdk.SignedRequest(method="POST", path_with_query="/orders/1/refund", body=b"{}", headers=sent)
        self.assertIsNone(latin.failure_reason(SECRET))
        self.assertEqual(pass_gate(latin, lambda *_: True).error, "bad_signature")

    def test_a_parsed_body_is_a_mistake_that_is_named(self) -> None:
        with self.assertRaisesRegex(sdk.RawRequestError, "Only a parsed body") as caught:
            sdk.SignedRequest(method="POST", path_with_query="/a", body={"a": 1}, headers={})  # type: ignore[arg-type]
        self.assertEqual((caught.exception.code, caught.exception.status), ("raw_body_required", 500))

    def test_random_requests_never_raise_and_never_pass(self) -> None:
        dice = random.Random(11)

        def noise(most: int = 60) -> bytes:
            return bytes(dice.choice(b'{}[]":,%=&?/\\u0d8aXx-. \x00\xff\xc3') for _ in range(dice.randrange(most)))

        for _ in range(3000):
            names: Any = ["x-bailing-timestamp", "X-Bailing-Signature", "x-bailing-job-id", noise()]
            headers: Any = [(dice.choice(names), noise()) for _ in range(4)]
            asked = sdk.SignedRequest(method=noise(6), path_with_query=noise(), body=noise(), headers=headers)
            self.assertFalse(pass_gate(asked, lambda *_: True).ok)
            signed = request("POST", noise().decode("latin-1").encode("utf-8"), noise())  # type: ignore[arg-type]
            self.assertIn(pass_gate(signed, lambda *_: True).error, (None, "bad_parameters"))


class Headers(unittest.TestCase):
    def test_names_match_in_any_case_and_outer_blanks_are_no_part_of_a_value(self) -> None:
        odd = {name.swapcase(): f" \t{value}\t " for name, value in signed_headers().items()}
        asked = sdk.SignedRequest(method="POST", path_with_query="/orders/1/refund", body=b"{}", headers=odd)
        self.assertEqual(pass_gate(asked).code, 200)

    def test_a_signed_header_that_came_twice_is_refused_even_with_equal_values(self) -> None:
        for name in ("Timestamp", "Signature", "On-Behalf-Of", "Job-Id"):
            reason = "timestamp_out_of_window" if name == "Timestamp" else "bad_signature"
            pairs = list(signed_headers().items())
            value = dict(pairs)["X-Bailing-" + name]
            asked = sdk.SignedRequest(
                method="POST", path_with_query="/orders/1/refund", body=b"{}", headers=[*pairs, ("x-bailing-" + name.lower(), value)]
            )
            self.assertEqual(asked.failure_reason(SECRET), reason)
            listed = {**dict(pairs), "X-Bailing-" + name: [value, value]}
            again = sdk.SignedRequest(method="POST", path_with_query="/orders/1/refund", body=b"{}", headers=listed)
            self.assertEqual(again.failure_reason(SECRET), reason)

    def test_a_name_with_underscores_is_another_header(self) -> None:
        pairs = [(name.replace("-", "_"), value) for name, value in signed_headers().items()]
        asked = sdk.SignedRequest(method="POST", path_with_query="/orders/1/refund", body=b"{}", headers=pairs)
        self.assertEqual(asked.failure_reason(SECRET), "timestamp_out_of_window")

    def test_headers_of_any_shape_are_read_without_raising(self) -> None:
        shapes: "list[Any]" = [None, 5, "x", b"x", [], [1], [("a",)], [("a", "b", "c")], {1: 2}, [(None, None)], object()]
        for headers in shapes:
            self.assertEqual(sdk.read_headers(headers).timestamp, None)
        self.assertEqual(sdk.read_headers({"X-Bailing-Job-Id": 5}).doubtful, {"job_id"})


class Probe(unittest.TestCase):
    BODY = json.dumps({"subject": sdk.PROBE_SUBJECT, "reason": "bailing-authz-probe", "expect": "deny"}).encode()

    def probed(self, authorize: Any, body: bytes = BODY, secret: str = SECRET) -> Any:
        asked = request("POST", sdk.PROBE_PATH, body, subject=sdk.PROBE_SUBJECT, job="probe")
        return sdk.authz_probe_response(secret, asked, authorize)

    def test_the_probe_hears_no_from_a_real_permission_check(self) -> None:
        self.assertEqual(self.probed(allow), (200, {"authorized": False}))

    def test_a_check_that_always_says_yes_is_told_on(self) -> None:
        self.assertEqual(self.probed(lambda *_: True), (200, {"authorized": True}))

    def test_the_subject_is_the_bodys_else_the_headers(self) -> None:
        heard = []
        for body in (b'{"subject":"someone"}', b"not json", b'{"subject":5}'):
            self.probed(lambda subject, tool, params: heard.append((subject, tool)), body)
        self.assertEqual([who for who, _ in heard], ["someone", sdk.PROBE_SUBJECT, sdk.PROBE_SUBJECT])

    def test_an_exception_and_a_truthy_answer_are_no(self) -> None:
        def broken(*_: Any) -> bool:
            raise LookupError

        self.assertEqual(self.probed(broken)[1], {"authorized": False})
        self.assertEqual(self.probed(lambda *_: 1)[1], {"authorized": False})

    def test_a_badly_signed_probe_is_401(self) -> None:
        status, body = self.probed(allow, secret="other")
        self.assertEqual((status, body["authorized"], body["error"]), (401, False, "bad_signature"))


if __name__ == "__main__":
    unittest.main()
