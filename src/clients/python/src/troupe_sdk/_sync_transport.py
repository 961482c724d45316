"""Sends requests: key, time limit and retries. `_async_transport` does the same with asyncio."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx2

from ._events import SessionEvents, event_options
from ._options import RequestOptions, RequestSpec, Settings, arguments_of, idempotency_key
from ._pages import Pages
from ._retries import may_retry, retry_delay
from .errors import ConnectionError, TimeoutError, TroupeError, error_of, json_of


class Transport:
    def __init__(
        self,
        settings: Settings,
        http: httpx2.Client,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings
        self._http = http
        self._sleep = sleep

    def json(self, spec: RequestSpec, options: RequestOptions | None) -> Any:
        return json_of(self.send(spec, options or {}))

    def nothing(self, spec: RequestSpec, options: RequestOptions | None) -> None:
        self.send(spec, options or {})

    def raw(self, spec: RequestSpec, options: RequestOptions | None) -> httpx2.Response:
        """The answer as it is, unread, for bodies that are not JSON. Close it."""
        return self.send(spec, options or {}, stream=True)

    def pages(self, spec: RequestSpec, options: RequestOptions | None) -> Pages[Any]:
        return Pages(lambda query: self.json(query, options), spec)

    def events(self, spec: RequestSpec, options: RequestOptions | None) -> SessionEvents:
        return SessionEvents(
            lambda: self.send(spec, event_options(options), stream=True),
            self._sleep,
            self._settings.chance,
        )

    def close(self) -> None:
        self._http.close()

    def send(
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
                response = self._http.send(self._http.build_request(**arguments), stream=stream)
                if response.is_success:
                    return response
                response.read()
                response.close()
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
            self._sleep(delay)
