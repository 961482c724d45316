"""Sends requests with asyncio: key, time limit and retries, as `_sync_transport` does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2

from ._events import AsyncSessionEvents, event_options
from ._options import RequestOptions, RequestSpec, Settings, arguments_of, idempotency_key
from ._pages import AsyncPages
from ._retries import may_retry, retry_delay
from .errors import ConnectionError, TimeoutError, TroupeError, error_of, json_of


class AsyncTransport:
    def __init__(
        self,
        settings: Settings,
        http: httpx2.AsyncClient,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._http = http
        self._sleep = sleep

    async def json(self, spec: RequestSpec, options: RequestOptions | None) -> Any:
        return json_of(await self.send(spec, options or {}))

    async def nothing(self, spec: RequestSpec, options: RequestOptions | None) -> None:
        await self.send(spec, options or {})

    async def raw(self, spec: RequestSpec, options: RequestOptions | None) -> httpx2.Response:
        """The answer as it is, unread, for bodies that are not JSON. Close it with `aclose`."""
        return await self.send(spec, options or {}, stream=True)

    def pages(self, spec: RequestSpec, options: RequestOptions | None) -> AsyncPages[Any]:
        return AsyncPages(lambda query: self.json(query, options), spec)

    def events(self, spec: RequestSpec, options: RequestOptions | None) -> AsyncSessionEvents:
        return AsyncSessionEvents(
            lambda: self.send(spec, event_options(options), stream=True),
            self._sleep,
            self._settings.chance,
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def send(
        self, spec: RequestSpec, options: RequestOptions, *, stream: bool = False
    ) -> httpx2.Response:
        settings = self._settings
        retries = options.get("max_retries", settings.max_retries)
        key = idempotency_key(spec, options)
        is_repeatable = spec.method != "POST" or key is not None
        arguments = arguments_of(spec, options, settings, key)
        tries = 0
        while True:
            tries += 1
            status = retry_after = None
            try:
                request = self._http.build_request(**arguments)
                response = await self._http.send(request, stream=stream)
                if response.is_success:
                    return response
                await response.aread()
                await response.aclose()
                error: TroupeError = error_of(response)
                status, retry_after = response.status_code, response.headers.get("retry-after")
            except httpx2.TimeoutException as cause:
                error = TimeoutError("No answer in time.")
                error.__cause__ = cause
            except httpx2.TransportError as cause:
                error = ConnectionError(f"The service cannot be reached: {cause}")
                error.__cause__ = cause
            if tries > retries or not may_retry(status, is_repeatable):
                raise error
            delay = retry_delay(tries, retry_after, settings.now(), settings.chance())
            if delay is None:
                raise error
            await self._sleep(delay)
