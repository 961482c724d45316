import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bargeIn } from '../stage/barge-in.ts';
import { ManagedRoom, SECONDS_PER_LETTER, STORY } from '../support/agents/managed-room.ts';

let room: ManagedRoom;
beforeAll(async () => {
  room = await ManagedRoom.start();
});
afterEach(() => room.empty());
afterAll(() => room?.stop());

/** The whole words within this many letters of a text. */
const wordsOf = (text: string, letters: number): string =>
  text.slice(0, text.slice(0, Math.floor(letters) + 1).lastIndexOf(' '));

test('an agent stops when interrupted, stores what was heard, and answers', async () => {
  const { messages, position } = await bargeIn(room, await room.addressOf('tone'));

  const cut = messages.find((message) => message.startsWith('This lamp'))!;
  expect(cut).toBe(wordsOf(STORY, position / SECONDS_PER_LETTER));
  expect(cut.length).toBeLessThan(STORY.length);
  expect(messages.slice(-2)).toEqual(['Stop it please.', 'All right.']);
});
