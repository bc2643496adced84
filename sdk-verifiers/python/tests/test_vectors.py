"""Every shared vector, answered by the runner that CI runs."""

from __future__ import annotations

import json
import subprocess
import sys
import unittest

from support import ROOT, VECTORS


def expectations() -> "dict[str, str]":
    wanted = {}
    for path in sorted(VECTORS.glob("*.json")):
        vectors = json.loads(path.read_text(encoding="utf-8"))
        if path.name != "schema.json" and "python" in vectors["parties"]:
            assert len(vectors["cases"]) == vectors["count"], path.name
            wanted.update({case["id"]: case["expected"]["result"] for case in vectors["cases"]})
    return wanted


class SharedVectors(unittest.TestCase):
    maxDiff = None

    def test_the_runner_answers_every_vector_with_the_stated_word_and_prints_nothing_else(self) -> None:
        run = subprocess.run(
            [sys.executable, str(ROOT / "vectors_run.py"), str(VECTORS)], capture_output=True, text=True, timeout=120
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        report = json.loads(run.stdout)
        wanted = expectations()
        self.assertGreaterEqual(len(wanted), 150)
        self.assertEqual(report["language"], "python")
        self.assertEqual(report["total"], len(wanted))
        self.assertEqual({k: v for k, v in report["results"].items() if wanted.get(k) != v}, {})
        self.assertEqual(set(report["results"]), set(wanted))


if __name__ == "__main__":
    unittest.main()
