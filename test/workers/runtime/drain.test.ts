import { describe, expect, test } from 'vitest';
import { Drain } from '../../../workers/runtime/drain.ts';
import { HAND_OVER_MS } from '../../../workers/runtime/drain-state.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

function given(limitMs: number) {
  const clock = new TestClock();
  const events: string[] = [];
  const drain = new Drain({ clock, limitMs, onTimeUp: () => events.push('time up') });
  void drain.ended.then(() => events.push('over'));
  return { clock, drain, events };
}

describe('drain', () => {
  test('reports the time left, hands over when it is up, and ends after HAND_OVER_MS', async () => {
    const { clock, drain, events } = given(60_000);
    const idle = drain.leftMs;

    drain.begin();
    clock.advance(59_999);
    const earlyEvents = [...events];
    const remainingMs = drain.leftMs;
    clock.advance(1);
    clock.advance(HAND_OVER_MS - 1);
    await settle();
    const handingOver = [...events];
    clock.advance(1);
    await settle();

    expect([idle, remainingMs, drain.leftMs]).toEqual([null, 1, 0]);
    expect(earlyEvents).toEqual([]);
    expect(handingOver).toEqual(['time up']);
    expect(events).toEqual(['time up', 'over']);
  });

  test('hands over at once with a limit of zero', () => {
    const { clock, drain, events } = given(0);

    drain.begin();
    clock.advance(0);

    expect(events).toEqual(['time up']);
    drain.close();
    expect(clock.waiting).toBe(0);
  });

  test('ends as soon as nothing is left', async () => {
    const { clock, drain, events } = given(60_000);

    drain.begin();
    drain.end();
    await settle();

    expect(events).toEqual(['over']);
    expect(clock.waiting).toBe(0);
  });
});
