import { beforeAll, describe, expect, test } from 'vitest';
import { heldAfterSessions, SESSIONS } from './measures/endurance.ts';

let held: ReturnType<typeof heldAfterSessions>;
beforeAll(() => {
  held = heldAfterSessions();
});

describe(`an avatar worker after ${SESSIONS} sessions`, () => {
  test.each(['handles', 'files', 'timers', 'wasmBytes'] as const)('has no more %s', (what) => {
    expect(held.after[what]).toEqual(held.before[what]);
  });

  test('keeps less than 500 bytes of each session', () => {
    const { before, after } = held;
    expect((after.heapBytes - before.heapBytes) / SESSIONS).toBeLessThan(500);
  });
});
