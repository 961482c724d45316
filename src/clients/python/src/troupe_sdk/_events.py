"""
Follows a session by server-sent events. Every stream of the service begins with the current
state, so a broken one is simply opened again; a state that was told already is not told twice.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypedDict, cast

import httpx2

from ._options import RequestOptions
from ._retries import backoff
from .errors import APIError, ConnectionError, TroupeError

if TYPE_CHECKING:
    from ._generated.models import Session


class SessionEvent(TypedDict):
    event: Literal["session", "session.started", "session.ended"]
    """`session`: the state when the stream began."""
    data: Session


# The service sends something every 15 seconds.
_SILENCE_SECONDS = 45.0

# Broken streams in a row, without news or a sign of life between them.
_MAX_BREAKS = 5


def event_options(options: RequestOptions | None) -> RequestOptions:
    """With the longest silence of a stream as its time limit."""
    given = options or {}
    headers = {**given.get("headers", {}), "accept": "text/event-stream"}
    return {**given, "timeout": _SILENCE_SECONDS, "headers": headers}


class _Parser:
    """Lines of a stream become events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

    def __init__(self) -> None:
        self._event = ""
        self._data: list[str] = []

    def feed(self, line: str) -> SessionEvent | None:
        if line:
            name, _, value = line.partition(":")
            if name == "event":
                self._event = value.removeprefix(" ")
            elif name == "data":
                self._data.append(value.removeprefix(" "))
            return None
        event, data = self._event, self._data
        self._event, self._data = "", []
        if not data:
            return None
        return cast("SessionEvent", {"event": event, "data": json.loads("\n".join(data))})


class _Progress:
    """What was told, and how often the stream broke since."""

    def __init__(self) -> None:
        self._told = ""
        self._breaks = 0

    def is_news(self, event: SessionEvent) -> bool:
        state = event["data"]["status"]["type"]
        if state == self._told:
            return False
        self._told = state
        self._breaks = 0
        return True

    def lasts(self) -> None:
        self._breaks = 0

    @property
    def is_over(self) -> bool:
        return self._told == "completed"

    def pause_after_break(self, chance: float, cause: Exception | None) -> float:
        self._breaks += 1
        if self._breaks > _MAX_BREAKS:
            if isinstance(cause, TroupeError):
                raise cause
            raise ConnectionError("The event stream breaks again and again.") from cause
        return backoff(self._breaks, chance)


def _is_break(error: Exception) -> bool:
    if isinstance(error, APIError):
        # A proxy answers so while the service behind it starts.
        return error.is_from_proxy and error.status >= 502
    return True


class SessionEvents:
    """Iterates the events of a session until it is completed."""

    def __init__(
        self,
        open: Callable[[], httpx2.Response],
        sleep: Callable[[float], None],
        chance: Callable[[], float],
    ) -> None:
        self._open = open
        self._sleep = sleep
        self._chance = chance

    def __iter__(self) -> Iterator[SessionEvent]:
        progress = _Progress()
        while True:
            cause: Exception | None = None
            try:
                response = self._open()
                try:
                    parser = _Parser()
                    for line in response.iter_lines():
                        if line.startswith(":"):
                            progress.lasts()
                        event = parser.feed(line)
                        if event is None or not progress.is_news(event):
                            continue
                        yield event
                        if progress.is_over:
                            return
                finally:
                    response.close()
            except (httpx2.TransportError, ConnectionError, APIError) as error:
                if not _is_break(error):
                    raise
                cause = error
            self._sleep(progress.pause_after_break(self._chance(), cause))


class AsyncSessionEvents:
    """Iterates the events of a session until it is completed."""

    def __init__(
        self,
        open: Callable[[], Awaitable[httpx2.Response]],
        sleep: Callable[[float], Awaitable[None]],
        chance: Callable[[], float],
    ) -> None:
        self._open = open
        self._sleep = sleep
        self._chance = chance

    async def __aiter__(self) -> AsyncIterator[SessionEvent]:
        progress = _Progress()
        while True:
            cause: Exception | None = None
            try:
                response = await self._open()
                try:
                    parser = _Parser()
                    async for line in response.aiter_lines():
                        if line.startswith(":"):
                            progress.lasts()
                        event = parser.feed(line)
                        if event is None or not progress.is_news(event):
                            continue
                        yield event
                        if progress.is_over:
                            return
                finally:
                    await response.aclose()
            except (httpx2.TransportError, ConnectionError, APIError) as error:
                if not _is_break(error):
                    raise
                cause = error
            await self._sleep(progress.pause_after_break(self._chance(), cause))
