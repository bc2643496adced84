"""Numbers and texts printed as an ECMAScript engine's ``JSON.stringify`` prints them (WIRE 7.1)."""

from __future__ import annotations

import json
import math

from .errors import CanonicalError

# SIGNING rule 41: what ECMAScript trims, spelled out, since Python's own idea of white space is another one.
WHITE_SPACE = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"


def number_text(value: float) -> str:
    """ECMAScript's Number-to-string of an IEEE double; what JSON has no word for (NaN, infinities) is ``null``."""
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    digits, point = shortest_digits(abs(value))
    return sign + place_point(digits, point)


def shortest_digits(value: float) -> "tuple[str, int]":
    """The shortest digits that read back to ``value`` and where its point stands: 0.``digits`` times ten to ``point``."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    return stripped.rstrip("0"), point - (len(digits) - len(stripped))


def place_point(digits: str, point: int) -> str:
    """ECMA-262 Number::toString, steps 6 to 12, with ``n`` = point and ``k`` = len(digits)."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    exponent = point - 1
    mantissa = digits if count == 1 else digits[0] + "." + digits[1:]
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def whole_text(value: str) -> str:
    """``value`` with surrogate pairs joined into characters. A lone surrogate is refused: no UTF-8 can carry it."""
    try:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise CanonicalError("A text holds half of a surrogate pair, which no UTF-8 can carry.") from None


def quoted(value: str) -> str:
    """A JSON string as ``JSON.stringify`` prints it: only quotes, backslashes and controls below U+0020 are escaped."""
    return json.dumps(whole_text(value), ensure_ascii=False)


def utf16_order(name: str) -> bytes:
    """Sort key for member names: UTF-16 code units, so that U+1F600 comes before U+FF5E."""
    return name.encode("utf-16-be", "surrogatepass")
