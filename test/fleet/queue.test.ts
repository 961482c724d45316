import { describe, expect, test } from 'vitest';
import { SlotQueue } from '../../src/fleet/queue.ts';
import { TestClock } from '../support/test-clock.ts';

/** Grants what lies in `offers`, once each. */
function queueOf(offers: string[]) {
  const clock = new TestClock();
  const queue = new SlotQueue<string, string>(clock, (request) => {
    const place = offers.indexOf(request);
    return place === -1 ? null : (offers.splice(place, 1)[0] ?? null);
  });
  return { clock, queue };
}

describe('slot queue', () => {
  test('serves at once when there is something', async () => {
    const { clock, queue } = queueOf(['a']);

    expect(await queue.wait('a', { waitMs: 2_000 })).toBe('a');
    expect(clock.waiting).toBe(0);
  });

  test('serves in the order they came', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const served: number[] = [];
    const waits = [1, 2].map((number) =>
      queue.wait('a', { waitMs: 2_000 }).then(() => served.push(number)),
    );

    offers.push('a');
    queue.serve();
    offers.push('a');
    queue.serve();

    await Promise.all(waits);
    expect(served).toEqual([1, 2]);
  });

  test('serves the urgent first, and those in their order', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const served: string[] = [];
    const wait = (name: string, isUrgent: boolean) =>
      queue.wait('a', { waitMs: 2_000, isUrgent }).then(() => served.push(name));
    const waits = [wait('new', false), wait('lost 1', true), wait('lost 2', true)];

    offers.push('a', 'a', 'a');
    queue.serve();

    await Promise.all(waits);
    expect(served).toEqual(['lost 1', 'lost 2', 'new']);
  });

  test('one that nothing fits does not hold up the next', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const first = queue.wait('rare', { waitMs: 2_000 });
    const second = queue.wait('a', { waitMs: 2_000 });

    offers.push('a');
    queue.serve();

    expect(await second).toBe('a');
    queue.close();
    expect(await first).toBeNull();
  });

  test('gives up when the time is over, and takes nothing afterwards', async () => {
    const offers: string[] = [];
    const { clock, queue } = queueOf(offers);
    const wait = queue.wait('a', { waitMs: 2_000 });

    clock.advance(1_999);
    expect(queue.length).toBe(1);
    clock.advance(1);
    offers.push('a');
    queue.serve();

    expect(await wait).toBeNull();
    expect(offers).toEqual(['a']);
  });

  test('one that cannot wait is served at once or not at all', async () => {
    const { clock, queue } = queueOf(['a']);

    expect(await queue.wait('a', { waitMs: 0 })).toBe('a');
    expect(await queue.wait('a', { waitMs: 0 })).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  test('gives up when the signal aborts', async () => {
    const { clock, queue } = queueOf([]);
    const stop = new AbortController();
    const wait = queue.wait('a', { waitMs: 2_000, signal: stop.signal });

    stop.abort();

    expect(await wait).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  test('a signal that aborted before takes nothing', async () => {
    const offers = ['a'];
    const { queue } = queueOf(offers);

    expect(await queue.wait('a', { waitMs: 1, signal: AbortSignal.abort() })).toBeNull();
    expect(offers).toEqual(['a']);
  });

  test('a closed queue gives nothing to anybody', async () => {
    const { clock, queue } = queueOf(['b']);
    const wait = queue.wait('a', { waitMs: 2_000 });

    queue.close();

    expect(await wait).toBeNull();
    expect(await queue.wait('b', { waitMs: 2_000 })).toBeNull();
    expect(clock.waiting).toBe(0);
  });
});
