import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bargeIn } from '../../stage/barge-in.ts';
import {
  ANSWERS,
  GREETING,
  KEY,
  leave,
  ManagedRoom,
  chatLine,
  SECONDS_PER_LETTER,
  STORY,
  SYSTEM_PROMPT,
  write,
} from '../../support/agents/managed-room.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { measureSound, mouthPictures } from '../../support/pages/page-media.ts';
import type { ChatRequest } from '../../support/agents/openai-server.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';
import { button, isLive, status, statuses } from '../../support/pages/room-page.ts';
import { until } from '../../support/until.ts';

const pictureIn = ({ messages }: ChatRequest): string | undefined =>
  /data:image\/jpeg;base64,([^"]+)/.exec(JSON.stringify(messages))?.[1];

async function looksOf(base64: string) {
  const picture = sharp(Buffer.from(base64, 'base64'));
  return { ...(await picture.metadata()), ...(await picture.stats()) };
}

let room: ManagedRoom;
let address: string;

beforeAll(async () => {
  room = await ManagedRoom.start();
  address = await room.addressOf('babble');
});
afterEach(() => {
  room.refusesPictures = false;
  return room.empty();
});
afterAll(() => room?.stop());

/** The whole words within this many letters of a text. */
const wordsOf = (text: string, letters: number): string =>
  text.slice(0, text.slice(0, Math.floor(letters) + 1).lastIndexOf(' '));

describe('a spoken conversation through OpenAI-compatible endpoints', () => {
  test('answers a spoken question and stores what was said', async () => {
    const { page, call, messages } = await room.join(address);

    await room.speak(page, 'When do you open?');
    await chatLine(page, 'user', 'When do you open?').waitFor();
    await chatLine(page, 'ai', 'We open').waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);
    await expect.poll(messages).toHaveLength(3);
    await leave(page);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    const stored = await messages();
    const lines = stored.map(({ message }) => message);
    expect(lines).toEqual([GREETING, 'When do you open?', ANSWERS['When do you open?']]);
    expect(await page.locator('.said li > span').allTextContents()).toEqual(lines);
    const { transcript_ms, first_token_ms, first_audio_ms, first_frame_ms } = stored[2]!.latency!;
    expect(transcript_ms).toBeGreaterThan(0);
    expect(first_token_ms).toBeGreaterThanOrEqual(transcript_ms);
    expect(first_audio_ms).toBeGreaterThan(first_token_ms);
    expect(first_frame_ms).toBeGreaterThan(first_audio_ms);

    expect(room.server.transcriptions).toHaveLength(1);
    expect(room.server.transcriptions[0]).toMatchObject({
      key: KEY,
      model: 'listener',
      language: 'en',
    });
    expect(room.server.transcriptions[0]!.seconds).toBeGreaterThan(0.8);
    expect(room.server.transcriptions[0]!.loudest).toBeGreaterThan(1_000);
    const [chat] = room.server.chats;
    expect(chat).toMatchObject({ key: KEY, model: 'thinker', temperature: 0.3, stream: true });
    expect(chat!.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining(SYSTEM_PROMPT),
    });
    expect(room.server.speeches.map(({ input }) => input).join(' ')).toBe(
      `${lines[0]} ${lines[2]}`,
    );
    expect(room.server.speeches[0]).toMatchObject({ key: KEY, model: 'speaker', voice: 'babble' });
    const evaluation = async () =>
      ((await (await room.service.api(`/v1/calls/${call.id}`)).json()) as { evaluation: unknown })
        .evaluation;
    await expect.poll(evaluation).toMatchObject({ topic: 'opening hours', evaluated_by: 'model' });
  });

  test('continues the same call after a reload in the middle of an answer', async () => {
    const { page, call, messages } = await room.join(address);
    await write(page, 'Tell me a story.');
    await chatLine(page, 'ai', 'This lamp').waitFor();

    await page.reload();
    await isLive(page);
    await room.speak(page, 'Where are you?');
    await chatLine(page, 'ai', 'We are at the harbour.').waitFor();

    const { status: state } = (await (await room.service.api(`/v1/calls/${call.id}`)).json()) as {
      status: { type: string };
    };
    expect(state.type).toBe('ongoing');
    await expect
      .poll(async () => (await messages()).at(-1)?.message)
      .toBe('We are at the harbour.');
    expect(await chatLine(page, 'user', 'Tell me a story.').isVisible()).toBe(true);
    await leave(page);
  });

  test('restarts the answer after a kill -9 of the agent’s worker in mid-sentence', async () => {
    const { page, messages } = await room.join(address);
    await write(page, 'Tell me a story.');
    await chatLine(page, 'ai', 'This lamp').waitFor();
    const shownStatuses = await statuses(page);

    await room.service.killProgram('agent');
    await status(page).getByText('is reconnecting').waitFor();
    await page.locator('.said li').getByText('This lamp').nth(1).waitFor();
    await isLive(page);
    await room.speak(page, 'Where are you?');
    await chatLine(page, 'ai', 'We are at the harbour.').waitFor();

    expect(await shownStatuses()).toEqual([expect.stringContaining('is reconnecting'), 'Live']);
    await expect
      .poll(async () => (await messages()).at(-1)?.message)
      .toBe('We are at the harbour.');
    const storedTexts = (await messages()).map(({ message }) => message);
    expect(storedTexts.filter((message) => message === GREETING)).toHaveLength(1);
    await leave(page);
  });

  test('shows the model what the camera shows, while it is on', async () => {
    const capabilities = [{ type: 'webcam_vision' }];
    const { page, messages } = await room.join(await room.addressOf('babble', { capabilities }));
    const { chats } = room.server;
    /** The picture that comes with a question. */
    const lookedAt = async (): Promise<string | undefined> => {
      const asked = chats.length;
      await write(page, 'Where are you?');
      await until(() => chats.slice(asked).some(({ stream }) => stream));
      return chats.slice(asked).map(pictureIn).find(Boolean);
    };
    expect(await lookedAt()).toBeUndefined();

    await button(page, 'Camera on').click();
    await page.getByText(`${FIRST_AVATAR.name} can see you`).waitFor();
    expect(await barriers(page)).toEqual([]);
    let picture: string | undefined;
    await until(async () => (picture = await lookedAt()) !== undefined);

    // Chromium's camera shows green.
    const { channels, format, width } = await looksOf(picture!);
    expect(format).toBe('jpeg');
    expect(width).toBeLessThanOrEqual(768);
    const [red, green, blue] = channels.map(({ mean }) => mean);
    expect(green! - Math.max(red!, blue!)).toBeGreaterThan(80);

    await button(page, 'Camera off').click();
    await button(page, 'Camera on').waitFor();
    // The text may overtake the end of the camera.
    await until(async () => (await lookedAt()) === undefined);
    expect(JSON.stringify(await messages())).not.toContain('base64');
    expect(await room.service.logOf('agent')).not.toContain('base64');

    room.refusesPictures = true;
    await button(page, 'Camera on').click();
    await page.getByText(`${FIRST_AVATAR.name} can see you`).waitFor();
    await until(async () => (await lookedAt()) !== undefined);
    await page.getByText('cannot see pictures in this call').waitFor();
    await button(page, 'Camera off').waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await messages()).at(-1)?.message)
      .toBe(ANSWERS['Where are you?']);
    await leave(page);
  });

  test('stops when interrupted, stores what was heard, and answers', async () => {
    const { messages, position } = await bargeIn(room, await room.addressOf('tone'));

    const cut = messages.find((message) => message.startsWith('This lamp'))!;
    expect(cut).toBe(wordsOf(STORY, position / SECONDS_PER_LETTER));
    expect(cut.length).toBeLessThan(STORY.length);
    expect(messages.slice(-2)).toEqual(['Stop it please.', 'All right.']);
  });
});
