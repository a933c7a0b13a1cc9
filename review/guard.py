"""What every request has to pass and every answer carries, whatever the page behind it does.

In: an ASGI application. Out: the same, refusing strangers' hosts and origins and bodies that are too large, and
sending headers that let a browser run nothing but our own script, in no frame, and keep nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 64 * 1024
"""Bytes of a request's body."""
SAFE = ("GET", "HEAD")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Middleware."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        """`origins`: addresses (scheme, host, port) under which the page is known."""
        self.app, self.origins = app, frozenset(origins)
        self.hosts = frozenset(urlsplit(origin).netloc for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands the request on, or refuses it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], headers)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        app = PlainTextResponse(refusal[1], refusal[0]) if refusal else self.app
        await app(scope, _limited(receive), guarded)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """Status and reason; none if the request may pass."""
        if headers.get("host", "") not in self.hosts:
            return 421, "unknown host"
        # A browser names the origin of every form it sends: a page of somebody else cannot pretend to be ours.
        if method not in SAFE and headers.get("origin", "") not in self.origins:
            return 403, "refused: the request does not come from this page"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST:
            return 413, "too large"
        return None


def _limited(receive: Receive) -> Receive:
    """The body without what goes beyond the limit; a request that does not say its length cannot fill the memory."""
    got = 0

    async def limited() -> Message:
        nonlocal got
        message = await receive()
        if message["type"] == "http.request":
            got += len(message.get("body", b""))
            if got > LARGEST:
                return {"type": "http.disconnect"}
        return message

    return limited
