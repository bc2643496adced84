"""Answers every shared vector with the SDK beside this file, and prints one JSON report (vectors/README.md, "Runners").

    python3 vectors_run.py <folder of vector files>
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Union

sys.path.insert(0, str(Path(__file__).resolve().parent / "src"))
sys.dont_write_bytecode = True
warnings.simplefilter("error")

import bailing_connect as sdk  # noqa: E402  (its own folder first)

Case = Dict[str, Any]
Wire = Union[str, bytes, None]


def wire(given: Case, name: str) -> Wire:
    """A text input of a vector: plain, as bytes from its hex form, or None where it was not sent."""
    return bytes.fromhex(given[name + "Hex"]) if name + "Hex" in given else given.get(name)


def word(reason: Optional[str]) -> str:
    return "ok" if reason is None else reason


def header_list(given: Case) -> Any:
    pairs = given["headers"]
    return [(h["name"], bytes.fromhex(h["valueHex"])) if isinstance(h, dict) else (h[0], h[1]) for h in pairs]


def sent_headers(given: Case) -> Any:
    """The signed headers of a case that states them one by one."""
    named = {
        "X-Bailing-Timestamp": wire(given, "timestamp"),
        "X-Bailing-Signature": wire(given, "signature"),
        "X-Bailing-On-Behalf-Of": wire(given, "onBehalfOf"),
        "X-Bailing-Job-Id": wire(given, "jobId"),
    }
    return [(name, value) for name, value in named.items() if value is not None]


def request_of(given: Case, headers: Any) -> sdk.SignedRequest:
    body = bytes.fromhex(given.get("bodyHex", ""))
    return sdk.SignedRequest(
        method=wire(given, "method") or "", path_with_query=wire(given, "target") or "", body=body, headers=headers
    )


def authorizer(wanted: Any) -> Any:
    """What the business's own check does in a case."""
    if isinstance(wanted, dict):
        expected = (wanted["operator"], wanted["tool"], sdk.canonical_json(wanted["params"]))
        return lambda operator, tool, params: (operator, tool, sdk.canonical_json(params)) == expected
    answers = {"true": True, "false": False, "null": None, "one": 1, "text": "true", "object": {}}
    if wanted in answers:
        return lambda operator, tool, params: answers[wanted]
    return None if wanted == "missing" else raising


def raising(operator: str, tool: str, params: Any) -> bool:
    raise LookupError("the permission table is away")


def verify_tool_call(given: Case, now: Optional[int]) -> str:
    parts = [wire(given, name) for name in ("method", "target")]
    body = bytes.fromhex(given["bodyHex"])
    headers = [wire(given, name) for name in ("timestamp", "signature", "onBehalfOf", "jobId")]
    return word(sdk.failure_reason(given["secret"], *parts, body, *headers, given.get("window", 300), now=now))


def sign_tool_call(given: Case, now: Optional[int]) -> str:
    return sdk.sign_tool_call(
        given["secret"],
        ts=wire(given, "timestamp"),
        method=wire(given, "method"),
        path_with_query=wire(given, "target"),
        body=bytes.fromhex(given["bodyHex"]),
        on_behalf_of=wire(given, "onBehalfOf"),
        job_id=wire(given, "jobId"),
    )


def handle_spec(given: Case, now: Optional[int]) -> str:
    answer = sdk.SpecServer({"openapi": "3.0.0"}, given["secret"]).handle(request_of(given, sent_headers(given)), now=now)
    reason = json.loads(answer.body).get("reason")
    return f"{answer.status}:{reason}" if reason else str(answer.status)


def spec_headers(given: Case, now: Optional[int]) -> str:
    headers = sdk.SpecServer.response_headers(given["secret"])
    return sdk.canonical_json({name.lower(): value for name, value in headers.items()})


def probe(given: Case, now: Optional[int]) -> str:
    request = request_of(given, sent_headers(given))
    window = given.get("window", 300)
    status, body = sdk.authz_probe_response(given["secret"], request, authorizer(given["authorize"]), window_sec=window, now=now)
    return f"{status}:{'true' if body['authorized'] is True else 'false'}"


def verify_callback(given: Case, now: Optional[int]) -> str:
    body, stamp, signature = bytes.fromhex(given["bodyHex"]), wire(given, "timestamp"), wire(given, "signature")
    return word(sdk.callback_failure_reason(given["secret"], body, stamp, signature, given.get("window", 300_000), now=now))


def verify_decision(given: Case, now: Optional[int]) -> str:
    body, stamp, signature = bytes.fromhex(given["bodyHex"]), wire(given, "timestamp"), wire(given, "signature")
    return word(sdk.decision_failure_reason(given["secret"], body, stamp, signature, given.get("window", 300_000), now=now))


def sign_callback(given: Case, now: Optional[int]) -> str:
    return sdk.sign_callback(given["secret"], ts=wire(given, "timestamp"), raw_body=bytes.fromhex(given["bodyHex"]))


def sign_decision(given: Case, now: Optional[int]) -> str:
    names = {"approvalId": "approval_id", "jobId": "job_id", "requestId": "request_id", "argsHash": "args_hash"}
    names.update({"decisionId": "decision_id", "decidedAt": "decided_at"})
    members = {name: None for name in ("approval_id", "job_id", "request_id", "args_hash", "decision_id", "decision", "approver")}
    members.update({names.get(name, name): value for name, value in given["decision"].items()})
    try:
        signed = sdk.sign_decision(given["secret"], ts=wire(given, "timestamp"), **members)
    except sdk.DecisionError as error:
        return error.code
    return f"{hashlib.sha256(signed.body).hexdigest()}:{signed.signature}"


def sign_ticket(given: Case, now: Optional[int]) -> str:
    try:
        return sdk.sign_ticket(given["token"], given["uid"], expires_at=given["exp"])
    except sdk.TicketError as error:
        return error.code


def check_ticket(given: Case, now: Optional[int]) -> str:
    checked = sdk.check_ticket(given["token"], wire(given, "ticket"), now_ms=now)
    return f"ok:{checked.uid}" if checked.reason is None else checked.reason


def canonical(given: Case, now: Optional[int]) -> str:
    try:
        arguments = sdk.parse_arguments(given["json"])
        return f"{sdk.canonical_json(arguments)}#{sdk.args_hash(arguments)}"
    except sdk.CanonicalError as error:
        return error.code


def key(given: Case, now: Optional[int]) -> str:
    try:
        hashed = sdk.args_hash(sdk.parse_arguments(given["json"]))
        subject = given["onBehalfOf"]
        made = sdk.idempotency_key(args_hash=hashed, job_id=given["jobId"], on_behalf_of=subject, tool=given["tool"])
    except sdk.CanonicalError as error:
        return error.code
    return f"{hashed}:{made}"


def verify_headers(given: Case, now: Optional[int]) -> str:
    return word(request_of(given, header_list(given)).failure_reason(given["secret"], now=now))


def run_gate(given: Case, now: Optional[int]) -> str:
    answer = sdk.gate(
        given["secret"],
        authorizer(given["authorize"]),
        request_of(given, header_list(given)),
        tool=given["tool"],
        path_params=given.get("pathParams"),
        known_path=given.get("knownPath"),
        base_path=given.get("basePath"),
        now=now,
    )
    return "200" if answer.ok else f"{answer.code}:{answer.error}"


def build(given: Case, now: Optional[int]) -> str:
    spec = dict(given["spec"])
    try:
        tools = [declared(one) for one in spec.get("tools", [])]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sdk.ToolDocumentWarning)  # the builder's own advice; it is reported below
            probe_place = spec.get("authzProbe", False)
            document = sdk.build_openapi_spec(spec.get("title", ""), spec.get("version", ""), tools, authz_probe=probe_place)
    except sdk.SpecError as error:
        return f"error:{error.code}"
    found = [{"code": one["code"], "tool": one["tool"]} for one in sdk.spec_warnings(tools)]
    return sdk.canonical_json({"document": document, "warnings": found})


def declared(one: Case) -> sdk.Tool:
    params = [sdk.param(given["name"], **{k: v for k, v in given.items() if k != "name"}) for given in one.get("params") or []]
    members = {name: value for name, value in one.items() if value is not None}
    return sdk.tool(**{"path": "", "scope": "", "description": "", **members, "params": params})


KINDS: Dict[str, Callable[[Case, Optional[int]], str]] = {
    "tool-call/verify": verify_tool_call,
    "tool-call/sign": sign_tool_call,
    "spec-fetch/verify": verify_tool_call,
    "spec-fetch/handle": handle_spec,
    "spec-fetch/headers": spec_headers,
    "spec-fetch/probe": probe,
    "callback/verify": verify_callback,
    "callback/sign": sign_callback,
    "decision/verify": verify_decision,
    "decision/sign": sign_decision,
    "ticket/sign": sign_ticket,
    "ticket/check": check_ticket,
    "canonical/canonical": canonical,
    "canonical/key": key,
    "header-parsing/verify": verify_headers,
    "gate/gate": run_gate,
    "spec-builder/build": build,
}


def answer_case(group: str, case: Case) -> str:
    asked = KINDS.get(f"{group}/{case['kind']}")
    if asked is None:
        return "unknown_kind"
    try:
        return asked(case["input"], case.get("now"))
    except Exception as error:
        return f"threw:{type(error).__name__}"


def main(folder: Path) -> None:
    results: Dict[str, str] = {}
    for path in sorted(folder.glob("*.json")):
        if path.name == "schema.json":
            continue
        vectors = json.loads(path.read_text(encoding="utf-8"))
        if "python" in vectors["parties"]:
            results.update({case["id"]: answer_case(vectors["group"], case) for case in vectors["cases"]})
    version = ".".join(map(str, sys.version_info[:3]))
    print(json.dumps({"language": "python", "version": version, "total": len(results), "results": results}))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 vectors_run.py <folder of vector files>")
    main(Path(sys.argv[1]))
