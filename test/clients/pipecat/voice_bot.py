"""
A Pipecat websocket bot that knows nothing of faces. To each client that is ready, it says what is in SPEECH (raw 16-bit PCM of RATE), and
then a tone of 30 s, which it interrupts after two. What it hears goes to HEARD (raw PCM): the first time that somebody speaks, up to half a
second of silence. It prints events, one JSON line each, and logs when it listens.
"""

import asyncio
import json
import os

import numpy
from loguru import logger
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    Frame,
    InputAudioRawFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from pipecat.transports.websocket.server import (
    SingleClientWebsocketServerParams,
    SingleClientWebsocketServerTransport,
)
from pipecat.workers.runner import WorkerRunner

PORT = int(os.environ["PORT"])
RATE = int(os.environ["RATE"])
SPEECH = os.environ["SPEECH"]
HEARD = os.environ["HEARD"]
CUT_S = 2
LOUD = 400
PAUSE_S = 0.5


def tell(type: str, **event: object) -> None:
    print(json.dumps({"type": type, **event}), flush=True)


def tone(seconds: int) -> bytes:
    """Rises from 300 Hz by 100 Hz a second, so that any part reveals its position."""
    times = numpy.arange(RATE * seconds) / RATE
    samples = 8000 * numpy.sin(2 * numpy.pi * (300 * times + 50 * times * times))
    return samples.round().astype("<i2").tobytes()


class Voice(FrameProcessor):
    """In the place of speech recognition, language model and synthesiser."""

    def __init__(self) -> None:
        super().__init__()
        self.stopped = asyncio.Event()
        self.heard = bytearray()
        self.silent_s = 0.0
        self.is_done = False

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, InputAudioRawFrame):
            self.hear(frame)
        if isinstance(frame, BotStoppedSpeakingFrame):
            self.stopped.set()
        await self.push_frame(frame, direction)

    def hear(self, frame: InputAudioRawFrame) -> None:
        samples = numpy.frombuffer(frame.audio, "<i2").astype(int)
        is_loud = abs(samples).max(initial=0) > LOUD
        if self.is_done or not (is_loud or self.heard):
            return
        self.heard += frame.audio
        self.silent_s = 0 if is_loud else self.silent_s + len(samples) / frame.sample_rate
        if self.silent_s < PAUSE_S:
            return
        self.is_done = True
        with open(HEARD, "wb") as file:
            file.write(self.heard)
        tell("heard", rate=frame.sample_rate, channels=frame.num_channels, bytes=len(frame.audio))

    async def say(self, pcm: bytes) -> None:
        self.stopped.clear()
        await self.push_frame(TTSStartedFrame())
        await self.push_frame(TTSAudioRawFrame(audio=pcm, sample_rate=RATE, num_channels=1))
        await self.push_frame(TTSStoppedFrame())


async def main() -> None:
    transport = SingleClientWebsocketServerTransport(
        SingleClientWebsocketServerParams(
            serializer=ProtobufFrameSerializer(), audio_in_enabled=True, audio_out_enabled=True
        ),
        host="127.0.0.1",
        port=PORT,
    )
    voice = Voice()
    worker = PipelineWorker(
        Pipeline([transport.input(), voice, transport.output()]),
        params=PipelineParams(audio_out_sample_rate=RATE),
    )

    async def converse() -> None:
        tell("ready")
        with open(SPEECH, "rb") as file:
            await voice.say(file.read())
        await voice.stopped.wait()
        tell("said")
        await voice.say(tone(30))
        await asyncio.sleep(CUT_S)
        await voice.broadcast_interruption()
        tell("interrupted")

    @worker.rtvi.event_handler("on_client_ready")
    async def on_client_ready(rtvi: object) -> None:
        # The handler must return before more messages are read.
        worker.conversing = asyncio.create_task(converse())

    @transport.event_handler("on_websocket_ready")
    async def on_websocket_ready(transport: object) -> None:
        logger.info("listening")

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(transport: object, websocket: object) -> None:
        tell("left")

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await runner.run()


asyncio.run(main())
