"""JSON read as an ECMAScript engine reads it: strict grammar, bounded depth, no half characters (SIGNING rules 31, 42 and 45)."""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Iterable, Union

MAX_DEPTH = 100

_TEXT_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def parse_json(text: Union[str, bytes], parse_int: Callable[[str], Any] = float) -> Any:
    """The value of ``text``. Of a repeated member the last one counts; every number is a float unless ``parse_int`` says else.

    Raises ValueError where it is not JSON, not UTF-8, starts with a byte order mark, nests deeper than 100 levels or
    holds half of a surrogate pair.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8")  # strict; UnicodeDecodeError is a ValueError
    if _nests_deeper(text, MAX_DEPTH):
        raise ValueError(f"The JSON nests deeper than {MAX_DEPTH} levels.")
    try:
        value = json.loads(text, parse_int=parse_int, parse_constant=_no_constant)
    except RecursionError:  # little stack was left by the caller
        raise ValueError("The JSON nests too deeply for the stack that is left.") from None
    _check_texts(value)
    return value


def _no_constant(name: str) -> Any:
    """``NaN`` and ``Infinity`` are words of Python's reader, not of JSON."""
    raise ValueError(f"{name} is no JSON.")


def _nests_deeper(text: str, limit: int) -> bool:
    """Counts brackets outside of texts, before anything recursive sees them. Linear in the length of the text."""
    depth = 0
    for match in _TEXT_OR_BRACKET.finditer(text):
        mark = match.group()
        if mark in "[{":
            depth += 1
            if depth > limit:
                return True
        elif mark in "]}":
            depth -= 1
    return False


def _check_texts(value: Any) -> None:
    """Raises ValueError for a lone surrogate in any name or text; level by level, without recursion."""
    level = [value]
    while level:
        for text in level:
            if isinstance(text, str):
                text.encode("utf-8")  # UnicodeEncodeError is a ValueError
        level = [child for item in level for child in _children(item)]


def _children(item: Any) -> Iterable[Any]:
    if isinstance(item, dict):
        return [*item.keys(), *item.values()]
    return item if isinstance(item, list) else ()
