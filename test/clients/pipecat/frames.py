"""
Prints the frames of test/fixtures/pipecat/frames.json as pipecat-ai writes them, by name in hex. Reads lines of hex from standard input
first, and prints what pipecat-ai reads in them.
"""

import asyncio
import json
import sys

from pipecat.frames.frames import (
    InterruptionFrame,
    OutputAudioRawFrame,
    OutputTransportMessageUrgentFrame,
    TextFrame,
    TranscriptionFrame,
)
from pipecat.serializers.protobuf import ProtobufFrameSerializer

AT = "2026-01-01T12:00:00+00:00"
FRAMES = {
    "text": TextFrame(text="Grüß dich"),
    "audio": OutputAudioRawFrame(audio=b"\x01\x00\xff\x7f", sample_rate=24000, num_channels=1),
    "transcription": TranscriptionFrame(text="hello", user_id="ada", timestamp=AT),
    "message": OutputTransportMessageUrgentFrame(message={"label": "rtvi-ai", "type": "bot-stopped-speaking"}),
    "interruption": InterruptionFrame(),
}


def facts(frame):
    """The fields that cross the wire."""
    known = {"type": type(frame).__name__}
    for field in ("text", "user_id", "timestamp", "message", "sample_rate", "num_channels"):
        if hasattr(frame, field):
            known[field] = getattr(frame, field)
    if hasattr(frame, "audio"):
        known["audio"] = frame.audio.hex()
    return known


async def main():
    serializer = ProtobufFrameSerializer()
    read = [facts(await serializer.deserialize(bytes.fromhex(line))) for line in sys.stdin]
    for number, frame in enumerate(FRAMES.values()):
        # 64 bits on purpose.
        frame.id, frame.name = 2**40 + number, f"frame#{number}"
    written = {name: (await serializer.serialize(frame)).hex() for name, frame in FRAMES.items()}
    print(json.dumps({"written": written, "read": read}))


asyncio.run(main())
