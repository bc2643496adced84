"""A build backend of the standard library only (PEP 517), so that a wheel can be made offline, whatever setuptools is there.

It packs ``src/<package>`` with the metadata of ``pyproject.toml``. The same sources give the same bytes.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

_ROOT = Path(__file__).resolve().parent.parent
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ENTRY = re.compile(r"([a-z-]+) = (.+)")

Config = Optional[Dict[str, Any]]
Files = List[Tuple[str, bytes]]


def build_wheel(wheel_directory: str, config_settings: Config = None, metadata_directory: Optional[str] = None) -> str:
    """Writes the wheel and returns its file name (PEP 517)."""
    project = read_project()
    stem = _stem(project)
    files = _package_files()
    info = f"{stem}.dist-info"
    files.append((f"{info}/METADATA", _metadata(project)))
    files.append((f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"))
    files.append((f"{info}/licenses/LICENSE", (_ROOT / "LICENSE").read_bytes()))
    files.append((f"{info}/RECORD", _record(files, f"{info}/RECORD")))
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files:
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return name


def build_sdist(sdist_directory: str, config_settings: Config = None) -> str:
    """Writes the source archive and returns its file name (PEP 517)."""
    project = read_project()
    stem = _stem(project)
    kept = ["pyproject.toml", "README.md", "LICENSE", *_below("backend"), *_below("src")]
    name = f"{stem}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, content in [(each, (_ROOT / each).read_bytes()) for each in kept] + [("PKG-INFO", _metadata(project))]:
            entry = tarfile.TarInfo(f"{stem}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return name


def read_project() -> Dict[str, Any]:
    """The ``[project]`` table. Python 3.9 has no TOML reader; this one takes the texts and one-line lists that the file has."""
    lines = (_ROOT / "pyproject.toml").read_text(encoding="utf-8").split("[project]\n")[1].splitlines()
    project: Dict[str, Any] = {}
    for line in lines:
        if line.startswith("["):
            break
        entry = _ENTRY.fullmatch(line)
        if entry:
            project[entry.group(1)] = ast.literal_eval(entry.group(2))
        elif line.strip():
            raise ValueError(f"This line of pyproject.toml is beyond the reader in backend/wheel_backend.py: {line!r}")
    return project


def _stem(project: Dict[str, Any]) -> str:
    return f"{project['name'].replace('-', '_')}-{project['version']}"


def _below(folder: str) -> List[str]:
    found = (path for path in (_ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(_ROOT).as_posix() for path in found)


def _package_files() -> Files:
    return [(path[len("src/") :], (_ROOT / path).read_bytes()) for path in _below("src")]


def _metadata(project: Dict[str, Any]) -> bytes:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"License: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "License-File: LICENSE",
        *(f"Classifier: {each}" for each in project["classifiers"]),
        *(f"Requires-Dist: {each}" for each in project["dependencies"]),
    ]
    readme = (_ROOT / project["readme"]).read_text(encoding="utf-8")
    return ("\n".join(head) + "\n\n" + readme).encode("utf-8")


def _record(files: Files, own: str) -> bytes:
    def line(path: str, content: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        return f"{path},sha256={digest},{len(content)}"

    return ("\n".join([line(path, content) for path, content in files] + [f"{own},,"]) + "\n").encode("utf-8")
