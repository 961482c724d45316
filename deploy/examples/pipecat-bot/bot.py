"""
A Pipecat bot that knows nothing of faces, and one request that gives it one: Troupe connects to the bot's websocket, as a client does, and
shows its voice in a room. Put your own speech recognition, language model and voice in the place of `Greeter`.
"""

import asyncio
import os
import wave
from pathlib import Path

from pipecat.frames.frames import Frame, TTSAudioRawFrame, TTSStartedFrame, TTSStoppedFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.serializers.protobuf import ProtobufFrameSerializer
from pipecat.transports.websocket.server import (
    SingleClientWebsocketServerParams,
    SingleClientWebsocketServerTransport,
)
from pipecat.workers.runner import WorkerRunner
from troupe_sdk import AsyncTroupe

HELLO = Path(__file__).parent.parent / "hello.wav"
RATE = 24_000
PORT = int(os.environ.get("BOT_PORT", "8765"))


class Greeter(FrameProcessor):
    """Says a recorded greeting. What the visitor says arrives here as InputAudioRawFrame."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)

    async def greet(self) -> None:
        with wave.open(str(HELLO)) as file:
            sound = file.readframes(file.getnframes())
        await self.push_frame(TTSStartedFrame())
        await self.push_frame(TTSAudioRawFrame(audio=sound, sample_rate=RATE, num_channels=1))
        await self.push_frame(TTSStoppedFrame())


async def open_session() -> None:
    async with AsyncTroupe() as troupe:
        session = await troupe.sessions.create(
            transport="botroom", avatar_id=os.environ.get("AVATAR", "nora"), url=f"ws://127.0.0.1:{PORT}"
        )
    viewer = os.environ.get("VIEWER_URL", "http://127.0.0.1:8090")
    room = session["room"]
    print(f"Watch at {viewer}/#url={room['url']}&token={room['viewer_token']}", flush=True)


async def main() -> None:
    transport = SingleClientWebsocketServerTransport(
        SingleClientWebsocketServerParams(
            serializer=ProtobufFrameSerializer(), audio_in_enabled=True, audio_out_enabled=True
        ),
        host="127.0.0.1",
        port=PORT,
    )
    greeter = Greeter()
    worker = PipelineWorker(
        Pipeline([transport.input(), greeter, transport.output()]),
        params=PipelineParams(audio_out_sample_rate=RATE),
        # A visitor may take a while.
        idle_timeout_secs=None,
    )
    tasks = set()

    def in_background(work) -> None:
        tasks.add(task := asyncio.create_task(work))
        task.add_done_callback(tasks.discard)

    @transport.event_handler("on_websocket_ready")
    async def on_websocket_ready(transport) -> None:
        in_background(open_session())

    @worker.rtvi.event_handler("on_client_ready")
    async def on_client_ready(rtvi) -> None:
        # The handler must return before more messages are read.
        in_background(greeter.greet())

    runner = WorkerRunner(handle_sigterm=True)
    await runner.add_workers(worker)
    await runner.run()


asyncio.run(main())
