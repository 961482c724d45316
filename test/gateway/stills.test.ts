import { describe, expect, test } from 'vitest';
import { STILL_EVERY_MS, Stills } from '../../src/gateway/stills.ts';
import { TestClock } from '../support/test-clock.ts';

const ONE = { sessionId: 'session-1', epoch: 1 };
const MOVED = { sessionId: 'session-1', epoch: 2 };

function openStills() {
  const clock = new TestClock();
  const asked: number[] = [];
  const ask = ({ epoch }: { epoch: number }) => void asked.push(epoch);
  return { clock, asked, stills: new Stills({ clock, answerMs: 2_000, ask }) };
}

describe('stills', () => {
  test('are asked for each placement once until they are forgotten', async () => {
    const { clock, asked, stills } = openStills();
    const waiting = [stills.of(ONE), stills.of(ONE), stills.of(MOVED)];
    stills.taken(ONE, 'first');
    stills.taken(MOVED, 'second');

    expect(await Promise.all(waiting)).toEqual(['first', 'first', 'second']);
    expect(await stills.of(ONE)).toBe('first');
    expect(asked).toEqual([1, 2]);

    clock.advance(STILL_EVERY_MS);
    expect(clock.waiting).toBe(0);
    void stills.of(ONE);
    expect(asked).toEqual([1, 2, 1]);
    stills.close();
  });

  test('are missing without an answer in time, and a late one changes nothing', async () => {
    const { clock, stills } = openStills();
    const still = stills.of(ONE);
    clock.advance(2_000);
    stills.taken(ONE, 'late');

    expect(await still).toBeNull();
    expect(await stills.of(ONE)).toBeNull();
    stills.close();
  });

  test('leave no timer and no waiting caller on close, and ignore what was not asked', async () => {
    const { clock, stills } = openStills();
    const still = stills.of(ONE);
    stills.taken(MOVED, 'of another placement');
    stills.close();

    expect(await still).toBeNull();
    expect(clock.waiting).toBe(0);
  });
});
