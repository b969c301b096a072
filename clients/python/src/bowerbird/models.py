"""What the API returns. Every object keeps the JSON it was read from in `raw`, with members that are newer than this."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Generic, List, Mapping, Optional, Type, TypedDict, TypeVar, Union

from .batch_endpoint import BatchEndpoint
from .errors import BowerbirdError, UnexpectedReplyError, error_of
from .meta import Meta, read_meta

Json = Any
Model = TypeVar("Model")
Result = TypeVar("Result")


def read(kind: Type[Model], raw: Json, **own: Any) -> Model:
    """Members that are missing get their empty default; those that are unknown stay in `raw`."""
    if not isinstance(raw, dict):
        raise UnexpectedReplyError("The reply doesn't have the form that this version of the client knows.")
    values: dict[str, Any] = {}
    for member in fields(kind):
        if member.name in raw and member.name not in ("raw", "meta"):
            of = member.metadata.get("of")
            value = raw[member.name]
            values[member.name] = value if of is None else [read(of, item) for item in value or []]
    return kind(**{**values, **own, "raw": raw})


def _raw() -> Any:
    return field(default_factory=dict, repr=False, compare=False)


def _list_of(kind: Optional[type] = None) -> Any:
    return field(default_factory=list, metadata={} if kind is None else {"of": kind})


def _meta() -> Any:
    return field(default_factory=lambda: read_meta({}), repr=False, compare=False)


@dataclass(frozen=True)
class Sitelink:
    title: str = ""
    url: str = ""
    raw: Json = _raw()


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
    sitelinks: List[Sitelink] = _list_of(Sitelink)
    #: These three only with `include="content"`: why there is none, if there is none.
    content: str = ""
    content_truncated: bool = False
    content_reason: str = ""
    raw: Json = _raw()


@dataclass(frozen=True)
class ImageResult:
    title: str = ""
    url: str = ""
    source: str = ""
    thumbnail: str = ""
    raw: Json = _raw()


@dataclass(frozen=True)
class NewsResult:
    title: str = ""
    url: str = ""
    description: str = ""
    age: str = ""
    source: str = ""
    hostname: str = ""
    thumbnail: str = ""
    #: These three only with `include="content"`: why there is none, if there is none.
    content: str = ""
    content_truncated: bool = False
    content_reason: str = ""
    raw: Json = _raw()


@dataclass(frozen=True)
class VideoResult:
    title: str = ""
    url: str = ""
    age: str = ""
    source: str = ""
    duration: str = ""
    hostname: str = ""
    thumbnail: str = ""
    raw: Json = _raw()


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
    meta: Meta = _meta()
    raw: Json = _raw()


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
    raw: Json = _raw()


@dataclass(frozen=True)
class MapsReply:
    query: str = ""
    places: List[Place] = _list_of(Place)
    meta: Meta = _meta()
    raw: Json = _raw()


@dataclass(frozen=True)
class Translation:
    source: str = ""
    target: str = ""
    translated_text: str = ""
    detected_lang: str = ""
    meta: Meta = _meta()
    raw: Json = _raw()


@dataclass(frozen=True)
class SuggestReply:
    query: str = ""
    suggestions: List[str] = field(default_factory=list)
    meta: Meta = _meta()
    raw: Json = _raw()


@dataclass(frozen=True)
class Section:
    #: Empty for what stands before the first heading.
    heading: str = ""
    #: 1 to 6; 0 without a heading.
    level: int = 0
    text: str = ""
    raw: Json = _raw()


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
    sections: List[Section] = _list_of(Section)
    start: int = 0
    length: int = 0
    total: int = 0
    #: Whether there is more: ask again with `start + length` as `start`.
    truncated: bool = False
    fetched_at: str = ""
    meta: Meta = _meta()
    raw: Json = _raw()


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
    raw: Json = _raw()


@dataclass(frozen=True)
class StatusReply:
    providers: List[Provider] = _list_of(Provider)
    meta: Meta = _meta()
    raw: Json = _raw()


@dataclass(frozen=True)
class StartEvent:
    request_id: str = ""
    engines: List[str] = field(default_factory=list)
    raw: Json = _raw()


@dataclass(frozen=True)
class EngineEvent:
    engine: str = ""
    status: str = ""
    n: Optional[int] = None
    ms: Optional[int] = None
    raw: Json = _raw()


@dataclass(frozen=True)
class ResultsEvent(Generic[Result]):
    """All results so far: each revision replaces the one before."""

    revision: int = 0
    results: List[Result] = field(default_factory=list)
    raw: Json = _raw()


@dataclass(frozen=True)
class DoneEvent(Generic[Result]):
    """The reply as a search without a stream would have given it."""

    reply: SearchReply[Result] = field(default_factory=SearchReply)


StreamEvent = Union[StartEvent, EngineEvent, ResultsEvent[Result], DoneEvent[Result]]


class _Endpoint(TypedDict):
    endpoint: BatchEndpoint


class BatchRequest(_Endpoint, total=False):
    params: Mapping[str, Any]
    id: str


@dataclass(frozen=True)
class BatchResponse:
    id: str
    status: int
    ok: bool
    #: The JSON of a reply that is ok.
    body: Json
    #: Why it isn't ok.
    error: Optional[BowerbirdError]
    meta: Meta


#: What the results of each tab are.
RESULTS: dict[str, type] = {
    "web": WebResult,
    "images": ImageResult,
    "news": NewsResult,
    "videos": VideoResult,
    "science": WebResult,
    "code": WebResult,
    "mine": WebResult,
}


def read_results(tab: str, raw: Json) -> list[Any]:
    return [read(RESULTS[tab], item) for item in raw or []]


def read_search(tab: str, raw: Json, headers: Mapping[str, str]) -> SearchReply[Any]:
    results = read_results(tab, raw.get("results") if isinstance(raw, dict) else None)
    return read(SearchReply, raw, results=results, meta=read_meta(headers))


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


def read_batch(requests: list[dict[str, Any]], reply: Json) -> list[BatchResponse]:
    """In the order of the requests."""
    responses = reply.get("responses") if isinstance(reply, dict) else None
    if not isinstance(responses, list):
        raise UnexpectedReplyError("The reply has no list of responses.")
    by_id = {response["id"]: response for response in responses}
    if any(request["id"] not in by_id for request in requests):
        raise UnexpectedReplyError("The reply lacks the response to one of the requests.")
    return [_read_response(by_id[request["id"]]) for request in requests]


def _read_response(response: dict[str, Any]) -> BatchResponse:
    status, body = response["status"], response["body"]
    meta = read_meta(response.get("headers") or {})
    is_ok = 200 <= status < 300
    error = None if is_ok else error_of(status, meta.headers, body)
    return BatchResponse(response["id"], status, is_ok, body if is_ok else None, error, meta)
