import { expect, test } from 'vitest';
import { UserAudio } from '../../../../workers/agent/listening/user-audio.ts';

/** Each millisecond has its number as samples. */
const numbered = (fromMs: number, toMs: number): Int16Array =>
  Int16Array.from({ length: (toMs - fromMs) * 16 }, (_, i) => fromMs + Math.floor(i / 16));

test('the audio of a user is addressed by time, and keeps the last seconds', () => {
  const audio = new UserAudio(1);
  audio.push(numbered(0, 700));
  audio.push(numbered(700, 1_500));

  expect(audio.ms).toBe(1_500);
  expect([...new Set(audio.between(698, 702))]).toEqual([698, 699, 700, 701]);
  expect(audio.between(0, 502)[0]).toBe(500);
  expect(audio.between(1_499, 9_999)).toHaveLength(16);
  expect(audio.between(2_000, 3_000)).toHaveLength(0);
});
