"""What the handler will act on, read without doubt or not at all (SIGNING rule 31)."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .json_text import parse_json
from .signed_request import SignedRequest, signed_target
from .wire_bytes import BytesLike

_LONE_PERCENT = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
_PLACE = re.compile(r"\{([^{}]+)\}")


class ParameterError(ValueError):
    """Parameters that could be read in more than one way, or in none."""


def read_parameters(request: SignedRequest, path_params: Optional[Mapping[str, str]] = None) -> Dict[str, Any]:
    """The decoded query, the members of a JSON body (not for GET and HEAD) and the router's path parameters, in one dict.

    Query and path values are texts, body values keep their JSON type. Raises :class:`ParameterError` where a name
    occurs twice, a text is not UTF-8, or a body is neither empty nor a JSON object.
    """
    pairs = query_pairs(request.path_with_query.partition(b"?")[2])
    if request.method not in (b"GET", b"HEAD"):
        pairs.extend(_body_pairs(request.body))
    for name, value in (path_params or {}).items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise ParameterError("Path parameters must be texts.")
        pairs.append((name, value))
    params: Dict[str, Any] = {}
    for name, value in pairs:
        if name in params:
            raise ParameterError("A parameter occurs twice; which of the two is meant cannot be told.")
        params[name] = value
    return params


def query_pairs(query: bytes) -> List[Tuple[str, Any]]:
    """Form-decoded (name, value) pairs in order. Raises :class:`ParameterError` for a lone ``%`` or bytes beyond UTF-8."""
    pairs: List[Tuple[str, Any]] = []
    for piece in query.split(b"&"):
        if piece:
            name, _, value = piece.replace(b"+", b" ").partition(b"=")
            pairs.append((decoded(name), decoded(value)))
    return pairs


def decoded(raw: bytes) -> str:
    """Percent-decoded UTF-8. Raises :class:`ParameterError` where it is neither."""
    if _LONE_PERCENT.search(raw):
        raise ParameterError("A percent sign encodes nothing.")
    try:
        return _PERCENT.sub(lambda match: bytes((int(match.group(1), 16),)), raw).decode("utf-8")
    except UnicodeDecodeError:
        raise ParameterError("A parameter is not UTF-8.") from None


def path_params(
    template: str, path_with_query: bytes, *, base_path: Optional[BytesLike] = None
) -> Optional[Dict[str, str]]:
    """Values of ``/orders/{order_no}`` out of a raw target; None where the target is another path or a value is empty.

    The path is cut at its raw slashes before anything is decoded, so an encoded slash stays inside its value.
    """
    target = signed_target(path_with_query, base_path=base_path)
    if target is None:
        return None
    wanted, given = template.split("/"), target.partition(b"?")[0].split(b"/")
    if len(wanted) != len(given):
        return None
    params: Dict[str, str] = {}
    for piece, raw in zip(wanted, given):
        place = _PLACE.fullmatch(piece)
        if place is None:
            if piece.encode("utf-8", "replace") != raw:
                return None
            continue
        try:
            params[place.group(1)] = decoded(raw)
        except ParameterError:
            return None
        if not params[place.group(1)]:
            return None
    return params


def _body_pairs(body: bytes) -> List[Tuple[str, Any]]:
    if not body:
        return []
    try:
        value = parse_json(body, parse_int=_whole)
    except ValueError:
        raise ParameterError("The body is not a JSON object in UTF-8.") from None
    if not isinstance(value, dict):
        raise ParameterError("The body is JSON, but not an object.")
    return list(value.items())


def _whole(digits: str) -> Union[int, float]:
    """An int as the handler expects it; digits that no double can hold become infinity, as in the other languages."""
    return int(digits) if len(digits) <= 309 else float(digits)
