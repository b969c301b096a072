"""The table of behaviours that this client shares with the one in TypeScript, for both of its forms."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import Any, Optional

import anyio
import httpx
import pytest
from scripted_instance import ScriptedInstance, behaviours

from bowerbird import (
    AsyncBowerbird,
    Bowerbird,
    BowerbirdError,
    DoneEvent,
    EngineEvent,
    Meta,
    ResultsEvent,
    StartEvent,
)

KEY = "bowerbird_test.secret"
ROWS = behaviours()


class Outcome:
    def __init__(self) -> None:
        self.result: Any = None
        self.meta: Optional[Meta] = None
        self.events: list[Any] = []
        self.pages: list[int] = []
        self.error: Optional[Exception] = None

    def take(self, reply: Any) -> None:
        """A reply that is an object has its JSON in `raw`; others are the JSON."""
        self.result = getattr(reply, "raw", reply)
        self.meta = getattr(reply, "meta", None)

    def take_event(self, event: Any) -> None:
        self.events.append(as_row(event))
        if isinstance(event, DoneEvent):
            self.meta = event.reply.meta


def as_row(event: Any) -> dict[str, Any]:
    if isinstance(event, DoneEvent):
        return {"event": "done", "body": event.reply.raw}
    names = {StartEvent: "start", EngineEvent: "engine", ResultsEvent: "results"}
    return {"event": names[type(event)], **event.raw}


def meta_row(meta: Meta) -> dict[str, Any]:
    def engine_row(engine: dict[str, Any]) -> dict[str, Any]:
        named = {"for" if name == "reason" else name: value for name, value in engine.items()}
        return {name: value for name, value in named.items() if value is not None}

    return {
        "request_id": meta.request_id,
        "search_status": meta.search_status,
        "engines": [engine_row(asdict(engine)) for engine in meta.engines],
        **({} if meta.blocked == 0 else {"blocked": meta.blocked}),
        "rate_limit": {name: asdict(limit) for name, limit in meta.rate_limit.items()},
    }


def perform(bowerbird: Bowerbird, call: dict[str, Any], outcome: Outcome) -> None:
    method = call["method"]
    if method == "stream":
        for event in bowerbird.stream(call["tab"], **call["params"]):
            outcome.take_event(event)
    elif method == "pages":
        limit = {"max_pages": call["max_pages"]} if "max_pages" in call else {}
        for page in bowerbird.pages(call["tab"], **call["params"], **limit):
            outcome.pages.append(len(page.results))
    else:
        outcome.take(getattr(bowerbird, method)(**call["params"]))


async def perform_async(bowerbird: AsyncBowerbird, call: dict[str, Any], outcome: Outcome) -> None:
    method = call["method"]
    if method == "stream":
        async for event in bowerbird.stream(call["tab"], **call["params"]):
            outcome.take_event(event)
    elif method == "pages":
        limit = {"max_pages": call["max_pages"]} if "max_pages" in call else {}
        async for page in bowerbird.pages(call["tab"], **call["params"], **limit):
            outcome.pages.append(len(page.results))
    else:
        outcome.take(await getattr(bowerbird, method)(**call["params"]))


def run(row: dict[str, Any], url: str, is_async: bool) -> Outcome:
    client = row.get("client", {})
    options = {name: client[name] for name in ("timeout", "max_retries") if name in client}
    arguments = {"url": client.get("url", url), "key": client.get("key", KEY), "timeout": 20.0, **options}
    outcome = Outcome()

    async def run_async() -> None:
        async with httpx.AsyncClient(verify=False) as http:
            await perform_async(AsyncBowerbird(**arguments, http=http), row["call"], outcome)

    try:
        if is_async:
            anyio.run(run_async)
        else:
            # Without TLS there is nothing to verify, and reading the authorities takes longer than the test.
            with httpx.Client(verify=False) as http:
                perform(Bowerbird(**arguments, http=http), row["call"], outcome)
    except Exception as error:  # held against the row below
        outcome.error = error
    return outcome


def hold_error(expected: dict[str, Any], error: Optional[Exception]) -> None:
    assert isinstance(error, BowerbirdError), error
    for name, value in expected.items():
        if name == "type":
            assert type(error).__name__ == value
        elif name == "meta":
            assert meta_row(error.meta) == value
        elif not (name == "message" and value is None):
            assert getattr(error, name) == value


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_what_both_clients_do(row: dict[str, Any], is_async: bool) -> None:
    expected = row["expect"]
    with ScriptedInstance(row["replies"]) as instance:
        started = time.monotonic()
        outcome = run(row, instance.url, is_async)
        seconds = time.monotonic() - started
        received = list(instance.received)
    error = outcome.error
    assert [request.line for request in received] == expected["requests"], error
    assert not any(secret in f"{error!r} {vars(error) if error else ''}" for secret in (KEY, "Host: evil"))
    if expected.get("refused"):
        assert isinstance(error, ValueError)
        return
    if "error" in expected:
        hold_error(expected["error"], error)
    else:
        assert error is None
    for name in ("result", "events", "pages"):
        if name in expected:
            assert getattr(outcome, name) == expected[name]
    # An answer that isn't an object of its own has no meta.
    if "meta" in expected:
        assert outcome.meta is not None and meta_row(outcome.meta) == expected["meta"]
    assert seconds >= expected.get("seconds", 0) - 0.01
    if "sent" in expected:
        assert json.loads(received[-1].body) == expected["sent"]
    for name in ("authorization", "accept"):
        if name in expected:
            assert received[-1].headers[name] == expected[name]


def test_the_table_has_rows() -> None:
    assert len(ROWS) > 50
