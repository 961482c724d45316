import { describe, expect, test } from 'vitest';
import { Drain } from '../../../workers/runtime/drain.ts';
import { HAND_OVER_MS } from '../../../workers/runtime/drain-state.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

function given(limitMs: number) {
  const clock = new TestClock();
  const seen: string[] = [];
  const drain = new Drain({ clock, limitMs, onTimeUp: () => seen.push('time up') });
  void drain.over.then(() => seen.push('over'));
  return { clock, drain, seen };
}

describe('drain', () => {
  test('reports the time left, hands over when it is up, and ends after HAND_OVER_MS', async () => {
    const { clock, drain, seen } = given(60_000);
    const idle = drain.leftMs;

    drain.begin();
    clock.advance(59_999);
    const before = [...seen];
    const left = drain.leftMs;
    clock.advance(1);
    clock.advance(HAND_OVER_MS - 1);
    await settle();
    const handingOver = [...seen];
    clock.advance(1);
    await settle();

    expect([idle, left, drain.leftMs]).toEqual([null, 1, 0]);
    expect(before).toEqual([]);
    expect(handingOver).toEqual(['time up']);
    expect(seen).toEqual(['time up', 'over']);
  });

  test('hands over at once with a limit of zero', () => {
    const { clock, drain, seen } = given(0);

    drain.begin();
    clock.advance(0);

    expect(seen).toEqual(['time up']);
    drain.close();
    expect(clock.waiting).toBe(0);
  });

  test('ends as soon as nothing is left', async () => {
    const { clock, drain, seen } = given(60_000);

    drain.begin();
    drain.end();
    await settle();

    expect(seen).toEqual(['over']);
    expect(clock.waiting).toBe(0);
  });
});
