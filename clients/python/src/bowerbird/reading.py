"""How JSON becomes an object. Every object keeps the JSON it was read from in `raw`, with members newer than this client."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any, Type, TypeVar

from .errors import UnexpectedReplyError
from .meta import read_meta

Json = Any
Model = TypeVar("Model")


def read(kind: Type[Model], raw: Json, **own: Any) -> Model:
    """Members that are missing or null get their default; those that are unknown stay in `raw`."""
    if not isinstance(raw, dict):
        raise UnexpectedReplyError("The reply doesn't have the form that this version of the client knows.")
    values: dict[str, Any] = {}
    for member in fields(kind):
        value = raw.get(member.name)
        if value is None or member.name in ("raw", "meta"):
            continue
        list_kind, own_kind = member.metadata.get("list_of"), member.metadata.get("object_of")
        if list_kind is not None:
            value = [read(list_kind, item) for item in value]
        elif own_kind is not None:
            value = read(own_kind, value)
        values[member.name] = value
    return kind(**{**values, **own, "raw": raw})


def raw_json() -> Any:
    return field(default_factory=dict, repr=False, compare=False)


def reply_meta() -> Any:
    return field(default_factory=lambda: read_meta({}), repr=False, compare=False)


def list_of(kind: type) -> Any:
    return field(default_factory=list, metadata={"list_of": kind})


def object_of(kind: type) -> Any:
    return field(default_factory=kind, metadata={"object_of": kind})


def optional(kind: type) -> Any:
    """None if the member is null or missing."""
    return field(default=None, metadata={"object_of": kind})
