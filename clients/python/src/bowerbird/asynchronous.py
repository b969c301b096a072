"""The methods of `client.py`, to await. A test compares the two."""

from __future__ import annotations

import copy
import dataclasses
from types import TracebackType
from typing import Any, AsyncIterator, Literal, Mapping, Optional, Sequence, Type, Union, overload

import anyio
import httpx

from .errors import BowerbirdError, ConnectionFailedError
from .meta import read_meta
from .models import (
    BatchRequest,
    BatchResponse,
    DoneEvent,
    ImageResult,
    Json,
    MapsReply,
    NewsResult,
    ReadReply,
    SearchReply,
    StatusReply,
    StreamEvent,
    SuggestReply,
    Translation,
    VideoResult,
    WebResult,
    read,
    read_batch,
    read_event,
    read_search,
)
from .request import (
    EVENT_STREAM,
    LAST_PAGE,
    Deadline,
    EventParser,
    Options,
    Param,
    Request,
    batch_requests,
    broken_off,
    failure_of,
    is_stream,
    lost,
    page_request,
    params_of,
    read_json,
)

Tab = Literal["web", "images", "news", "videos", "science", "code", "mine"]


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
        """The same client with other options: `await bowerbird.with_options(timeout=5).web('climate')`."""
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

    async def web(self, q: str, **params: Param) -> SearchReply[WebResult]:
        """Parameters as in docs/api/parameters.md: `engine`, `safe`, `lang`, `page`, `date`, `include`."""
        return await self._search("web", q, params)

    async def images(self, q: str, **params: Param) -> SearchReply[ImageResult]:
        return await self._search("images", q, params)

    async def news(self, q: str, **params: Param) -> SearchReply[NewsResult]:
        return await self._search("news", q, params)

    async def videos(self, q: str, **params: Param) -> SearchReply[VideoResult]:
        return await self._search("videos", q, params)

    async def science(self, q: str, **params: Param) -> SearchReply[WebResult]:
        """Scientific papers."""
        return await self._search("science", q, params)

    async def code(self, q: str, **params: Param) -> SearchReply[WebResult]:
        """Packages, projects and questions about code."""
        return await self._search("code", q, params)

    async def mine(self, q: str, **params: Param) -> SearchReply[WebResult]:
        """Services of the key's owner, and private engines of the instance. The key needs the scope `mine`."""
        return await self._search("mine", q, params)

    async def similar_images(self, q: str = "", **params: Param) -> SearchReply[ImageResult]:
        """`query` is the seed if the caption `q` isn't usable; `exclude_url` is left out of the results."""
        body, headers = await self._request(Request("images/similar/", params_of({"q": q, **params})))
        return read_search("images", body, headers)

    async def maps(
        self,
        q: Optional[str] = None,
        *,
        lat: Optional[float] = None,
        lon: Optional[float] = None,
        **params: Param,
    ) -> MapsReply:
        """Places by name, or the place at `lat` and `lon`."""
        body, headers = await self._request(Request("maps/", params_of({"q": q, "lat": lat, "lon": lon, **params})))
        return read(MapsReply, body, meta=read_meta(headers))

    async def translate(self, q: str, target: str, source: str = "auto") -> Translation:
        """By POST, so that the text is in no URL and no proxy's log."""
        sent = {"q": q, "target": target, **({} if source == "auto" else {"source": source})}
        body, headers = await self._request(Request("translate/", json=sent))
        return read(Translation, body, meta=read_meta(headers))

    async def translate_languages(self) -> dict[str, str]:
        """Names of languages by their code."""
        reply = await self.get("translate/languages/")
        return {language["code"]: language["name"] for language in reply["languages"]}

    async def instant(self, q: str, **params: Param) -> Optional[Json]:
        """An answer with `type`, `query`, `text` and more, or None."""
        return await self.get("instant/", q=q, **params)

    async def cards(self, q: str, **params: Param) -> Json:
        return await self.get("cards/", q=q, **params)

    async def suggest(self, q: str, **params: Param) -> SuggestReply:
        body, headers = await self._request(Request("suggest/", params_of({"q": q, **params})))
        return read(SuggestReply, body, meta=read_meta(headers))

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

    async def status(self) -> StatusReply:
        """Which providers are up."""
        body, headers = await self._request(Request("status/"))
        return read(StatusReply, body, meta=read_meta(headers))

    async def key(self) -> Json:
        return await self.get("key/")

    async def usage(self) -> Json:
        return await self.get("usage/")

    async def endpoints(self) -> Json:
        """The names of all endpoints and their URLs."""
        return await self.get("")

    async def openapi(self) -> Json:
        """The OpenAPI document."""
        return await self.get("openapi.json")

    async def get(self, path: str, **params: Param) -> Json:
        """Any endpoint, also one that this version has no method for: `get('new/', q=…)`."""
        return (await self._request(Request(path, params_of(params))))[0]

    async def batch(self, requests: Sequence[BatchRequest]) -> list[BatchResponse]:
        """Up to ten requests in one. Responses are in the order of the requests; one that fails has its `error`."""
        sent = batch_requests(requests)
        return read_batch(sent, (await self._request(Request("batch/", json={"requests": sent})))[0])

    @overload
    def pages(
        self,
        tab: Literal["web", "science", "code", "mine"],
        q: str,
        *,
        page: int = ...,
        max_pages: int = ...,
        **params: Param,
    ) -> AsyncIterator[SearchReply[WebResult]]: ...
    @overload
    def pages(
        self, tab: Literal["images"], q: str, *, page: int = ..., max_pages: int = ..., **params: Param
    ) -> AsyncIterator[SearchReply[ImageResult]]: ...
    @overload
    def pages(
        self, tab: Literal["news"], q: str, *, page: int = ..., max_pages: int = ..., **params: Param
    ) -> AsyncIterator[SearchReply[NewsResult]]: ...
    @overload
    def pages(
        self, tab: Literal["videos"], q: str, *, page: int = ..., max_pages: int = ..., **params: Param
    ) -> AsyncIterator[SearchReply[VideoResult]]: ...
    async def pages(
        self, tab: Tab, q: str, *, page: int = 1, max_pages: int = LAST_PAGE, **params: Param
    ) -> AsyncIterator[SearchReply[Any]]:
        """Page after page, until one is empty. The first is always there; each is a search of its own."""
        for number in range(page, min(page + max_pages, LAST_PAGE + 1)):
            reply: SearchReply[Any] = await self._search(tab, q, {**params, "page": number})
            if number == page or reply.results:
                yield reply
            if not reply.results:
                return

    @overload
    def stream(
        self, tab: Literal["web", "science", "code", "mine"], q: str, **params: Param
    ) -> AsyncIterator[StreamEvent[WebResult]]: ...
    @overload
    def stream(self, tab: Literal["images"], q: str, **params: Param) -> AsyncIterator[StreamEvent[ImageResult]]: ...
    @overload
    def stream(self, tab: Literal["news"], q: str, **params: Param) -> AsyncIterator[StreamEvent[NewsResult]]: ...
    @overload
    def stream(self, tab: Literal["videos"], q: str, **params: Param) -> AsyncIterator[StreamEvent[VideoResult]]: ...
    async def stream(self, tab: Tab, q: str, **params: Param) -> AsyncIterator[StreamEvent[Any]]:
        """Results as engines answer; the last event is a `DoneEvent`. To leave the loop early, use `aclosing`."""
        deadline = Deadline(self._options.timeout)
        response = await self._open(Request(f"{tab}/", params_of({"q": q, **params}), accept=EVENT_STREAM), deadline)
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

    async def _search(self, tab: str, q: str, params: Mapping[str, Param]) -> SearchReply[Any]:
        body, headers = await self._request(Request(f"{tab}/", params_of({"q": q, **params})))
        return read_search(tab, body, headers)

    async def _request(self, request: Request) -> tuple[Json, httpx.Headers]:
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
            with anyio.fail_after(deadline.remaining()):
                response = await self._http.send(sent, stream=True, follow_redirects=False)
        except (httpx.TimeoutException, TimeoutError) as cause:
            raise deadline.error() from cause
        except httpx.RequestError as cause:
            return lost(cause)
        if response.is_success:
            return response
        try:
            return failure_of(response.status_code, response.headers, await self._read(response, deadline))
        except ConnectionFailedError as error:
            return error
        finally:
            await response.aclose()

    async def _read(self, response: httpx.Response, deadline: Deadline) -> bytes:
        return b"".join([chunk async for chunk in self._chunks(response, deadline)])

    async def _chunks(self, response: httpx.Response, deadline: Deadline) -> AsyncIterator[bytes]:
        chunks = response.aiter_bytes()
        try:
            while True:
                with anyio.fail_after(deadline.remaining()):
                    chunk = await chunks.__anext__()
                yield chunk
        except StopAsyncIteration:
            return
        except (httpx.TimeoutException, TimeoutError) as cause:
            raise deadline.error() from cause
        except httpx.RequestError as cause:
            raise lost(cause) from cause
