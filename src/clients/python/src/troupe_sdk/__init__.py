"""Client of Troupe, the self-hosted avatar video service."""

from ._events import AsyncSessionEvents, SessionEvent, SessionEvents
from ._generated import models
from ._options import NOT_GIVEN, RequestOptions
from ._pages import AsyncPages, Page, Pages
from ._version import __version__
from .client import AsyncTroupe, Troupe
from .errors import (
    APIError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionError,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    Problem,
    RateLimitError,
    ServerError,
    TimeoutError,
    TroupeError,
    UnavailableError,
    ValidationError,
    WebhookVerificationError,
)
from .webhooks import verify_webhook

__all__ = [
    "NOT_GIVEN",
    "APIError",
    "AsyncPages",
    "AsyncSessionEvents",
    "AsyncTroupe",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionError",
    "NotFoundError",
    "Page",
    "Pages",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "Problem",
    "RateLimitError",
    "RequestOptions",
    "ServerError",
    "SessionEvent",
    "SessionEvents",
    "TimeoutError",
    "Troupe",
    "TroupeError",
    "UnavailableError",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "models",
    "verify_webhook",
]
