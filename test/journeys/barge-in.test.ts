import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loggedOf } from '../support/agents/endpoint-agent.ts';
import {
  FACE,
  leave,
  ManagedRoom,
  SECONDS_PER_LETTER,
  STORY,
  write,
} from '../support/agents/managed-room.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { HEARD_WITHIN_S } from '../support/picture/witness.ts';
import { utterancesIn } from '../support/sound/rising-tone.ts';

/** From the user's first sound: 125 ms of speech, below which it is noise, and 300 ms. */
const SILENT_AFTER_MS = 125 + 300;

let room: ManagedRoom;
beforeAll(async () => {
  room = await ManagedRoom.start();
});
afterEach(() => room.empty());
afterAll(() => room?.stop());

/** When the agent's worker first logged this for a call, by `performance.now`. */
async function loggedAt(callId: string, sentence: string, facts: object = {}): Promise<number> {
  const find = async () =>
    (await loggedOf(room.service, callId, sentence)).find((line) =>
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

test('an agent stops at once when interrupted and stores what was heard', async (context) => {
  const { page, call, messages } = await room.join(await room.addressOf('tone'));
  const { ears, user } = await room.listen(call);
  await write(page, 'Tell me a story.');
  const host = new HostWatch(context);
  const beganAt = await ears.onset(FACE);

  const spoke = ears.onset(user);
  const muted = mutedAt(page);
  await room.speak(page, 'Stop it please.');
  const spokeAt = await spoke;
  const silentAt = await ears.silence(FACE, 0.3);
  const heard = utterancesIn(ears.heard(FACE, beganAt)).at(-1)!.last;
  await expect.poll(async () => (await messages()).at(-1)?.message).toBe('All right.');

  const kept = (await messages()).map(({ message }) => message);
  const cut = kept.find((message) => message.startsWith('This lamp'))!;
  const decidedAt = await loggedAt(call.id, 'playback is interrupted');
  const obeyedAt = await loggedAt(call.id, 'playback finished', { interrupted: true });
  const reports = await loggedOf<{ interrupted: boolean; positionSeconds: number }>(
    room.service,
    call.id,
    'playback finished',
  );
  const { positionSeconds } = reports.find(({ interrupted }) => interrupted)!;
  const pageSilentAt = Math.min(await muted, silentAt);
  console.log(
    `barge-in: the user's page is silent ${ms(spokeAt, pageSilentAt)} ms after their first sound, of which ${ms(spokeAt, decidedAt)} ms passed until it was distinguished from noise; the avatar obeyed ${ms(decidedAt, obeyedAt)} ms later; a guest whose page plays what it has buffered hears nothing ${ms(spokeAt, silentAt)} ms after that first sound; heard ${heard.toFixed(3)} s, reported ${positionSeconds.toFixed(3)} s, kept "${cut}"`,
  );
  expect(cut).toBe(wordsOf(STORY, positionSeconds / SECONDS_PER_LETTER));
  expect(kept).toContain('Stop it please.');
  const isMuted = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.muted);
  await expect.poll(isMuted).toBe(false);
  await leave(page);
  host.judgeTime(() => {
    expect(Math.abs(heard - positionSeconds)).toBeLessThan(HEARD_WITHIN_S);
    expect(ms(decidedAt, pageSilentAt)).toBeLessThan(300);
    expect(ms(decidedAt, obeyedAt)).toBeLessThan(300);
    expect(ms(spokeAt, pageSilentAt)).toBeLessThan(SILENT_AFTER_MS);
    expect(ms(spokeAt, silentAt)).toBeLessThan(SILENT_AFTER_MS);
  });
});
