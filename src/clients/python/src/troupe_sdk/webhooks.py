"""Verifies deliveries as Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence

from ._generated.models import WebhookEvent
from .errors import WebhookVerificationError


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    *,
    secret: str | Sequence[str],
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """
    The event, if the service has signed this body lately; else raises WebhookVerificationError.

    `body`: exactly as received, before any JSON parser. `secret`: `whsec_...`; while it is
    rotated, both secrets. Deliveries may arrive twice: the header `webhook-id` is then the same.
    """
    names = {name.lower(): value for name, value in headers.items()}
    id = _header(names, "webhook-id")
    timestamp = _header(names, "webhook-timestamp")
    signatures = _header(names, "webhook-signature")
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("The header webhook-timestamp is not a time.")
    age = (time.time() if now is None else now) - int(timestamp)
    if abs(age) > tolerance_seconds:
        raise WebhookVerificationError(f"The delivery is {age:.0f} s old: compare the clocks.")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{id}.{timestamp}.".encode() + content
    right = [_signature(each, signed) for each in ([secret] if isinstance(secret, str) else secret)]
    given = [each.removeprefix("v1,").encode() for each in signatures.split() if each[:3] == "v1,"]
    if not any(hmac.compare_digest(one, other) for one in right for other in given):
        raise WebhookVerificationError(
            "No signature is right: check the secret, and that the body is as it was received."
        )
    event: WebhookEvent = json.loads(content)
    return event


def _signature(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookVerificationError("The secret is not a webhook secret (whsec_...).")
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing.")
    return value
