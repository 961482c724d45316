"""
A voice agent with unmodified published avatar plugins, in real jobs that the media server dispatches by AGENT_NAME. FACES maps each room
name to a `line` of Python from our documentation; LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET name the media server.

In each room it requests its avatar when the metadata become `begin`. When they become `listening`, it says a tone of two seconds, one of
a minute that it interrupts when the metadata become `speaking`, and one of a second; for a variant (`isVariant`) only the last. It leaves
when the metadata become `heard`. It prints events, one JSON line each.
"""

import asyncio
import json
import logging
import os
import time

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, JobExecutorType
from livekit.agents.voice.room_io import RoomInputOptions

from face import face_of, load
from tone import tone

# A busy machine takes ten times as long as an idle one.
PATIENCE_S = 180

FACES = json.loads(os.environ["FACES"])
for wanted in FACES.values():
    load(wanted["line"])

# The test waits for this log line: the media server knows the agent.
logging.basicConfig(level=logging.INFO)

server = AgentServer(
    job_executor_type=JobExecutorType.THREAD,
    num_idle_processes=0,
    load_fnc=lambda: 0.0,
    host="127.0.0.1",
    port=0,
)


@server.rtc_session(agent_name=os.environ["AGENT_NAME"])
async def converse(ctx: JobContext) -> None:
    room = ctx.job.room.name

    def tell(type: str, **event: object) -> None:
        print(json.dumps({"room": room, "type": type, **event}), flush=True)

    async def left() -> None:
        tell("left")

    # The framework has left the room before this callback.
    ctx.add_shutdown_callback(left)
    await ctx.connect()
    try:
        await play(ctx, tell)
    except Exception as error:
        tell("failed", error=repr(error))
        raise
    finally:
        ctx.shutdown()


def once_metadata_is(room, wanted: str) -> asyncio.Event:
    """Returns an event that is set when the room's metadata become `wanted`."""
    event = asyncio.Event()
    room.on("room_metadata_changed", lambda *_: event.set() if room.metadata == wanted else None)
    return event


async def play(ctx: JobContext, tell) -> None:
    may_begin = once_metadata_is(ctx.room, "begin")
    may_speak = once_metadata_is(ctx.room, "listening")
    may_interrupt = once_metadata_is(ctx.room, "speaking")
    dismissed = once_metadata_is(ctx.room, "heard")
    session = AgentSession()
    # Starting a job keeps a core busy. The test sends `begin` when a worker has a free slot.
    tell("connected")
    await may_begin.wait()
    wanted = FACES[ctx.room.name]
    face = face_of(wanted["line"])
    tell("asks", identity=face.identity, version=face.version)
    await face.avatar.start(session, room=ctx.room)
    await session.start(
        agent=Agent(instructions="You are a test."),
        room=ctx.room,
        room_input_options=RoomInputOptions(audio_enabled=False, close_on_disconnect=False),
    )
    finished: asyncio.Queue = asyncio.Queue()
    session.output.audio.on("playback_finished", finished.put_nowait)
    tell("ready")
    if hasattr(face.avatar, "set_emotion"):
        await face.avatar.set_emotion("happy")
    # A viewer without the sound track misses the beginning of a speech.
    await may_speak.wait()

    async def heard(what: str, began: float) -> None:
        event = await asyncio.wait_for(finished.get(), PATIENCE_S)
        tell(
            what,
            position=event.playback_position,
            interrupted=event.interrupted,
            after=time.monotonic() - began,
        )
        # Silence separates the utterances for the viewer.
        await asyncio.sleep(0.6)

    if not wanted["isVariant"]:
        began = time.monotonic()
        session.say("A tone of two seconds.", audio=tone(2))
        await heard("whole", began)

        session.say("A tone of a minute.", audio=tone(60))
        # A busy machine may need seconds until the tone is heard.
        await may_interrupt.wait()
        began = time.monotonic()
        await session.interrupt()
        await heard("cut", began)

    began = time.monotonic()
    session.say("A tone of one second.", audio=tone(1))
    await heard("last", began)
    # Leaving sooner cuts what the viewer's buffer still holds.
    await asyncio.wait_for(dismissed.wait(), PATIENCE_S)


asyncio.run(server.run(devmode=True))
