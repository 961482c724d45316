import { describe, expect, test } from 'vitest';
import { grantAtOnce, SlotQueue } from '../../src/fleet/queue.ts';
import { TestClock } from '../support/test-clock.ts';

const usual = (kind: string) => ({ kind, account: 'account-1' });

/** Grants each entry of `offers` once. */
function queueOf(offers: string[], maxWaiting = 1_000) {
  const clock = new TestClock();
  const grant = grantAtOnce<string, string>((request) => {
    const place = offers.indexOf(request);
    return place === -1 ? null : (offers.splice(place, 1)[0] ?? null);
  });
  const queue = new SlotQueue(clock, maxWaiting, grant);
  return { clock, queue };
}

describe('slot queue', () => {
  test('grants at once if a slot is free', async () => {
    const { clock, queue } = queueOf(['a']);

    expect(await queue.wait('a', { ...usual('a'), waitMs: 2_000 })).toBe('a');
    expect(clock.waiting).toBe(0);
  });

  test('serves in order', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const served: number[] = [];
    const waits = [1, 2].map((number) =>
      queue.wait('a', { ...usual('a'), waitMs: 2_000 }).then(() => served.push(number)),
    );

    offers.push('a');
    queue.serve();
    offers.push('a');
    queue.serve();

    await Promise.all(waits);
    expect(served).toEqual([1, 2]);
  });

  test('serves urgent requests first, in order', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const served: string[] = [];
    const wait = (name: string, isUrgent: boolean) =>
      queue.wait('a', { ...usual('a'), waitMs: 2_000, isUrgent }).then(() => served.push(name));
    const waits = [wait('new', false), wait('lost 1', true), wait('lost 2', true)];

    offers.push('a', 'a', 'a');
    queue.serve();

    await Promise.all(waits);
    expect(served).toEqual(['lost 1', 'lost 2', 'new']);
  });

  test('does not let a request that nothing fits block the next', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const firstWait = queue.wait('rare', { ...usual('rare'), waitMs: 2_000 });
    const secondWait = queue.wait('a', { ...usual('a'), waitMs: 2_000 });

    offers.push('a');
    queue.serve();

    expect(await secondWait).toBe('a');
    queue.close();
    expect(await firstWait).toBeNull();
  });

  test('times out and takes nothing afterwards', async () => {
    const offers: string[] = [];
    const { clock, queue } = queueOf(offers);
    const wait = queue.wait('a', { ...usual('a'), waitMs: 2_000 });

    clock.advance(1_999);
    expect(queue.length).toBe(1);
    clock.advance(1);
    offers.push('a');
    queue.serve();

    expect(await wait).toBeNull();
    expect(offers).toEqual(['a']);
  });

  test('serves a request that cannot wait at once or not at all', async () => {
    const { clock, queue } = queueOf(['a']);

    expect(await queue.wait('a', { ...usual('a'), waitMs: 0 })).toBe('a');
    expect(await queue.wait('a', { ...usual('a'), waitMs: 0 })).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  test('gives up when the signal aborts', async () => {
    const { clock, queue } = queueOf([]);
    const stop = new AbortController();
    const wait = queue.wait('a', { ...usual('a'), waitMs: 2_000, signal: stop.signal });

    stop.abort();

    expect(await wait).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  test('takes nothing for an aborted signal', async () => {
    const offers = ['a'];
    const { queue } = queueOf(offers);

    expect(
      await queue.wait('a', { ...usual('a'), waitMs: 1, signal: AbortSignal.abort() }),
    ).toBeNull();
    expect(offers).toEqual(['a']);
  });

  test('grants nothing once closed', async () => {
    const { clock, queue } = queueOf(['b']);
    const wait = queue.wait('a', { ...usual('a'), waitMs: 2_000 });

    queue.close();

    expect(await wait).toBeNull();
    expect(await queue.wait('b', { ...usual('b'), waitMs: 2_000 })).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  test('lets accounts take turns, however many requests one of them has', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const served: string[] = [];
    const wait = (account: string, number: number) =>
      queue
        .wait('a', { kind: 'a', account, waitMs: 2_000 })
        .then(() => served.push(`${account} ${number}`));
    const waits = [1, 2, 3, 4].map((number) => wait('greedy', number));
    waits.push(wait('modest', 1), wait('late', 1), wait('modest', 2));

    for (let i = 0; i < waits.length; i++) {
      offers.push('a');
      queue.serve();
    }

    await Promise.all(waits);
    const firstRounds = ['greedy 1', 'modest 1', 'late 1', 'greedy 2', 'modest 2'];
    expect(served).toEqual([...firstRounds, 'greedy 3', 'greedy 4']);
  });

  test('lets accounts take turns when several slots become free at once', async () => {
    const offers: string[] = [];
    const { queue } = queueOf(offers);
    const served: string[] = [];
    const waits = ['greedy', 'greedy', 'greedy', 'modest'].map((account) =>
      queue.wait('a', { kind: 'a', account, waitMs: 2_000 }).then(() => served.push(account)),
    );

    offers.push('a', 'a', 'a', 'a');
    queue.serve();

    await Promise.all(waits);
    expect(served).toEqual(['greedy', 'modest', 'greedy', 'greedy']);
  });

  test('tries each kind once per round', async () => {
    let attempts = 0;
    const grant = grantAtOnce<string, string>(() => {
      attempts += 1;
      return null;
    });
    const queue = new SlotQueue(new TestClock(), 1_000, grant);
    for (const account of ['one', 'two', 'three']) {
      for (const kind of ['a', 'b']) void queue.wait(kind, { kind, account, waitMs: 2_000 });
    }
    attempts = 0;

    queue.serve();

    expect(attempts).toBe(2);
    queue.close();
  });

  test('limits the waiting requests, except urgent ones', async () => {
    const offers: string[] = [];
    const { clock, queue } = queueOf(offers, 2);
    const waits = [1, 2].map(() => queue.wait('a', { ...usual('a'), waitMs: 2_000 }));

    const third = queue.wait('a', { ...usual('a'), waitMs: 2_000 });
    const urgent = queue.wait('a', { ...usual('a'), waitMs: 2_000, isUrgent: true });

    expect(await third).toBeNull();
    expect(queue.length).toBe(3);
    offers.push('a');
    queue.serve();
    expect(await urgent).toBe('a');
    clock.advance(2_000);
    expect(await Promise.all(waits)).toEqual([null, null]);
  });

  test('grants a free slot even beyond the limit', async () => {
    const { queue } = queueOf(['b'], 0);

    expect(await queue.wait('b', { ...usual('b'), waitMs: 2_000 })).toBe('b');
    expect(queue.length).toBe(0);
  });

  test('reports the longest wait', async () => {
    const { clock, queue } = queueOf([]);
    expect(queue.depths(() => 'all')).toEqual(new Map());
    void queue.wait('a', { ...usual('a'), waitMs: 2_000 });
    clock.advance(700);
    void queue.wait('a', { kind: 'a', account: 'account-2', waitMs: 2_000 });
    clock.advance(300);

    expect(queue.depths(() => 'all').get('all')).toEqual({ waiting: 2, oldestWaitMs: 1_000 });
    queue.close();
  });
});
