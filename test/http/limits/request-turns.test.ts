import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { answerOneAtATime } from '../../../src/http/answers/one-at-a-time.ts';
import { replyToError } from '../../../src/http/errors/fault-replies.ts';
import { RequestTurns } from '../../../src/http/limits/request-turns.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let clock: TestClock;
let turns: RequestTurns;
beforeEach(() => {
  clock = new TestClock();
  turns = new RequestTurns(clock);
});

describe('turns of the event loop', () => {
  let started: string[];
  beforeEach(() => void (started = []));

  /** A request that keeps the event loop busy for four milliseconds. */
  function take(url: string, hasLeft = false): void {
    const request = { url, socket: { destroyed: hasLeft } } as IncomingMessage;
    turns.take(request, () => {
      started.push(url);
      clock.stall(4);
    });
  }

  test('start requests in their order, for 10 ms, then one each', async () => {
    for (const url of ['/1', '/2', '/3', '/4', '/5']) take(url);
    const counts = [started.length];
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      counts.push(started.length);
    }

    expect(counts).toEqual([3, 4, 5, 5]);
    expect(started).toEqual(['/1', '/2', '/3', '/4', '/5']);
  });

  test('let timers run in between', async () => {
    const countAtTimer = new Promise<number>((resolve) => {
      setTimeout(() => resolve(started.length));
    });
    for (let count = 0; count < 2_000; count += 1) take('/');
    await until(() => started.length === 2_000);

    expect(await countAtTimer).toBeLessThan(2_000);
  });

  test('start a request at once when none waits', async () => {
    for (let count = 1; count <= 5; count += 1) {
      take('/');
      expect(started).toHaveLength(count);
      await nextTurn();
    }
  });

  test('do not let a new request pass those that wait', async () => {
    for (const url of ['/1', '/2', '/3', '/4']) take(url);
    clock.stall(10);
    take('/5');
    await nextTurn();
    await nextTurn();

    expect(started).toEqual(['/1', '/2', '/3', '/4', '/5']);
  });

  test('start the request for the state of the process at all times', async () => {
    for (const url of ['/1', '/2', '/3', '/4', '/healthz']) take(url);
    await nextTurn();

    expect(started).toEqual(['/1', '/2', '/3', '/healthz', '/4']);
  });

  test('leave out requests of clients that have left', async () => {
    for (const url of ['/1', '/2', '/3']) take(url);
    take('/4', true);
    take('/5');
    await nextTurn();

    expect(started).toEqual(['/1', '/2', '/3', '/5']);
  });
});

test('a request that has waited for more than five seconds is refused', async () => {
  const app = fastify({ forceCloseConnections: true });
  app.decorateRequest('rejectedFor', null);
  app.setErrorHandler(replyToError);
  turns.serve(app);
  answerOneAtATime(app.server, { turns, takenWithinMs: 60_000 });
  app.get('/', async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const ask = () => fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`);
  app.server.prependOnceListener('request', () => {
    // Another request takes the whole turn.
    turns.take({ url: '/' } as IncomingMessage, () => clock.stall(10));
    queueMicrotask(() => clock.stall(5_001));
  });
  try {
    const reply = await ask();

    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('2');
    expect(await reply.json()).toMatchObject({ code: 'at_capacity', reason: 'requests' });
    expect((await ask()).status).toBe(200);
  } finally {
    await app.close();
  }
});
