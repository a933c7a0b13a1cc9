"""A small OpenAI-compatible server on loopback whose every answer is scripted, faults included.

    with FakeServer(lambda call: says("B")) as server: ... server.url ... server.calls

The script is a function of the call; a call knows its number, its body and the text of its last message.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Call:
    """One request as it came in."""

    number: int
    """0-based, in the order of arrival."""
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Say:
    """What goes back over the wire."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    seconds: float = 0.0
    """Waits first."""
    cut: int | None = None
    """Sends only so many bytes of the body it has promised, and hangs up."""
    hang_up: bool = False
    """Says nothing at all."""


def says(text: str | None, finish: str = "stop", seconds: float = 0.0, **message: Any) -> Say:
    """A well-formed completion; further keywords become fields of its message."""
    usage = {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102}
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, **message},
    }
    data = {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "fake-1",
        "choices": [choice],
        "usage": usage,
    }
    return Say(body=json.dumps(data).encode(), seconds=seconds)


def refuses(status: int, message: str = "no", code: str | None = None, param: str | None = None, **headers: str) -> Say:
    """An error as OpenAI words it; keywords are headers with `_` for `-`."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": code, "param": param}}).encode()
    extra = {name.replace("_", "-"): value for name, value in headers.items()}
    return Say(status=status, body=body, headers={"Content-Type": "application/json", **extra})


def too_many(seconds: str = "0") -> Say:
    """429 with Retry-After."""
    return refuses(429, "slow down", Retry_After=seconds)


def html(status: int = 200) -> Say:
    """A proxy's page."""
    return Say(status, b"<html><body>Bad gateway</body></html>", {"Content-Type": "text/html"})


def malformed() -> Say:
    """JSON that breaks off, in a body of full length."""
    return Say(body=b'{"id": "x", "choices": [{"mess')


def truncated() -> Say:
    """A good completion whose connection breaks half-way."""
    whole = says("B")
    return Say(body=whole.body, cut=len(whole.body) // 2)


def hangs_up() -> Say:
    """The connection is closed without a word."""
    return Say(hang_up=True)


class FakeServer:
    """Serves on a free port of 127.0.0.1 while its `with` block lasts."""

    def __init__(self, script: Callable[[Call], Say], port: int = 0) -> None:
        self.calls: list[Call] = []
        self.most_at_once = 0
        self._script, self._port = script, port
        self._active = 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> FakeServer:
        self._server = _server_of(self, self._port)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Say:
        """Notes the call and asks the script; sleeps as long as the script says."""
        with self._lock:
            call = Call(len(self.calls), path, headers, body)
            self.calls.append(call)
            self._active += 1
            self.most_at_once = max(self.most_at_once, self._active)
        try:
            say = self._script(call)
            time.sleep(say.seconds)
            return say
        finally:
            with self._lock:
                self._active -= 1


def _server_of(fake: FakeServer, port: int) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length) or b"{}")
            say = fake.answer(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            if say.hang_up:
                self.close_connection = True
                return
            self.send_response(say.status)
            for name, value in say.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(say.body)))
            self.end_headers()
            self.wfile.write(say.body if say.cut is None else say.body[: say.cut])
            if say.cut is not None:
                self.wfile.flush()
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that went away is no news."""

    return Server(("127.0.0.1", port), Handler)
