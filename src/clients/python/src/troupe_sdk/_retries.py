"""Which failures are tried again, and after which time. Pure."""

from __future__ import annotations

from datetime import timezone
from email.utils import parsedate_to_datetime

_FIRST_DELAY = 0.5
_LONGEST_DELAY = 8.0

# A longer wait is left to the caller.
_LONGEST_RETRY_AFTER = 60.0

# The service did not carry out what it answers with these.
_REFUSED = (429, 503)

# It may have carried it out.
_UNKNOWN = (408, 500, 502, 504)


def may_retry(status: int | None, is_repeatable: bool) -> bool:
    """
    `is_repeatable`: carrying the request out twice has the effect of once. `status`: None if
    there was no answer.
    """
    if status in _REFUSED:
        return True
    return is_repeatable and (status is None or status in _UNKNOWN)


def retry_delay(tries: int, retry_after: str | None, now: float, chance: float) -> float | None:
    """
    Seconds before the next try; None if the service asks for more patience than is sensible.
    `tries`: failed ones. `chance`: from 0 to 1.
    """
    asked = _seconds_of(retry_after, now)
    if asked is not None:
        return asked if asked <= _LONGEST_RETRY_AFTER else None
    return backoff(tries, chance)


def backoff(tries: int, chance: float) -> float:
    """Clients that failed together come back one by one."""
    delay: float = min(_LONGEST_DELAY, _FIRST_DELAY * 2 ** (tries - 1))
    return delay * (1 - chance / 4)


def _seconds_of(retry_after: str | None, now: float) -> float | None:
    """Seconds, or the time as an HTTP date."""
    if not retry_after:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, at.replace(tzinfo=at.tzinfo or timezone.utc).timestamp() - now)
