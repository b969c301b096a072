"""Everything that a call can raise. The message is the server's sentence where it sent one.

Neither message nor attributes ever hold the key.
"""

from __future__ import annotations

import math
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional

from .meta import read_meta


class BowerbirdError(Exception):
    """Also for any status that has no class of its own."""

    def __init__(
        self,
        message: str,
        *,
        status: Optional[int] = None,
        code: str = "",
        detail: str = "",
        errors: Optional[dict[str, list[str]]] = None,
        retry_after: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The HTTP status; None if there was no reply.
        self.status = status
        #: Why, for a program to compare: `key_expired`, `no_engine_responded`, … Empty if the instance didn't reply.
        self.code = code
        #: The server's sentence, or empty.
        self.detail = detail
        #: Mistakes by the name of the parameter.
        self.errors = errors or {}
        #: Seconds, from Retry-After.
        self.retry_after = retry_after
        #: As of a reply: what became of each engine, and what is left of the limits.
        self.meta = read_meta(headers or {})
        #: Quote it to the operator: the request's id in the log of the instance.
        self.request_id = self.meta.request_id


class BadRequestError(BowerbirdError):
    """400: `errors` says what is wrong with which parameter."""


class AuthenticationError(BowerbirdError):
    """401: the key is missing, malformed, unknown, revoked or expired."""


class PermissionDeniedError(BowerbirdError):
    """403: the account is disabled, or the key lacks the scope."""


class UnreadablePageError(BowerbirdError):
    """422: the page can't be read; `reason` says why: `robots`, `no_content`, `timeout`, …"""

    #: Empty if the instance didn't say.
    reason: str = ""
    #: The page's own HTTP status, with the reason `status`.
    page_status: Optional[int] = None


class RateLimitError(BowerbirdError):
    """429: a limit is used up; `retry_after` says for how long."""


class UnavailableError(BowerbirdError):
    """503: nobody answered (`retry_after` is set), or the instance isn't configured for this."""


class ConnectionFailedError(BowerbirdError):
    """There was no reply, or it broke off."""


class TimedOutError(BowerbirdError):
    """The call took longer than `timeout`."""


class UnexpectedReplyError(BowerbirdError):
    """Something answered, but not with what this API sends: a proxy's page, a redirect."""


_BY_STATUS: dict[int, type[BowerbirdError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    422: UnreadablePageError,
    429: RateLimitError,
    503: UnavailableError,
}


def not_json(status: int, headers: Mapping[str, str]) -> UnexpectedReplyError:
    """For a reply that can't be from a Bowerbird instance, which sends nothing but JSON."""
    return UnexpectedReplyError(_not_json_message(status), status=status, headers=headers)


def _not_json_message(status: int) -> str:
    advice = "Check that the URL is that of a Bowerbird instance, and any proxy in front of it."
    return f"The reply has status {status} and is not JSON. {advice}"


def error_of(status: int, headers: Mapping[str, str], body: Any) -> BowerbirdError:
    """The error that a reply of this status stands for. `body` is None if it isn't JSON."""
    members = body if isinstance(body, dict) else {}
    detail = members["detail"] if isinstance(members.get("detail"), str) else ""
    errors = {
        name: messages
        for name, messages in members.items()
        if isinstance(messages, list) and all(isinstance(message, str) for message in messages)
    }
    sentences = " ".join(f"{name}: {' '.join(messages)}" for name, messages in errors.items())
    kind = _BY_STATUS.get(status, UnexpectedReplyError if body is None else BowerbirdError)
    other = _not_json_message(status) if body is None else f"The instance answered with status {status}."
    error = kind(
        detail or sentences or other,
        status=status,
        code=headers.get("error-code", ""),
        detail=detail,
        errors=errors,
        retry_after=_retry_after(headers.get("retry-after", "").strip()),
        headers=headers,
    )
    if isinstance(error, UnreadablePageError):
        reason, page_status = members.get("reason"), members.get("status")
        error.reason = reason if isinstance(reason, str) else ""
        error.page_status = page_status if isinstance(page_status, int) else None
    return error


def _retry_after(value: str) -> Optional[int]:
    """Bowerbird sends seconds; a proxy in front of it may send a date."""
    if re.fullmatch(r"[0-9]{1,9}", value):
        return int(value)
    if not re.match(r"[A-Z][a-z]{2}, ", value):
        return None
    try:
        return max(0, math.ceil(parsedate_to_datetime(value).timestamp() - time.time()))
    except (TypeError, ValueError, OverflowError):
        return None
