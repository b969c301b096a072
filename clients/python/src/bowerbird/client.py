"""The client: a method for each endpoint. `asynchronous.py`, the same to await, is made from this file."""

from __future__ import annotations

import copy
import dataclasses
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, Iterator, Literal, Optional, Tuple, Type, Union, overload

import httpx

from .cards import CardsReply
from .errors import BowerbirdError, ConnectionFailedError
from .meta import read_meta
from .models import (
    DoneEvent,
    ImageResult,
    InstantAnswer,
    KeyReply,
    LanguagesReply,
    MapsReply,
    NewsResult,
    PlanReply,
    ReadReply,
    SearchReply,
    StatusReply,
    StreamEvent,
    SuggestReply,
    Translation,
    UsageReply,
    VideoResult,
    WebResult,
    read_event,
    read_instant,
    read_search,
)
from .params import Names, Safe, Tab, params_of, search_params
from .reading import Json, Model, read
from .request import (
    EVENT_STREAM,
    LAST_PAGE,
    Deadline,
    EventParser,
    Options,
    Request,
    broken_off,
    failure_of,
    is_stream,
    page_request,
    read_json,
    within,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .params import DatedParams, ImageParams, ReadableParams


class Bowerbird:
    """`timeout` is in seconds, for a whole call with its retries and waits.

    `allow_insecure` sends the key over plain HTTP to public hosts too, where anyone on the way can read it.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 2,
        allow_insecure: bool = False,
        http: Optional[httpx.Client] = None,
    ) -> None:
        self._options = Options(url, key, timeout, max_retries, allow_insecure)
        self._owns_http = http is None
        self._http = httpx.Client() if http is None else http

    def with_options(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> Bowerbird:
        """The same client with other options, for one call: `bowerbird.with_options(timeout=5)`."""
        other = copy.copy(self)
        other._options = dataclasses.replace(
            self._options,
            timeout=self._options.timeout if timeout is None else timeout,
            max_retries=self._options.max_retries if max_retries is None else max_retries,
        )
        return other

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Bowerbird:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def web(self, q: str, **params: Unpack[ReadableParams]) -> SearchReply[WebResult]:
        """`params.py` lists the parameters of each tab; docs/api/parameters.md says what they mean."""
        return self._search("web", search_params("web", q, params))

    def images(self, q: str, **params: Unpack[ImageParams]) -> SearchReply[ImageResult]:
        return self._search("images", search_params("images", q, params))

    def news(self, q: str, **params: Unpack[ReadableParams]) -> SearchReply[NewsResult]:
        return self._search("news", search_params("news", q, params))

    def videos(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[VideoResult]:
        return self._search("videos", search_params("videos", q, params))

    def science(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[WebResult]:
        """Scientific papers."""
        return self._search("science", search_params("science", q, params))

    def code(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[WebResult]:
        """Packages, projects and questions about code."""
        return self._search("code", search_params("code", q, params))

    def mine(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[WebResult]:
        """Private engines of the instance. The key needs the scope `mine`."""
        return self._search("mine", search_params("mine", q, params))

    def similar_images(
        self,
        q: str = "",
        *,
        query: Optional[str] = None,
        exclude_url: Optional[str] = None,
        engine: Names = None,
        safe: Safe = None,
        lang: Optional[str] = None,
        region: Optional[str] = None,
    ) -> SearchReply[ImageResult]:
        """`query` is the seed if the caption `q` isn't usable; `exclude_url` is left out of the results."""
        seed = {"q": q, "query": query, "exclude_url": exclude_url}
        sent = {**seed, "engine": engine, "safe": safe, "lang": lang, "region": region}
        body, headers = self._request(Request("images/similar/", params_of(sent)))
        return read_search("images", body, headers)

    def maps(
        self,
        q: Optional[str] = None,
        *,
        lat: Optional[float] = None,
        lon: Optional[float] = None,
        limit: Optional[int] = None,
        lang: Optional[str] = None,
    ) -> MapsReply:
        """Places by name, or the place at `lat` and `lon`."""
        sent = {"q": q, "lat": lat, "lon": lon, "limit": limit, "lang": lang}
        return self._get(MapsReply, "maps/", params_of(sent))

    def translate(self, q: str, target: str, source: str = "auto") -> Translation:
        """By POST, so that the text is in no URL and no proxy's log."""
        sent = {"q": q, "target": target, **({} if source == "auto" else {"source": source})}
        body, headers = self._request(Request("translate/", json=sent))
        return read(Translation, body, meta=read_meta(headers))

    def translate_languages(self) -> LanguagesReply:
        return self._get(LanguagesReply, "translate/languages/")

    def instant(
        self,
        q: str,
        *,
        lang: Optional[str] = None,
        tz: Optional[str] = None,
        lat: Optional[float] = None,
        lon: Optional[float] = None,
    ) -> Optional[InstantAnswer]:
        """None if the query isn't one that has an instant answer."""
        sent = {"q": q, "lang": lang, "tz": tz, "lat": lat, "lon": lon}
        body, headers = self._request(Request("instant/", params_of(sent)))
        return read_instant(body, headers)

    def cards(
        self, q: str, *, engine: Names = None, safe: Safe = None, lang: Optional[str] = None
    ) -> CardsReply:
        return self._get(CardsReply, "cards/", params_of({"q": q, "engine": engine, "safe": safe, "lang": lang}))

    def suggest(self, q: str, *, lang: Optional[str] = None) -> SuggestReply:
        return self._get(SuggestReply, "suggest/", params_of({"q": q, "lang": lang}))

    def read(
        self,
        url: str,
        *,
        format: Optional[Literal["markdown", "text", "sections"]] = None,
        start: Optional[int] = None,
        length: Optional[int] = None,
    ) -> ReadReply:
        """The text of a page; needs a key with the scope `read`. By POST, so that the address is in no proxy's log."""
        body, headers = self._request(page_request(url, format, start, length))
        return read(ReadReply, body, meta=read_meta(headers))

    def plan(self, q: str, *, tab: Tab = "web", **params: Unpack[DatedParams]) -> PlanReply:
        """What a search would do and cost: asks nobody, and isn't counted."""
        return self._get(PlanReply, "plan/", {**search_params(tab, q, params), "tab": tab})

    def status(self) -> StatusReply:
        """Which providers are up."""
        return self._get(StatusReply, "status/")

    def key(self) -> KeyReply:
        return self._get(KeyReply, "key/")

    def usage(self) -> UsageReply:
        return self._get(UsageReply, "usage/")

    def endpoints(self) -> Dict[str, str]:
        """The names of all endpoints and their URLs."""
        body, _ = self._request(Request(""))
        return dict(body)

    def openapi(self) -> Json:
        """The OpenAPI document."""
        body, _ = self._request(Request("openapi.json"))
        return body

    def get(self, path: str, **params: object) -> Json:
        """Any endpoint, also one that this version has no method for: `get('new/', q=…)`. Returns its JSON."""
        body, _ = self._request(Request(path, params_of(params)))
        return body

    @overload
    def pages(
        self, tab: Literal["web"], q: str, *, max_pages: int = ..., **params: Unpack[ReadableParams]
    ) -> Iterator[SearchReply[WebResult]]: ...
    @overload
    def pages(
        self, tab: Literal["science", "code", "mine"], q: str, *, max_pages: int = ..., **params: Unpack[DatedParams]
    ) -> Iterator[SearchReply[WebResult]]: ...
    @overload
    def pages(
        self, tab: Literal["images"], q: str, *, max_pages: int = ..., **params: Unpack[ImageParams]
    ) -> Iterator[SearchReply[ImageResult]]: ...
    @overload
    def pages(
        self, tab: Literal["news"], q: str, *, max_pages: int = ..., **params: Unpack[ReadableParams]
    ) -> Iterator[SearchReply[NewsResult]]: ...
    @overload
    def pages(
        self, tab: Literal["videos"], q: str, *, max_pages: int = ..., **params: Unpack[DatedParams]
    ) -> Iterator[SearchReply[VideoResult]]: ...
    def pages(
        self, tab: Tab, q: str, *, max_pages: int = LAST_PAGE, **params: Any
    ) -> Iterator[SearchReply[Any]]:
        """Page after page, until one is empty. The first is always there; each is a search of its own."""
        return self._pages(tab, search_params(tab, q, params), max_pages)

    @overload
    def stream(
        self, tab: Literal["web"], q: str, **params: Unpack[ReadableParams]
    ) -> Iterator[StreamEvent[WebResult]]: ...
    @overload
    def stream(
        self, tab: Literal["science", "code", "mine"], q: str, **params: Unpack[DatedParams]
    ) -> Iterator[StreamEvent[WebResult]]: ...
    @overload
    def stream(
        self, tab: Literal["images"], q: str, **params: Unpack[ImageParams]
    ) -> Iterator[StreamEvent[ImageResult]]: ...
    @overload
    def stream(
        self, tab: Literal["news"], q: str, **params: Unpack[ReadableParams]
    ) -> Iterator[StreamEvent[NewsResult]]: ...
    @overload
    def stream(
        self, tab: Literal["videos"], q: str, **params: Unpack[DatedParams]
    ) -> Iterator[StreamEvent[VideoResult]]: ...
    def stream(self, tab: Tab, q: str, **params: Any) -> Iterator[StreamEvent[Any]]:
        """Results as engines answer; the last event is a `DoneEvent`. Leaving the loop early ends the search."""
        return self._stream(tab, search_params(tab, q, params))

    def _pages(self, tab: Tab, params: Dict[str, str], max_pages: int) -> Iterator[SearchReply[Any]]:
        first = int(params.pop("page", "1"))
        for number in range(first, min(first + max_pages, LAST_PAGE + 1)):
            reply = self._search(tab, {**params, "page": str(number)})
            if number == first or reply.results:
                yield reply
            if not reply.results:
                return

    def _stream(self, tab: Tab, params: Dict[str, str]) -> Iterator[StreamEvent[Any]]:
        deadline = Deadline(self._options.timeout)
        response = self._open(Request(f"{tab}/", params, accept=EVENT_STREAM), deadline)
        try:
            if not is_stream(response):
                body = read_json(response, self._read(response, deadline))
                yield DoneEvent(read_search(tab, body, response.headers))
                return
            parser = EventParser()
            for chunk in self._chunks(response, deadline):
                for name, data in parser.feed(chunk):
                    event = read_event(tab, name, data)
                    if event is not None:
                        yield event
                    if isinstance(event, DoneEvent):
                        return
            raise broken_off()
        finally:
            response.close()

    def _search(self, tab: Tab, params: Dict[str, str]) -> SearchReply[Any]:
        body, headers = self._request(Request(f"{tab}/", params))
        return read_search(tab, body, headers)

    def _get(self, kind: Type[Model], path: str, params: Optional[Dict[str, str]] = None) -> Model:
        body, headers = self._request(Request(path, params or {}))
        return read(kind, body, meta=read_meta(headers))

    def _request(self, request: Request) -> Tuple[Json, httpx.Headers]:
        deadline = Deadline(self._options.timeout)
        response = self._open(request, deadline)
        try:
            return read_json(response, self._read(response, deadline)), response.headers
        finally:
            response.close()

    def _open(self, request: Request, deadline: Deadline) -> httpx.Response:
        """A successful reply, its body not yet read."""
        attempt = 0
        while True:
            outcome = self._attempt(request, deadline)
            if isinstance(outcome, httpx.Response):
                return outcome
            wait = request.wait_before(outcome, attempt) if attempt < self._options.max_retries else None
            if wait is None or not deadline.has_time_for(wait):
                raise outcome
            time.sleep(wait)
            attempt += 1

    def _attempt(self, request: Request, deadline: Deadline) -> Union[httpx.Response, BowerbirdError]:
        sent = self._http.build_request(**request.arguments(self._options, deadline.remaining()))
        try:
            with within(deadline):
                response = self._http.send(sent, stream=True, follow_redirects=False)
            if response.is_success:
                return response
            try:
                return failure_of(response, self._read(response, deadline))
            finally:
                response.close()
        except ConnectionFailedError as error:
            return error

    def _read(self, response: httpx.Response, deadline: Deadline) -> bytes:
        return b"".join([chunk for chunk in self._chunks(response, deadline)])

    def _chunks(self, response: httpx.Response, deadline: Deadline) -> Iterator[bytes]:
        chunks = response.iter_bytes()
        while True:
            with within(deadline):
                try:
                    chunk = chunks.__next__()
                except StopIteration:
                    return
            yield chunk
