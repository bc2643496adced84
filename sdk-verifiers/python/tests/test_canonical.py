from __future__ import annotations

import hashlib
import json
import random
import struct
import unittest

from support import KEY, sdk
from bailing_connect.ecma_text import number_text


class CanonicalForm(unittest.TestCase):
    def test_the_worked_example_of_the_contract(self) -> None:
        arguments = {"order_no": "A-1001", "amount": 300, "meta": {"z": 1, "a": [True, None, "é"]}, "price": 9.5}
        self.assertEqual(
            sdk.canonical_json(arguments), '{"amount":300,"meta":{"a":[true,null,"é"],"z":1},"order_no":"A-1001","price":9.5}'
        )
        hashed = sdk.args_hash(arguments)
        self.assertEqual(hashed, "31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655")
        job = "11111111-2222-4333-8444-555555555555"
        self.assertEqual(sdk.idempotency_key(args_hash=hashed, job_id=job, on_behalf_of="179:1", tool="refund_order"), KEY)

    def test_absent_arguments_are_an_empty_object(self) -> None:
        self.assertEqual(sdk.args_hash(), sdk.args_hash({}))
        self.assertEqual(sdk.args_hash(), hashlib.sha256(b"{}").hexdigest())

    def test_an_int_is_the_nearest_double_and_what_no_double_holds_is_null(self) -> None:
        values = [2**53 + 1, 12345678901234567890, 10**400, -(10**400), float("nan"), float("inf"), -0.0, True]
        self.assertEqual(sdk.canonical_json(values), "[9007199254740992,12345678901234567000,null,null,null,null,0,true]")

    def test_every_printed_double_reads_back_to_itself_and_no_shorter_text_would(self) -> None:
        dice = random.Random(7)
        for _ in range(5000):
            (value,) = struct.unpack("<d", dice.randbytes(8))
            if value != value or value in (float("inf"), float("-inf")):
                continue
            text = number_text(value)
            self.assertEqual(float(text), value)
            self.assertEqual(number_text(float(text)), text)
            digits = text.lower().partition("e")[0].replace(".", "").lstrip("-0").rstrip("0")
            self.assertLessEqual(len(digits), len(repr(value).partition("e")[0].replace(".", "").lstrip("-0").rstrip("0")))

    def test_numbers_keep_plain_digits_from_a_millionth_to_below_ten_to_the_21(self) -> None:
        printed = {1e-6: "0.000001", 1e-7: "1e-7", 1e20: "1" + "0" * 20, 1e21: "1e+21", 1.5e300: "1.5e+300", 123e-20: "1.23e-18"}
        for value, text in printed.items():
            self.assertEqual(number_text(value), text)

    def test_the_order_of_members_and_the_white_space_of_the_text_do_not_matter(self) -> None:
        dice = random.Random(3)
        for _ in range(300):
            names = [chr(dice.choice([*range(32, 127), 0xE9, 0x5F85, 0x1F600, 0xFF5E])) for _ in range(6)]
            arguments = {name: dice.random() for name in names}
            shuffled = dict(sorted(arguments.items(), key=lambda pair: dice.random()))
            self.assertEqual(sdk.args_hash(arguments), sdk.args_hash(sdk.parse_arguments(json.dumps(shuffled, indent=3))))

    def test_canonical_text_is_a_fixed_point(self) -> None:
        text = sdk.canonical_json({"😀": 1, "～": [1e21, {"b": "\u2028\x7f", "a": "\u0001"}]})
        self.assertEqual(sdk.canonical_json(json.loads(text)), text)

    def test_a_pair_of_surrogates_is_a_character_and_half_a_pair_is_refused(self) -> None:
        self.assertEqual(sdk.canonical_json({"a": "\ud83d\ude00"}), '{"a":"😀"}')
        for bad in ({"a": "\ud800"}, {"\udc00": 1}, {"a": [{"b": "x\ud800y"}]}):
            with self.assertRaises(sdk.CanonicalError):
                sdk.canonical_json(bad)

    def test_what_is_no_json_is_refused_and_named(self) -> None:
        for bad, said in (({"a": object()}, "object"), ({1: 2}, "int"), ({"a": b"x"}, "bytes"), ({"a": {1}}, "set")):
            with self.assertRaisesRegex(sdk.CanonicalError, said):
                sdk.canonical_json(bad)
        for arguments in ([1], "a", 1):
            with self.assertRaises(sdk.CanonicalError):
                sdk.args_hash(arguments)  # type: ignore[arg-type]

    def test_a_value_that_holds_itself_is_refused_quickly(self) -> None:
        loop: list = []
        loop.extend([loop, loop])
        with self.assertRaises(sdk.CanonicalError):
            sdk.canonical_json({"a": loop})


if __name__ == "__main__":
    unittest.main()
