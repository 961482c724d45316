"""
A voice agent with an avatar plugin, in a real job that the media server dispatches: PLUGIN names it. The plugin's own settings point it at
Troupe (such as BEY_API_URL, BEY_API_KEY; LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET). In the first room it says a tone of three seconds, then
one of thirty that it interrupts. It prints what the avatar reported, one JSON line each, and leaves.
"""

import asyncio
import importlib
import json
import logging
import os

import numpy
from livekit import rtc
from livekit.agents import Agent, AgentServer, AgentSession, JobContext, JobExecutorType
from livekit.agents.voice.room_io import RoomInputOptions

plugin = importlib.import_module(f"livekit.plugins.{os.environ['PLUGIN']}")

# The sample rate of many speech synthesisers. Version 1.8.8 sends it unchanged, 1.8.9 resamples to 16 kHz first.
RATE = 24_000
FRAME = RATE // 50

# The test waits for this log line: the media server knows the agent.
logging.basicConfig(level=logging.INFO)

server = AgentServer(
    job_executor_type=JobExecutorType.THREAD,
    num_idle_processes=0,
    load_fnc=lambda: 0.0,
    host="127.0.0.1",
    port=0,
)


def tell(**event: object) -> None:
    print(json.dumps(event), flush=True)


async def tone(seconds: float):
    """Rises from 300 Hz by 100 Hz a second, so that any part reveals its position."""
    for frame in range(round(seconds * 50)):
        times = (frame * FRAME + numpy.arange(FRAME)) / RATE
        samples = 8000 * numpy.sin(2 * numpy.pi * (300 * times + 50 * times * times))
        yield rtc.AudioFrame(samples.round().astype("<i2").tobytes(), RATE, 1, FRAME)


@server.rtc_session()
async def converse(ctx: JobContext) -> None:
    await ctx.connect()
    session = AgentSession()
    avatar = plugin.AvatarSession()
    await avatar.start(session, room=ctx.room)
    await session.start(
        agent=Agent(instructions="You are a test."),
        room=ctx.room,
        room_input_options=RoomInputOptions(audio_enabled=False, close_on_disconnect=False),
    )
    finished: asyncio.Queue = asyncio.Queue()
    session.output.audio.on("playback_finished", finished.put_nowait)
    tell(type="ready")

    session.say("A tone of three seconds.", audio=tone(3))
    whole = await finished.get()
    tell(type="whole", position=whole.playback_position, interrupted=whole.interrupted)

    session.say("A tone of thirty seconds.", audio=tone(30))
    await asyncio.sleep(2.5)
    await session.interrupt()
    cut = await finished.get()
    tell(type="cut", position=cut.playback_position, interrupted=cut.interrupted)

    # As at the end of a job. The viewer still hears what is in flight.
    await asyncio.sleep(1)
    ctx.shutdown()
    tell(type="left")


asyncio.run(server.run(devmode=True))
