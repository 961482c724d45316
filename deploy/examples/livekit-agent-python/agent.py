"""A LiveKit voice agent with a face. It greets everybody; with OPENAI_API_KEY it also listens and answers."""

import os
from pathlib import Path

from livekit.agents import Agent, AgentServer, AgentSession, JobContext, cli
from livekit.agents.utils.audio import audio_frames_from_file
from livekit.plugins import troupe

HELLO = Path(__file__).parent.parent / "hello.wav"

server = AgentServer()


def voice_session() -> AgentSession:
    if not os.environ.get("OPENAI_API_KEY"):
        return AgentSession()
    from livekit.plugins import openai

    return AgentSession(stt=openai.STT(), llm=openai.LLM(), tts=openai.TTS())


@server.rtc_session()
async def converse(ctx: JobContext) -> None:
    await ctx.connect()
    session = voice_session()

    # Before the session, so that the first sentence has a face.
    avatar = troupe.AvatarSession(avatar_id=os.environ.get("AVATAR", "nora"))
    await avatar.start(session, room=ctx.room)

    await session.start(agent=Agent(instructions="You are Nora. Answer in a sentence."), room=ctx.room)
    session.say("Hello! I am Nora. How are you?", audio=audio_frames_from_file(str(HELLO)))


if __name__ == "__main__":
    cli.run_app(server)
