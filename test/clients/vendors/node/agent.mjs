/*
 * A voice agent with an unmodified published avatar plugin, outside of a job. Same conversation and
 * events as in ../agent.py. FACE is the line of our documentation that creates the avatar.
 * LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET name the media server, AGENT_TOKEN the room.
 */
import { inference, initializeLogger, voice } from '@livekit/agents';
import * as lemonslice from '@livekit/agents-plugin-lemonslice';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tone } from './tone.mjs';

initializeLogger({ pretty: false, level: 'warn' });

const room = new Room();
await room.connect(process.env.LIVEKIT_URL, process.env.AGENT_TOKEN, {
  autoSubscribe: true,
  dynacast: false,
});
const { name } = room;
const tell = (type, event = {}) =>
  new Promise((written) => {
    process.stdout.write(`${JSON.stringify({ room: name, type, ...event })}\n`, written);
  });

const onceMetadataIs = (wanted) =>
  new Promise((resolve) => {
    room.on(RoomEvent.RoomMetadataChanged, (metadata) => metadata === wanted && resolve());
  });

// Starting keeps a core busy for seconds. The test sends `begin` when a worker has a free slot.
const mayBegin = onceMetadataIs('begin');
const maySpeak = onceMetadataIs('listening');
tell('connected');
await mayBegin;

const session = new voice.AgentSession({});
const avatar = new Function('inference', 'lemonslice', `return ${process.env.FACE}`)(
  inference,
  lemonslice,
);
const plugin = process.env.FACE.includes('inference') ? 'agents' : 'agents-plugin-lemonslice';
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
tell('asks', { identity: avatar.avatarIdentity, version: dependencies[`@livekit/${plugin}`] });
await avatar.start(session, room);
await session.start({
  agent: new voice.Agent({ instructions: 'You are a test.' }),
  room,
  inputOptions: { audioEnabled: false, closeOnDisconnect: false },
  outputOptions: { audioEnabled: false },
  record: false,
});

const mayInterrupt = onceMetadataIs('speaking');
const dismissed = onceMetadataIs('heard');
const finished = [];
let onFinished = () => {};
session.output.audio.on(voice.AudioOutput.EVENT_PLAYBACK_FINISHED, (event) => {
  finished.push(event);
  onFinished();
});
async function heard(what, began) {
  if (finished.length === 0) await new Promise((resolve) => (onFinished = resolve));
  const { playbackPosition: position, interrupted } = finished.shift();
  tell(what, { position, interrupted, after: (performance.now() - began) / 1_000 });
  // Silence separates the utterances for the viewer.
  await sleep(600);
}

tell('ready');
// A viewer without the sound track misses the beginning of a speech.
await maySpeak;

let began = performance.now();
session.say('A tone of two seconds.', { audio: tone(2) });
await heard('whole', began);

session.say('A tone of a minute.', { audio: tone(60) });
await mayInterrupt;
began = performance.now();
session.interrupt();
await heard('cut', began);

began = performance.now();
session.say('A tone of one second.', { audio: tone(1) });
await heard('last', began);
// Leaving sooner cuts what the viewer's buffer still holds.
await dismissed;

// As at the end of a job, the room closes first.
await room.disconnect();
await avatar.aclose();
await tell('left');
process.exit(0);
