"""What can be in a batch. Generated from the OpenAPI document: run npm run docs."""

from typing import Literal

BatchEndpoint = Literal[
    "web",
    "images",
    "images/similar",
    "news",
    "videos",
    "science",
    "code",
    "maps",
    "translate",
    "translate/languages",
    "instant",
    "cards",
    "suggest",
    "mine",
    "read",
    "plan",
    "status",
    "key",
    "usage",
]
