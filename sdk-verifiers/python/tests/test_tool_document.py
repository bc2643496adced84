from __future__ import annotations

import json
import unittest
import warnings
from typing import Any

from support import NOW, SECRET, request, sdk


def build(*tools: sdk.Tool, **options: Any) -> Any:
    return sdk.build_openapi_spec("Shop", "1.0.0", tools, **options)


def refund(**options: Any) -> sdk.Tool:
    said = {"scope": "order.refund", "description": "Refunds a paid order"}
    return sdk.tool(**{"path": "/orders/{order_no}/refund", **said, "params": [sdk.param("order_no")], **options})


class ToolDocument(unittest.TestCase):
    def test_a_stated_risk_is_always_written_low_included(self) -> None:
        for risk in ("low", "medium", "high"):
            written = build(refund(risk=risk))["paths"]["/orders/{order_no}/refund"]["post"]["x-agent-capability"]
            self.assertEqual(written["risk"], {"level": risk})
        self.assertNotIn("risk", build(refund())["paths"]["/orders/{order_no}/refund"]["post"]["x-agent-capability"])

    def test_the_camel_case_words_of_the_other_languages_say_the_same(self) -> None:
        large = [{"param": "amount", "op": ">", "value": 5}]
        camel = refund(confirmWhen=large, rateLimit="10/s", timeoutMs=5, whenToUse="x", requiresSubject=True)
        snake = refund(confirm_when=large, rate_limit="10/s", timeout_ms=5, when_to_use="x", requires_subject=True)
        self.assertEqual(build(camel), build(snake))
        with self.assertRaisesRegex(TypeError, "confirmwhen"):
            refund(confirmwhen=[])
        with self.assertRaisesRegex(TypeError, "where"):
            sdk.param("x", where="query")

    def test_a_tool_is_named_by_method_and_path_unless_stated(self) -> None:
        self.assertEqual(refund().name, "post_orders_order_no_refund")

    def test_a_short_first_sentence_warns_and_is_told(self) -> None:
        short = refund(description="退款。把订单的钱退给顾客")
        with self.assertWarnsRegex(sdk.ToolDocumentWarning, "first sentence is too short"):
            build(short)
        self.assertEqual([(w["code"], w["tool"]) for w in sdk.spec_warnings([short, refund()])], [("short_first_sentence", short.name)])

    def test_a_mistake_names_the_tool_and_the_fix(self) -> None:
        wrong = {
            "invalid_risk": {"risk": "huge"},
            "invalid_rate_limit": {"rate_limit": "10 per minute"},
            "invalid_timeout": {"timeout_ms": 1.5},
            "reserved_name": {"name": "send_message"},
            "path_param_mismatch": {"params": []},
            "missing_scope": {"scope": "\u00a0"},
            "invalid_param": {"params": [sdk.param("order_no"), sdk.param("X-Bailing-Job-Id", place="header")]},
        }
        for code, options in wrong.items():
            with self.assertRaises(sdk.SpecError) as caught:
                build(refund(**options))
            self.assertEqual(caught.exception.code, code)
            self.assertIn(caught.exception.tool, str(caught.exception))

    def test_decorated_functions_make_the_same_document(self) -> None:
        tools = sdk.ToolSet()

        @tools.tool(path="/orders/{order_no}/refund", scope="order.refund", params=[sdk.param("order_no")])
        def refund_order(call: sdk.GateResult) -> Any:
            """Refunds a paid order

            The rest is for people.
            """

        self.assertEqual(build(*tools), build(refund(name="refund_order")))

    def test_a_fixed_path_goes_before_one_with_parameters(self) -> None:
        tools = sdk.ToolSet()
        tools.tool(path="/orders/{id}", scope="o", description="One order by id", params=[sdk.param("id")])(lambda call: 1)
        tools.tool(path="/orders/latest", scope="o", description="The latest order")(lambda call: 2)
        found = tools.find("POST", b"/orders/latest")
        self.assertEqual(found[0].path if found else None, "/orders/latest")
        self.assertIsNone(tools.find("GET", b"/orders/latest"))
        self.assertIsNone(tools.find("POST", b"/orders//"))


class Serving(unittest.TestCase):
    def fetch(self, server: sdk.SpecServer, **options: Any) -> sdk.HttpAnswer:
        asked = request(options.pop("method", "GET"), sdk.SPEC_PATH, b"", subject="", job="", ts=NOW, **options)
        return server.handle(asked, now=NOW)

    def test_a_protected_document_carries_no_store_and_a_public_one_does_not(self) -> None:
        self.assertEqual(self.fetch(sdk.SpecServer({}, SECRET)).headers["Cache-Control"], "private, no-store")
        self.assertNotIn("Cache-Control", self.fetch(sdk.SpecServer.public({})).headers)

    def test_an_empty_secret_protects_by_refusing_everybody(self) -> None:
        self.assertEqual(self.fetch(sdk.SpecServer({}, "")).status, 401)

    def test_a_refusal_names_its_reason(self) -> None:
        answer = self.fetch(sdk.SpecServer({}, SECRET), secret="other")
        self.assertEqual((answer.status, json.loads(answer.body)["reason"]), (401, "bad_signature"))
        self.assertEqual(self.fetch(sdk.SpecServer({}, SECRET), method="PUT").status, 405)

    def test_a_builder_that_fails_is_a_500_that_does_not_leak(self) -> None:
        def broken() -> Any:
            raise RuntimeError("password=hunter2")

        answer = self.fetch(sdk.SpecServer(broken, SECRET))
        self.assertEqual(answer.status, 500)
        self.assertNotIn(b"hunter2", answer.body)

    def test_a_document_from_a_function_is_built_at_each_fetch(self) -> None:
        versions = iter([{"v": 1}, {"v": 2}])
        server = sdk.SpecServer(lambda: next(versions), SECRET)
        self.assertEqual([json.loads(self.fetch(server).body)["v"] for _ in range(2)], [1, 2])


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main()
