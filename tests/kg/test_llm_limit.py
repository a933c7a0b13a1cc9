"""The number of calls under way follows what the server can take."""

from __future__ import annotations

import asyncio
import time

from kg.llm_limit import Limiter


async def crowd(limiter: Limiter, people: int, seconds: float = 0.01) -> int:
    """The most that were inside at once."""
    inside = most = 0

    async def visit() -> None:
        nonlocal inside, most
        async with limiter.place():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(seconds)
            inside -= 1

    await asyncio.gather(*(visit() for _ in range(people)))
    return most


def test_no_more_than_the_limit_are_inside() -> None:
    async def go() -> int:
        return await crowd(Limiter(3), 12)

    assert asyncio.run(go()) == 3


def test_a_refusal_halves_the_places_and_a_burst_counts_once() -> None:
    async def go() -> tuple[float, int]:
        limiter = Limiter(8)
        async with limiter.place() as began:
            for _ in range(5):
                limiter.slower(began, 0)
        return limiter.places, await crowd(limiter, 20)

    assert asyncio.run(go()) == (4.0, 4)


def test_there_is_always_one_place() -> None:
    limiter = Limiter(2)
    for _ in range(10):
        limiter.slower(time.monotonic(), 0)
    assert limiter.places == 1.0


def test_a_round_without_refusals_opens_one_more_place_up_to_the_most() -> None:
    limiter = Limiter(4)
    limiter.slower(time.monotonic(), 0)
    limiter.faster()
    limiter.faster()
    assert 2.8 < limiter.places < 3.1
    for _ in range(50):
        limiter.faster()
    assert limiter.places == 4.0


def test_nobody_begins_during_a_pause() -> None:
    async def go() -> float:
        limiter = Limiter(4)
        began = time.monotonic()
        limiter.slower(began, 0.2)
        await crowd(limiter, 1, 0)
        return time.monotonic() - began

    assert asyncio.run(go()) >= 0.2
