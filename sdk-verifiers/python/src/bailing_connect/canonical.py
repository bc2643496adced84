"""Canonical arguments, their hash, and the idempotency key that the hub derives from them (WIRE 7, SIGNING section J)."""

from __future__ import annotations

import hashlib
from typing import Any, Mapping, Optional, Union

from .ecma_text import number_text, quoted, utf16_order, whole_text
from .errors import CanonicalError
from .json_text import MAX_DEPTH, parse_json


def canonical_json(value: Any) -> str:
    """``value`` as canonical JSON: members sorted by UTF-16 code units, no white space, numbers as IEEE doubles.

    Takes what ``json.loads`` gives (dict, list, str, int, float, bool, None). An int is rounded to the nearest double;
    NaN, infinities and ints beyond a double become ``null``. Raises :class:`CanonicalError` for anything else, for a
    lone surrogate and for more than 100 levels.
    """
    return _text(value, 1)


def _text(value: Any, depth: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (int, float)):
        return number_text(_double(value))
    if not isinstance(value, (dict, list, tuple)):
        raise CanonicalError(f"A value of type {type(value).__name__} is no JSON; turn it into text or a number first.")
    if depth > MAX_DEPTH:
        raise CanonicalError(f"The arguments nest deeper than {MAX_DEPTH} levels.")
    if isinstance(value, dict):
        return "{" + ",".join(_members(value, depth)) + "}"
    return "[" + ",".join(_text(item, depth + 1) for item in value) + "]"


def _members(value: Mapping[Any, Any], depth: int) -> "list[str]":
    for name in value:
        if not isinstance(name, str):
            raise CanonicalError(f"A member name of type {type(name).__name__} is no JSON; names are texts.")
    named = sorted(((whole_text(name), item) for name, item in value.items()), key=lambda pair: utf16_order(pair[0]))
    return [quoted(name) + ":" + _text(item, depth + 1) for name, item in named]


def _double(value: Union[int, float]) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def parse_arguments(text: Union[str, bytes]) -> "dict[str, Any]":
    """Arguments from JSON text, every number a double. Raises :class:`CanonicalError` where they are not a JSON object."""
    try:
        value = parse_json(text)
    except ValueError as error:
        raise CanonicalError(f"The arguments are not JSON that can be read: {type(error).__name__}.") from None
    if not isinstance(value, dict):
        raise CanonicalError("The arguments are JSON, but not an object.")
    return value


def args_hash(arguments: Optional[Mapping[str, Any]] = None) -> str:
    """64 lower-case hex digits of the SHA-256 of the canonical arguments; absent arguments are ``{}``."""
    value = {} if arguments is None else arguments
    if not isinstance(value, dict):
        raise CanonicalError("The arguments must be an object (a dict).")
    return _sha256(canonical_json(value))


def idempotency_key(*, args_hash: str, job_id: str, tool: str, on_behalf_of: str = "") -> str:
    """The ``X-Bailing-Idempotency-Key`` of a call: provider and scope are not part of it."""
    material = {"args_hash": args_hash, "job_id": job_id, "on_behalf_of": on_behalf_of, "tool": tool}
    for name, value in material.items():
        if not isinstance(value, str):
            raise CanonicalError(f"{name} must be a text.")
    return _sha256(canonical_json(material))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
