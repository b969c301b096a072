"""The methods of `client.py`, to await. Made from it by make_asynchronous.py: change that file instead."""

from __future__ import annotations

import copy
import dataclasses
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, AsyncIterator, Literal, Optional, Tuple, Type, Union, overload

import anyio
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
    within_async,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .params import DatedParams, ImageParams, ReadableParams


class AsyncBowerbird:
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
        http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._options = Options(url, key, timeout, max_retries, allow_insecure)
        self._owns_http = http is None
        self._http = httpx.AsyncClient() if http is None else http

    def with_options(self, *, timeout: Optional[float] = None, max_retries: Optional[int] = None) -> AsyncBowerbird:
        """The same client with other options, for one call: `bowerbird.with_options(timeout=5)`."""
        other = copy.copy(self)
        other._options = dataclasses.replace(
            self._options,
            timeout=self._options.timeout if timeout is None else timeout,
            max_retries=self._options.max_retries if max_retries is None else max_retries,
        )
        return other

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncBowerbird:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.close()

    async def web(self, q: str, **params: Unpack[ReadableParams]) -> SearchReply[WebResult]:
        """`params.py` lists the parameters of each tab; docs/api/parameters.md says what they mean."""
        return await self._search("web", search_params("web", q, params))

    async def images(self, q: str, **params: Unpack[ImageParams]) -> SearchReply[ImageResult]:
        return await self._search("images", search_params("images", q, params))

    async def news(self, q: str, **params: Unpack[ReadableParams]) -> SearchReply[NewsResult]:
        return await self._search("news", search_params("news", q, params))

    async def videos(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[VideoResult]:
        return await self._search("videos", search_params("videos", q, params))

    async def science(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[WebResult]:
        """Scientific papers."""
        return await self._search("science", search_params("science", q, params))

    async def code(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[WebResult]:
        """Packages, projects and questions about code."""
        return await self._search("code", search_params("code", q, params))

    async def mine(self, q: str, **params: Unpack[DatedParams]) -> SearchReply[WebResult]:
        """Private engines of the instance. The key needs the scope `mine`."""
        return await self._search("mine", search_params("mine", q, params))

    async def similar_images(
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
        body, headers = await self._request(Request("images/similar/", params_of(sent)))
        return read_search("images", body, headers)

    async def maps(
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
        return await self._get(MapsReply, "maps/", params_of(sent))

    async def translate(self, q: str, target: str, source: str = "auto") -> Translation:
        """By POST, so that the text is in no URL and no proxy's log."""
        sent = {"q": q, "target": target, **({} if source == "auto" else {"source": source})}
        body, headers = await self._request(Request("translate/", json=sent))
        return read(Translation, body, meta=read_meta(headers))

    async def translate_languages(self) -> LanguagesReply:
        return await self._get(LanguagesReply, "translate/languages/")

    async def instant(
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
        body, headers = await self._request(Request("instant/", params_of(sent)))
        return read_instant(body, headers)

    async def cards(
        self, q: str, *, engine: Names = None, safe: Safe = None, lang: Optional[str] = None
    ) -> CardsReply:
        return await self._get(CardsReply, "cards/", params_of({"q": q, "engine": engine, "safe": safe, "lang": lang}))

    async def suggest(self, q: str, *, lang: Optional[str] = None) -> SuggestReply:
        return await self._get(SuggestReply, "suggest/", params_of({"q": q, "lang": lang}))

    async def read(
        self,
        url: str,
        *,
        format: Optional[Literal["markdown", "text", "sections"]] = None,
        start: Optional[int] = None,
        length: Optional[int] = None,
    ) -> ReadReply:
        """The text of a page; needs a key with the scope `read`. By POST, so that the address is in no proxy's log."""
        body, headers = await self._request(page_request(url, format, start, length))
        return read(ReadReply, body, meta=read_meta(headers))

    async def plan(self, q: str, *, tab: Tab = "web", **params: Unpack[DatedParams]) -> PlanReply:
        """What a search would do and cost: asks nobody, and isn't counted."""
        return await self._get(PlanReply, "plan/", {**search_params(tab, q, params), "tab": tab})

    async def status(self) -> StatusReply:
        """Which providers are up."""
        return await self._get(StatusReply, "status/")

    async def key(self) -> KeyReply:
        return await self._get(KeyReply, "key/")

    async def usage(self) -> UsageReply:
        return await self._get(UsageReply, "usage/")

    async def endpoints(self) -> Dict[str, str]:
        """The names of all endpoints and their URLs."""
        body, _ = await self._request(Request(""))
        return dict(body)

    async def openapi(self) -> Json:
        """The OpenAPI document."""
        body, _ = await self._request(Request("openapi.json"))
        return body

    async def get(self, path: str, **params: object) -> Json:
        """Any endpoint, also one that this version has no method for: `get('new/', q=…)`. Returns its JSON."""
        body, _ = await self._request(Request(path, params_of(params)))
        return body

    @overload
    def pages(
        self, tab: Literal["web"], q: str, *, max_pages: int = ..., **params: Unpack[ReadableParams]
    ) -> AsyncIterator[SearchReply[WebResult]]: ...
    @overload
    def pages(
        self, tab: Literal["science", "code", "mine"], q: str, *, max_pages: int = ..., **params: Unpack[DatedParams]
    ) -> AsyncIterator[SearchReply[WebResult]]: ...
    @overload
    def pages(
        self, tab: Literal["images"], q: str, *, max_pages: int = ..., **params: Unpack[ImageParams]
    ) -> AsyncIterator[SearchReply[ImageResult]]: ...
    @overload
    def pages(
        self, tab: Literal["news"], q: str, *, max_pages: int = ..., **params: Unpack[ReadableParams]
    ) -> AsyncIterator[SearchReply[NewsResult]]: ...
    @overload
    def pages(
        self, tab: Literal["videos"], q: str, *, max_pages: int = ..., **params: Unpack[DatedParams]
    ) -> AsyncIterator[SearchReply[VideoResult]]: ...
    def pages(
        self, tab: Tab, q: str, *, max_pages: int = LAST_PAGE, **params: Any
    ) -> AsyncIterator[SearchReply[Any]]:
        """Page after page, until one is empty. The first is always there; each is a search of its own."""
        return self._pages(tab, search_params(tab, q, params), max_pages)

    @overload
    def stream(
        self, tab: Literal["web"], q: str, **params: Unpack[ReadableParams]
    ) -> AsyncIterator[StreamEvent[WebResult]]: ...
    @overload
    def stream(
        self, tab: Literal["science", "code", "mine"], q: str, **params: Unpack[DatedParams]
    ) -> AsyncIterator[StreamEvent[WebResult]]: ...
    @overload
    def stream(
        self, tab: Literal["images"], q: str, **params: Unpack[ImageParams]
    ) -> AsyncIterator[StreamEvent[ImageResult]]: ...
    @overload
    def stream(
        self, tab: Literal["news"], q: str, **params: Unpack[ReadableParams]
    ) -> AsyncIterator[StreamEvent[NewsResult]]: ...
    @overload
    def stream(
        self, tab: Literal["videos"], q: str, **params: Unpack[DatedParams]
    ) -> AsyncIterator[StreamEvent[VideoResult]]: ...
    def stream(self, tab: Tab, q: str, **params: Any) -> AsyncIterator[StreamEvent[Any]]:
        """Results as engines answer; the last event is a `DoneEvent`. To leave the loop early, use `aclosing`."""
        return self._stream(tab, search_params(tab, q, params))

    async def _pages(self, tab: Tab, params: Dict[str, str], max_pages: int) -> AsyncIterator[SearchReply[Any]]:
        first = int(params.pop("page", "1"))
        for number in range(first, min(first + max_pages, LAST_PAGE + 1)):
            reply = await self._search(tab, {**params, "page": str(number)})
            if number == first or reply.results:
                yield reply
            if not reply.results:
                return

    async def _stream(self, tab: Tab, params: Dict[str, str]) -> AsyncIterator[StreamEvent[Any]]:
        deadline = Deadline(self._options.timeout)
        response = await self._open(Request(f"{tab}/", params, accept=EVENT_STREAM), deadline)
        try:
            if not is_stream(response):
                body = read_json(response, await self._read(response, deadline))
                yield DoneEvent(read_search(tab, body, response.headers))
                return
            parser = EventParser()
            async for chunk in self._chunks(response, deadline):
                for name, data in parser.feed(chunk):
                    event = read_event(tab, name, data)
                    if event is not None:
                        yield event
                    if isinstance(event, DoneEvent):
                        return
            raise broken_off()
        finally:
            await response.aclose()

    async def _search(self, tab: Tab, params: Dict[str, str]) -> SearchReply[Any]:
        body, headers = await self._request(Request(f"{tab}/", params))
        return read_search(tab, body, headers)

    async def _get(self, kind: Type[Model], path: str, params: Optional[Dict[str, str]] = None) -> Model:
        body, headers = await self._request(Request(path, params or {}))
        return read(kind, body, meta=read_meta(headers))

    async def _request(self, request: Request) -> Tuple[Json, httpx.Headers]:
        deadline = Deadline(self._options.timeout)
        response = await self._open(request, deadline)
        try:
            return read_json(response, await self._read(response, deadline)), response.headers
        finally:
            await response.aclose()

    async def _open(self, request: Request, deadline: Deadline) -> httpx.Response:
        """A successful reply, its body not yet read."""
        attempt = 0
        while True:
            outcome = await self._attempt(request, deadline)
            if isinstance(outcome, httpx.Response):
                return outcome
            wait = request.wait_before(outcome, attempt) if attempt < self._options.max_retries else None
            if wait is None or not deadline.has_time_for(wait):
                raise outcome
            await anyio.sleep(wait)
            attempt += 1

    async def _attempt(self, request: Request, deadline: Deadline) -> Union[httpx.Response, BowerbirdError]:
        sent = self._http.build_request(**request.arguments(self._options, deadline.remaining()))
        try:
            with within_async(deadline):
                response = await self._http.send(sent, stream=True, follow_redirects=False)
            if response.is_success:
                return response
            try:
                return failure_of(response, await self._read(response, deadline))
            finally:
                await response.aclose()
        except ConnectionFailedError as error:
            return error

    async def _read(self, response: httpx.Response, deadline: Deadline) -> bytes:
        return b"".join([chunk async for chunk in self._chunks(response, deadline)])

    async def _chunks(self, response: httpx.Response, deadline: Deadline) -> AsyncIterator[bytes]:
        chunks = response.aiter_bytes()
        while True:
            with within_async(deadline):
                try:
                    chunk = await chunks.__anext__()
                except StopAsyncIteration:
                    return
            yield chunk
