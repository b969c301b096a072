"""What the search tabs take, besides the query. A name that isn't here is a mistake, and the call a TypeError.

`None` is the same as not sent. What each one means: docs/api/parameters.md.
"""

from __future__ import annotations

from typing import Literal, Mapping, Optional, Sequence, TypedDict, Union

Tab = Literal["web", "images", "news", "videos", "science", "code", "mine"]
Include = Literal["explain", "content", "date", "image"]
DateRange = Literal["d", "w", "m", "y"]
#: One name, several separated by commas, or a list.
Names = Union[str, Sequence[str], None]
Safe = Union[bool, Literal["on", "off"], None]


class SearchParams(TypedDict, total=False):
    engine: Names
    safe: Safe
    lang: Optional[str]
    #: A country such as DE, whose results are wanted first.
    region: Optional[str]
    page: Optional[int]
    #: At most so many results.
    limit: Optional[int]
    include_domains: Names
    exclude_domains: Names
    #: Results of these rank higher.
    prefer_domains: Names
    include: Union[str, Sequence[Include], None]


class ImageParams(SearchParams, total=False):
    #: What an image must be like: docs/api/parameters.md has the values.
    image_size: Optional[str]
    image_shape: Optional[str]
    image_licence: Optional[str]
    image_color: Optional[str]
    image_kind: Optional[str]


class DatedParams(SearchParams, total=False):
    date: Optional[DateRange]
    #: `2026-11-07`, or a time such as `2026-11-07T10:00:00Z`. Both days are included.
    date_from: Optional[str]
    date_to: Optional[str]


class ReadableParams(DatedParams, total=False):
    #: With `include="content"`: how many pages are read, and how much of each.
    content_results: Optional[int]
    content_length: Optional[int]
    #: Instead of `content`, the `passages` that fit the query, of about so many tokens in all results together.
    content_tokens: Optional[int]


TAB_PARAMS: Mapping[str, type] = {
    "web": ReadableParams,
    "images": ImageParams,
    "news": ReadableParams,
    "videos": DatedParams,
    "science": DatedParams,
    "code": DatedParams,
    "mine": DatedParams,
}


def search_params(tab: str, q: str, sent: Mapping[str, object]) -> dict[str, str]:
    """As the API reads them. Unknown ones would be ignored there: a filter with a typo would seem to work."""
    if tab not in TAB_PARAMS:
        raise ValueError(f"There is no tab {tab!r}. Use {', '.join(TAB_PARAMS)}.")
    known = TAB_PARAMS[tab].__annotations__
    for name in sent:
        if name not in known:
            raise TypeError(f"{tab} has no parameter {name!r}. It has q, {', '.join(known)}.")
    return params_of({"q": q, **sent})


def params_of(values: Mapping[str, object]) -> dict[str, str]:
    """What is None isn't sent."""
    return {name: text_of(value) for name, value in values.items() if value is not None}


def text_of(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)
