import { describe, expect, test } from 'vitest';
import { DependencyChecks, type Check } from '../../../src/http/health/dependency-checks.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

function checksOf(database: Check) {
  const clock = new TestClock();
  const lines: string[] = [];
  const note = (level: string) => (fields: object, text: string) =>
    void lines.push(`${level} ${text} ${(fields as { dependency: string }).dependency}`);
  const unused = { redis: null, media_server: null, gateway: null, workers: null, disk: null };
  const log = { warn: note('warn'), info: note('info') } as never;
  return { clock, lines, checks: new DependencyChecks({ database, ...unused }, { clock, log }) };
}

describe('dependency checks', () => {
  test('measure each check, and leave out what is not used', async () => {
    const answer = Promise.withResolvers<void>();
    const { clock, checks } = checksOf(() => answer.promise);

    const results = checks.run();
    clock.advance(1_999);
    answer.resolve();

    expect(await results).toEqual({ database: { status: 'ok', ms: 1_999 } });
    expect(clock.waiting).toBe(0);
  });

  test('start a check that hangs once, however many ask', async () => {
    let started = 0;
    const answer = Promise.withResolvers<void>();
    const { clock, checks } = checksOf(() => {
      started += 1;
      return answer.promise;
    });

    const firstRun = checks.run();
    clock.advance(2_000);
    const late = await firstRun;
    const secondRun = checks.run();
    clock.advance(2_000);

    expect(late).toEqual({ database: { status: 'timed_out', ms: 2_000 } });
    expect(await secondRun).toEqual({ database: { status: 'timed_out', ms: 4_000 } });
    expect(started).toBe(1);
    answer.resolve();
    await settle();
    expect(await checks.run()).toEqual({ database: { status: 'ok', ms: 0 } });
    expect(started).toBe(2);
  });

  test('log a failure and its end once each', async () => {
    let isUp = false;
    const { lines, checks } = checksOf(() => {
      if (!isUp) throw new Error('refused');
      return Promise.resolve();
    });

    const resultsBefore = [await checks.run(), await checks.run()];
    isUp = true;
    await checks.run();
    await checks.run();

    const failed = { database: { status: 'failed', ms: 0 } };
    expect(resultsBefore).toEqual([failed, failed]);
    expect(lines).toEqual([
      'warn dependency unavailable database',
      'info dependency is back database',
    ]);
  });
});
