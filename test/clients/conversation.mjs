/*
 * The conversation of an agent with an avatar plugin in the tests. Takes commands over IPC:
 *   {"say": seconds}   says a sound of that length      {"interrupt": true}      {"leave": true}
 * and sends events the same way: ready, said, playback_finished. The framework is passed in: each
 * plugin has its own version of it.
 */
import { ReadableStream } from 'node:stream/web';

/** The frame length of speech synthesisers. */
const RATE = 24_000;
const FRAME_MS = 20;

export async function converse({ initializeLogger, voice }, { AudioFrame, Room }, createAvatar) {
  initializeLogger({ pretty: false, level: process.env.LOG_LEVEL ?? 'warn' });
  process.once('disconnect', () => process.exit(0));

  const room = new Room();
  await room.connect(process.env.LIVEKIT_URL, process.env.AGENT_TOKEN, {
    autoSubscribe: true,
    dynacast: false,
  });

  const session = new voice.AgentSession({});
  await createAvatar().start(session, room);
  await session.start({
    agent: new voice.Agent({ instructions: 'You are a test.' }),
    room,
    inputOptions: { audioEnabled: false, closeOnDisconnect: false },
    outputOptions: { audioEnabled: false },
    record: false,
  });
  session.output.audio.on(
    voice.AudioOutput?.EVENT_PLAYBACK_FINISHED ?? 'playbackFinished',
    ({ playbackPosition, ...event }) =>
      // The framework's versions spell it differently.
      tell({ type: 'playback_finished', playback_position: playbackPosition, ...event }),
  );
  tell({ type: 'ready' });

  process.on('message', (command) => {
    if (command.say) void say(command.say);
    if (command.interrupt) session.interrupt();
    if (command.leave) void leave();
  });

  async function say(seconds) {
    const handle = session.say('A sound of a known length.', { audio: sound(seconds, AudioFrame) });
    await handle.waitForPlayout();
    tell({ type: 'said', interrupted: handle.interrupted });
  }

  /** As at the end of a job, the room closes first. */
  async function leave() {
    await room.disconnect();
    process.exit(0);
  }
}

/**
 * A tone that rises from 300 Hz by 100 Hz a second, so that any part reveals its position. Pushed
 * at once, as by a fast synthesiser.
 */
function sound(seconds, AudioFrame) {
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

function tell(event) {
  process.send?.(event);
}
