"""Against a running instance: BOWERBIRD_URL and BOWERBIRD_KEY say which."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import anyio
import pytest

from bowerbird import (
    AsyncBowerbird,
    BadRequestError,
    Bowerbird,
    ImageResult,
    NewsResult,
    Place,
    Provider,
    Translation,
    VideoResult,
    WebResult,
)

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
        assert bowerbird.translate_languages()["fr"] == "French"
        answer = bowerbird.instant("6 * 7")
        assert answer is not None and answer["text"] == "6 × 7 = 42"
        assert bowerbird.instant("climate") is None
        assert bowerbird.cards("Eiffel Tower")["query"] == "Eiffel Tower"
        assert bowerbird.suggest("clim").suggestions
        assert bowerbird.status().providers[0].state in ("up", "down", "unknown")
        assert bowerbird.key()["name"] == "demo"
        assert bowerbird.usage()["searches"] >= 0
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
        ("ImageResult", ImageResult),
        ("NewsResult", NewsResult),
        ("VideosResult", VideoResult),
        ("Place", Place),
        ("Provider", Provider),
        ("TranslateReply", Translation),
    ],
)
def test_objects_have_the_members_of_the_openapi_document(name: str, kind: Any) -> None:
    with Bowerbird(URL, KEY) as bowerbird:
        schema = bowerbird.openapi()["components"]["schemas"][name]
    # Of what only comes when it's asked for, some has a field, and the rest is in `raw`.
    fields = {field.name for field in dataclasses.fields(kind)} - {"raw", "meta"}
    assert set(schema["required"]) <= fields <= set(schema["properties"])
