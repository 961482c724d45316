import { describe, expect, test } from 'vitest';
import { EVERY_KIND } from '../chaos/real/schedule.ts';
import { chaosWithRealParts } from '../chaos/real/run.ts';
import { hasRedis } from '../support/records/redis.ts';

const SEED = 13;
const PATIENCE_MS = 180_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

describe('seeded faults of real processes', () => {
  // Needs redis-server on the PATH (test/support/records/redis.ts).
  test.skipIf(!hasRedis)(
    'leave every session with one face, its picture and its speech, and nothing behind',
    { timeout: PATIENCE_MS },
    async () => {
      const problems = (await chaosWithRealParts(SEED, EVERY_KIND, say)).join('\n');
      // Also as the message: a long string is shortened in reports.
      expect(problems, problems).toBe('');
    },
  );
});
