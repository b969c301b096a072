"""What is particular to the client in Python; test_behaviours.py has what it shares with the one in TypeScript."""

from __future__ import annotations

import inspect
import threading
from typing import Any

import anyio
import httpx
import pytest
from scripted_instance import TABLE, ScriptedInstance

from bowerbird import AsyncBowerbird, Bowerbird, BowerbirdError, RateLimitError, StartEvent

KEY = "bowerbird_test.secret"
OK = {"status": 200, "json": {"query": "q", "tab": "web", "results": [{"title": "A", "later": 1, "sitelinks": [{"url": "u"}]}]}}
THROTTLED = {"status": 429, "headers": {"retry-after": "0"}, "json": {"detail": "Later."}}
STREAM = {
    "status": 200,
    "headers": {"content-type": "text/event-stream"},
    "events": [{"event": "start", "data": {"request_id": "id", "engines": ["engine_a"]}}],
    "stays_open": True,
}


def methods_of(kind: type) -> dict[str, list[str]]:
    return {
        name: [str(parameter) for parameter in inspect.signature(method).parameters.values()]
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def test_both_forms_have_the_same_methods() -> None:
    assert methods_of(AsyncBowerbird) == methods_of(Bowerbird)
    assert len(methods_of(Bowerbird)) > 20


def test_results_are_objects_and_what_they_do_not_know_is_kept() -> None:
    with ScriptedInstance([OK]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        [result] = bowerbird.web("q").results
        assert (result.title, result.url, result.sitelinks[0].url, result.raw["later"]) == ("A", "", "u", 1)


def test_a_reply_of_another_form_is_an_error_of_ours() -> None:
    odd: list[Any] = [[], "text", {"results": ["text"]}, {"results": {"a": 1}}]
    for body in odd:
        with ScriptedInstance([{"status": 200, "json": body}]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
            with pytest.raises(BowerbirdError):
                bowerbird.web("q")


def test_parameters_may_be_python_values() -> None:
    with ScriptedInstance([OK]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        bowerbird.web("q", safe=False, engine=("engine_a", "engine_b"), page=2)
        assert instance.received[0].line == "GET /api/v1/web/?q=q&safe=off&engine=engine_a%2Cengine_b&page=2"


def test_the_key_is_not_shown() -> None:
    bowerbird = Bowerbird("http://127.0.0.1:9", KEY)
    assert KEY not in f"{bowerbird!r} {bowerbird._options!r}"


def test_an_instance_may_be_under_a_path() -> None:
    with ScriptedInstance([OK]) as instance, Bowerbird(f"{instance.url}/search/", KEY) as bowerbird:
        bowerbird.web("q")
        assert instance.received[0].line == "GET /search/api/v1/web/?q=q"


def test_plain_http_is_for_private_hosts_unless_it_is_allowed_elsewhere() -> None:
    urls = TABLE["plain_http"]
    assert len(urls["public"]) > 5
    for url in urls["private"]:
        Bowerbird(url, KEY).close()
    for url in urls["public"]:
        with pytest.raises(ValueError, match="url must start with https://"):
            Bowerbird(url, KEY)
        Bowerbird(url, KEY, allow_insecure=True).close()
        Bowerbird(url.replace("http:", "https:"), KEY).close()


def test_other_options_for_one_call_leave_the_client_as_it_is() -> None:
    with ScriptedInstance([THROTTLED, THROTTLED, OK]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        with pytest.raises(RateLimitError):
            bowerbird.with_options(max_retries=0).web("q")
        assert bowerbird.web("q").query == "q"
        with pytest.raises(ValueError):
            bowerbird.with_options(timeout=0)


def test_a_client_that_was_handed_in_is_not_closed_and_follows_no_redirect() -> None:
    redirect = {"status": 302, "headers": {"location": "/elsewhere"}, "text": ""}
    with ScriptedInstance([redirect, OK]) as instance, httpx.Client(follow_redirects=True) as http:
        with Bowerbird(instance.url, KEY, http=http) as bowerbird, pytest.raises(BowerbirdError):
            bowerbird.web("q")
        assert not http.is_closed
        assert len(instance.received) == 1


def test_leaving_a_stream_early_closes_its_connection() -> None:
    with ScriptedInstance([STREAM]) as instance, httpx.Client() as http:
        for event in Bowerbird(instance.url, KEY, http=http).stream("web", "q"):
            assert isinstance(event, StartEvent) and event.engines == ["engine_a"]
            break
        pool: Any = http._transport
        assert pool._pool.connections == []


def test_a_task_that_is_cancelled_ends_its_call() -> None:
    async def run() -> None:
        async with AsyncBowerbird(instance.url, KEY) as bowerbird:
            with anyio.move_on_after(0.2) as scope:
                await bowerbird.web("q")
            assert scope.cancel_called

    with ScriptedInstance([{"silent": True}]) as instance:
        anyio.run(run)


def test_one_client_serves_several_threads() -> None:
    with ScriptedInstance([OK] * 8) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        found: list[str] = []
        threads = [threading.Thread(target=lambda: found.append(bowerbird.web("q").query)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == ["q"] * 8
