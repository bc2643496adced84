"""What a tool must be before it may stand in a document: the first broken rule, by name (the words of vectors/README.md)."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from .ecma_text import WHITE_SPACE
from .errors import SpecError
from .tools import Tool, places_in

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_PATH = re.compile(r"/(?:(?![?#])[!-~])*")
_RATE = re.compile(r"([1-9][0-9]{0,8})/(s|sec|second|m|min|minute|h|hour|d|day)")
_OWN_HEADER = re.compile(r"(?:x-bailing-.*|host|content-length|content-type|authorization)", re.IGNORECASE | re.DOTALL)
_WINDOWS = {"s": "1s", "m": "1m", "h": "1h", "d": "1d"}
_RESERVED = ("send_message", "find_tools", "search_tools", "see_image")
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_TYPES = ("string", "number", "integer", "boolean", "array", "object")
_PLACES = ("query", "path", "header", "body")
_LONGEST_TIMEOUT = 600_000


def read_rate(rate: Union[str, Mapping[str, Any]]) -> Optional[Dict[str, Any]]:
    """``30/min`` as ``{"count": 30, "window": "1m"}``; the parsed form passes. None where it is neither."""
    if isinstance(rate, str):
        match = _RATE.fullmatch(rate)
        return {"count": int(match.group(1)), "window": _WINDOWS[match.group(2)[0]]} if match else None
    count: Any = rate.get("count")
    window = rate.get("window")
    right = _is_whole(count) and count >= 1 and window in _WINDOWS.values()
    return {"count": count, "window": window} if right else None


def check_tools(tools: Sequence[Tool]) -> None:
    """Raises :class:`SpecError` for the first rule that a tool breaks, tool by tool, and for names and operations used twice."""
    names, operations = set(), set()
    for one in tools:
        for code, broken, says in _RULES:
            if broken(one):
                raise SpecError(code, one.name, says)
        if one.name in names:
            raise SpecError("duplicate_name", one.name, "another tool has this name.")
        if (one.method, one.path) in operations:
            raise SpecError("duplicate_operation", one.name, f"another tool serves {one.method} {one.path}.")
        names.add(one.name)
        operations.add((one.method, one.path))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53


def _blank(text: object) -> bool:
    return not isinstance(text, str) or not text.strip(WHITE_SPACE)


def _bad_param(tool: Tool) -> bool:
    return any(
        _blank(one.name)
        or one.type not in _TYPES
        or one.place not in _PLACES
        or (one.place == "body" and tool.method == "GET")
        or (one.place == "header" and _OWN_HEADER.fullmatch(one.name) is not None)
        for one in tool.params
    )


def _repeats_param(tool: Tool) -> bool:
    return len({one.name for one in tool.params}) < len(tool.params)


def _path_mismatch(tool: Tool) -> bool:
    declared = sorted(one.name for one in tool.params if one.place == "path")
    return sorted(set(places_in(tool.path))) != declared


def _bad_timeout(tool: Tool) -> bool:
    given = tool.timeout_ms
    return given is not None and not (_is_whole(given) and 0 <= given <= _LONGEST_TIMEOUT)


_RULES: Sequence[Tuple[str, Callable[[Tool], bool], str]] = (
    ("invalid_name", lambda t: not _NAME.fullmatch(t.name), "a name is 1 to 64 letters, digits and underscores, no digit first."),
    ("reserved_name", lambda t: t.name in _RESERVED, "the hub has a tool of its own with this name. Choose another."),
    ("invalid_method", lambda t: t.method not in _METHODS, "the method is one of GET, POST, PUT, PATCH, DELETE."),
    ("invalid_path", lambda t: not _PATH.fullmatch(t.path), "the path starts with / and is printable ASCII without space, ? and #."),
    ("missing_scope", lambda t: _blank(t.scope), "a scope is needed, such as order.refund."),
    ("missing_description", lambda t: _blank(t.description), "a description is needed: it is all that the model knows of the tool."),
    ("invalid_risk", lambda t: bool(t.risk) and t.risk not in ("low", "medium", "high"), "risk is low, medium or high."),
    (
        "invalid_rate_limit",
        lambda t: bool(t.rate_limit) and read_rate(t.rate_limit or "") is None,
        "a rate limit is like 30/min, 600/hour, 10/s, 1000/day.",
    ),
    ("invalid_timeout", _bad_timeout, "a timeout is whole milliseconds, at most 600000."),
    ("invalid_param", _bad_param, "a parameter has no name, an unknown type or place, is the body of a GET, or a header of the hub."),
    ("duplicate_param", _repeats_param, "a parameter is declared twice."),
    ("path_param_mismatch", _path_mismatch, "every {name} of the path needs its path parameter, and the other way round."),
)
