"""The asyncio client against the real service, whose address and key are in the environment."""

import asyncio
import unittest

from troupe_sdk import AsyncTroupe, NotFoundError, ValidationError


class AsyncClientTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.troupe = AsyncTroupe()
        self.addAsyncCleanup(self.troupe.close)

    async def test_opens_follows_and_ends_sessions(self) -> None:
        opened = await self.troupe.sessions.create(avatar_id="nora")
        kinds: list[str] = []
        async for event in self.troupe.sessions.events(opened["id"]):
            kinds.append(event["event"])
            if len(kinds) == 1:
                await self.troupe.sessions.end(opened["id"])
        self.assertEqual(kinds, ["session", "session.ended"])

    async def test_many_at_once(self) -> None:
        lists = [self.troupe.avatars.list(limit=1) for _ in range(10)]
        pages = await asyncio.gather(*(each.first() for each in lists))
        self.assertEqual([len(page.data) for page in pages], [1] * 10)

    async def test_pages(self) -> None:
        page = await self.troupe.avatars.list(limit=2)
        self.assertEqual((len(page.data), page.has_more), (2, True))
        found = [avatar["id"] async for avatar in self.troupe.avatars.list(limit=2)]
        self.assertEqual(found[:2], [avatar["id"] for avatar in page.data])
        self.assertGreater(len(found), 2)

    async def test_errors(self) -> None:
        with self.assertRaises(ValidationError):
            await self.troupe.calls.create(agent_id="a", user_email="nobody")
        with self.assertRaises(NotFoundError):
            await self.troupe.sessions.retrieve("none")
        with self.assertRaises(NotFoundError):
            async for _ in self.troupe.sessions.events("none"):
                self.fail("an event of nothing")

    async def test_streams_what_is_not_json(self) -> None:
        response = await self.troupe.export.create()
        size = sum([len(each) async for each in response.aiter_bytes()])
        self.assertGreater(size, 0)
        await response.aclose()


if __name__ == "__main__":
    unittest.main()
