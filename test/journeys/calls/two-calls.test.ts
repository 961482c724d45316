import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Room } from '@livekit/rtc-node';
import { initializeLogger } from '@livekit/agents';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import type { CallBrief, CallLine } from '#protocol/call-brief.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { CannotPerform } from '../../../workers/runtime/performance.ts';
import { MediaServerRoom } from '../../../workers/agent/call-room.ts';
import { Conversation } from '../../../workers/agent/conversation.ts';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { FliteVoice } from '../../../workers/agent/voices/flite.ts';
import { PlainAgent } from '../../support/agents/plain-agent.ts';
import { Dialogue } from '../../../workers/agent/dialogue/dialogue.ts';
import { SpeechRecognition } from '../../../workers/agent/stt/speech-recognition.ts';
import { Voices } from '../../../workers/agent/voices/voices.ts';
import { SignalProxy } from '../../support/processes/proxies/signal-proxy.ts';
import { PerformedRooms } from '../../stage/performed-room.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { until } from '../../support/until.ts';
import { leave } from '../../support/leave.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const clock = systemClock;
/** Shown when a test fails. */
const logged: string[] = [];
const log = createLog(
  { name: 'test', level: 'debug' },
  { write: (line) => void logged.push(line) },
);
/** By endpoints only. */
const recognition = new SpeechRecognition({ models: [], close: () => {} });
const AGENT = 'agent-1';
const FACE = 'avatar_worker';
const GREETING = 'Hello and welcome to this rather long greeting, which takes a good while to say.';

let rooms: PerformedRooms;
let voices: Voices;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  initializeLogger({ pretty: false, level: 'error' });
  voices = new Voices({ naturalVoiceFolder: null, clock, log });
  rooms = await PerformedRooms.open();
});
beforeEach(({ onTestFailed }) => {
  logged.length = 0;
  onTestFailed(() => void process.stdout.write(logged.join('')));
});
afterEach(async () => {
  await rooms.empty();
  for (const leave of leaving.splice(0).toReversed()) await leave();
});
afterAll(async () => {
  await voices?.close();
  await rooms?.close();
});

type HoldOptions = {
  epoch?: number;
  /** The brief that a repeated request gets. */
  briefNow?: () => CallBrief;
  url?: string;
  /** Called when the agent has joined, before it tells the room that it listens. */
  onJoined?: () => void;
};

function hold(
  brief: CallBrief,
  agentToken: string,
  lines: CallLine[],
  {
    epoch = 1,
    briefNow = () => brief,
    url = rooms.server.url,
    onJoined = () => {},
  }: HoldOptions = {},
): Conversation {
  const briefs = [() => brief];
  const assign: Assign = {
    type: 'assign',
    placement: { sessionId: newName('session'), epoch },
    transport: 'mediaserver',
    room: { url, token: agentToken },
    avatarId: FIRST_AVATAR.alias,
    video: { width: 512, height: 512, fps: 25 },
    callId: 'call',
  };
  const conversation = new Conversation(
    assign,
    { renewed: () => {}, speechProgressed: () => {}, record: () => {} },
    {
      clock,
      log,
      control: {
        brief: async () => (briefs.shift() ?? briefNow)(),
        keep: async (_id, line) => void lines.push(line),
        passages: async () => [],
        reportPictureRefusal: async () => {},
        reportSpending: async () => ({}),
      },
      voiceOf: () => voices.voiceOf(brief),
      recognizerFor: () => recognition.recognizerFor(brief),
      openRoom: ({ user }, { hears, budget }) => {
        const room = new MediaServerRoom({
          ...assign.room,
          userIdentity: user.identity,
          avatarIdentity: FACE,
          texts: { earlierTexts: 0, budget },
          abilities: { hears, sees: false },
          clock,
          log,
        });
        const join = room.join.bind(room);
        room.join = async (listener) => {
          await join(listener);
          onJoined();
        };
        return room;
      },
      openDialogue: (parts) => new Dialogue(parts),
      userGraceMs: 60_000,
    },
  );
  leaving.push(() => conversation.close());
  return conversation;
}

async function show(faceToken: string): Promise<void> {
  const face = rooms.perform(faceToken);
  const failure = face.ended.then((reason) => Promise.reject(new Error(`not shown: ${reason}`)));
  await Promise.race([face.started, failure]);
}

/** A call with its user, avatar and conversation. */
async function call(facts: Partial<CallBrief>) {
  const room = newName('room');
  const user = new Room();
  const captions: string[] = [];
  let remoteControl = 0;
  user.registerTextStreamHandler('lk.transcription', async (reader, { identity }) => {
    if (identity !== AGENT) return;
    const at = captions.push('') - 1;
    for await (const piece of reader) captions[at] += piece;
  });
  user.registerByteStreamHandler('lk.agent.session', () => void (remoteControl += 1));
  await user.connect(rooms.server.url, await rooms.token(room, 'user-1'), {
    autoSubscribe: false,
    dynacast: false,
  });
  leaving.push(() => leave(user));
  const lines: CallLine[] = [];
  const agentToken = await rooms.token(room, AGENT, { kind: 'agent' });
  const conversation = hold(briefWith(facts), agentToken, lines);
  await conversation.started;
  await show(await rooms.token(room, FACE, { kind: 'agent', behalf: AGENT }));
  return {
    room,
    user,
    lines,
    captions,
    conversation,
    agentToken,
    texts: () => lines.map(({ text }) => text),
    write: (text: string) =>
      user.localParticipant!.sendText(text, { topic: 'lk.chat' }) as Promise<unknown>,
    remoteControl: () => remoteControl,
  };
}

/** An OpenAI-compatible endpoint that transcribes everything alike. */
async function transcriber(text: string): Promise<string> {
  const endpoint = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ text }));
    });
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  leaving.push(async () => endpoint.closeAllConnections() ?? endpoint.close());
  return `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
}

/** Real speech at 48 kHz, then silence. */
async function sentence(text: string): Promise<Int16Array> {
  const voice = new FliteVoice();
  leaving.push(() => voice.close());
  const samples: number[] = [];
  for await (const sound of voice.as(BUILT_IN_VOICES[0]).speak(text, new AbortController().signal))
    for (const sample of sound.samples) samples.push(sample, sample, sample);
  return Int16Array.from([...samples, ...new Int16Array(48_000 * 2)]);
}

describe('two conversations of one process on a real media server', () => {
  test('each use their own avatar, answer their own user, and share nothing', async () => {
    const [long, short] = await Promise.all([
      call({
        greeting: GREETING,
        systemPrompt: 'The secret word is heliotrope.',
      }),
      call({ greeting: 'Hi.', systemPrompt: 'The secret word is magnolia.' }),
    ]);

    await until(() => short.lines.length === 1 && long.lines.length === 1);
    // The end of the short one does not cut it.
    expect(long.texts()).toEqual([GREETING]);

    await Promise.all([long, short].map(({ write }) => write('What is the secret word?')));
    await until(() => long.lines.length === 3 && short.lines.length === 3);

    expect(short.texts()).toEqual([
      'Hi.',
      'What is the secret word?',
      'The secret word is magnolia.',
    ]);
    expect(long.texts().at(-1)).toBe('The secret word is heliotrope.');
    await until(() => short.captions.join().includes('magnolia'));
    await until(() => long.captions.join().includes('heliotrope'));
    expect(long.captions.join()).not.toContain('magnolia');
    const { firstFrameMs, firstAudioMs } = short.lines[2]!.latency!;
    expect(firstFrameMs).toBeGreaterThan(firstAudioMs!);
    // The framework's own RPC would let the user read the agent's prompt.
    expect(short.remoteControl() + long.remoteControl()).toBe(0);
  });

  test('are interrupted where they were heard by a message of the user', async () => {
    const { write, lines, texts, captions } = await call({
      greeting:
        'One is the first number. Two is the second number. Three is the third number. Four is the fourth number.',
    });
    await until(() => captions.join().includes('Two'));

    await write('Who are you?');
    await until(() => lines.length === 3);

    const cut = texts().find((text) => text.startsWith('One'))!;
    expect(cut).not.toContain('Four');
    expect(texts().at(-1)).toContain(briefWith().agentName);
  });

  test('transcribe and answer spoken words, which interrupt the agent', async () => {
    const { room, lines, texts, captions } = await call({
      greeting:
        'One is the first number. Two is the second number. Three is the third number. Four is the fourth number. Five is the fifth number.',
      systemPrompt: 'The secret word is heliotrope.',
      stt: { url: await transcriber('What is the secret word?'), key: null, model: 'whisper' },
      user: { identity: 'speaker', name: null },
    });
    const speaker = new PlainAgent();
    await speaker.join(rooms.server.url, await rooms.token(room, 'speaker'));
    leaving.push(() => speaker.leave());
    const speech = await sentence('What is the secret word of this shop, please?');
    await until(() => captions.join().includes('Two'));

    await speaker.publishToListener();
    await speaker.say(speech);
    await until(() => lines.length === 3);

    // Recognised twice where a busy process pauses in it. The message shows all lines: Vitest
    // shortens a list.
    expect(texts()[1], texts().join(' | ')).toMatch(/^(What is the secret word\? ?)+$/);
    expect(texts().find((text) => text.startsWith('One'))).not.toContain('Five');
    expect(texts().at(-1)).toBe('The secret word is heliotrope.');
    const { transcriptMs, firstFrameMs } = lines.at(-1)!.latency!;
    expect(transcriptMs).toBeGreaterThan(0);
    expect(firstFrameMs).toBeGreaterThan(transcriptMs!);
  });

  test('stop the old speech and answer the question when another worker takes over', async () => {
    const { write, lines, conversation, agentToken } = await call({
      greeting: 'Hi.',
      systemPrompt: 'The secret word is heliotrope.',
    });
    await until(() => lines.length === 1);
    await write('What is the secret word?');
    await until(() => lines.length === 2);

    const later: CallLine[] = [];
    const brief = briefWith({
      systemPrompt: 'The secret word is heliotrope.',
      lines: lines.map(({ sender, text }) => ({ sender, text })),
    });
    const successor = hold(brief, agentToken, later, { epoch: 2 });

    expect(await conversation.ended).toBe('replaced');
    await successor.started;
    await until(() => later.length === 1);
    expect(later[0]!.text).toBe('The secret word is heliotrope.');
  });

  test('answer in the new worker a question that the old one received after the takeover', async () => {
    const systemPrompt = 'The secret word is heliotrope.';
    const { write, lines, conversation, agentToken } = await call({
      greeting: 'Hi.',
      systemPrompt,
    });
    await until(() => lines.length === 1);
    expect(await conversation.release(5_000)).toBe(true);
    const briefNow = () =>
      briefWith({ systemPrompt, lines: lines.map(({ sender, text }) => ({ sender, text })) });
    const brief = briefNow();

    await write('What is the secret word?');
    await until(() => lines.length === 2);
    const later: CallLine[] = [];
    hold(brief, agentToken, later, { epoch: 2, briefNow });

    expect(await conversation.ended).toBe('replaced');
    await until(() => later.length === 1);
    expect(brief.lines).toHaveLength(1);
    expect(later[0]!.text).toBe('The secret word is heliotrope.');
  });

  test('are given back, and succeed elsewhere, when signalling carries nothing after joining', async () => {
    const room = newName('room');
    const agentToken = await rooms.token(room, AGENT, { kind: 'agent' });
    const proxy = await SignalProxy.open(rooms.server.url);
    leaving.push(async () => proxy.close());
    const broken = hold(briefWith(), agentToken, [], {
      url: proxy.url,
      onJoined: () => void proxy.hold(),
    });

    await expect(broken.ended).rejects.toBeInstanceOf(CannotPerform);
    await hold(briefWith(), agentToken, [], { epoch: 2 }).started;
  });

  test('end when the room is deleted', async () => {
    const { room, lines, conversation } = await call({ greeting: 'Hi.' });
    // A client whose connection is still being set up may reconnect before it reads that it was
    // removed, which makes the room again.
    await until(() => lines.length === 1);

    await rooms.admin.deleteRoom(room);

    expect(await conversation.ended).toBe('room_closed');
  });
});
