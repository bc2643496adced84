"""Every Python sample of the README and of the integrators' guide is run as it stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any, Dict, List, Tuple

from support import REPOSITORY, ROOT

README = ROOT / "README.md"
GUIDE = REPOSITORY / "docs" / "how-to" / "integrate-a-business.md"


def blocks(path: Path) -> List[Tuple[str, str]]:
    """(language, text) of the fenced blocks of a page."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def named(path: Path, comment: str) -> str:
    """The block that starts with ``# comment``."""
    return next(text for _, text in blocks(path) if text.startswith(f"# {comment}\n"))


def run_in_order(page: Path, samples: List[str]) -> Dict[str, Any]:
    """Runs samples in one namespace, warnings as errors."""
    names: Dict[str, Any] = {"__name__": page.stem}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, sample in enumerate(samples):
            exec(compile(sample, f"{page.name}, sample {number + 1}", "exec"), names)
    return names


class Readme(unittest.TestCase):
    def test_the_five_minutes_run_as_written_and_print_what_the_page_says(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("shop.py", "try_it.py"):
                (Path(folder) / name).write_text(named(README, name), encoding="utf-8")
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PORT": "0", "no_proxy": "127.0.0.1"}
            shop = subprocess.Popen([sys.executable, "shop.py"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
            try:
                assert shop.stdout is not None
                environment["PORT"] = shop.stdout.readline().split()[-1]
                tried = subprocess.run(
                    [sys.executable, "try_it.py"], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
                )
            finally:
                shop.terminate()
                shop.communicate(timeout=10)
            (printed,) = [text for language, text in blocks(README) if language == "text"]
            self.assertEqual((tried.stdout, tried.stderr), (printed, ""))

    def test_the_other_samples_run(self) -> None:
        samples = [text for language, text in blocks(README) if language == "python" and not text.startswith("# ")]
        self.assertEqual(len(samples), 3)
        names = run_in_order(README, samples)
        names["database"].close()

    def test_the_recipes_are_verbatim_from_the_files_that_recipes_check_runs(self) -> None:
        excerpts = [text for language, text in blocks(README) if text.startswith("# recipes/")]
        self.assertEqual(len(excerpts), 3)
        for excerpt in excerpts:
            first, _, rest = excerpt.partition("\n")
            self.assertIn(rest, (ROOT / first[2:]).read_text(encoding="utf-8"))

    def test_every_name_in_the_table_is_there(self) -> None:
        import bailing_connect as sdk

        table = README.read_text(encoding="utf-8").split("## What is in it")[1].split("Verifiers never raise")[0]
        for name in re.findall(r"`(\w+)`", table):
            self.assertTrue(hasattr(sdk, name), name)


class IntegratorsGuide(unittest.TestCase):
    def test_its_samples_run_in_order_and_hold(self) -> None:
        samples = [text for language, text in blocks(GUIDE) if language == "python"]
        self.assertGreaterEqual(len(samples), 6)
        names = run_in_order(GUIDE, samples)
        names["database"].close()

    def test_its_json_samples_are_json(self) -> None:
        samples = [text for language, text in blocks(GUIDE) if language == "json"]
        self.assertGreaterEqual(len(samples), 2)
        for sample in samples:
            json.loads(sample)


if __name__ == "__main__":
    unittest.main()
