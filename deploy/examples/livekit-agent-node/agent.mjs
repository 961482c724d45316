/*
 * A LiveKit voice agent with a face. It greets each participant; with OPENAI_API_KEY it also
 * listens and answers.
 */
import { fileURLToPath } from 'node:url';
import { audioFramesFromFile, cli, defineAgent, ServerOptions, voice } from '@livekit/agents';
import * as troupe from '@troupe/livekit-plugin';

const HELLO = fileURLToPath(new URL('../hello.wav', import.meta.url));

async function voiceSession() {
  if (!process.env.OPENAI_API_KEY) return new voice.AgentSession({});
  const openai = await import('@livekit/agents-plugin-openai');
  return new voice.AgentSession({
    stt: new openai.STT(),
    llm: new openai.LLM(),
    tts: new openai.TTS(),
  });
}

export default defineAgent({
  async entry(ctx) {
    await ctx.connect();
    const session = await voiceSession();

    // Before the session, so that the first sentence has a face.
    const avatar = new troupe.AvatarSession({ avatarId: process.env.AVATAR ?? 'nora' });
    await avatar.start(session, ctx.room);

    const agent = new voice.Agent({ instructions: 'You are Nora. Answer in a sentence.' });
    await session.start({ agent, room: ctx.room });
    session.say('Hello! I am Nora. How are you?', {
      audio: audioFramesFromFile(HELLO),
    });
  },
});

// The framework imports this file again in each job.
if (process.argv[1] === fileURLToPath(import.meta.url))
  cli.runApp(new ServerOptions({ agent: fileURLToPath(import.meta.url) }));
