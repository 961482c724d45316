"""Everything that the clients raise."""

from __future__ import annotations

import json
from typing import Any, TypedDict

import httpx2


class Problem(TypedDict):
    """What is wrong with one field. `loc`: for example `["body", "avatar_id"]`."""

    type: str
    loc: list[str | int]
    msg: str
    input: Any


class TroupeError(Exception):
    """Any error of this package."""


class ConnectionError(TroupeError):
    """The service could not be reached, or the connection broke."""


class TimeoutError(ConnectionError):
    """No answer in time."""


class WebhookVerificationError(TroupeError):
    """A webhook was not sent by the service, or not lately."""


class APIError(TroupeError):
    """The service refused the request."""

    def __init__(self, response: httpx2.Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        body = _json_object(response)
        self.body = body if body is not None else {"detail": response.text[:500]}
        self.is_from_proxy = body is None or "detail" not in body
        """A proxy in front of the service has answered: errors of the service have a `detail`."""
        detail = self.body.get("detail", "")
        self.problems: list[Problem] = detail if isinstance(detail, list) else []
        """Invalid fields; empty unless the status is 422."""
        self.code: str | None = self.body.get("code")
        """Stable name of the error; None from services before it was introduced."""
        self.advice: str | None = self.body.get("advice")
        """What to do about it."""
        docs = self.body.get("docs")
        self.docs: str | None = str(response.url.join(docs)) if isinstance(docs, str) else None
        """Address of the documentation about `code`."""
        self.request_id: str | None = response.headers.get("x-request-id")
        """Names the request in the log of the service."""
        super().__init__(f"{self.status} {_text_of(detail)}")


class BadRequestError(APIError):
    pass


class AuthenticationError(APIError):
    pass


class PaymentRequiredError(APIError):
    pass


class PermissionDeniedError(APIError):
    pass


class NotFoundError(APIError):
    pass


class ConflictError(APIError):
    pass


class ValidationError(APIError):
    pass


class RateLimitError(APIError):
    pass


class UnavailableError(APIError):
    """Status 503: every avatar worker is busy, or a part of the service is away."""


class ServerError(APIError):
    """Any other 5xx."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_of(response: httpx2.Response) -> APIError:
    """`response` must have been read."""
    fallback = ServerError if response.status_code >= 500 else APIError
    return _BY_STATUS.get(response.status_code, fallback)(response)


def json_of(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError as cause:
        raise ConnectionError("The answer is not JSON: is base_url right?") from cause


def _json_object(response: httpx2.Response) -> dict[str, Any] | None:
    try:
        body = json.loads(response.text)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _text_of(detail: Any) -> str:
    if not isinstance(detail, list):
        return str(detail)
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in detail)
