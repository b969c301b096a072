"""Against a running instance: BOWERBIRD_URL and BOWERBIRD_KEY say which."""

from __future__ import annotations

import dataclasses
import inspect
import os
from typing import Any

import anyio
import pytest

from bowerbird import (
    AsyncBowerbird,
    BadRequestError,
    BookCard,
    Bowerbird,
    CardsReply,
    DictionaryCard,
    Explanation,
    ImageResult,
    KeyReply,
    LanguagesReply,
    MapCard,
    NewsResult,
    Place,
    Provider,
    StackexchangeCard,
    Translation,
    UsageReply,
    VideoResult,
    WebResult,
    WikipediaCard,
)
from bowerbird.params import TAB_PARAMS

URL, KEY = os.environ.get("BOWERBIRD_URL", ""), os.environ.get("BOWERBIRD_KEY", "")

pytestmark = pytest.mark.skipif(URL == "", reason="BOWERBIRD_URL is not set")


def test_every_method_works() -> None:
    with Bowerbird(URL, KEY) as bowerbird:
        web = bowerbird.web("climate", engine=["engine_a", "engine_b"], lang="en")
        assert web.meta.search_status == "complete" and len(web.results) > 5
        assert [engine.outcome for engine in web.meta.engines] == ["ok", "ok"]
        assert web.meta.rate_limit["burst"].remaining > 0
        assert bowerbird.images("climate").results[0].thumbnail
        assert bowerbird.news("climate").results[0].hostname
        assert bowerbird.videos("climate").results[0].url
        assert bowerbird.science("climate").results[0].url
        assert bowerbird.code("climate").results[0].source_label
        assert bowerbird.similar_images("Oak bark").query == "Oak bark"
        assert bowerbird.maps("Eiffel Tower").places[0].geo_uri.startswith("geo:48.85")
        assert len(bowerbird.maps(lat=48.8584, lon=2.2945).places) <= 1
        assert bowerbird.translate("hello", "fr").translated_text
        assert "French" in [language.name for language in bowerbird.translate_languages().languages]
        answer = bowerbird.instant("6 * 7")
        assert answer is not None and answer.text == "6 × 7 = 42"
        assert bowerbird.instant("climate") is None
        assert bowerbird.cards("Eiffel Tower").wikipedia is not None
        assert bowerbird.suggest("clim").suggestions
        assert bowerbird.status().providers[0].state in ("up", "down", "unknown")
        assert bowerbird.key().name == "demo"
        assert bowerbird.usage().limits.burst.limit > 0
        assert bowerbird.endpoints()["web_search"].endswith("/api/v1/web/")
        with pytest.raises(BadRequestError, match="page: Send a whole number from 1 to 50."):
            bowerbird.web("climate", page=51)


def test_every_method_works_asynchronously() -> None:
    async def run() -> None:
        async with AsyncBowerbird(URL, KEY) as bowerbird:
            assert (await bowerbird.web("climate")).results
            events = [event async for event in bowerbird.stream("news", "climate")]
            assert events
            pages = [page.page async for page in bowerbird.pages("web", "climate", max_pages=2)]
            assert pages == [1, 2]

    anyio.run(run)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("WebResult", WebResult),
        ("ImagesResult", ImageResult),
        ("NewsResult", NewsResult),
        ("VideosResult", VideoResult),
        ("Place", Place),
        ("Provider", Provider),
        ("TranslateReply", Translation),
        ("TranslateLanguagesReply", LanguagesReply),
        ("KeyReply", KeyReply),
        ("UsageReply", UsageReply),
        ("CardsReply", CardsReply),
        ("WikipediaCard", WikipediaCard),
        ("DictionaryCard", DictionaryCard),
        ("StackexchangeCard", StackexchangeCard),
        ("BookCard", BookCard),
        ("MapCard", MapCard),
        ("Explanation", Explanation),
    ],
)
def test_objects_have_the_members_of_the_openapi_document(name: str, kind: Any) -> None:
    with Bowerbird(URL, KEY) as bowerbird:
        schema = bowerbird.openapi()["components"]["schemas"][name]
    # Of what only comes when it's asked for, some has a field, and the rest is in `raw`.
    fields = {field.name for field in dataclasses.fields(kind)} - {"raw", "meta"}
    assert set(schema["required"]) <= fields <= set(schema["properties"])


#: The endpoints whose methods spell their parameters out.
METHODS = {
    "images/similar": "similar_images",
    "maps": "maps",
    "instant": "instant",
    "cards": "cards",
    "suggest": "suggest",
    "read": "read",
    "translate": "translate",
}


def test_methods_take_the_parameters_of_the_openapi_document() -> None:
    with Bowerbird(URL, KEY) as bowerbird:
        paths = bowerbird.openapi()["paths"]
    documented = {
        path[len("/api/v1/") : -1]: {parameter["name"] for parameter in operations["get"]["parameters"]}
        for path, operations in paths.items()
        if "get" in operations and path.endswith("/")
    }
    for tab, kind in TAB_PARAMS.items():
        assert (tab, {"q", *kind.__annotations__}) == (tab, documented[tab])
    for endpoint, method in METHODS.items():
        known = set(inspect.signature(getattr(Bowerbird, method)).parameters) - {"self"}
        # `text` is another name for `q`.
        assert (endpoint, known) == (endpoint, documented[endpoint] - {"text"})
