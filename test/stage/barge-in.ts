/* A person interrupts a speaking agent by voice. Times are of `performance.now`. */
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { loggedOf } from '../support/agents/endpoint-agent.ts';
import { FACE, leave, type ManagedRoom, write } from '../support/agents/managed-room.ts';
import { utterancesIn } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

export type BargeIn = {
  /** Texts of the conversation, in order. */
  messages: string[];
  /** Seconds of the cut answer that were reported to the agent, and that a guest heard. */
  position: number;
  heardSeconds: number;
  /** When the person's first sound reached the guest. */
  spokeAt: number;
  /** When the agent distinguished it from noise, and when the avatar had stopped. */
  decidedAt: number;
  obeyedAt: number;
  /** When the person's own page was silent, and a guest's, which plays all sound. */
  pageSilentAt: number;
  guestSilentAt: number;
};

/** Resolves when the agent has answered the interruption and the page plays sound again. */
export async function bargeIn(room: ManagedRoom, address: string): Promise<BargeIn> {
  const { page, call, messages } = await room.join(address);
  const { guest, user } = await room.listen(call);
  await write(page, 'Tell me a story.');
  const beganAt = await guest.onset(FACE);

  const spoke = guest.onset(user);
  const muted = mutedAt(page);
  await room.speak(page, 'Stop it please.');
  const spokeAt = await spoke;
  const guestSilentAt = await guest.silence(FACE, 0.3);
  const heardSeconds = utterancesIn(guest.soundOf(FACE, beganAt)).at(-1)?.endSecond ?? 0;
  await until(async () => (await messages()).at(-1)?.message === 'All right.');

  const logged = (sentence: string, fields: object = {}) =>
    loggedLine(room, call.id, sentence, fields);
  const cut = await logged('playback finished', { interrupted: true });
  const decided = await logged('playback is interrupted');
  const texts = (await messages()).map(({ message }) => message);
  await until(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => !audio.muted));
  await leave(page);
  return {
    messages: texts,
    position: cut.positionSeconds!,
    heardSeconds,
    spokeAt,
    decidedAt: timeOf(decided),
    obeyedAt: timeOf(cut),
    pageSilentAt: Math.min(await muted, guestSilentAt),
    guestSilentAt,
  };
}

type Line = { time: string; positionSeconds?: number };

const timeOf = ({ time }: Line): number => Date.parse(time) - performance.timeOrigin;

/** The first line that the agent's worker logged of this call with these fields. */
async function loggedLine(
  { service }: ManagedRoom,
  callId: string,
  sentence: string,
  fields: object,
): Promise<Line> {
  let line: Line | undefined;
  await until(async () => {
    const lines = await loggedOf<Line>(service, callId, sentence);
    line = lines.find((each) => isDeepStrictEqual({ ...each, ...fields }, each));
    return line !== undefined;
  });
  return line!;
}

/** When the page mutes its playback. */
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
