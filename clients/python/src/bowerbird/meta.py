"""What the headers of a reply say: whether the search is complete, who answered, what is left of the limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Mapping, Optional

import httpx

#: unsupported: no engine can honour the filters. stale: every engine is failing, and this is an old answer.
SearchStatus = Literal["complete", "partial", "stale", "unsupported"]

_SEARCH_STATUS: dict[str, SearchStatus] = {
    "complete": "complete",
    "partial": "partial",
    "stale": "stale",
    "unsupported": "unsupported",
}


@dataclass(frozen=True)
class EngineStatus:
    engine: str
    #: ok, timeout, skipped and the others of docs/api/limits.md; new ones may come.
    outcome: str
    #: Results.
    n: Optional[int] = None
    ms: Optional[int] = None
    #: Why it was skipped.
    reason: Optional[str] = None
    #: Where the response was cached.
    cached: Optional[str] = None
    #: Results that the instance left out because of domains or dates.
    filtered: Optional[int] = None
    #: ignored: the engine cannot favour the region that was asked for.
    region: Optional[str] = None


@dataclass(frozen=True)
class LimitStatus:
    remaining: int
    #: Seconds until more is available.
    reset: int


@dataclass(frozen=True)
class Meta:
    request_id: str
    #: Of a search, suggestions or cards.
    search_status: Optional[SearchStatus]
    #: The engines of a search, or the sources of cards.
    engines: list[EngineStatus]
    #: By the name of the limit: burst, sustained.
    rate_limit: dict[str, LimitStatus]
    headers: httpx.Headers
    #: Results that were left out because rules block their sites.
    blocked: int = 0


def read_meta(sent: Mapping[str, str]) -> Meta:
    headers = httpx.Headers(sent)
    return Meta(
        request_id=headers.get("x-request-id", ""),
        search_status=_SEARCH_STATUS.get(headers.get("search-status", "")),
        engines=[
            EngineStatus(
                engine=name,
                outcome=flags[0] if flags else "",
                n=_number(values.get("n")),
                ms=_number(values.get("ms")),
                reason=values.get("for"),
                cached=values.get("cached"),
                filtered=_number(values.get("filtered")),
                region=values.get("region"),
            )
            for name, flags, values in _entries(headers.get("engine-status", headers.get("card-status", "")))
        ],
        rate_limit={
            name: LimitStatus(remaining=_number(values.get("r")) or 0, reset=_number(values.get("t")) or 0)
            for name, _, values in _entries(headers.get("ratelimit", ""))
        },
        headers=headers,
        blocked=_number(headers.get("rules-status", "").removeprefix("blocked=")) or 0,
    )


def _entries(header: str) -> list[tuple[str, list[str], dict[str, str]]]:
    """`a;ok;n=10, b;timeout`: an entry for a and one for b."""
    entries = []
    for entry in header.split(","):
        name, *parts = (part.strip() for part in entry.split(";"))
        if name:
            values = dict(part.split("=", 1) for part in parts if "=" in part)
            entries.append((name.replace('"', ""), [part for part in parts if "=" not in part], values))
    return entries


def _number(value: Optional[str]) -> Optional[int]:
    return int(value) if value is not None and value.isascii() and value.isdigit() else None
