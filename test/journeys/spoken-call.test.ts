/*
 * A person speaks with an agent that hears and speaks locally: by a recogniser with its model, and by the default voice as `npm start`
 * installs it. Only the language model is scripted. Another recogniser judges what a viewer hears.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import type { Sound } from '../../workers/agent/voices/voice.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { Ears } from '../support/sound/ears.ts';
import { messagesOf } from '../support/agents/endpoint-agent.ts';
import { understand } from '../support/sound/judge.ts';
import { speakNaturally } from '../support/sound/natural-speech.ts';
import { lastQuestionIn, OpenAiServer } from '../support/agents/openai-server.ts';
import { PlainAgent } from '../support/agents/plain-agent.ts';
import { LOUD, RATE } from '../support/sound/rising-tone.ts';
import { startService, type RunningService } from '../support/processes/service.ts';
import { speechParts } from '../support/sound/speech-parts.ts';
import { until } from '../support/until.ts';
import { wordErrorRate } from '../support/sound/word-errors.ts';

const KEY = 'key-of-the-language-model';
const FACE = 'avatar_worker';
const PATIENCE = { timeout: 60_000 };
const GREETING = 'Hello there.';
const QUESTION = 'What time do you open on Saturday?';
const ANSWER = 'On Saturday we are open from nine in the morning until six in the evening.';
/** Maximum errors in fifteen words: one more than the recogniser misses without codec and network. */
const ONE_WORD = 1 / 15;

let service: RunningService;
let server: OpenAiServer;
let dataDir: string;
const closing: (() => unknown)[] = [];

// .ci/run installs the parts and fails without them.
describe.skipIf(!speechParts)('a call that is spoken and heard on this machine', () => {
  beforeAll(async () => {
    const { voice, model } = speechParts!;
    dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-spoken-call-'));
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    await symlink(voice, path.join(dataDir, 'voice'));
    server = await OpenAiServer.open({
      keys: [KEY],
      answer: (asked) => (/saturday/i.test(lastQuestionIn(asked)) ? ANSWER : 'What did you say?'),
    });
    closing.push(() => server.close());
    service = await startService({ dataDir, env: { VOICE: 'hibari', SHERPA_MODEL_DIR: model } });
    closing.push(() => service.stop());
    // Earlier calls would use the small voice.
    await until(isNaturalVoiceReady, PATIENCE.timeout);
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  test('a viewer understands the answer to a spoken question', async (context) => {
    const host = new HostWatch(context);
    const [question, answer] = (await speakNaturally(speechParts!, [QUESTION, ANSWER])) as [
      Sound,
      Sound,
    ];
    const { id, livekit_url: url, livekit_token: token } = await openCall();
    const user = new PlainAgent();
    closing.push(() => user.leave());
    await user.join(url, token);
    const viewer = await watch(token);
    closing.push(() => viewer.leave());

    const messages = () => messagesOf(service, id);
    await expect.poll(async () => (await messages()).length, PATIENCE).toBe(1);
    await user.publishToListener();
    const askedAt = performance.now();
    await user.say(atRoomRate(question));
    await expect.poll(async () => (await messages()).length, PATIENCE).toBe(3);
    await viewer.silence(FACE, 0.3);
    const heard = { samples: speechIn(viewer.heard(FACE, askedAt)), sampleRate: RATE };

    const [clean, received] = (await understand(speechParts!, [answer, heard])) as [string, string];
    const errors = (text: string) => wordErrorRate([{ said: ANSWER, heard: text }]);
    console.log(
      `the judge misses ${(100 * errors(clean)).toFixed(1)} % of the words of the voice and ${(100 * errors(received)).toFixed(1)} % of those that a viewer hears`,
    );
    const lines = (await messages()).map(({ message }) => message);
    expect([lines[0], lines[2]]).toEqual([GREETING, ANSWER]);
    expect(errors(clean), clean).toBeLessThanOrEqual(ONE_WORD);
    expect(await agentLog()).not.toContain('voice failed');
    // The same voice, at its own speed.
    const seconds = ({ samples, sampleRate }: Sound) => speechIn(samples).length / sampleRate;
    host.judgeTime(() => {
      // A late word is a lost one.
      expect(wordErrorRate([{ said: QUESTION, heard: lines[1]! }])).toBeLessThanOrEqual(1 / 7);
      expect(errors(received), received).toBeLessThanOrEqual(errors(clean) + ONE_WORD);
      expect(seconds(heard)).toBeCloseTo(seconds(answer), 0);
    });
  });
});

/** Null before its first line. */
const agentLog = () => service.logOf('agent').catch(() => '');
const isNaturalVoiceReady = async () => (await agentLog()).includes('the natural voice is ready');

type Opened = { id: string; livekit_url: string; livekit_token: string };

async function openCall(): Promise<Opened> {
  const api = { type: 'openai_compatible_llm', name: 'model', url: server.url, api_key: KEY };
  const { id: api_id } = await service.make('/v1/external-apis', api);
  const { id: agent_id } = await service.make('/v1/agents', {
    name: 'Nora',
    avatar_id: 'nora',
    greeting: GREETING,
    system_prompt: 'You keep a lamp shop.',
    llm: { type: 'openai_compatible', api_id, model: 'thinker', temperature: 0.3 },
  });
  return service.make<Opened>('/v1/calls', { agent_id });
}

/** A hidden guest in the room of that token. */
async function watch(token: string): Promise<Ears> {
  const claims = Buffer.from(token.split('.')[1]!, 'base64url').toString();
  const { video } = JSON.parse(claims) as { video: { room: string } };
  const { url, apiKey, apiSecret } = service.mediaServer;
  const guest = new AccessToken(apiKey, apiSecret, { identity: 'guest' });
  guest.addGrant({ roomJoin: true, room: video.room, hidden: true, canPublish: false });
  const ears = new Ears();
  await ears.join(url, await guest.toJwt());
  return ears;
}

/** Silence before, like a microphone that opens before its user speaks, and after, by which an agent detects the end of speech. */
function atRoomRate({ samples, sampleRate }: Sound): Int16Array {
  const resampler = new Resampler(sampleRate, 1, RATE);
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return Int16Array.from([
    ...new Int16Array(RATE),
    ...resampler.push(bytes),
    ...resampler.flush(),
    ...new Int16Array(2 * RATE),
  ]);
}

const isLoud = (sample: number) => Math.abs(sample) > LOUD;

/** From the first loud sample to the last. */
function speechIn(samples: Int16Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(
    samples.subarray(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1),
  );
}
