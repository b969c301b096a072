"""Knowledge cards: docs/api/cards.md."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional

from .meta import Meta
from .reading import Json, list_of, object_of, optional, raw_json, reply_meta


@dataclass(frozen=True)
class Attribution:
    """Whom to credit wherever the card is shown."""

    text: str = ""
    url: str = ""
    licence: str = ""
    licence_url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class CardPicture:
    url: str = ""
    width: int = 0
    height: int = 0
    #: The page with its author and licence.
    page_url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class FactValue:
    text: str = ""
    url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class Fact:
    #: On Wikidata, such as P57.
    property: str = ""
    label: str = ""
    values: List[FactValue] = list_of(FactValue)
    raw: Json = raw_json()


@dataclass(frozen=True)
class Link:
    name: str = ""
    url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class WikipediaCard:
    title: str = ""
    description: str = ""
    summary: str = ""
    url: str = ""
    lang: str = ""
    image: Optional[CardPicture] = optional(CardPicture)
    facts: List[Fact] = list_of(Fact)
    sources: List[Link] = list_of(Link)
    attribution: Attribution = object_of(Attribution)
    raw: Json = raw_json()


@dataclass(frozen=True)
class Sense:
    definition: str = ""
    examples: List[str] = field(default_factory=list)
    raw: Json = raw_json()


@dataclass(frozen=True)
class DictionaryEntry:
    part_of_speech: str = ""
    senses: List[Sense] = list_of(Sense)
    raw: Json = raw_json()


@dataclass(frozen=True)
class DictionaryCard:
    word: str = ""
    lang: str = ""
    language: str = ""
    entries: List[DictionaryEntry] = list_of(DictionaryEntry)
    url: str = ""
    attribution: Attribution = object_of(Attribution)
    raw: Json = raw_json()


@dataclass(frozen=True)
class AcceptedAnswer:
    text: str = ""
    code: str = ""
    score: int = 0
    author: str = ""
    url: str = ""
    raw: Json = raw_json()


@dataclass(frozen=True)
class StackexchangeCard:
    title: str = ""
    url: str = ""
    score: int = 0
    tags: List[str] = field(default_factory=list)
    asked_at: str = ""
    answer: AcceptedAnswer = object_of(AcceptedAnswer)
    attribution: Attribution = object_of(Attribution)
    raw: Json = raw_json()


@dataclass(frozen=True)
class BookCard:
    title: str = ""
    subtitle: str = ""
    authors: List[Link] = list_of(Link)
    first_published: Optional[int] = None
    editions: int = 0
    languages: List[str] = field(default_factory=list)
    cover_url: str = ""
    url: str = ""
    attribution: Attribution = object_of(Attribution)
    raw: Json = raw_json()


@dataclass(frozen=True)
class MapCard:
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
    attribution: Attribution = object_of(Attribution)
    raw: Json = raw_json()


@dataclass(frozen=True)
class CardsReply:
    """A kind is None if the query isn't about one; `meta.engines` tells that from a source that failed."""

    query: str = ""
    wikipedia: Optional[WikipediaCard] = optional(WikipediaCard)
    dictionary: Optional[DictionaryCard] = optional(DictionaryCard)
    stackexchange: Optional[StackexchangeCard] = optional(StackexchangeCard)
    book: Optional[BookCard] = optional(BookCard)
    map: Optional[MapCard] = optional(MapCard)
    meta: Meta = reply_meta()
    raw: Json = raw_json()
