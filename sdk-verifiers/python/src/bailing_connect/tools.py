"""Declaring tools: what the hub may call, with which parameters and which risk (WIRE 5 and 17)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

_PLACE = re.compile(r"\{([^{}]+)\}")

_CAMEL = {
    "confirmWhen": "confirm_when",
    "confirmPrompt": "confirm_prompt",
    "requiresSubject": "requires_subject",
    "rateLimit": "rate_limit",
    "timeoutMs": "timeout_ms",
    "whenToUse": "when_to_use",
}


@dataclass(frozen=True)
class Param:
    """One parameter. ``place`` is ``query``, ``path``, ``header`` or ``body``; None lets the tool settle it."""

    name: str
    type: str = "string"
    description: str = ""
    required: bool = False
    place: Optional[str] = None
    enum: Optional[Sequence[Any]] = None
    items: Optional[Mapping[str, Any]] = None
    default: Any = None
    schema: Optional[Mapping[str, Any]] = None


@dataclass(frozen=True)
class Tool:
    """One tool with its name, method and parameter places settled. Made by :func:`tool`; checked when the document is built."""

    name: str
    method: str
    path: str
    scope: str
    description: str
    params: Sequence[Param] = ()
    risk: Optional[str] = None
    confirm: bool = False
    confirm_when: Sequence[Mapping[str, Any]] = ()
    confirm_prompt: str = ""
    requires_subject: bool = False
    sensitive: bool = False
    readonly: bool = False
    idempotent: bool = False
    rate_limit: Union[str, Mapping[str, Any], None] = None
    timeout_ms: Optional[int] = None
    outcome: Optional[Mapping[str, str]] = None
    when_to_use: str = ""
    returns: str = ""
    examples: Sequence[Any] = ()
    context: Sequence[str] = ()
    tags: Sequence[str] = ()
    deprecated: bool = False


def param(
    name: str,
    *,
    type: str = "string",
    description: str = "",
    required: bool = False,
    place: Optional[str] = None,
    enum: Optional[Sequence[Any]] = None,
    items: Optional[Mapping[str, Any]] = None,
    default: Any = None,
    schema: Optional[Mapping[str, Any]] = None,
    **other: Any,
) -> Param:
    """Declares a parameter.

    ``place`` (OpenAPI's ``in``, which Python keeps for itself; ``param(..., **{"in": "path"})`` works too) is ``path``
    where ``{name}`` stands in the path, else ``query`` for GET and ``body`` for the rest. ``schema`` is a whole JSON
    Schema instead of type, enum, items and default.
    """
    place = other.pop("in", place)
    if other:
        raise TypeError(f"param() does not know {', '.join(sorted(other))}.")
    return Param(name, type, description, required, place, enum, items, default, schema)


def tool(
    *,
    path: str,
    scope: str,
    description: str,
    name: Optional[str] = None,
    method: str = "POST",
    params: Sequence[Param] = (),
    risk: Optional[str] = None,
    confirm: bool = False,
    confirm_when: Sequence[Mapping[str, Any]] = (),
    confirm_prompt: str = "",
    requires_subject: bool = False,
    sensitive: bool = False,
    readonly: bool = False,
    idempotent: bool = False,
    rate_limit: Union[str, Mapping[str, Any], None] = None,
    timeout_ms: Optional[int] = None,
    outcome: Optional[Mapping[str, str]] = None,
    when_to_use: str = "",
    returns: str = "",
    examples: Sequence[Any] = (),
    context: Sequence[str] = (),
    tags: Sequence[str] = (),
    deprecated: bool = False,
    **camel_case: Any,
) -> Tool:
    """Declares a tool. The camelCase spellings of the other languages (``confirmWhen``, ``rateLimit`` …) are taken too.

    ``scope`` is a dotted capability such as ``order.refund``; ``description`` is what the model reads, and its first
    sentence (up to ``。``) must say enough alone. ``risk`` is ``low``, ``medium`` or ``high``: the worst that this call
    may do when an agent starts it by itself. ``confirm`` asks a person before every call, ``confirm_when`` before those
    that match ``{"param", "op", "value", "label"}``. ``rate_limit`` is like ``30/min``, ``10/s``, ``1000/day``.
    ``outcome`` is ``{"result": text, "side_effect": none|read|write|notify|external}``.
    """
    verb = (method or "POST").upper()
    places = settled_params(params, verb, path)
    settled = Tool(
        name or slug(verb, path), verb, path, scope, description, places, risk, confirm, confirm_when, confirm_prompt, requires_subject,
        sensitive, readonly, idempotent, rate_limit, timeout_ms, outcome, when_to_use, returns, examples, context, tags, deprecated,
    )  # fmt: skip
    return replace(settled, **snake_case(camel_case))


def snake_case(camel_case: Mapping[str, Any]) -> Dict[str, Any]:
    """Our own names for the camelCase keywords. Raises TypeError for one that no language has."""
    unknown = sorted(set(camel_case) - set(_CAMEL))
    if unknown:
        raise TypeError(f"tool() does not know {', '.join(unknown)}.")
    return {_CAMEL[given]: value for given, value in camel_case.items()}


def slug(method: str, path: str) -> str:
    """``get_orders_order_no`` from ``GET /orders/{order_no}``."""
    return re.sub(r"[^A-Za-z0-9]+", "_", f"{method.lower()}_{path}").strip("_")[:64]


def places_in(path: str) -> List[str]:
    """Names between braces in a path."""
    return _PLACE.findall(path)


def settled_params(params: Sequence[Param], method: str, path: str) -> List[Param]:
    """The parameters with a place each."""
    in_path = places_in(path)
    rest = "query" if method == "GET" else "body"
    return [replace(one, place=one.place or ("path" if one.name in in_path else rest)) for one in params]
