"""
A Pipecat pipeline with a published video service, created by LINE, behind Pipecat's SmallWebRTC transport. It serves a page that joins it,
and says SPEECH (raw 16-bit PCM of 16 kHz) at each POST /say, which answers when Pipecat reports that the bot has stopped speaking, and a
pause followed. It prints events, one JSON line each.
"""

import asyncio
import os
import sys
from pathlib import Path

from aiohttp import web
from loguru import logger
from pipecat.frames.frames import BotStoppedSpeakingFrame, Frame, TTSAudioRawFrame, TTSStartedFrame, TTSStoppedFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.transports.base_transport import TransportParams
from pipecat.transports.smallwebrtc.connection import SmallWebRTCConnection
from pipecat.transports.smallwebrtc.transport import SmallWebRTCTransport
from pipecat.workers.runner import WorkerRunner

from video_service import service, tell

RATE = 16_000
PIECE_BYTES = RATE // 10 * 2
# Between turns of a conversation.
PAUSE_S = 1
LINE = os.environ["LINE"]
SPEECH = Path(os.environ["SPEECH"]).read_bytes()
PAGE = Path(__file__).with_name("webrtc.html")

# As documented on /docs/coming-from.
PARAMS = TransportParams(
    audio_out_enabled=True,
    audio_out_sample_rate=48_000,
    video_out_enabled=True,
    video_out_is_live=True,
    video_out_width=512,
    video_out_height=512,
)


class Voice(FrameProcessor):
    """In the place of language model and synthesiser."""

    def __init__(self) -> None:
        super().__init__()
        self.stopped = asyncio.Event()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, BotStoppedSpeakingFrame):
            self.stopped.set()
        await self.push_frame(frame, direction)

    async def say(self) -> None:
        self.stopped.clear()
        await self.push_frame(TTSStartedFrame())
        for at in range(0, len(SPEECH), PIECE_BYTES):
            await self.push_frame(TTSAudioRawFrame(SPEECH[at : at + PIECE_BYTES], RATE, 1))
        await self.push_frame(TTSStoppedFrame())
        await self.stopped.wait()
        await asyncio.sleep(PAUSE_S)


class Bot:
    """For one person."""

    def __init__(self) -> None:
        self.voice = Voice()
        self.running: asyncio.Task | None = None

    async def page(self, request: web.Request) -> web.FileResponse:
        return web.FileResponse(PAGE)

    async def offer(self, request: web.Request) -> web.Response:
        offer = await request.json()
        connection = SmallWebRTCConnection()
        await connection.initialize(sdp=offer["sdp"], type=offer["type"])
        self.running = asyncio.create_task(self.run(connection))
        return web.json_response(connection.get_answer())

    async def say(self, request: web.Request) -> web.Response:
        await self.voice.say()
        return web.Response()

    async def run(self, connection: SmallWebRTCConnection) -> None:
        transport = SmallWebRTCTransport(connection, PARAMS)
        pipeline = Pipeline([transport.input(), self.voice, service(LINE), transport.output()])
        worker = PipelineWorker(pipeline, idle_timeout_secs=None)

        @worker.event_handler("on_pipeline_error")
        async def failed(_, frame) -> None:
            tell("failed", error=frame.error)

        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(worker)
        await runner.run()


async def main() -> None:
    bot = Bot()
    app = web.Application()
    app.add_routes([web.get("/", bot.page), web.post("/offer", bot.offer), web.post("/say", bot.say)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    tell("listens", port=runner.addresses[0][1])
    await asyncio.Event().wait()


logger.remove()
logger.add(sys.stderr, level="INFO")
asyncio.run(main())
