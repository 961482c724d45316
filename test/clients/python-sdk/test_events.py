"""Event streams that break, with a network and a sleep of our own."""

import asyncio
import json
import unittest
from collections.abc import AsyncIterator, Iterator

import httpx2

from test_transport import World
from troupe_sdk import ConnectionError, NotFoundError, ServerError


class Stream(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """Its parts, then the end or a broken connection."""

    def __init__(self, *parts: str, breaks: bool = False) -> None:
        self._parts = parts
        self._breaks = breaks

    def __iter__(self) -> Iterator[bytes]:
        yield from (part.encode() for part in self._parts)
        if self._breaks:
            raise httpx2.ReadError("broken")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


def event(name: str, status: str) -> str:
    return f"event: {name}\ndata: {json.dumps({'id': 's', 'status': {'type': status}})}\n\n"


def opened(*parts: str, breaks: bool = False) -> httpx2.Response:
    return httpx2.Response(200, stream=Stream(*parts, breaks=breaks))


def proxy() -> httpx2.Response:
    return httpx2.Response(502, text="<h1>Bad gateway</h1>")


def follow(world: World) -> list[str]:
    return [
        f"{told['event']} {told['data']['status']['type']}"
        for told in world.client().sessions.events("s")
    ]


def follow_async(world: World) -> list[str]:
    async def run() -> list[str]:
        return [
            f"{told['event']} {told['data']['status']['type']}"
            async for told in world.async_client().sessions.events("s")
        ]

    return asyncio.run(run())


class EventTest(unittest.TestCase):
    def test_goes_on_after_breaks_without_repeats(self) -> None:
        for run in (follow, follow_async):
            world = World(
                opened(event("session", "to_start"), ": still here\n\n", breaks=True),
                opened(event("session", "to_start")),
                opened(event("session", "ongoing")[:20], event("session", "ongoing")[20:]),
                opened(event("session", "ongoing") + event("session.ended", "completed")),
            )
            with self.subTest(run.__name__):
                self.assertEqual(
                    run(world), ["session to_start", "session ongoing", "session.ended completed"]
                )
                self.assertEqual(world.pauses, [0.5, 1.0, 0.5])
                accepted = {request.headers["accept"] for request in world.requests}
                self.assertEqual(accepted, {"text/event-stream"})

    def test_gives_up_after_five_breaks(self) -> None:
        for run in (follow, follow_async):
            world = World(*[opened(breaks=True) for _ in range(6)])
            with self.subTest(run.__name__), self.assertRaises(ConnectionError):
                run(world)
            self.assertEqual(world.pauses, [0.5, 1.0, 2.0, 4.0, 8.0])

    def test_goes_on_after_a_proxy_has_answered_for_a_while(self) -> None:
        for run in (follow, follow_async):
            world = World(
                opened(event("session", "ongoing")),
                *[proxy() for _ in range(6)],
                opened(event("session.ended", "completed")),
            )
            with self.subTest(run.__name__):
                self.assertEqual(run(world), ["session ongoing", "session.ended completed"])

    def test_ends_with_the_answer_of_a_proxy_that_stays(self) -> None:
        for run in (follow, follow_async):
            world = World(*[proxy() for _ in range(18)])
            with self.subTest(run.__name__), self.assertRaises(ServerError):
                run(world)
            self.assertEqual(len(world.requests), 18)

    def test_ends_at_once_when_the_service_refuses(self) -> None:
        for run in (follow, follow_async):
            # The request itself is tried three times after a 504.
            for status, error, count in ((404, NotFoundError, 1), (504, ServerError, 3)):
                world = World(*[httpx2.Response(status, json={"detail": "no"})] * 3)
                with self.subTest(run.__name__, status=status), self.assertRaises(error):
                    run(world)
                self.assertEqual(len(world.requests), count)


if __name__ == "__main__":
    unittest.main()
