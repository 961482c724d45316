/*
 * A voice agent with the unmodified published plugin, outside of a job. Its own settings point it at Troupe (BEY_API_URL, BEY_API_KEY;
 * LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET). Takes commands over IPC:
 *   {"say": seconds}   says a sound of that length      {"interrupt": true}      {"leave": true}
 * and sends events the same way: ready, said, playback_finished.
 */
import { initializeLogger, voice } from '@livekit/agents';
import * as bey from '@livekit/agents-plugin-bey';
import { AudioFrame, Room } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';

/** The frame length of speech synthesisers. */
const RATE = 24_000;
const FRAME_MS = 20;

initializeLogger({ pretty: false, level: process.env.LOG_LEVEL ?? 'warn' });
process.once('disconnect', () => process.exit(0));

const room = new Room();
await room.connect(process.env.LIVEKIT_URL, process.env.AGENT_TOKEN, {
  autoSubscribe: true,
  dynacast: false,
});

const session = new voice.AgentSession({});
const avatar = new bey.AvatarSession();
await avatar.start(session, room);
await session.start({
  agent: new voice.Agent({ instructions: 'You are a test.' }),
  room,
  inputOptions: { audioEnabled: false, closeOnDisconnect: false },
  outputOptions: { audioEnabled: false },
  record: false,
});
session.output.audio.on(voice.AudioOutput?.EVENT_PLAYBACK_FINISHED ?? 'playbackFinished', (event) =>
  tell({ type: 'playback_finished', ...event }),
);
tell({ type: 'ready' });

process.on('message', (command) => {
  if (command.say) void say(command.say);
  if (command.interrupt) session.interrupt();
  if (command.leave) void leave();
});

async function say(seconds) {
  const handle = session.say('A sound of a known length.', { audio: sound(seconds) });
  await handle.waitForPlayout();
  tell({ type: 'said', interrupted: handle.interrupted });
}

/** A tone that rises from 300 Hz by 100 Hz a second, so that any part reveals its position. Pushed at once, as by a fast synthesiser. */
function sound(seconds) {
  const samples = (RATE * FRAME_MS) / 1000;
  const frames = Math.round((seconds * 1000) / FRAME_MS);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent === frames) return controller.close();
      const data = Int16Array.from({ length: samples }, (_, i) => {
        const t = (sent * samples + i) / RATE;
        return Math.round(8_000 * Math.sin(2 * Math.PI * (300 * t + 50 * t * t)));
      });
      sent += 1;
      controller.enqueue(new AudioFrame(data, RATE, 1, samples));
    },
  });
}

/** As at the end of a job, the room closes first. */
async function leave() {
  await room.disconnect();
  process.exit(0);
}

function tell(event) {
  process.send?.(event);
}
