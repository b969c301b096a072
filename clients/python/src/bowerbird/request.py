"""What both clients do without waiting for anything: options, requests, when to repeat one, replies, events.

A request is repeated only where that can neither cost twice nor do any harm:

- 429 and 503 with Retry-After: nothing was done and nothing counted. Also for POST. The wait is what the server says,
  doubled each further time, because others may use the same key.
- No reply, 502 and 504: only for GET, after a short and random wait.

Nothing else is repeated: not a 503 without Retry-After, which says that something isn't configured. If the wait would
outlast the call's timeout, the error is raised immediately.
"""

from __future__ import annotations

import codecs
import json
import random
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional

import anyio
import httpx

from .errors import BowerbirdError, ConnectionFailedError, TimedOutError, UnexpectedReplyError, error_of, not_json

EVENT_STREAM = "text/event-stream"
LAST_PAGE = 50
_EXAMPLE = "Pass the address of the instance, such as https://search.example."
_BACKOFF_SECONDS = 0.25
_LONGEST_SECONDS = 1_000_000.0
_LONGEST_EVENT = 16 * 1024 * 1024
#: This machine, private addresses, and names that mean something only in a private network.
_PRIVATE_HOST = re.compile(
    r"[a-z][^.:]*|.+\.(localhost|local|internal|lan|home\.arpa)|(127|10)(\.\d+){3}|192\.168(\.\d+){2}"
    r"|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|::1|f[cd][\da-f]{2}:.*|fe80:.*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Options:
    url: str
    #: Not shown: an object that is printed must not print the key.
    key: str = field(repr=False)
    timeout: float
    max_retries: int
    allow_insecure: bool = False

    def __post_init__(self) -> None:
        if not self.url:
            raise ValueError(f"url is missing. {_EXAMPLE}")
        try:
            url = httpx.URL(self.url)
        except (httpx.InvalidURL, TypeError):
            raise ValueError(f"url is not a URL. {_EXAMPLE}") from None
        if url.scheme not in ("https", "http") or not url.host:
            raise ValueError(f"url must start with https:// or http://. {_EXAMPLE}")
        if url.userinfo:
            raise ValueError("url must not hold a user name or password.")
        if url.scheme == "http" and not self.allow_insecure and not _PRIVATE_HOST.fullmatch(url.host):
            message = "url must start with https://: the key could be read on the way. allow_insecure sends it anyway."
            raise ValueError(message)
        # httpx would complain about it with the key in its message.
        if not self.key or not re.fullmatch(r"[\x21-\x7e]+", self.key):
            raise ValueError("key is not an API key: it is empty or has odd characters.")
        if not self.timeout > 0:
            raise ValueError("timeout must be a positive number of seconds.")
        if not self.max_retries >= 0:
            raise ValueError("max_retries must be 0 or more.")


def _base_of(url: str) -> str:
    """The address of the API is as good as that of its instance."""
    return re.sub(r"/api/v1$", "", url.rstrip("/"))


@dataclass(frozen=True)
class Request:
    #: Under /api/v1/.
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    #: Makes it a POST.
    json: Any = None
    accept: str = "application/json"

    def arguments(self, options: Options, timeout: float) -> dict[str, Any]:
        """For `build_request` of httpx."""
        return {
            "method": "GET" if self.json is None else "POST",
            "url": f"{_base_of(options.url)}/api/v1/{self.path}",
            "params": self.params or None,
            "json": self.json,
            "headers": {"accept": self.accept, "authorization": f"Api-Key {options.key}"},
            "timeout": httpx.Timeout(timeout),
        }

    def wait_before(self, error: BowerbirdError, attempt: int) -> Optional[float]:
        """Seconds until it may be sent again; None if it mustn't."""
        if error.status in (429, 503) and error.retry_after is not None:
            return float(error.retry_after * 2**attempt)
        is_lost = isinstance(error, ConnectionFailedError) or error.status in (502, 504)
        if is_lost and self.json is None:
            return float(_BACKOFF_SECONDS * 2**attempt * random.uniform(0.5, 1))
        return None


@contextmanager
def within(deadline: Deadline) -> Iterator[None]:
    """Whatever httpx raises becomes an error of ours."""
    try:
        deadline.remaining()
        yield
    except (httpx.TimeoutException, TimeoutError) as cause:
        raise deadline.error() from cause
    except httpx.RequestError as cause:
        raise lost(cause) from cause


@contextmanager
def within_async(deadline: Deadline) -> Iterator[None]:
    """The same, and what takes too long is cancelled."""
    with within(deadline), anyio.fail_after(deadline.remaining()):
        yield


class Deadline:
    """One call's time, retries and waits included."""

    def __init__(self, timeout: float) -> None:
        self._timeout = min(timeout, _LONGEST_SECONDS)
        self._ends_at = time.monotonic() + self._timeout

    def remaining(self) -> float:
        """At least a moment; raises when it's over."""
        seconds = self._ends_at - time.monotonic()
        if seconds <= 0:
            raise self.error()
        return seconds

    def has_time_for(self, wait: float) -> bool:
        return time.monotonic() + wait < self._ends_at

    def error(self) -> TimedOutError:
        return TimedOutError(f"The call took longer than {self._timeout:g} s.")


def page_request(url: str, format: Optional[str], start: Optional[int], length: Optional[int]) -> Request:
    """By POST, so that the address is in no proxy's log."""
    members = {"url": url, "format": format, "start": start, "length": length}
    return Request("read/", json={name: value for name, value in members.items() if value is not None})


def failure_of(response: httpx.Response, body: bytes) -> BowerbirdError:
    status, headers = response.status_code, response.headers
    if 300 <= status < 400:
        # The API never redirects, so a server that does isn't the API, and doesn't get the key.
        message = f"The URL redirects {_target_of(response)}, where the key is not sent. Use the final URL."
        return UnexpectedReplyError(message, status=status, headers=headers)
    try:
        return error_of(status, headers, json.loads(body))
    except ValueError:
        return error_of(status, headers, None)


def _target_of(response: httpx.Response) -> str:
    """Without its query, which may hold the one that was searched for."""
    location = response.headers.get("location", "")
    if not location:
        return "elsewhere"
    try:
        return f"to {response.request.url.join(location).copy_with(query=None, fragment=None)}"
    except (httpx.InvalidURL, ValueError):
        return "elsewhere"


def lost(cause: httpx.RequestError) -> ConnectionFailedError:
    error = ConnectionFailedError("The connection to the instance failed.")
    error.__cause__ = cause
    return error


def read_json(response: httpx.Response, body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise not_json(response.status_code, response.headers) from None


def is_stream(response: httpx.Response) -> bool:
    return str(response.headers.get("content-type", "")).startswith(EVENT_STREAM)


class EventParser:
    """Server-sent events, as the HTML standard has them, from bytes that may be cut anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[tuple[str, Any]]:
        # A carriage return at the very end may be the first half of a line's end.
        *lines, self._rest = re.split(r"\r\n|\n|\r(?!\Z)", self._rest + self._decoder.decode(chunk))
        if len(self._rest) + sum(map(len, self._data)) > _LONGEST_EVENT:
            raise UnexpectedReplyError("An event of the stream is too long.")
        for line in lines:
            if line == "":
                event, data = self._event, self._data
                self._event, self._data = "", []
                if data and event in ("start", "engine", "results", "done", "error"):
                    yield event, _event_data("\n".join(data))
                continue
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "event":
                self._event = value
            elif name == "data":
                self._data.append(value)


def _event_data(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise UnexpectedReplyError("An event of the stream is not JSON.")
    return data


def broken_off() -> ConnectionFailedError:
    return ConnectionFailedError("The stream broke off before it was done.")
