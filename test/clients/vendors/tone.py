"""Speech for tests."""

from collections.abc import AsyncIterator

import numpy
from livekit import rtc

# The sample rate of many speech synthesisers.
RATE = 24_000
FRAME = RATE // 10
LONGEST = 60

# Rises from 300 Hz by 100 Hz a second, so that any part reveals its position. Made once: agents share one interpreter.
_TIMES = numpy.arange(LONGEST * RATE) / RATE
_TONE = (8000 * numpy.sin(2 * numpy.pi * (300 * _TIMES + 50 * _TIMES * _TIMES))).round().astype("<i2").tobytes()


async def tone(seconds: float) -> AsyncIterator[rtc.AudioFrame]:
    """Pushes all frames at once, as a fast synthesiser does."""
    for frame in range(round(seconds * 10)):
        data = _TONE[frame * FRAME * 2 : (frame + 1) * FRAME * 2]
        yield rtc.AudioFrame(data, RATE, 1, FRAME)
