"""Makes src/bowerbird/asynchronous.py from client.py: run `python3 clients/python/make_asynchronous.py`.

A test fails while the two differ. client.py is written so that these replacements are enough.
"""

from __future__ import annotations

import re
from pathlib import Path

SOURCES = Path(__file__).parent / "src" / "bowerbird"

REPLACEMENTS = [
    (r'\A""".*?"""', '"""The methods of `client.py`, to await. Made from it by make_asynchronous.py: change that file instead."""'),
    (r"\bBowerbird\b", "AsyncBowerbird"),
    (r"\bIterator\b", "AsyncIterator"),
    (r"\bhttpx\.Client\b", "httpx.AsyncClient"),
    (r"\bwithin\b", "within_async"),
    (r"\n    def (?!__init__|with_options|pages|stream)", "\n    async def "),
    (r"\b__(enter|exit)__\b", r"__a\1__"),
    (r"\bself\.(_get|_search|_request|_open|_attempt|_read|close)\(", r"await self.\1("),
    (r"\bself\._http\.send\(", "await self._http.send("),
    (r"\b(response|self\._http)\.close\(\)", r"await \1.aclose()"),
    (r"\bfor chunk in self\._chunks\(", "async for chunk in self._chunks("),
    (r"\bresponse\.iter_bytes\(\)", "response.aiter_bytes()"),
    (r"\bchunks\.__next__\(\)", "await chunks.__anext__()"),
    (r"\bStopIteration\b", "StopAsyncIteration"),
    (r"\btime\.sleep\(", "await anyio.sleep("),
    (r"\nimport time\n", "\n"),
    (r"\nimport httpx\n", "\nimport anyio\nimport httpx\n"),
    (r"Leaving the loop early ends the search\.", "To leave the loop early, use `aclosing`."),
]


def asynchronous(client: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        client, count = re.subn(pattern, replacement, client, flags=re.DOTALL)
        assert count > 0, f"client.py has nothing like {pattern}"
    return client


if __name__ == "__main__":
    made = asynchronous((SOURCES / "client.py").read_text(encoding="utf-8"))
    (SOURCES / "asynchronous.py").write_text(made, encoding="utf-8")
