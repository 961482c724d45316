"""What one request is, and what its caller may say about it."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import IO, Any, Final, Literal, TypedDict
from urllib.parse import quote
from uuid import uuid4

from ._version import __version__
from .errors import TroupeError

_DEFAULT_URL = "http://127.0.0.1:8080"


class _NotGiven(Enum):
    NOT_GIVEN = "NOT_GIVEN"

    def __bool__(self) -> Literal[False]:
        return False


NotGiven = _NotGiven
NOT_GIVEN: Final = _NotGiven.NOT_GIVEN
"""The value of arguments that are left out. None is a value of its own: JSON's null."""


class RequestOptions(TypedDict, total=False):
    """Settings of one request, instead of those of the client."""

    timeout: float
    """Seconds."""
    max_retries: int
    idempotency_key: str
    """A repeat with the same key gets the answer of the first request. Default: a random one."""
    headers: Mapping[str, str]


@dataclass(frozen=True)
class RequestSpec:
    method: str
    path: str
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    form: dict[str, Any] | None = None
    content: bytes | None = None
    takes_key: bool = False
    """Whether the operation takes an Idempotency-Key."""


@dataclass(frozen=True)
class Settings:
    api_key: str
    base_url: str
    timeout: float
    max_retries: int
    headers: Mapping[str, str]
    # Time and chance, which tests replace.
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random


def settings_of(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    headers: Mapping[str, str] | None,
) -> Settings:
    key = api_key or os.environ.get("TROUPE_API_KEY")
    if not key:
        raise TroupeError("An API key is required: pass api_key, or set TROUPE_API_KEY.")
    url = base_url or os.environ.get("TROUPE_URL") or _DEFAULT_URL
    return Settings(key, url.rstrip("/"), timeout, max_retries, dict(headers or {}))


def segment(text: str) -> str:
    """A part of a path. An empty id would turn the request into another one."""
    if not text:
        raise TroupeError("The id is empty.")
    return quote(text, safe="")


def idempotency_key(spec: RequestSpec, options: RequestOptions) -> str | None:
    if not spec.takes_key:
        return None
    return options.get("idempotency_key") or str(uuid4())


def arguments_of(
    spec: RequestSpec, options: RequestOptions, settings: Settings, key: str | None
) -> dict[str, Any]:
    """Arguments for `build_request` of httpx2."""
    headers = {
        "accept": "application/json",
        "user-agent": f"troupe-sdk-python/{__version__}",
        "x-api-key": settings.api_key,
        **settings.headers,
        **options.get("headers", {}),
    }
    if key is not None:
        headers["idempotency-key"] = key
    body: dict[str, Any] = {}
    if spec.body is not None:
        headers["content-type"] = "application/json"
        body["content"] = json.dumps(_given(spec.body), allow_nan=False).encode()
    elif spec.form is not None:
        body["files"] = _form_parts(_given(spec.form))
    elif spec.content is not None:
        headers["content-type"] = "application/octet-stream"
        body["content"] = spec.content
    return {
        "method": spec.method,
        "url": settings.base_url + spec.path,
        "params": {
            name: _text_of(value) for name, value in _given(spec.query).items() if value is not None
        },
        "headers": headers,
        "timeout": options.get("timeout", settings.timeout),
        **body,
    }


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not NOT_GIVEN}


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _form_parts(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: (None, value) if isinstance(value, str) else (name, _bytes_of(value))
        for name, value in fields.items()
    }


def _bytes_of(content: bytes | IO[bytes]) -> bytes:
    """A retry sends the same bytes again, so a file is read once."""
    return content if isinstance(content, bytes) else content.read()
