"""The clients."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

import httpx2

from ._async_transport import AsyncTransport
from ._generated.async_resources import AsyncResources
from ._generated.resources import Resources
from ._options import settings_of
from ._sync_transport import Transport


class Troupe(Resources):
    """
    The client. Close it, or use it in a `with` statement.

    `api_key`: by default the environment variable TROUPE_API_KEY. `base_url`: the address of the
    service, by default TROUPE_URL or http://127.0.0.1:8080. `timeout`: seconds without an answer.
    `max_retries`: more tries after a failed one. `http_client`: with settings of your own, such
    as a proxy.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.Client | None = None,
    ) -> None:
        settings = settings_of(api_key, base_url, timeout, max_retries, headers)
        self._transport = Transport(settings, http_client or httpx2.Client())
        super().__init__(self._transport)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncTroupe(AsyncResources):
    """The client for asyncio. Its arguments are those of `Troupe`."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        settings = settings_of(api_key, base_url, timeout, max_retries, headers)
        self._transport = AsyncTransport(settings, http_client or httpx2.AsyncClient())
        super().__init__(self._transport)

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
