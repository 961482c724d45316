"""
Any text-to-speech gets a face by a plain audio track: no plugin, no agent framework. It says a recorded greeting; with OPENAI_API_KEY it then
says each line that you type. `synthesise` is all that another voice (ElevenLabs, Azure, Piper...) must replace.
"""

import asyncio
import os
import sys
import wave
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
from livekit import rtc
from troupe_sdk import AsyncTroupe

HELLO = Path(__file__).parent.parent / "hello.wav"
RATE = 24_000
FRAME = RATE // 50


async def synthesise(text: str) -> AsyncIterator[bytes]:
    """16-bit mono PCM at RATE, in pieces as they come."""
    base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    headers = {"authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    body = {"model": "gpt-4o-mini-tts", "voice": "alloy", "input": text, "response_format": "pcm"}
    async with httpx2.AsyncClient(timeout=30) as client:
        async with client.stream("POST", f"{base}/audio/speech", headers=headers, json=body) as answer:
            answer.raise_for_status()
            async for piece in answer.aiter_bytes():
                yield piece


async def recorded(path: Path) -> AsyncIterator[bytes]:
    with wave.open(str(path)) as file:
        yield file.readframes(file.getnframes())


async def say(source: rtc.AudioSource, sound: AsyncIterator[bytes]) -> None:
    """Waits until all of it has been sent: a track runs in real time."""
    rest = b""
    async for piece in sound:
        rest += piece
        while len(rest) >= 2 * FRAME:
            await source.capture_frame(rtc.AudioFrame(rest[: 2 * FRAME], RATE, 1, FRAME))
            rest = rest[2 * FRAME :]
    await source.wait_for_playout()


async def publish(room: rtc.Room) -> rtc.AudioSource:
    # Viewers hear the avatar, so they must not hear the voice as well.
    room.local_participant.set_track_subscription_permissions(
        allow_all_participants=False,
        participant_permissions=[rtc.ParticipantTrackPermission(participant_identity="troupe-avatar", allow_all=True)],
    )
    source = rtc.AudioSource(RATE, 1)
    track = rtc.LocalAudioTrack.create_audio_track("voice", source)
    options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
    publication = await room.local_participant.publish_track(track, options)
    await publication.wait_for_subscription()
    return source


async def main() -> None:
    async with AsyncTroupe() as troupe:
        session = await troupe.sessions.create(avatar_id=os.environ.get("AVATAR", "nora"))
        given = session["room"]
        room = rtc.Room()
        viewer_came = asyncio.Event()
        room.on("participant_connected", lambda one: one.identity != "troupe-avatar" and viewer_came.set())
        await room.connect(given["url"], given["agent_token"])
        source = await publish(room)

        viewer = os.environ.get("VIEWER_URL", "http://127.0.0.1:8090")
        print(f"Watch at {viewer}/#url={given['url']}&token={given['viewer_token']}", flush=True)
        await viewer_came.wait()
        await say(source, recorded(HELLO))
        if os.environ.get("OPENAI_API_KEY"):
            print("Type what Nora should say.", flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                await say(source, synthesise(line))
        # Sound is still on its way to the viewer.
        await asyncio.sleep(1)
        await room.disconnect()


asyncio.run(main())
