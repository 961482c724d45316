/*
 * A person speaks with an agent whose language model, recognition and voice are OpenAI-compatible endpoints. The microphone is a sound file
 * that begins when a page opens it, so the person speaks on unmuting.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AccessToken } from 'livekit-server-sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FliteVoice } from '../../workers/agent/voices/flite.ts';
import { babble } from '../bench/rooms/speech.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { Ears } from '../support/sound/ears.ts';
import { loggedOf, makeEndpointAgent, messagesOf } from '../support/agents/endpoint-agent.ts';
import { lastQuestionIn, OpenAiServer, SPEECH_RATE } from '../support/agents/openai-server.ts';
import { measureSound, mouthPictures } from '../support/pages/page-media.ts';
import { risingTone, utterancesIn } from '../support/sound/rising-tone.ts';
import { button, isLive, status, statuses } from '../support/pages/room-page.ts';
import { startService, type RunningService } from '../support/processes/service.ts';
import { waveOf } from '../support/sound/wave.ts';
import { HEARD_WITHIN_S } from '../support/picture/witness.ts';

const KEY = 'key-of-the-endpoints';
const FACE = 'avatar_worker';
const SECONDS_PER_LETTER = 0.06;
const PATIENCE = { timeout: 30_000 };
/** One sentence, so one tone. Its words are short, because the stored text ends between two words. */
const STORY =
  'This lamp once went out with that ship over seas they knew from maps that were made when boys like ours went home with their nets full both when wind blew from west then when snow fell down upon them like dust.';
/** From the user's first sound: 125 ms of speech, below which it is noise, and 300 ms. */
const SILENT_AFTER_MS = 125 + 300;
const ANSWERS: Record<string, string> = {
  'When do you open?': 'We open at nine, and we close at six on every day of the week.',
  'Stop it please.': 'All right.',
  'Where are you?': 'We are at the harbour.',
  'Tell me a story.': STORY,
};
const GREETING = 'Hello there.';

let service: RunningService;
let server: OpenAiServer;
let browser: Browser;
let folder: string;
let address: string;
/** The transcript of the person's next speech. */
let understood = '';
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-managed-room-'));
  const said = path.join(folder, 'said.wav');
  await writeFile(said, waveOf(await question(), 16_000));
  const speech = babble(SPEECH_RATE, 15_000);
  server = await OpenAiServer.open({
    keys: [KEY],
    answer: (asked) =>
      asked.stream
        ? (ANSWERS[lastQuestionIn(asked)] ?? 'What?')
        : JSON.stringify({ topic: 'opening hours', user_sentiment: 'positive' }),
    transcribe: () => understood,
    speak: ({ voice, input }) =>
      voice === 'tone'
        ? risingTone(SPEECH_RATE, input.length * SECONDS_PER_LETTER)
        : speech.slice(0, input.length * SECONDS_PER_LETTER * SPEECH_RATE),
  });
  [service, browser] = await Promise.all([
    // The agent's log has the time of its decision to stop.
    startService({ env: { LOG_LEVEL: 'debug' } }),
    openBrowser({
      args: [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${said}%noloop`,
      ],
    }),
  ]);
  address = await addressOf('babble');
});
afterEach(async () => {
  for (const leave of leaving.splice(0).toReversed()) await leave();
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A new microphone takes a moment until it is heard. */
async function question(): Promise<Int16Array> {
  const voice = new FliteVoice();
  const samples: number[] = [];
  for await (const sound of voice.speak('When do you open today?', new AbortController().signal))
    for (const sample of sound.samples) samples.push(sample);
  await voice.close();
  const pause = new Int16Array(1.5 * 16_000);
  return Int16Array.from([...pause, ...samples, ...pause]);
}

async function addressOf(voice: 'babble' | 'tone'): Promise<string> {
  const settings = { name: 'Nora', greeting: GREETING, system_prompt: 'You keep a lamp shop.' };
  const agent = await makeEndpointAgent(service, server, { key: KEY, voice, ...settings });
  return new URL(agent, service.address).href;
}

/** With the microphone off, after the greeting. */
async function join(url = address) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByRole('switch').uncheck();
  await button(page, 'Join').click();
  await isLive(page);
  await said(page, 'ai', GREETING).waitFor();
  const kept = await page.evaluate(() => Object.values(sessionStorage)[0]!);
  const { call } = JSON.parse(kept) as { call: { id: string; url: string; token: string } };
  const messages = () => messagesOf(service, call.id);
  await expect.poll(messages, PATIENCE).toHaveLength(1);
  return { page, call, messages };
}

const said = (page: Page, sender: 'ai' | 'user', text: string) =>
  page.locator(`.said li[data-sender=${sender}]`).getByText(text).first();

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message Nora').fill(text);
  await page.keyboard.press('Enter');
}

async function speak(page: Page, text: string): Promise<void> {
  understood = text;
  await button(page, 'Unmute').click();
}

async function leave(page: Page): Promise<void> {
  await button(page, 'Leave').click();
  await page.getByText('You left the call').waitFor();
}

/** A hidden guest. */
async function listen({ token }: { token: string }): Promise<{ ears: Ears; user: string }> {
  const { sub, video } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    sub: string;
    video: { room: string };
  };
  const { url, apiKey, apiSecret } = service.mediaServer;
  const guest = new AccessToken(apiKey, apiSecret, { identity: 'guest' });
  guest.addGrant({ roomJoin: true, room: video.room, hidden: true, canPublish: false });
  const ears = new Ears();
  await ears.join(url, await guest.toJwt());
  leaving.push(() => ears.leave());
  return { ears, user: sub };
}

/** When the agent's worker first logged this for a call, by `performance.now`. */
async function loggedAt(callId: string, sentence: string, facts: object = {}): Promise<number> {
  const find = async () =>
    (await loggedOf(service, callId, sentence)).find((line) =>
      isDeepStrictEqual({ ...line, ...facts }, line),
    );
  await expect.poll(find).toBeDefined();
  return Date.parse((await find())!.time) - performance.timeOrigin;
}

/** When the page stops its playback, by `performance.now`. */
async function mutedAt(page: Page): Promise<number> {
  const wall = await page
    .locator('audio')
    .evaluate(
      (audio) =>
        new Promise<number>((resolve) =>
          audio.addEventListener('volumechange', () => resolve(Date.now()), { once: true }),
        ),
    );
  return wall - performance.timeOrigin;
}

/** The whole words within this many letters of a text. */
const wordsOf = (text: string, letters: number): string =>
  text.slice(0, text.slice(0, Math.floor(letters) + 1).lastIndexOf(' '));

const ms = (from: number, to: number): number => Math.round(to - from);

describe('a spoken conversation through OpenAI-compatible endpoints', () => {
  test('answers a spoken question and stores what was said', async () => {
    const { page, call, messages } = await join();

    await speak(page, 'When do you open?');
    await said(page, 'user', 'When do you open?').waitFor();
    await said(page, 'ai', 'We open').waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);
    await expect.poll(messages, PATIENCE).toHaveLength(3);
    await leave(page);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    const kept = await messages();
    const lines = kept.map(({ message }) => message);
    expect(lines).toEqual([GREETING, 'When do you open?', ANSWERS['When do you open?']]);
    expect(await page.locator('.said li > span').allTextContents()).toEqual(lines);
    const { transcript_ms, first_token_ms, first_audio_ms, first_frame_ms } = kept[2]!.latency!;
    expect(transcript_ms).toBeGreaterThan(0);
    expect(first_token_ms).toBeGreaterThanOrEqual(transcript_ms);
    expect(first_audio_ms).toBeGreaterThan(first_token_ms);
    expect(first_frame_ms).toBeGreaterThan(first_audio_ms);

    expect(server.transcriptions).toHaveLength(1);
    expect(server.transcriptions[0]).toMatchObject({ key: KEY, model: 'listener', language: 'en' });
    expect(server.transcriptions[0]!.seconds).toBeGreaterThan(0.8);
    expect(server.transcriptions[0]!.loudest).toBeGreaterThan(1_000);
    const [chat] = server.chats;
    expect(chat).toMatchObject({ key: KEY, model: 'thinker', temperature: 0.3, stream: true });
    expect(chat!.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('You keep a lamp shop.'),
    });
    expect(server.speeches.map(({ input }) => input).join(' ')).toBe(`${lines[0]} ${lines[2]}`);
    expect(server.speeches[0]).toMatchObject({ key: KEY, model: 'speaker', voice: 'babble' });
    const evaluation = async () =>
      ((await (await service.api(`/v1/calls/${call.id}`)).json()) as { evaluation: unknown })
        .evaluation;
    await expect
      .poll(evaluation, PATIENCE)
      .toMatchObject({ topic: 'opening hours', evaluated_by: 'model' });
  });

  test('stops at once when interrupted and stores what was heard', async () => {
    const { page, call, messages } = await join(await addressOf('tone'));
    const { ears, user } = await listen(call);
    await write(page, 'Tell me a story.');
    const beganAt = await ears.onset(FACE);

    const spoke = ears.onset(user);
    const muted = mutedAt(page);
    await speak(page, 'Stop it please.');
    const spokeAt = await spoke;
    const silentAt = await ears.silence(FACE, 0.3);
    const heard = utterancesIn(ears.heard(FACE, beganAt)).at(-1)!.last;
    await expect.poll(async () => (await messages()).at(-1)?.message, PATIENCE).toBe('All right.');

    const kept = (await messages()).map(({ message }) => message);
    const cut = kept.find((message) => message.startsWith('This lamp'))!;
    const decidedAt = await loggedAt(call.id, 'playback is interrupted');
    const obeyedAt = await loggedAt(call.id, 'playback finished', { interrupted: true });
    const reports = await loggedOf<{ interrupted: boolean; positionSeconds: number }>(
      service,
      call.id,
      'playback finished',
    );
    const { positionSeconds } = reports.find(({ interrupted }) => interrupted)!;
    const pageSilentAt = Math.min(await muted, silentAt);
    console.log(
      `barge-in: the user's page is silent ${ms(spokeAt, pageSilentAt)} ms after their first sound, of which ${ms(spokeAt, decidedAt)} ms passed until it was distinguished from noise; the avatar obeyed ${ms(decidedAt, obeyedAt)} ms later; a guest whose page plays what it has buffered hears nothing ${ms(spokeAt, silentAt)} ms after that first sound; heard ${heard.toFixed(3)} s, reported ${positionSeconds.toFixed(3)} s, kept "${cut}"`,
    );
    expect(Math.abs(heard - positionSeconds)).toBeLessThan(HEARD_WITHIN_S);
    expect(cut).toBe(wordsOf(STORY, positionSeconds / SECONDS_PER_LETTER));
    expect(kept).toContain('Stop it please.');
    expect(ms(decidedAt, pageSilentAt)).toBeLessThan(300);
    expect(ms(decidedAt, obeyedAt)).toBeLessThan(300);
    expect(ms(spokeAt, pageSilentAt)).toBeLessThan(SILENT_AFTER_MS);
    expect(ms(spokeAt, silentAt)).toBeLessThan(SILENT_AFTER_MS);
    const isMuted = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.muted);
    await expect.poll(isMuted).toBe(false);
    await leave(page);
  });

  test('continues the same call after a reload in the middle of an answer', async () => {
    const { page, call, messages } = await join();
    await write(page, 'Tell me a story.');
    await said(page, 'ai', 'This lamp').waitFor();

    await page.reload();
    await isLive(page);
    await speak(page, 'Where are you?');
    await said(page, 'ai', 'We are at the harbour.').waitFor();

    const { status: state } = (await (await service.api(`/v1/calls/${call.id}`)).json()) as {
      status: { type: string };
    };
    expect(state.type).toBe('ongoing');
    await expect
      .poll(async () => (await messages()).at(-1)?.message, PATIENCE)
      .toBe('We are at the harbour.');
    expect(await said(page, 'user', 'Tell me a story.').isVisible()).toBe(true);
    await leave(page);
  });

  test('restarts the answer after a kill -9 of the agent’s worker in mid-sentence', async () => {
    const { page, messages } = await join();
    await write(page, 'Tell me a story.');
    await said(page, 'ai', 'This lamp').waitFor();
    const shown = await statuses(page);

    const killedAt = performance.now();
    await service.killProgram('agent');
    await status(page).getByText('is reconnecting').waitFor();
    const shownAfterMs = performance.now() - killedAt;
    await page.locator('.said li').getByText('This lamp').nth(1).waitFor();
    await isLive(page);
    await speak(page, 'Where are you?');
    await said(page, 'ai', 'We are at the harbour.').waitFor();

    console.log(`the page said after ${Math.round(shownAfterMs)} ms that the agent was lost`);
    // One second suffices for a worker that only lost its connection; the media server takes longer to miss the agent.
    expect(shownAfterMs).toBeLessThan(3_000);
    expect(await shown()).toEqual([expect.stringContaining('is reconnecting'), 'Live']);
    await expect
      .poll(async () => (await messages()).at(-1)?.message, PATIENCE)
      .toBe('We are at the harbour.');
    const kept = (await messages()).map(({ message }) => message);
    expect(kept.filter((message) => message === GREETING)).toHaveLength(1);
    await leave(page);
  });
});
