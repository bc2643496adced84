"""A small client of the hub's HTTP API: submit jobs, read them, send messages (WIRE 2 and 10.5)."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import quote

from .errors import HubError

_LARGEST_ANSWER = 8 * 1024 * 1024
_POLL_SECONDS = 0.25
_OVER = ("done", "error", "rejected")

Answer = Dict[str, Any]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another address; it is reported as the failure it is."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class HubClient:
    """Talks to one hub with one client token. Makes no retries: repeat ``run`` and ``send`` with the same ``request_id``.

    ``timeout`` is in seconds, for connecting and for each read. Every failure raises :class:`HubError` (a RuntimeError)
    with ``status`` and ``response``.
    """

    def __init__(self, base_url: str, token: str, timeout: float = 8.0) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError("base_url must start with http:// or https://.")
        self._base = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"HubClient({self._base!r})"

    def run(
        self,
        request_id: str,
        route: str,
        input: str,
        metadata: Optional[Mapping[str, Any]] = None,
        callback_url: Optional[str] = None,
        wait_ms: Optional[int] = None,
    ) -> Answer:
        """Submits a job: ``{job_id, status, …}``. A repeat with the same ``request_id`` is answered with the same job.

        ``wait_ms`` waits up to so many milliseconds for the end of the job by reading it; it is never sent to the hub.
        """
        body = {"request_id": request_id, "route": route, "input": input, "metadata": metadata, "callback_url": callback_url}
        submitted = self.post("/run", _given(body))
        return submitted if wait_ms is None else self._wait(submitted, time.monotonic() + wait_ms / 1000)

    def get_job(self, job_id: str) -> Answer:
        """Reads a job of this client."""
        return self.get("/jobs/" + quote(job_id, safe=""))

    def send(
        self,
        request_id: str,
        channel: str,
        to: Union[str, Sequence[str]],
        text: Optional[str] = None,
        images: Optional[Sequence[str]] = None,
        files: Optional[Sequence[Mapping[str, str]]] = None,
        card: Optional[Mapping[str, Any]] = None,
    ) -> Answer:
        """Sends a message through a channel of the hub; at least one of text, images, files and card."""
        body = {"request_id": request_id, "channel": channel, "to": to, "text": text, "images": images, "files": files, "card": card}
        return self.post("/send", _given(body))

    def get(self, path: str) -> Answer:
        """``request("GET", path)``."""
        return self.request("GET", path)

    def post(self, path: str, body: Optional[Mapping[str, Any]] = None) -> Answer:
        """``request("POST", path, body)``."""
        return self.request("POST", path, {} if body is None else body)

    def request(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Answer:
        """Any request; the parsed JSON object of a 2xx answer. Raises :class:`HubError` for every other outcome."""
        headers = {"Authorization": "Bearer " + self._token, "Accept": "application/json"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
        call = urllib.request.Request(self._base + path, data=data, headers=headers, method=method)
        status, text = self._exchange(call)
        value = _parsed(text)
        if not 200 <= status < 300:
            said = value.get("error") if isinstance(value, dict) else None
            raise HubError(said if isinstance(said, str) and said else f"HTTP {status}", status, value)
        if not isinstance(value, dict):
            raise HubError("The hub did not answer with a JSON object. Is the base URL right?", status, value)
        return value

    def _exchange(self, call: urllib.request.Request) -> "tuple[int, bytes]":
        try:
            with self._opener.open(call, timeout=self._timeout) as response:
                return response.status, _bounded(response, response.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _bounded(error, error.code)
        except (OSError, HTTPException) as error:  # URLError and timeouts are OSErrors
            raise HubError(f"The hub could not be reached, or did not answer in time ({type(error).__name__}).") from None

    def _wait(self, submitted: Answer, until: float) -> Answer:
        job = submitted
        while job.get("status") not in _OVER and time.monotonic() < until:
            time.sleep(min(_POLL_SECONDS, max(0.0, until - time.monotonic())))
            job = {**submitted, **self.get_job(str(submitted.get("job_id", "")))}
        return job


def _given(members: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _bounded(response: Any, status: int) -> bytes:
    text: bytes = response.read(_LARGEST_ANSWER + 1)
    if len(text) > _LARGEST_ANSWER:
        raise HubError(f"The answer of the hub is larger than {_LARGEST_ANSWER} bytes.", status)
    return text


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
