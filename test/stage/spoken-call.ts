/*
 * A person speaks with an agent that hears and speaks locally: by a recogniser with its model, and
 * by the default voice as `npm start` installs it. Only the language model is scripted. Another
 * recogniser judges what a viewer hears.
 */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Resampler } from '../../workers/avatar/speech/resample.ts';
import type { Sound } from '../../workers/agent/voices/voice.ts';
import { messagesOf, type KeptMessage } from '../support/agents/endpoint-agent.ts';
import { OpenAiServer } from '../support/agents/openai-server.ts';
import { PlainAgent } from '../support/agents/plain-agent.ts';
import { startService, type RunningService } from '../support/processes/service.ts';
import { understand } from '../support/sound/judge.ts';
import { speakNaturally } from '../support/sound/natural-speech.ts';
import { LOUD, RATE } from '../support/sound/rising-tone.ts';
import type { SpeechParts } from '../support/sound/speech-parts.ts';
import { until } from '../support/until.ts';
import { wordErrorRate } from '../support/sound/word-errors.ts';
import { listenAlong } from './hidden-guest.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

const KEY = 'key-of-the-language-model';
const FACE = 'avatar_worker';
export const GREETING = 'Hello there.';
export const QUESTION = 'What time do you open on Saturday?';
export const ANSWER = 'On Saturday we are open from nine in the morning until six in the evening.';

export type SpokenCall = {
  messages: KeptMessage[];
  /** Share of the answer's words that the judge misses: of the voice alone, and at a viewer. */
  cleanErrors: number;
  receivedErrors: number;
  /** Length of the answer, from its first sound to its last. */
  spokenSeconds: number;
  heardSeconds: number;
  agentLog: string;
};

/** Stop it after all tests. */
export class SpokenCallStage {
  readonly #parts: SpeechParts;
  readonly #service: RunningService;
  readonly #server: OpenAiServer;
  readonly #dataDir: string;

  /** Resolves when agents hear and the natural voice is ready. */
  static async open(parts: SpeechParts): Promise<SpokenCallStage> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-spoken-call-'));
    for (const part of ['voice', 'hearing'] as const)
      await symlink(parts[part], path.join(dataDir, part));
    const server = await OpenAiServer.open({ keys: [KEY], answer: () => ANSWER });
    const env = { VOICE: 'hibari', HEARING: 'moonshine' };
    const service = await startService({ dataDir, env });
    const stage = new SpokenCallStage(parts, { service, server, dataDir });
    await until(async () => (await stage.#agentLog()).includes('the natural voice is ready'));
    await until(async () => hears(await service.api('/v1/abilities')));
    return stage;
  }

  private constructor(
    parts: SpeechParts,
    running: { service: RunningService; server: OpenAiServer; dataDir: string },
  ) {
    this.#parts = parts;
    this.#service = running.service;
    this.#server = running.server;
    this.#dataDir = running.dataDir;
  }

  /** Resolves when the answer was heard. */
  async converse(): Promise<SpokenCall> {
    const [question, answer] = (await speakNaturally(this.#parts, [QUESTION, ANSWER])) as [
      Sound,
      Sound,
    ];
    const { id, livekit_url: url, livekit_token: token } = await this.#openCall();
    const user = new PlainAgent();
    const { guest: viewer } = await listenAlong(this.#service.mediaServer, token);
    try {
      await user.join(url, token);
      const messages = () => messagesOf(this.#service, id);
      await until(async () => (await messages()).length === 1);
      await user.publishToListener();
      const askedAt = performance.now();
      await user.say(atRoomRate(question));
      await until(async () => (await messages()).some(({ message }) => message === ANSWER));
      await viewer.silence(FACE, 0.3);
      const sound = { samples: speechIn(viewer.soundOf(FACE, askedAt)), sampleRate: RATE };

      const [clean, received] = (await understand(this.#parts, [answer, sound])) as [
        string,
        string,
      ];
      const errorRate = (text: string) => wordErrorRate([{ script: ANSWER, transcript: text }]);
      return {
        messages: await messages(),
        cleanErrors: errorRate(clean),
        receivedErrors: errorRate(received),
        spokenSeconds: speechIn(answer.samples).length / answer.sampleRate,
        heardSeconds: sound.samples.length / RATE,
        agentLog: await this.#agentLog(),
      };
    } finally {
      await viewer.leave();
      await user.leave();
      await this.#service.endSessions();
    }
  }

  async stop(): Promise<void> {
    await this.#service.stop();
    await this.#server.close();
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  /** Empty before its first line. */
  #agentLog(): Promise<string> {
    return this.#service.logOf('agent').catch(() => '');
  }

  async #openCall(): Promise<{ id: string; livekit_url: string; livekit_token: string }> {
    const { url } = this.#server;
    const api = { type: 'openai_compatible_llm', name: 'model', url, api_key: KEY };
    const { id: api_id } = await this.#service.make('/v1/external-apis', api);
    const { id: agent_id } = await this.#service.make('/v1/agents', {
      name: FIRST_AVATAR.name,
      avatar_id: FIRST_AVATAR.alias,
      greeting: GREETING,
      system_prompt: 'You keep a lamp shop.',
      llm: { type: 'openai_compatible', api_id, model: 'thinker', temperature: 0.3 },
    });
    return this.#service.make('/v1/calls', { agent_id });
  }
}

/** With silence before, like a microphone, and after, by which an agent finds the end. */
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

const hears = async (answer: Response): Promise<boolean> =>
  ((await answer.json()) as { hears: object | null }).hears !== null;
