"""How many calls may be under way: fewer when a server asks to slow down, more again while all goes well.

In: what became of each call. Out: a place to wait in. Additive increase, multiplicative decrease, as in TCP.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Limiter:
    """At most `most` places; belongs to one event loop."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.places = float(most)
        """Places in force now, at least 1."""
        self._active = 0
        self._changed = 0.0
        self._quiet_until = 0.0
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def place(self) -> AsyncIterator[float]:
        """Waits for a free place and for the end of a pause; yields the time at which the call begins."""
        async with self._freed:
            await self._freed.wait_for(lambda: self._active < int(self.places))
            self._active += 1
        try:
            while (pause := self._quiet_until - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            yield time.monotonic()
        finally:
            async with self._freed:
                self._active -= 1
                self._freed.notify_all()

    def slower(self, began: float, pause: float) -> None:
        """Half the places from now on, and nobody begins for `pause` seconds.

        A burst of refusals counts once: those of calls that began before the last change are old news.
        """
        now = time.monotonic()
        self._quiet_until = max(self._quiet_until, now + pause)
        if began >= self._changed:
            self.places = max(1.0, self.places / 2)
            self._changed = now

    def faster(self) -> None:
        """One call went well: a full round of them opens one more place."""
        self.places = min(float(self.most), self.places + 1 / self.places)
