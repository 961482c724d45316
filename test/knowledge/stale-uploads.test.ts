import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GIVE_UP_UPLOAD_MS, StaleUploads } from '../../src/knowledge/stale-uploads.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { TestClock } from '../support/test-clock.ts';

const HOUR = 3_600_000;

let clock: TestClock;
let swept: number[];
let fails: boolean;
let uploads: StaleUploads;
beforeEach(() => {
  clock = new TestClock();
  swept = [];
  fails = false;
  const records = {
    async sweep(cutoff: number) {
      if (fails) throw new Error('the records are away');
      swept.push(cutoff);
      return 1;
    },
  };
  uploads = new StaleUploads({ records, clock, log: quietLog });
});
afterEach(() => uploads.close());

describe('stale uploads', () => {
  test('are swept at the start and every hour, a day after their last chunk', async () => {
    const startedAt = clock.now();

    uploads.start();
    clock.advance(2 * HOUR);

    const firstCutoff = startedAt - GIVE_UP_UPLOAD_MS;
    expect(GIVE_UP_UPLOAD_MS).toBe(24 * HOUR);
    expect(swept).toEqual([firstCutoff, firstCutoff + HOUR, firstCutoff + 2 * HOUR]);
  });

  test('are swept again after a failure', async () => {
    fails = true;
    uploads.start();
    fails = false;

    clock.advance(HOUR);

    expect(swept).toHaveLength(1);
  });

  test('are left alone once closed', async () => {
    uploads.start();

    await uploads.close();

    expect(clock.waiting).toBe(0);
    uploads.start();
    expect(swept).toHaveLength(1);
  });
});
