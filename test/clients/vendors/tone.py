"""Speech for tests."""

import array
import math
from collections.abc import AsyncIterator

from livekit import rtc

# The sample rate of many speech synthesisers.
RATE = 24_000
FRAME = RATE // 10
LONGEST = 12


def _place(i: int) -> int:
    t = i / RATE
    return round(8000 * math.sin(2 * math.pi * (300 * t + 50 * t * t)))


# Rises from 300 Hz by 100 Hz a second, so that any part reveals its position. Made once: agents share one interpreter.
_TONE = array.array("h", map(_place, range(LONGEST * RATE))).tobytes()


async def tone(seconds: float) -> AsyncIterator[rtc.AudioFrame]:
    """Pushes all frames at once, as a fast synthesiser does."""
    for frame in range(round(seconds * 10)):
        data = _TONE[frame * FRAME * 2 : (frame + 1) * FRAME * 2]
        yield rtc.AudioFrame(data, RATE, 1, FRAME)
