/*
 * The managed chat room of an agent whose language model, recognition and voice are
 * OpenAI-compatible endpoints, in a real browser. The microphone is a sound file that begins when a
 * page opens it, so the person speaks on unmuting.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { FliteVoice } from '../../../workers/agent/voices/flite.ts';
import { babble } from '../../bench/rooms/speech.ts';
import { listenAlong } from '../../stage/hidden-guest.ts';
import { openBrowser } from '../pages/browser.ts';
import { button, isLive } from '../pages/room-page.ts';
import { startService, type RunningService } from '../processes/service.ts';
import type { SoundRecorder } from '../sound/sound-recorder.ts';
import { risingTone } from '../sound/rising-tone.ts';
import { waveOf } from '../sound/wave.ts';
import { until } from '../until.ts';
import { makeEndpointAgent, messagesOf, type KeptMessage } from './endpoint-agent.ts';
import { lastQuestionIn, OpenAiServer, SPEECH_RATE } from './openai-server.ts';
import { FIRST_AVATAR } from '../cast.ts';

export const KEY = 'key-of-the-endpoints';
export const FACE = 'avatar_worker';
export const GREETING = 'Hello there.';
export const SYSTEM_PROMPT = 'You keep a lamp shop.';
/** One sentence, so one tone, of short words: the stored text ends between two words. */
export const STORY =
  'This lamp once went out with that ship over seas they knew from maps that were made when boys like ours went home with their nets full both when wind blew from west then when snow fell down upon them like dust.';
export const ANSWERS: Record<string, string> = {
  'When do you open?': 'We open at nine, and we close at six on every day of the week.',
  'Stop it please.': 'All right.',
  'Where are you?': 'We are at the harbour.',
  'Tell me a story.': STORY,
};
export const SECONDS_PER_LETTER = 0.06;

type Call = { id: string; url: string; token: string };
type Visit = { page: Page; call: Call; messages: () => Promise<KeptMessage[]> };

export class ManagedRoom {
  readonly service: RunningService;
  readonly server: OpenAiServer;
  /** Whether the language model is one that reads text only. */
  refusesPictures = false;
  readonly #browser: Browser;
  readonly #folder: string;
  /** The transcript of the person's next speech. */
  #nextTranscript = '';
  readonly #leaving: (() => Promise<unknown>)[] = [];

  private constructor(folder: string, parts: [OpenAiServer, RunningService, Browser]) {
    this.#folder = folder;
    [this.server, this.service, this.#browser] = parts;
  }

  static async start(): Promise<ManagedRoom> {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-managed-room-'));
    const microphoneFile = path.join(folder, 'said.wav');
    await writeFile(microphoneFile, waveOf(await question(), 16_000));
    const speech = babble(SPEECH_RATE, 15_000);
    const server = await OpenAiServer.open({
      keys: [KEY],
      answer: (request) => {
        if (room.refusesPictures && JSON.stringify(request).includes('image_url'))
          throw new Error('This model reads text only');
        return request.stream
          ? (ANSWERS[lastQuestionIn(request)] ?? 'What?')
          : JSON.stringify({ topic: 'opening hours', user_sentiment: 'positive' });
      },
      transcribe: () => room.#understand(),
      speak: ({ voice, input }) =>
        voice === 'tone'
          ? risingTone(SPEECH_RATE, input.length * SECONDS_PER_LETTER)
          : speech.slice(0, input.length * SECONDS_PER_LETTER * SPEECH_RATE),
    });
    const [service, browser] = await Promise.all([
      // The agent's log has the time of its decision to stop.
      startService({ env: { LOG_LEVEL: 'debug' } }),
      openBrowser({
        args: [
          '--use-fake-ui-for-media-stream',
          '--use-fake-device-for-media-stream',
          `--use-file-for-fake-audio-capture=${microphoneFile}%noloop`,
        ],
      }),
    ]);
    const room = new ManagedRoom(folder, [server, service, browser]);
    return room;
  }

  /** `more`: other settings of the agent. */
  async addressOf(voice: 'babble' | 'tone', more: object = {}): Promise<string> {
    const settings = { name: FIRST_AVATAR.name, greeting: GREETING, system_prompt: SYSTEM_PROMPT };
    const agent = await makeEndpointAgent(this.service, this.server, {
      key: KEY,
      voice,
      ...settings,
      ...more,
    });
    return new URL(agent, this.service.address).href;
  }

  /** With the microphone off, after the greeting. */
  async join(url: string): Promise<Visit> {
    const page = await (await this.#browser.newContext()).newPage();
    await page.goto(url);
    await page.getByRole('switch', { name: 'On when you join' }).uncheck();
    await button(page, 'Join').click();
    await isLive(page);
    await chatLine(page, 'ai', GREETING).waitFor();
    const storedState = await page.evaluate(() => Object.values(sessionStorage)[0]!);
    const { call } = JSON.parse(storedState) as { call: Call };
    const messages = () => messagesOf(this.service, call.id);
    await until(async () => (await messages()).length === 1);
    return { page, call, messages };
  }

  /** A busy page may pause within the speech: the first piece that the agent hears has the text. */
  #understand(): string {
    const text = this.#nextTranscript;
    this.#nextTranscript = '';
    return text;
  }

  /** Unmutes the microphone, so that the person speaks; the recogniser understands `text`. */
  async speak(page: Page, text: string): Promise<void> {
    this.#nextTranscript = text;
    await button(page, 'Unmute').click();
  }

  /** A hidden guest. */
  async listen({ token }: Call): Promise<{ guest: SoundRecorder; user: string }> {
    const { guest, user } = await listenAlong(this.service.mediaServer, token);
    this.#leaving.push(() => guest.leave());
    return { guest, user };
  }

  /** Guests and pages leave, and their sessions end. */
  async empty(): Promise<void> {
    for (const leave of this.#leaving.splice(0).toReversed()) await leave();
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
    await this.service.endSessions();
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.service.stop();
    await this.server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A new microphone takes a moment until it is heard. */
async function question(): Promise<Int16Array> {
  const voice = new FliteVoice();
  const samples: number[] = [];
  for await (const sound of voice
    .as(BUILT_IN_VOICES[0])
    .speak('When do you open today?', new AbortController().signal))
    for (const sample of sound.samples) samples.push(sample);
  await voice.close();
  const pause = new Int16Array(1.5 * 16_000);
  return Int16Array.from([...pause, ...samples, ...pause]);
}

export const chatLine = (page: Page, sender: 'ai' | 'user', text: string) =>
  page.locator(`.said li[data-sender=${sender}]`).getByText(text).first();

export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel(`Message ${FIRST_AVATAR.name}`).fill(text);
  await page.keyboard.press('Enter');
}

export async function leave(page: Page): Promise<void> {
  await button(page, 'Leave').click();
  await page.getByText('You left the call').waitFor();
}
