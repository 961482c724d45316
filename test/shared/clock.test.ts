import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';

const warnings: string[] = [];
const keep = ({ name }: Error) => void warnings.push(name);
beforeEach(() => void process.on('warning', keep));
afterEach(() => void process.off('warning', keep));

/** Node says what it has against a timer a turn later. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('system clock', () => {
  test('takes a moment that is past for now, as the clock of the tests does', async () => {
    await new Promise<void>((resolve) => systemClock.after(-250, resolve));
    await turn();

    expect(warnings).toEqual([]);
  });
});
