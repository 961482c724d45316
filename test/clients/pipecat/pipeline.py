"""
A Pipecat pipeline with a published video service, created by LINE, a line of Python from our documentation. It follows STEPS, a list of
JSON objects, once the face is seen:
  {"say": seconds}                     says a rising tone, and goes on when it was heard and half a second of silence followed
  {"say": seconds, "cut": seconds}     interrupts it after so much of it was heard
  {"say": seconds, "lose": seconds}    goes on after so much of it was heard, and three seconds of silence
  {"say": seconds, "leave": seconds}   cancels the pipeline after so much of it was heard

If the avatar is in a LiveKit room, nothing comes out of the service: what was heard follows from its frames that tell of speaking.

It prints events, one JSON line each. At its end it writes what came out of the service to OUT: sound.pcm, mono, and events.json.
"""

import asyncio
import json
import os
import sys
import time
import zlib

import numpy
from loguru import logger
from pipecat.frames.frames import (
    EndFrame,
    Frame,
    InterruptionFrame,
    OutputAudioRawFrame,
    OutputImageRawFrame,
    OutputTransportReadyFrame,
    StartFrame,
    TTSAudioRawFrame,
    TTSStartedFrame,
    TTSStoppedFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.workers.runner import WorkerRunner

from pipecat_ojin import (
    OjinBotStartedSpeakingFrame,
    OjinBotStoppedSpeakingFrame,
    OjinFirstVideoFrame,
)

from video_service import service, tell

# Both services send this rate. From any other, their resamplers hold back the last 30 to 75 ms of an utterance.
RATE = 16_000
PIECE = RATE // 10
LOUD = 400
PAUSE_S = 0.5
LONG_PAUSE_S = 3
PATIENCE_S = 30
LINE = os.environ["LINE"]
OUT = os.environ["OUT"]


def tone(seconds: float) -> bytes:
    """Rises from 300 Hz by 100 Hz a second, so that any part reveals its position."""
    times = numpy.arange(round(seconds * RATE)) / RATE
    samples = 8000 * numpy.sin(2 * numpy.pi * (300 * times + 50 * times * times))
    return samples.round().astype("<i2").tobytes()


def speech(seconds: float) -> list[Frame]:
    """All at once, as a fast synthesiser does."""
    pcm = tone(seconds)
    pieces = [pcm[at : at + PIECE * 2] for at in range(0, len(pcm), PIECE * 2)]
    tell("says", seconds=seconds)
    return [TTSStartedFrame(), *(TTSAudioRawFrame(piece, RATE, 1) for piece in pieces), TTSStoppedFrame()]


def loudest(pcm: bytes) -> int:
    samples = numpy.frombuffer(pcm, "<i2").astype(int)
    return int(abs(samples).max(initial=0))


class Listener(FrameProcessor):
    """Stands where the transport's output would be."""

    def __init__(self) -> None:
        super().__init__()
        self.sound = bytearray()
        self.rate = 0
        # Milliseconds since the epoch, and a checksum.
        self.pictures: list[tuple[float, int]] = []
        # Milliseconds since the epoch, and seconds of sound.
        self.sounds: list[tuple[float, float, bool]] = []
        self.loud_s = 0.0
        # In a LiveKit room.
        self.is_shown = False
        self.spoken = 0
        self.speaking_since: float | None = None
        self.changed = asyncio.Event()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        now = time.time() * 1000
        if isinstance(frame, StartFrame):
            await self.push_frame(OutputTransportReadyFrame(), FrameDirection.UPSTREAM)
        elif isinstance(frame, OutputAudioRawFrame):
            self.sound += frame.audio
            self.rate = frame.sample_rate
            seconds = len(frame.audio) / 2 / frame.sample_rate
            is_loud = loudest(frame.audio) > LOUD
            self.loud_s += seconds if is_loud else 0
            self.sounds.append((now, seconds, is_loud))
        elif isinstance(frame, OutputImageRawFrame):
            self.pictures.append((now, zlib.crc32(frame.image)))
        elif isinstance(frame, OjinFirstVideoFrame):
            self.is_shown = True
        elif isinstance(frame, OjinBotStartedSpeakingFrame):
            self.speaking_since = now
        elif isinstance(frame, OjinBotStoppedSpeakingFrame) and self.speaking_since is not None:
            self.speaking_since = None
            self.spoken += 1
        self.changed.set()
        await self.push_frame(frame, direction)

    @property
    def quiet_s(self) -> float:
        """Since the last loud sound."""
        last = next((at for at, _, is_loud in reversed(self.sounds) if is_loud), 0)
        return time.time() - last / 1000

    @property
    def last_loud_at(self) -> float:
        return next((at for at, _, is_loud in reversed(self.sounds) if is_loud), 0)

    async def until(self, is_true, what: str) -> None:
        give_up = time.monotonic() + PATIENCE_S
        while not is_true():
            if time.monotonic() > give_up:
                raise TimeoutError(what)
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), 0.05)
            except asyncio.TimeoutError:
                pass


async def speak(worker: PipelineWorker, listener: Listener, step: dict) -> None:
    before = listener.loud_s
    await worker.queue_frames(speech(step["say"]))

    parts = [step[name] for name in ("cut", "lose", "leave") if name in step]
    wanted = parts[0] if parts else step["say"] - 0.1
    await listener.until(lambda: listener.loud_s - before >= wanted, f"{wanted} s of {step}")
    tell("heard")
    if "leave" in step:
        return await worker.cancel()
    if "cut" in step:
        cut_at = time.time() * 1000
        await worker.queue_frame(InterruptionFrame())
        await listener.until(lambda: listener.quiet_s > 1, "silence")
        tell("cut", after=listener.last_loud_at - cut_at)
    pause_s = LONG_PAUSE_S if "lose" in step else PAUSE_S
    await listener.until(lambda: listener.quiet_s > pause_s, "a pause")
    tell("said")


async def speak_in_room(worker: PipelineWorker, listener: Listener, step: dict) -> None:
    before = listener.spoken
    await worker.queue_frames(speech(step["say"]))
    if "cut" in step:
        await listener.until(lambda: listener.speaking_since is not None, "speech")
        await asyncio.sleep(step["cut"])
        tell("heard")
        await worker.queue_frame(InterruptionFrame())
    await listener.until(lambda: listener.spoken > before, f"the end of {step}")
    await asyncio.sleep(PAUSE_S)
    tell("said")


async def follow(worker: PipelineWorker, listener: Listener) -> None:
    try:
        await listener.until(lambda: listener.pictures or listener.is_shown, "a picture")
        tell("seen")
        for step in json.loads(os.environ["STEPS"]):
            await (speak if listener.pictures else speak_in_room)(worker, listener, step)
    except Exception as error:
        tell("failed", error=repr(error))
    await worker.queue_frame(EndFrame())


async def main() -> None:
    listener = Listener()
    worker = PipelineWorker(Pipeline([service(LINE), listener]), idle_timeout_secs=None)

    @worker.event_handler("on_pipeline_error")
    async def failed(_, frame) -> None:
        tell("error", text=frame.error, fatal=frame.fatal)
        if frame.fatal:
            await worker.cancel()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    tell("begins")
    following = asyncio.create_task(follow(worker, listener))
    await runner.run()
    following.cancel()
    with open(f"{OUT}/sound.pcm", "wb") as file:
        file.write(listener.sound)
    with open(f"{OUT}/events.json", "w") as file:
        json.dump({"rate": listener.rate, "pictures": listener.pictures, "sounds": listener.sounds}, file)
    tell("left")


logger.remove()
logger.add(sys.stderr, level="INFO")
asyncio.run(main())
