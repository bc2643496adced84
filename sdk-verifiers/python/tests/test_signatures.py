from __future__ import annotations

import random
import unittest
from unittest import mock

from support import FROZEN_BODY, FROZEN_SIGNATURE, NOW, SECRET, sdk

JUNK = [
    None, True, 0, -1, 1.5, float("nan"), float("inf"), 10**400, "", "x", "\ud800", "\u00b2", b"", b"\xff", bytearray(b"7"),
    memoryview(b"ab"), [], ["a"], (), {}, {"a": 1}, object(), Exception, "9" * 100_000, "sha256=" + "0" * 64, 3 + 4j,
]  # fmt: skip


def frozen(**other: object) -> "str | None":
    parts = {
        "method": "POST",
        "path_with_query": "/goods/create",
        "body": FROZEN_BODY,
        "timestamp": str(NOW),
        "signature": FROZEN_SIGNATURE,
        "on_behalf_of": "179:1",
        "job_id": "job-test-001",
        "now": NOW,
    }
    return sdk.failure_reason(SECRET, **{**parts, **other})  # type: ignore[arg-type]


class ToolCalls(unittest.TestCase):
    def test_the_frozen_vector_of_the_contract_verifies(self) -> None:
        self.assertIsNone(frozen())
        self.assertTrue(
            sdk.verify_tool_call(
                SECRET, "POST", "/goods/create", FROZEN_BODY, str(NOW), FROZEN_SIGNATURE, "179:1", "job-test-001", now=NOW
            )
        )

    def test_the_signer_makes_what_the_contract_froze(self) -> None:
        made = sdk.sign_tool_call(
            SECRET,
            ts=NOW,
            method="post",
            path_with_query="/goods/create",
            body=FROZEN_BODY,
            on_behalf_of="179:1",
            job_id="job-test-001",
        )
        self.assertEqual(made, FROZEN_SIGNATURE)
        spec = sdk.sign_tool_call(SECRET, ts=NOW, method="GET", path_with_query="/bailing/tools.json")
        self.assertEqual(spec, "sha256=505ab99763cd20b50ba4066ee2ac315fe6af12a8638e7dabef63508abddedc74")

    def test_exactly_the_window_is_outside_on_both_sides(self) -> None:
        for now, reason in ((NOW + 299, None), (NOW - 299, None), (NOW + 300, "out"), (NOW - 300, "out")):
            wanted = "timestamp_out_of_window" if reason else None
            self.assertEqual(frozen(now=now), wanted, now)

    def test_a_clock_or_window_that_is_no_number_lets_nothing_in(self) -> None:
        for clock in (float("nan"), "1718000000", [], float("inf")):
            self.assertEqual(frozen(now=clock), "timestamp_out_of_window")
        for window in (float("nan"), 0, -5, None, "300"):
            self.assertEqual(frozen(window_sec=window), "timestamp_out_of_window")

    def test_a_parsed_body_never_verifies(self) -> None:
        self.assertEqual(frozen(body={"title": "test", "price": 9.9}), "bad_signature")

    def test_no_value_whatever_in_any_place_makes_the_verifier_raise(self) -> None:
        words = {None, "timestamp_out_of_window", "bad_signature"}
        for place in ("method", "path_with_query", "body", "timestamp", "signature", "on_behalf_of", "job_id", "window_sec"):
            for junk in JUNK:
                self.assertIn(frozen(**{place: junk}), words, (place, type(junk)))
        for junk in JUNK:
            self.assertIn(sdk.failure_reason(junk, "GET", "/", b"", str(NOW), FROZEN_SIGNATURE, now=NOW), words)

    def test_random_bytes_in_every_place_are_refused_and_never_raise(self) -> None:
        dice = random.Random(20)
        for _ in range(3000):
            noise = bytes(dice.randrange(256) for _ in range(dice.randrange(90)))
            place = dice.choice(["path_with_query", "body", "timestamp", "signature", "on_behalf_of", "job_id"])
            self.assertIn(frozen(**{place: noise}), {"timestamp_out_of_window", "bad_signature"})

    def test_a_released_memoryview_is_refused(self) -> None:
        view = memoryview(bytearray(b"abc"))
        view.release()
        self.assertEqual(frozen(body=view), "bad_signature")

    def test_signatures_are_compared_in_constant_time_over_equal_lengths(self) -> None:
        import hmac

        with mock.patch("bailing_connect.wire_bytes.hmac.compare_digest", wraps=hmac.compare_digest) as compared:
            frozen(signature="sha256=" + "0" * 64)
            frozen()
            self.assertEqual([len(a) == len(b) for a, b in (c.args for c in compared.call_args_list)], [True, True])

    def test_the_signer_says_what_it_cannot_sign_without_naming_the_secret(self) -> None:
        with self.assertRaisesRegex(ValueError, "secret is empty"):
            sdk.sign_tool_call("", ts=NOW, method="GET", path_with_query="/")
        with self.assertRaisesRegex(TypeError, "body must be bytes"):
            sdk.sign_tool_call("topsecret", ts=NOW, method="GET", path_with_query="/", body={"a": 1})  # type: ignore[arg-type]


class CallbacksAndDecisions(unittest.TestCase):
    BODY = b'{"kind":"delivery","job_id":"job-test-001","status":"done"}'
    SIGNATURE = "sha256=ca81d247422d926be3066f065a8c92a1beaffc6f37f01ef7d3e2c47b46f63210"
    DECISION = {
        "approval_id": 123,
        "job_id": "11111111-2222-4333-8444-555555555555",
        "request_id": "crm:1",
        "args_hash": "31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655",
        "decision_id": "oa:9001",
        "decision": "approved",
        "approver": "u2",
    }

    def test_the_frozen_callback_verifies_in_milliseconds_and_not_in_seconds(self) -> None:
        ms = NOW * 1000
        self.assertEqual(sdk.sign_callback(SECRET, ts=ms, raw_body=self.BODY), self.SIGNATURE)
        self.assertTrue(sdk.verify_callback(SECRET, self.BODY, str(ms), self.SIGNATURE, now=ms))
        self.assertFalse(sdk.verify_callback(SECRET, self.BODY, str(ms), self.SIGNATURE, now=NOW))
        self.assertFalse(sdk.verify_callback(SECRET, self.BODY, str(ms), self.SIGNATURE, now=ms + 300_000))

    def test_no_value_whatever_makes_the_callback_verifier_raise(self) -> None:
        for junk in JUNK:
            self.assertFalse(sdk.verify_callback(junk, junk, junk, junk, now=NOW * 1000))  # type: ignore[arg-type]
            self.assertFalse(sdk.verify_callback(SECRET, junk, str(NOW * 1000), self.SIGNATURE, now=NOW * 1000))  # type: ignore[arg-type]

    def test_a_signed_decision_is_the_contracts_and_verifies(self) -> None:
        signed = sdk.sign_decision(SECRET, ts=NOW * 1000, **self.DECISION)  # type: ignore[arg-type]
        self.assertEqual(signed.signature, "sha256=8ad88840990b8d52396b07c14023b7b382f87b6f36d6ba11545057191951bcdf")
        stamp = signed.headers["X-Bailing-Timestamp"]
        self.assertTrue(sdk.verify_decision(SECRET, signed.body, stamp, signed.signature, now=NOW * 1000))

    def test_a_decision_the_hub_would_refuse_is_refused_with_the_member_named(self) -> None:
        wrong = {"approval_id": True, "args_hash": "AB", "decision_id": "a b", "decision": "yes", "approver": "", "comment": 5}
        for member, value in wrong.items():
            with self.assertRaisesRegex(sdk.DecisionError, member) as caught:
                sdk.sign_decision(SECRET, **{**self.DECISION, member: value})  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, "invalid_decision")


class Tickets(unittest.TestCase):
    FROZEN = "v1.eyJ1aWQiOiJ0ZW5hbnQ6dXNlciIsImV4cCI6MjAwMDAwMDAwMH0.ecfc7a95bda45da95751091c1f89e316170b5edbe555b4613e4049b9e9b848b1"

    def test_the_frozen_ticket_is_made_and_read(self) -> None:
        self.assertEqual(sdk.sign_ticket("secret", "tenant:user", expires_at=2_000_000_000), self.FROZEN)
        self.assertEqual(sdk.check_ticket("secret", self.FROZEN), sdk.TicketCheck("tenant:user", None))
        self.assertTrue(sdk.verify_ticket("secret", self.FROZEN))

    def test_the_very_millisecond_of_the_end_is_valid_and_the_next_is_not(self) -> None:
        end = 2_000_000_000_000
        self.assertTrue(sdk.verify_ticket("secret", self.FROZEN, now_ms=end))
        self.assertEqual(sdk.check_ticket("secret", self.FROZEN, now_ms=end + 1).reason, "ticket_expired")

    def test_a_ticket_lives_two_hours_unless_stated(self) -> None:
        made = sdk.sign_ticket("secret", 42)
        self.assertEqual(sdk.check_ticket("secret", made).uid, "42")
        import time

        self.assertFalse(sdk.verify_ticket("secret", made, now_ms=(time.time() + 7205) * 1000))

    def test_no_value_whatever_makes_the_checker_raise(self) -> None:
        for junk in JUNK:
            self.assertEqual(sdk.check_ticket("secret", junk).reason, "bad_ticket")  # type: ignore[arg-type]
            self.assertEqual(sdk.check_ticket(junk, self.FROZEN).reason, "bad_ticket")  # type: ignore[arg-type]

    def test_a_uid_no_ticket_can_carry_is_refused(self) -> None:
        for uid in ("", "  \u3000", "x" * 65, "汉" * 22, "\ud800", None, True, 1.5):
            with self.assertRaises(sdk.TicketError) as caught:
                sdk.sign_ticket("secret", uid)  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, "invalid_uid")


if __name__ == "__main__":
    unittest.main()
