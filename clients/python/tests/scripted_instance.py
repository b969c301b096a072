"""An HTTP server that answers as a row of clients/behaviours.json says, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, Type

TABLE = json.loads((Path(__file__).parents[2] / "behaviours.json").read_text(encoding="utf-8"))


def behaviours() -> list[dict[str, Any]]:
    def resolve(value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            return resolve(TABLE["values"][value[1:]])
        if isinstance(value, list):
            return [resolve(item) for item in value]
        if isinstance(value, dict):
            return {name: resolve(member) for name, member in value.items()}
        return value

    rows: list[dict[str, Any]] = resolve(TABLE["cases"])
    return rows


@dataclass
class Received:
    line: str
    headers: dict[str, str]
    body: bytes


@dataclass
class ScriptedInstance:
    replies: list[dict[str, Any]]
    received: list[Received] = field(default_factory=list)
    is_closing: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> ScriptedInstance:
        instance, rest = self, list(self.replies)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                instance.received.append(Received(f"{self.command} {self.path}", headers, self.rfile.read(length)))
                self.close_connection = True
                instance.send(self, rest.pop(0) if rest else {"status": 599, "text": "There is no further reply."})

            do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.is_closing.set()
        self._server.shutdown()
        self._server.server_close()

    def send(self, handler: BaseHTTPRequestHandler, reply: dict[str, Any]) -> None:
        if reply.get("silent"):
            self.is_closing.wait(30)
            return
        if "status" in reply:
            is_json = "json" in reply
            defaults = {"content-type": "application/json; charset=utf-8"} if is_json else {}
            handler.send_response(reply["status"])
            # A client that isn't told would send its next request over the connection that is about to be closed.
            ours = {"transfer-encoding": "chunked", "connection": "close"}
            for name, value in {**defaults, **reply.get("headers", {}), **ours}.items():
                handler.send_header(name, value)
            handler.end_headers()
            body = _body_of(reply)
            size = reply.get("chunk_bytes") or len(body) or 1
            for at in range(0, len(body), size):
                piece = body[at : at + size]
                handler.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                handler.wfile.flush()
        if reply.get("stays_open"):
            self.is_closing.wait(30)
        elif reply.get("hang_up"):
            # What was written must get there first.
            time.sleep(0.05 if "status" in reply else 0)
            handler.connection.shutdown(socket.SHUT_RDWR)
        else:
            handler.wfile.write(b"0\r\n\r\n")


def _body_of(reply: dict[str, Any]) -> bytes:
    if "json" in reply:
        return json.dumps(reply["json"], ensure_ascii=False).encode()
    if "events" not in reply:
        return str(reply.get("text", "")).encode()
    end = reply.get("newline", "\n")
    events = [(sent["event"], json.dumps(sent["data"], ensure_ascii=False)) for sent in reply["events"]]
    return "".join(f"event: {event}{end}data: {data}{end}{end}" for event, data in events).encode()
