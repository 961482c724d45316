"""Retries and time limits, with a network and a sleep of our own."""

import asyncio
import unittest
from collections.abc import Callable
from email.utils import formatdate

import httpx2

from troupe_sdk import (
    AsyncTroupe,
    ConnectionError,
    RateLimitError,
    TimeoutError,
    Troupe,
    TroupeError,
    UnavailableError,
)
from troupe_sdk._async_transport import AsyncTransport
from troupe_sdk._generated.async_resources import AsyncResources
from troupe_sdk._generated.resources import Resources
from troupe_sdk._options import Settings
from troupe_sdk._sync_transport import Transport

NOW = 1_767_268_800.0

Answer = httpx2.Response | Exception


class World:
    """Gives the answers one by one, and writes down requests and pauses."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[httpx2.Request] = []
        self.pauses: list[float] = []

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def client(self, retries: int = 2) -> Resources:
        http = httpx2.Client(transport=httpx2.MockTransport(self.answer))
        return Resources(Transport(settings(retries), http, self.pauses.append))

    def async_client(self) -> AsyncResources:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(self.answer))
        return AsyncResources(AsyncTransport(settings(2), http, self.pause))


def settings(retries: int) -> Settings:
    return Settings("a key", "http://troupe.example", 60, retries, {}, lambda: NOW, lambda: 0.0)


def reply(status: int, body: object, **headers: str) -> httpx2.Response:
    return httpx2.Response(
        status, json=body, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


BUSY = {"detail": "busy", "code": "at_capacity", "advice": "Wait.", "docs": "/docs/limits#at_capacity"}
PAGE = {"data": [], "has_more": False}


class RetryTest(unittest.TestCase):
    def both(self, make: Callable[[], World], call: str, *args: object, **more: object):
        """The world and the outcome of the sync client, which the async one must equal."""
        outcomes = []
        for run in (_run, _run_async):
            world = make()
            outcomes.append((world, run(world, call, args, more)))
        (first, one), (second, other) = outcomes
        self.assertEqual((repr(one), first.pauses), (repr(other), second.pauses))
        self.assertEqual(len(first.requests), len(second.requests))
        return first, one

    def test_tries_again_with_growing_pauses_under_one_key(self) -> None:
        world, opened = self.both(
            lambda: World(reply(503, BUSY), httpx2.ConnectError("broken"), reply(201, {"id": "s"})),
            "sessions.create",
            avatar_id="nora",
        )
        self.assertEqual(opened, {"id": "s"})
        self.assertEqual(world.pauses, [0.5, 1.0])
        keys = {request.headers["idempotency-key"] for request in world.requests}
        self.assertEqual([len(key) for key in keys], [36])

    def test_waits_as_long_as_the_service_asks(self) -> None:
        world, _ = self.both(
            lambda: World(
                reply(429, BUSY, retry_after="3"),
                reply(503, BUSY, retry_after=formatdate(NOW + 7, usegmt=True)),
                reply(200, PAGE),
            ),
            "account.retrieve",
        )
        self.assertEqual(world.pauses, [3.0, 7.0])

    def test_leaves_long_waits_to_the_caller(self) -> None:
        world, error = self.both(lambda: World(reply(429, BUSY, retry_after="120")), "account.retrieve")
        self.assertIsInstance(error, RateLimitError)
        self.assertEqual(world.pauses, [])

    def test_gives_up(self) -> None:
        world, error = self.both(lambda: World(*[reply(503, BUSY)] * 3), "account.retrieve")
        assert isinstance(error, UnavailableError)
        self.assertEqual((error.code, error.advice), ("at_capacity", "Wait."))
        self.assertEqual(error.docs, "http://troupe.example/docs/limits#at_capacity")
        self.assertEqual(len(world.requests), 3)

    def test_other_refusals_are_final(self) -> None:
        for status in (400, 401, 402, 403, 404, 409, 422, 501):
            with self.subTest(status):
                world, error = self.both(
                    lambda: World(reply(status, {"detail": "no"})), "account.retrieve"
                )
                self.assertEqual(str(error), f"{status} no")
                self.assertEqual(world.pauses, [])

    def test_without_a_key_only_refused_requests_are_repeated(self) -> None:
        for answer in (lambda: reply(500, {"detail": "oops"}), lambda: httpx2.ReadError("broken")):
            with self.subTest(answer()):
                world, error = self.both(lambda: World(answer()), "sessions.end", "s")
                self.assertIsInstance(error, TroupeError)
                self.assertEqual(world.pauses, [])
        world, _ = self.both(lambda: World(reply(503, BUSY), reply(200, {})), "sessions.end", "s")
        self.assertEqual(world.pauses, [0.5])

    def test_names_time_outs_and_broken_connections(self) -> None:
        broken = httpx2.ReadTimeout("too long")
        _, error = self.both(lambda: World(broken), "sessions.end", "s")
        self.assertIsInstance(error, TimeoutError)
        _, error = self.both(lambda: World(httpx2.ConnectError("refused")), "sessions.end", "s")
        self.assertEqual(str(error), "The service cannot be reached: refused")

    def test_shows_what_a_proxy_answers(self) -> None:
        _, error = self.both(
            lambda: World(httpx2.Response(502, text="<h1>Bad gateway</h1>")), "sessions.end", "s"
        )
        self.assertEqual(str(error), "502 <h1>Bad gateway</h1>")
        _, error = self.both(
            lambda: World(httpx2.Response(200, text="<h1>Hello</h1>")), "account.retrieve"
        )
        assert isinstance(error, ConnectionError)
        self.assertIn("is base_url right?", str(error))

    def test_sends_key_version_and_query(self) -> None:
        world = World(reply(200, PAGE))
        list(world.client().sessions.list(limit=3, status="ongoing"))
        (request,) = world.requests
        self.assertEqual(str(request.url), "http://troupe.example/v1/sessions?limit=3&status=ongoing")
        self.assertEqual(request.headers["x-api-key"], "a key")
        self.assertRegex(request.headers["user-agent"], r"^troupe-sdk-python/\d")

    def test_needs_a_key(self) -> None:
        for client in (Troupe, AsyncTroupe):
            with self.assertRaisesRegex(TroupeError, "pass api_key, or set TROUPE_API_KEY"):
                client()


def _call(resources: object, call: str) -> Callable[..., object]:
    for name in call.split("."):
        resources = getattr(resources, name)
    return resources  # type: ignore[return-value]


def _run(world: World, call: str, args: tuple, more: dict) -> object:
    try:
        return _call(world.client(), call)(*args, **more)
    except TroupeError as error:
        return error


def _run_async(world: World, call: str, args: tuple, more: dict) -> object:
    async def run() -> object:
        return await _call(world.async_client(), call)(*args, **more)  # type: ignore[misc]

    try:
        return asyncio.run(run())
    except TroupeError as error:
        return error


if __name__ == "__main__":
    unittest.main()
