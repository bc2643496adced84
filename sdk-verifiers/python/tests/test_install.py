"""A wheel made offline, installed offline into a fresh environment, imported from there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any

from support import FROZEN_SIGNATURE, NOW, ROOT, SECRET, sdk

CHECK = f"""
import bailing_connect as sdk, pathlib, sys
assert pathlib.Path(sdk.__file__).is_relative_to(pathlib.Path(sys.prefix)), sdk.__file__
assert (pathlib.Path(sdk.__file__).parent / "py.typed").exists()
print(sdk.__version__, sdk.failure_reason({SECRET!r}, "POST", "/goods/create", b'{{"title":"test","price":9.9}}',
      "{NOW}", {FROZEN_SIGNATURE!r}, "179:1", "job-test-001", now={NOW}))
"""


def run(*command: str) -> "subprocess.CompletedProcess[str]":
    settled = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": ""}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=settled, cwd=tempfile.gettempdir())


class Installing(unittest.TestCase):
    def refuse_or_say(self, what: str, done: "subprocess.CompletedProcess[str]") -> None:
        """Where the machine has no pip or venv it is said; CI takes no skips."""
        why = f"skipped, because {what} does not work here: {(done.stderr or done.stdout).strip()[-300:]}"
        if os.environ.get("CI") == "true":
            self.fail(why)
        print(why)

    def test_the_wheel_builds_offline_installs_offline_and_verifies_a_vector(self) -> None:
        for what in ("pip", "venv"):
            known = run(sys.executable, "-m", what, "--help")
            if known.returncode != 0:
                return self.refuse_or_say(f"python3 -m {what}", known)
        with tempfile.TemporaryDirectory() as folder:
            wheels, fresh = Path(folder) / "wheels", Path(folder) / "fresh"
            built = run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", str(wheels), str(ROOT))
            self.assertEqual(built.returncode, 0, built.stderr)
            (wheel,) = wheels.glob("*.whl")
            made = run(sys.executable, "-m", "venv", str(fresh))
            if made.returncode != 0:
                return self.refuse_or_say("python3 -m venv", made)
            python = str(fresh / ("Scripts" if os.name == "nt" else "bin") / "python")
            installed = run(python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel))
            self.assertEqual(installed.returncode, 0, installed.stderr)
            checked = run(python, "-W", "error", "-c", CHECK)
            self.assertEqual((checked.stdout.strip(), checked.stderr), (f"{sdk.__version__} None", ""))
        return None

    def test_the_same_sources_give_the_same_wheel_and_a_source_archive_that_builds_it_too(self) -> None:
        sys.path.insert(0, str(ROOT / "backend"))
        try:
            import wheel_backend as backend
        finally:
            sys.path.pop(0)
        with tempfile.TemporaryDirectory() as folder:
            made: "list[Any]" = []
            for name in ("a", "b"):
                (Path(folder) / name).mkdir()
                made.append((Path(folder) / name / backend.build_wheel(str(Path(folder) / name))).read_bytes())
            self.assertEqual(made[0], made[1])
            archive = Path(folder) / backend.build_sdist(folder)
            self.assertTrue(archive.name.endswith(f"-{sdk.__version__}.tar.gz"))
            again = run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", folder, str(archive))
            self.assertEqual(again.returncode, 0, again.stderr)
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as opened:
                self.assertIn("bailing_connect/py.typed", opened.namelist())
            self.assertEqual(wheel.read_bytes(), made[0])


if __name__ == "__main__":
    unittest.main()
