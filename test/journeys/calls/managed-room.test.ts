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
import { measureSound, mouthPictures } from '../../support/pages/page-media.ts';
import { isLive, status, statuses } from '../../support/pages/room-page.ts';

let room: ManagedRoom;
let address: string;

beforeAll(async () => {
  room = await ManagedRoom.start();
  address = await room.addressOf('babble');
});
afterEach(() => room.empty());
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

  test('stops when interrupted, stores what was heard, and answers', async () => {
    const { messages, position } = await bargeIn(room, await room.addressOf('tone'));

    const cut = messages.find((message) => message.startsWith('This lamp'))!;
    expect(cut).toBe(wordsOf(STORY, position / SECONDS_PER_LETTER));
    expect(cut.length).toBeLessThan(STORY.length);
    expect(messages.slice(-2)).toEqual(['Stop it please.', 'All right.']);
  });
});
