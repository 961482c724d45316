import { describe, expect, test } from 'vitest';
import { PATIENT } from '../../chaos/real/bounds.ts';
import { EVERY_KIND } from '../../chaos/real/schedule.ts';
import { chaosWithRealParts } from '../../chaos/real/run.ts';
import { hasRedis } from '../../support/records/redis.ts';

const SEED = 13;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

describe('seeded faults of real processes', () => {
  // Needs redis-server on the PATH (test/support/records/redis.ts).
  test.skipIf(!hasRedis)(
    'leave every session with one face, its picture and its speech, and nothing behind',
    async () => {
      const run = { seed: SEED, rounds: EVERY_KIND, bounds: PATIENT };
      const problems = (await chaosWithRealParts(run, say)).join('\n');
      // Also as the message: a long string is shortened in reports.
      expect(problems, problems).toBe('');
    },
  );
});
