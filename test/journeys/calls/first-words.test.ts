import { afterAll, beforeAll, expect, test } from 'vitest';
import { hearsFirstWords } from '../../stage/first-words.ts';
import { PerformedRooms } from '../../stage/performed-room.ts';

let rooms: PerformedRooms;
beforeAll(async () => {
  rooms = await PerformedRooms.open();
});
afterAll(() => rooms?.close());

test('a viewer who subscribes to the sound after the agent has spoken hears it', async () => {
  const { report, utterances } = await hearsFirstWords(rooms, 1);

  expect(report).toMatchObject({ playback_position: 1, interrupted: false });
  expect(utterances).toHaveLength(1);
});
