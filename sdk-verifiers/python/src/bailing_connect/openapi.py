"""The tool document: OpenAPI 3.0.0 with ``x-agent-capability`` on every operation (WIRE 4.6, 5 and 17)."""

from __future__ import annotations

import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from .ecma_text import WHITE_SPACE
from .errors import ToolDocumentWarning
from .probe import PROBE_PATH
from .tool_checks import check_tools, read_rate
from .tools import Param, Tool

_SHORTEST_FIRST_SENTENCE = 6

Members = Dict[str, Any]


def build_openapi_spec(
    title: str, version: str, tools: Iterable[Tool], authz_probe: Union[bool, Mapping[str, str]] = False
) -> Members:
    """The document of ``tools``, as a dict that ``json.dumps`` takes.

    ``authz_probe`` announces the authorization probe: True for its usual place, or ``{"path": …, "method": …}``.
    ``risk.level`` is written wherever the author stated it, low included. Raises :class:`SpecError` for the first tool
    that cannot be declared; warns with :class:`ToolDocumentWarning` for what :func:`spec_warnings` finds.
    """
    declared = list(tools)
    check_tools(declared)
    paths: Dict[str, Members] = {}
    for one in declared:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    for warning in spec_warnings(declared):
        warnings.warn(warning["message"], ToolDocumentWarning, stacklevel=2)
    document: Members = {"openapi": "3.0.0", "info": {"title": title, "version": version}, "paths": paths}
    if authz_probe:
        asked = authz_probe if isinstance(authz_probe, Mapping) else {}
        document["x-bailing-authz-probe"] = {"method": asked.get("method", "POST"), "path": asked.get("path", PROBE_PATH)}
    return document


def spec_warnings(tools: Iterable[Tool]) -> List[Dict[str, str]]:
    """``{code, tool, message}`` of tools whose first sentence (up to ``。``) has fewer than 6 characters.

    A long catalogue shows the model only that sentence, and by it the tool is chosen.
    """
    return [
        {
            "code": "short_first_sentence",
            "tool": one.name,
            "message": f'Tool "{one.name}": the first sentence is too short to choose the tool by. Say what it does, '
            "up to the first 。, in 6 characters or more.",
        }
        for one in tools
        if len(one.description.split("。")[0].strip(WHITE_SPACE)) < _SHORTEST_FIRST_SENTENCE
    ]


def _stated(members: Mapping[str, Any]) -> Members:
    """Keeps what says something: None, False, zero, empty texts and empty lists leave nothing behind."""
    return {name: value for name, value in members.items() if isinstance(value, dict) or value not in (None, False, "", 0, [], ())}


def _section(members: Mapping[str, Any]) -> Optional[Members]:
    return _stated(members) or None


def _capability(tool: Tool) -> Members:
    write = tool.method != "GET"
    outcome = tool.outcome or {}
    effect = outcome.get("side_effect", outcome.get("sideEffect"))
    return {
        "version": 1,
        "enabled": True,
        "scope": tool.scope.strip(WHITE_SPACE),
        **_stated(
            {
                "subject": _section({"required": tool.requires_subject}),
                "risk": _section({"level": tool.risk}),
                "approval": _section({"required": tool.confirm, "when": list(tool.confirm_when), "prompt": tool.confirm_prompt}),
                "execution": _section(
                    {
                        "readonly": write and tool.readonly is True,
                        "idempotent": write and tool.idempotent is True,
                        "timeout_ms": tool.timeout_ms,
                        "rate_limit": read_rate(tool.rate_limit) if tool.rate_limit else None,
                    }
                ),
                "audit": _section({"sensitive": tool.sensitive}),
                "outcome": _section({"result": outcome.get("result"), "side_effect": effect}),
                "guidance": _section(
                    {
                        "when_to_use": tool.when_to_use,
                        "returns": tool.returns,
                        "examples": list(tool.examples),
                        "context": list(tool.context),
                    }
                ),
            }
        ),
    }


def _schema(param: Param) -> Members:
    if param.schema:
        return dict(param.schema)
    items = param.items or ({"type": "string"} if param.type == "array" else None)
    fallback = {} if param.default is None else {"default": param.default}
    return {"type": param.type, **_stated({"enum": list(param.enum or ()), "items": items}), **fallback}


def _parameter(param: Param) -> Members:
    required = param.place == "path" or param.required is True
    said = _stated({"description": param.description})
    return {"name": param.name, "in": param.place, "required": required, **said, "schema": _schema(param)}


def _request_body(tool: Tool) -> Optional[Members]:
    if tool.method == "GET":
        return None
    in_body = [one for one in tool.params if one.place == "body"]
    properties = {one.name: {**_schema(one), **_stated({"description": one.description})} for one in in_body}
    required = [one.name for one in in_body if one.required is True]
    schema = {"type": "object", "properties": properties, **_stated({"required": required})}
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _operation(tool: Tool) -> Members:
    return {
        "operationId": tool.name,
        "summary": tool.description,
        **_stated(
            {
                "tags": list(tool.tags),
                "deprecated": tool.deprecated is True,
                "parameters": [_parameter(one) for one in tool.params if one.place != "body"],
                "requestBody": _request_body(tool),
            }
        ),
        "responses": {"200": {"description": "OK"}},
        "x-agent-capability": _capability(tool),
    }
