"""Lists in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ._options import RequestSpec

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    data: list[Item]
    has_more: bool
    next_cursor: str | None


class Pages(Generic[Item]):
    """Iterates all items. Pages are fetched when they are needed."""

    def __init__(self, fetch: Callable[[RequestSpec], Any], spec: RequestSpec) -> None:
        self._fetch = fetch
        self._spec = spec

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data

    def first(self) -> Page[Item]:
        """Only the first page."""
        return next(iter(self.pages()))

    def pages(self) -> Iterator[Page[Item]]:
        """Iterates pages instead of items."""
        page: Page[Item] = _page_of(self._fetch(self._spec))
        yield page
        while page.next_cursor is not None:
            page = _page_of(self._fetch(_after(self._spec, page.next_cursor)))
            yield page


class AsyncPages(Generic[Item]):
    """Iterates all items, or awaits the first page."""

    def __init__(self, fetch: Callable[[RequestSpec], Awaitable[Any]], spec: RequestSpec) -> None:
        self._fetch = fetch
        self._spec = spec

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item

    def __await__(self) -> Generator[Any, None, Page[Item]]:
        return self.first().__await__()

    async def first(self) -> Page[Item]:
        """Only the first page."""
        return _page_of(await self._fetch(self._spec))

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Iterates pages instead of items."""
        page: Page[Item] = await self.first()
        yield page
        while page.next_cursor is not None:
            page = _page_of(await self._fetch(_after(self._spec, page.next_cursor)))
            yield page


def _after(spec: RequestSpec, cursor: str) -> RequestSpec:
    return replace(spec, query={**spec.query, "cursor": cursor})


def _page_of(body: dict[str, Any]) -> Page[Any]:
    return Page(body["data"], body["has_more"], body.get("next_cursor"))
