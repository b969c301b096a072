"""What the API returns, apart from cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Generic, List, Mapping, Optional, TypeVar, Union

from .errors import error_of
from .meta import Meta, read_meta
from .reading import Json, list_of, object_of, optional, raw_json, read, reply_meta

Result = TypeVar("Result")


@dataclass(frozen=True)
class Sitelink:
    title: str = ""
    url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class Addition:
    """What one engine added to a result's score."""

    engine: str = ""
    #: Whose index it shows; unknown if it doesn't say, or mixes several.
    index: str = ""
    rank: int = 0
    weight: float = 0.0
    addition: float = 0.0
    url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class Explanation:
    #: The sum of all additions. Results are sorted by it.
    score: float = 0.0
    engines: List[Addition] = list_of(Addition)
    raw: Json = raw_json()


@dataclass(frozen=True)
class Passage:
    """A part of a page that fits the query."""

    #: The number of the paragraph, list, table or heading in the page, from 1.
    block: int = 0
    #: Where it begins: `start` of `read` to go on reading there.
    start: int = 0
    heading: str = ""
    #: Markdown without links.
    text: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class WebResult:
    title: str = ""
    url: str = ""
    description: str = ""
    display_url: str = ""
    favicon_url: str = ""
    age: str = ""
    source: str = ""
    source_label: str = ""
    sitelinks: List[Sitelink] = list_of(Sitelink)
    #: These only with `include="content"`, `passages` with `content_tokens`. The reason says why there is nothing.
    content: str = ""
    passages: List[Passage] = list_of(Passage)
    content_truncated: bool = False
    content_reason: str = ""
    #: Only with `include="date"`: RFC 3339 in UTC, or empty.
    date: str = ""
    #: Only with `include="explain"`.
    explain: Optional[Explanation] = optional(Explanation)
    raw: Json = raw_json()


@dataclass(frozen=True)
class ImageFacts:
    #: The picture itself, or the largest version that is known.
    url: str = ""
    width: Optional[int] = None
    height: Optional[int] = None
    creator: str = ""
    licence: str = ""
    licence_url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class ImageResult:
    title: str = ""
    url: str = ""
    source: str = ""
    thumbnail: str = ""
    #: Only with `include="image"`.
    image: Optional[ImageFacts] = optional(ImageFacts)
    #: Only with `include="explain"`.
    explain: Optional[Explanation] = optional(Explanation)
    raw: Json = raw_json()


@dataclass(frozen=True)
class NewsResult:
    title: str = ""
    url: str = ""
    description: str = ""
    age: str = ""
    source: str = ""
    hostname: str = ""
    thumbnail: str = ""
    #: These only with `include="content"`, `passages` with `content_tokens`. The reason says why there is nothing.
    content: str = ""
    passages: List[Passage] = list_of(Passage)
    content_truncated: bool = False
    content_reason: str = ""
    #: Only with `include="date"`: RFC 3339 in UTC, or empty.
    date: str = ""
    #: Only with `include="explain"`.
    explain: Optional[Explanation] = optional(Explanation)
    raw: Json = raw_json()


@dataclass(frozen=True)
class VideoResult:
    title: str = ""
    url: str = ""
    age: str = ""
    source: str = ""
    duration: str = ""
    hostname: str = ""
    thumbnail: str = ""
    #: Only with `include="date"`: RFC 3339 in UTC, or empty.
    date: str = ""
    #: Only with `include="explain"`.
    explain: Optional[Explanation] = optional(Explanation)
    raw: Json = raw_json()


@dataclass(frozen=True)
class SearchReply(Generic[Result]):
    query: str = ""
    #: Empty for similar images.
    tab: str = ""
    page: int = 1
    engine: List[str] = field(default_factory=list)
    #: Of a web search: a spelling correction, or empty.
    correction: str = ""
    results: List[Result] = field(default_factory=list)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class Place:
    name: str = ""
    display_name: str = ""
    lat: float = 0.0
    lon: float = 0.0
    category: str = ""
    type: str = ""
    addresstype: str = ""
    importance: float = 0.0
    embed_url: str = ""
    mini_embed_url: str = ""
    osm_url: str = ""
    directions_url: str = ""
    geo_uri: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class MapsReply:
    query: str = ""
    places: List[Place] = list_of(Place)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class Translation:
    source: str = ""
    target: str = ""
    translated_text: str = ""
    detected_lang: str = ""
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class SuggestReply:
    query: str = ""
    suggestions: List[str] = field(default_factory=list)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class Section:
    #: Empty for what stands before the first heading.
    heading: str = ""
    #: 1 to 6; 0 without a heading.
    level: int = 0
    text: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class ReadReply:
    url: str = ""
    final_url: str = ""
    type: str = ""
    title: str = ""
    byline: str = ""
    site_name: str = ""
    language: str = ""
    published: str = ""
    #: Empty with `format="sections"`.
    content: str = ""
    sections: List[Section] = list_of(Section)
    start: int = 0
    length: int = 0
    total: int = 0
    #: Whether there is more: ask again with `start + length` as `start`.
    truncated: bool = False
    fetched_at: str = ""
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class Provider:
    slug: str = ""
    name: str = ""
    group: str = ""
    monitor: str = ""
    state: str = ""
    checked_at: str = ""
    last_ok_at: str = ""
    last_error: str = ""
    source: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class PlannedEngine:
    engine: str = ""
    name: str = ""
    #: Whose index it shows; unknown if it doesn't say, or mixes several.
    index: str = ""
    #: ask, ask_if_thin, cached, over_budget or quota_used_up; new ones may come.
    action: str = ""
    #: ignored: it can't favour the region that was asked for. Empty: it can, or none was.
    region: str = ""
    cost_usd: float = 0.0
    #: None without a monthly cap.
    calls_left: Optional[int] = None
    usd_left: Optional[float] = None
    raw: Json = raw_json()


@dataclass(frozen=True)
class SkippedEngine:
    engine: str = ""
    name: str = ""
    reason: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class PlannedCost:
    min: float = 0.0
    max: float = 0.0
    raw: Json = raw_json()


@dataclass(frozen=True)
class PlanReply:
    """What a search would do and cost."""

    query: str = ""
    tab: str = ""
    page: int = 1
    engines: List[PlannedEngine] = list_of(PlannedEngine)
    skipped: List[SkippedEngine] = list_of(SkippedEngine)
    cost_usd: PlannedCost = object_of(PlannedCost)
    #: False if the budgets could not be read.
    complete: bool = True
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class StatusReply:
    providers: List[Provider] = list_of(Provider)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class Language:
    code: str = ""
    name: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class LanguagesReply:
    languages: List[Language] = list_of(Language)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class InstantAnswer:
    """Each `type` has more members, which are in `raw`; docs/reference/answers.md lists them."""

    type: str = ""
    query: str = ""
    #: The whole answer in one line.
    text: str = ""
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class KeyLimits:
    #: Such as 60/min.
    burst: str = ""
    sustained: str = ""
    monthly_cap: Optional[int] = None
    raw: Json = raw_json()


@dataclass(frozen=True)
class KeyUsage:
    month: str = ""
    searches: int = 0
    raw: Json = raw_json()


@dataclass(frozen=True)
class KeyReply:
    name: str = ""
    #: The part of the key that is safe to show.
    prefix: str = ""
    created_at: str = ""
    last_used_at: Optional[str] = None
    expires_at: Optional[str] = None
    revoked: bool = False
    scopes: List[str] = field(default_factory=list)
    limits: KeyLimits = object_of(KeyLimits)
    usage: KeyUsage = object_of(KeyUsage)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class LimitWindow:
    limit: int = 0
    window_seconds: float = 0.0
    remaining: int = 0
    #: Seconds until more is available.
    reset_seconds: int = 0
    raw: Json = raw_json()


@dataclass(frozen=True)
class UsageLimits:
    burst: LimitWindow = object_of(LimitWindow)
    sustained: LimitWindow = object_of(LimitWindow)
    monthly_cap: Optional[int] = None
    raw: Json = raw_json()


@dataclass(frozen=True)
class UsageDay:
    day: str = ""
    searches: int = 0
    by_endpoint: Dict[str, int] = field(default_factory=dict)
    raw: Json = raw_json()


@dataclass(frozen=True)
class UsageReply:
    month: str = ""
    searches: int = 0
    #: False if the history could not be read; the counts are then too low.
    complete: bool = True
    by_endpoint: Dict[str, int] = field(default_factory=dict)
    by_day: List[UsageDay] = list_of(UsageDay)
    limits: UsageLimits = object_of(UsageLimits)
    meta: Meta = reply_meta()
    raw: Json = raw_json()


@dataclass(frozen=True)
class StartEvent:
    request_id: str = ""
    engines: List[str] = field(default_factory=list)
    raw: Json = raw_json()


@dataclass(frozen=True)
class EngineEvent:
    engine: str = ""
    status: str = ""
    n: Optional[int] = None
    ms: Optional[int] = None
    raw: Json = raw_json()


@dataclass(frozen=True)
class ResultsEvent(Generic[Result]):
    """All results so far: each revision replaces the one before."""

    revision: int = 0
    results: List[Result] = field(default_factory=list)
    raw: Json = raw_json()


@dataclass(frozen=True)
class DoneEvent(Generic[Result]):
    """The reply as a search without a stream would have given it."""

    reply: SearchReply[Result] = field(default_factory=SearchReply)


StreamEvent = Union[StartEvent, EngineEvent, ResultsEvent[Result], DoneEvent[Result]]


#: What the results of each tab are.
RESULTS: Dict[str, type] = {
    "web": WebResult,
    "images": ImageResult,
    "news": NewsResult,
    "videos": VideoResult,
    "science": WebResult,
    "code": WebResult,
    "mine": WebResult,
}


def read_results(tab: str, raw: Json) -> List[Any]:
    return [read(RESULTS[tab], item) for item in raw or []]


def read_search(tab: str, raw: Json, headers: Mapping[str, str]) -> SearchReply[Any]:
    results = read_results(tab, raw.get("results") if isinstance(raw, dict) else None)
    return read(SearchReply, raw, results=results, meta=read_meta(headers))


def read_instant(raw: Json, headers: Mapping[str, str]) -> Optional[InstantAnswer]:
    return None if raw is None else read(InstantAnswer, raw, meta=read_meta(headers))


def read_event(tab: str, event: str, data: Json) -> Optional[StreamEvent[Any]]:
    """None for a kind of event that this version doesn't know."""
    if event == "start":
        return read(StartEvent, data)
    if event == "engine":
        return read(EngineEvent, data)
    if event == "results":
        return read(ResultsEvent, data, results=read_results(tab, data.get("results")))
    if event == "done":
        return DoneEvent(read_search(tab, data.get("body"), data.get("headers") or {}))
    if event == "error":
        raise error_of(data.get("status", 500), read_meta(data.get("headers") or {}).headers, data.get("body"))
    return None
