import { beforeAll, describe, expect, test } from 'vitest';
import { heldAfterSessions, SESSIONS } from './measures/endurance.ts';

let resources: ReturnType<typeof heldAfterSessions>;
beforeAll(() => {
  resources = heldAfterSessions();
});

describe(`an avatar worker after ${SESSIONS} sessions`, () => {
  test.each(['handles', 'files', 'timers', 'wasmBytes'] as const)('has no more %s', (resource) => {
    expect(resources.end[resource]).toEqual(resources.start[resource]);
  });

  test('keeps less than 500 bytes of each session', () => {
    const { start, end } = resources;
    expect((end.heapBytes - start.heapBytes) / SESSIONS).toBeLessThan(500);
  });
});
