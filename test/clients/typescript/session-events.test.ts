import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  Troupe,
  type SessionEvent,
} from '../../../src/clients/typescript/src/index.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { settle, TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
let clock: TestClock;
let requests: number;
let breakOff: () => void;
/** Answers instead of the service. */
let otherAnswer: (() => Response) | null;
beforeEach(async () => {
  service = await buildApp();
  clock = new TestClock();
  requests = 0;
  otherAnswer = null;
});
afterEach(() => service.close());

/** The client's own time stands still; its connection breaks when the test says so. */
const client = () =>
  new Troupe(
    { apiKey: API_KEY, baseUrl: service.url },
    {
      now: () => clock.now(),
      random: () => 0,
      after: (ms, run) => clock.after(ms, run),
      async fetch(input, init) {
        requests += 1;
        if (otherAnswer) return otherAnswer();
        const response = await fetch(input, init);
        if (!response.body) return response;
        const broken = new TransformStream<Uint8Array, Uint8Array>();
        const stop = new AbortController();
        breakOff = () => stop.abort(new TypeError('terminated'));
        response.body.pipeTo(broken.writable, { signal: stop.signal }).catch(() => {});
        return new Response(broken.readable, response);
      },
    },
  );

const open = async (): Promise<string> =>
  (await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } })).json().id;

async function assignment() {
  const [worker] = service.workers;
  const { placement } = await worker!.next('assign');
  return { worker: worker!, placement };
}

/** 45 seconds without a sign of life, once the stream is open. */
async function silence(): Promise<void> {
  await until(() => clock.waiting === 1 && clock.dueIn(45_000) === 1);
  clock.advance(45_000);
}

const typesOf = (events: SessionEvent[]) =>
  events.map(({ event, data }) => `${event} ${data.status.type}`);

describe('the events of a session', () => {
  test('are told from the current state to the end', async () => {
    const id = await open();
    const { worker, placement } = await assignment();
    const received: SessionEvent[] = [];

    for await (const event of client().sessions.events(id)) {
      received.push(event);
      if (event.data.status.type === 'to_start') await worker.started(placement);
      if (event.data.status.type === 'ongoing') await worker.ended(placement, 'room_closed');
    }

    expect(typesOf(received)).toEqual([
      'session to_start',
      'session.started ongoing',
      'session.ended completed',
    ]);
    expect(clock.waiting).toBe(0);
  });

  test('go on after a broken connection, without a repeat', async () => {
    const id = await open();
    const { worker, placement } = await assignment();
    const events = client().sessions.events(id);
    expect((await events.next()).value).toMatchObject({ event: 'session' });

    const nextEvent = events.next();
    breakOff();
    await until(() => clock.dueIn(500) === 1);
    await worker.started(placement);
    clock.advance(500);

    expect((await nextEvent).value).toMatchObject({
      event: 'session',
      data: { status: { type: 'ongoing' } },
    });
    expect(requests).toBe(2);
    await events.return();
    expect(clock.waiting).toBe(0);
  });

  test('go on when the connection is silent, and give up after five breaks', async () => {
    const id = await open();
    const events = client().sessions.events(id);
    await events.next();

    const nextEvent = events.next();
    const failure = expect(nextEvent).rejects.toThrow(ConnectionError);
    for (let breaks = 1; breaks <= 5; breaks += 1) {
      await silence();
      const pauseMs = 500 * 2 ** (breaks - 1);
      await until(() => clock.waiting === 1 && clock.dueIn(pauseMs) === 1);
      clock.advance(pauseMs);
    }
    await silence();

    await failure;
    expect(requests).toBe(6);
    await settle();
    expect(clock.waiting).toBe(0);
  });

  test('tell of breaks, and give up after as many as the caller allows', async () => {
    const id = await open();
    let reconnects = 0;
    const onReconnect = () => void (reconnects += 1);
    const events = client().sessions.events(id, { maxReconnects: 1, onReconnect });
    await events.next();

    const failure = expect(events.next()).rejects.toThrow('The event stream breaks again');
    breakOff();
    await until(() => clock.waiting === 1 && clock.dueIn(500) === 1);
    expect(reconnects).toBe(1);
    clock.advance(500);
    await until(() => requests === 2 && clock.dueIn(45_000) === 1 && clock.waiting === 1);
    breakOff();

    await failure;
    expect(reconnects).toBe(1);
  });

  test.each([502, 521])('go on after a proxy has answered %i for a while', async (status) => {
    const id = await open();
    const { worker, placement } = await assignment();
    const events = client().sessions.events(id, { maxRetries: 0 });
    await events.next();
    otherAnswer = () => new Response('<h1>Bad gateway</h1>', { status });

    const nextEvent = events.next();
    breakOff();
    await until(() => clock.waiting === 1 && clock.dueIn(500) === 1);
    clock.advance(500);
    await until(() => clock.waiting === 1 && clock.dueIn(1_000) === 1);
    otherAnswer = null;
    await worker.started(placement);
    clock.advance(1_000);

    expect((await nextEvent).value).toMatchObject({ data: { status: { type: 'ongoing' } } });
    expect(requests).toBe(3);
    await events.return();
  });

  test('end when the service refuses to open them again', async () => {
    const events = client().sessions.events(await open(), { maxRetries: 0 });
    await events.next();
    otherAnswer = () => Response.json({ detail: 'Draining.' }, { status: 503 });

    const failure = expect(events.next()).rejects.toThrow('503 Draining.');
    breakOff();
    await until(() => clock.waiting === 1 && clock.dueIn(500) === 1);
    clock.advance(500);

    await failure;
    expect(requests).toBe(2);
  });

  test('stop when the caller has enough', async () => {
    const id = await open();
    const stop = new AbortController();
    const events = client().sessions.events(id, { signal: stop.signal });
    await events.next();

    const nextEvent = events.next();
    stop.abort();

    await expect(nextEvent).rejects.toMatchObject({ name: 'AbortError' });
    expect(clock.waiting).toBe(0);
  });

  test('are refused for an unknown session', async () => {
    await expect(client().sessions.events('none').next()).rejects.toThrow(NotFoundError);
  });
});
