"""What is particular to the client in Python; test_behaviours.py has what it shares with the one in TypeScript."""

from __future__ import annotations

import inspect
import threading
from typing import Any, Callable

import anyio
import httpx
import pytest
from make_asynchronous import SOURCES, asynchronous
from scripted_instance import TABLE, ScriptedInstance

from bowerbird import (
    AsyncBowerbird,
    Bowerbird,
    BowerbirdError,
    RateLimitError,
    StartEvent,
)

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


def test_the_asynchronous_half_is_made_from_the_other() -> None:
    client, made = ((SOURCES / name).read_text(encoding="utf-8") for name in ("client.py", "asynchronous.py"))
    assert made == asynchronous(client), "run python3 clients/python/make_asynchronous.py"


def test_a_typo_in_a_parameter_is_a_mistake_when_it_is_called_and_when_types_are_checked() -> None:
    # mypy complains about an ignored error that isn't one, so each of these is an error to it.
    calls: list[Callable[[Bowerbird], Any]] = [
        lambda bowerbird: bowerbird.web("q", language="de"),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.images("q", date="d"),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.videos("q", content_results=1),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.similar_images("q", page=2),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.maps("q", engine="engine_a"),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.instant("q", safe=False),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.cards("q", page=2),  # type: ignore[call-arg]
        lambda bowerbird: bowerbird.suggest("q", safe=True),  # type: ignore[call-arg]
        # Also before anything is asked of them.
        lambda bowerbird: bowerbird.pages("web", "q", langage="de"),  # type: ignore[call-overload]
        lambda bowerbird: bowerbird.stream("images", "q", date="d"),  # type: ignore[call-overload]
    ]
    with ScriptedInstance([]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        for call in calls:
            with pytest.raises(TypeError):
                call(bowerbird)
        with pytest.raises(TypeError, match="web has no parameter 'language'. It has q, engine, safe, lang, region, page, "):
            calls[0](bowerbird)
        with pytest.raises(ValueError, match="There is no tab 'music'. Use web, images, "):
            bowerbird.stream("music", "q")  # type: ignore[call-overload]
        assert instance.received == []


def test_a_value_of_another_type_is_a_mistake_to_mypy() -> None:
    with ScriptedInstance([OK]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        bowerbird.web("q", page="2")  # type: ignore[arg-type]


def test_every_reply_is_an_object() -> None:
    limits = {"burst": "60/min", "sustained": "5000/day", "monthly_cap": None}
    windows = {"burst": {"limit": 60, "remaining": 59}, "sustained": {}, "monthly_cap": 7}
    fact = {"property": "P57", "values": [{"text": "Paris"}]}
    explain = {"score": 0.1, "engines": [{"engine": "engine_a", "rank": 2}]}
    replies = [
        {"status": 200, "json": {"name": "laptop", "limits": limits, "usage": {"searches": 3}}},
        {"status": 200, "json": {"by_day": [{"day": "2026-11-01", "searches": 2}], "limits": windows}},
        {"status": 200, "json": {"query": "q", "wikipedia": {"facts": [fact], "image": None}, "book": None}},
        {"status": 200, "json": {"type": "calculator", "text": "6 × 7 = 42", "value": 42}},
        {"status": 200, "json": {"languages": [{"code": "fr", "name": "French"}]}},
        {"status": 200, "json": {"results": [{"title": "A", "date": "2026-11-01T00:00:00Z", "explain": explain}]}},
    ]
    with ScriptedInstance(replies) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        key = bowerbird.key()
        assert (key.name, key.limits.burst, key.limits.monthly_cap, key.usage.searches) == ("laptop", "60/min", None, 3)
        usage = bowerbird.usage()
        assert (usage.by_day[0].searches, usage.limits.burst.remaining, usage.limits.sustained.limit) == (2, 59, 0)
        cards = bowerbird.cards("q")
        assert cards.wikipedia is not None and cards.wikipedia.facts[0].values[0].text == "Paris"
        assert (cards.wikipedia.image, cards.wikipedia.attribution.licence, cards.book, cards.map) == (None, "", None, None)
        answer = bowerbird.instant("6 * 7")
        assert answer is not None and (answer.type, answer.text, answer.raw["value"]) == ("calculator", "6 × 7 = 42", 42)
        assert [language.name for language in bowerbird.translate_languages().languages] == ["French"]
        [result] = bowerbird.web("q", include=["explain", "date"]).results
        assert result.date == "2026-11-01T00:00:00Z"
        assert result.explain is not None and result.explain.engines[0].rank == 2


def test_passages_are_objects() -> None:
    passage = {"block": 4, "start": 37, "heading": "Sea", "text": "The tides turn twice a day."}
    reply = {"status": 200, "json": {"results": [{"title": "A", "passages": [passage], "content_reason": ""}]}}
    with ScriptedInstance([reply]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        [result] = bowerbird.web("q", include="content", content_tokens=1000).results
    assert [(passage.start, passage.heading, passage.text) for passage in result.passages] == [
        (37, "Sea", "The tides turn twice a day.")
    ]
    assert "content_tokens=1000" in instance.received[0].line


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (None, "url is missing. Pass the address of the instance, such as https://search.example."),
        ("", "url is missing."),
        (7, "url is not a URL."),
        ("search.example", "url must start with https:// or http://. Pass the address of the instance"),
    ],
)
def test_a_url_that_cannot_be_one_says_so(url: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Bowerbird(url, KEY)
    missing: Any = None
    with pytest.raises(ValueError, match="key is not an API key"):
        Bowerbird("https://search.example", missing)


def test_the_address_of_the_api_is_as_good_as_that_of_its_instance() -> None:
    with ScriptedInstance([OK]) as instance, Bowerbird(f"{instance.url}/api/v1/", KEY) as bowerbird:
        bowerbird.web("q")
        assert instance.received[0].line == "GET /api/v1/web/?q=q"


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("https://other.example/api/v1/web/?q=climate", "to https://other.example/api/v1/web/,"),
        ("/login?next=climate", "/login,"),
        ("", "elsewhere,"),
    ],
)
def test_a_redirect_says_where_it_leads_without_the_query(location: str, shown: str) -> None:
    redirect = {"status": 308, "headers": {"location": location}, "text": ""}
    with ScriptedInstance([redirect]) as instance, Bowerbird(instance.url, KEY) as bowerbird:
        with pytest.raises(BowerbirdError) as raised:
            bowerbird.web("climate")
        assert shown in raised.value.message and "climate" not in raised.value.message


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
