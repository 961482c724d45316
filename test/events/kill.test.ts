import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, NORA, roomToken } from '../support/api/build-app.ts';
import { WORKER_TOKEN } from '../support/fleet/control-plane.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { newPlace, type Place } from '../support/records/database.ts';
import { SimulatedWorker } from '../support/simulated-worker.ts';
import { WebhookSink } from '../support/api/webhook-sink.ts';

/** Two events each: start and end. */
const SESSIONS = 100;
const CALLERS = 16;
/** Acknowledged changes at each kill. */
const KILLS = [60, 61, 140];

let place: Place;
let sink: WebhookSink;
let control: ControlProcess;
let worker: SimulatedWorker;
/** Resolved while the control plane answers. */
let isUp: Promise<void>;
/** Acknowledged changes: `session.started <id>`, `session.ended <id>`. */
let acknowledged: Set<string>;
let kills: number[];
/** By the change that they wait for. */
let waiting: Map<string, () => void>;

beforeEach(async () => {
  place = await newPlace();
  sink = await WebhookSink.open();
  control = await start();
  worker = new SimulatedWorker({
    url: control.url,
    token: WORKER_TOKEN,
    avatars: [NORA],
    slots: CALLERS,
  });
  acknowledged = new Set();
  kills = [...KILLS];
  waiting = new Map();
  isUp = letWorkerIn();
});
afterEach(async () => {
  await control.kill();
  await sink.close();
  await place.remove();
});

const start = (port = '0') =>
  startControlProcess({
    ...place.env,
    PORT: port,
    TROUPE_API_KEY: API_KEY,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000',
  });

describe('a control plane that is killed', () => {
  test('delivers every event of acknowledged changes, signed and in order', async () => {
    const payload = { url: sink.url, events: ['session.started', 'session.ended'] };
    const webhook = await ask<{ secret: string }>('/v1/webhooks', payload);
    sink.trust(webhook.secret);
    const numbers = Array.from({ length: SESSIONS }, (_, number) => number).values();
    const call = async () => {
      for (const number of numbers) await beginAndEnd(number);
    };

    await Promise.all(Array.from({ length: CALLERS }, call));
    await isUp;
    const names = () =>
      sink.received.map(({ payload: { type, data } }) => nameOf(type, data['id']));
    const missing = () => {
      const knownNames = new Set(names());
      return [...acknowledged].filter((name) => !knownNames.has(name));
    };
    await sink.when(() => missing().length === 0).catch(() => {});

    expect(missing()).toEqual([]);
    expect(kills).toEqual([]);
    expect(acknowledged.size).toBe(2 * SESSIONS);
    expect(sink.bad).toEqual([]);
    const arrived = names();
    for (const name of acknowledged) {
      const [, id] = name.split(' ');
      const began = arrived.indexOf(nameOf('session.started', id));
      expect(arrived.indexOf(nameOf('session.ended', id))).toBeGreaterThan(began);
    }
  });
});

const nameOf = (type: string, id: unknown): string => `${type} ${String(id)}`;

async function beginAndEnd(number: number): Promise<void> {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = await roomToken({ roomJoin: true, room: `room-${number}` }, { exp });
  const body = { avatar_id: NORA, url: 'wss://media.their.example', token };
  const { id } = await insist<{ id: string }>('/v1/sessions', body);
  await begun(id);
  await insist(`/v1/sessions/${id}/end`, {});
  acknowledge(nameOf('session.ended', id));
}

/** Resolves when the start of this session is acknowledged. */
async function begun(id: string): Promise<void> {
  const name = nameOf('session.started', id);
  if (acknowledged.has(name)) return;
  await new Promise<void>((resolve) => waiting.set(name, resolve));
}

function acknowledge(name: string): void {
  acknowledged.add(name);
  waiting.get(name)?.();
  if (acknowledged.size < (kills[0] ?? Infinity)) return;
  kills.shift();
  isUp = isUp.then(killAndStart);
}

/** Repeats a request until it is answered, like a client. */
async function insist<Body>(path: string, body: object): Promise<Body> {
  for (;;) {
    const startup = isUp;
    await startup;
    try {
      return await ask<Body>(path, body);
    } catch (error) {
      if (isUp === startup) throw error;
    }
  }
}

async function ask<Body>(path: string, body: object): Promise<Body> {
  const reply = await fetch(`${control.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Body;
}

async function killAndStart(): Promise<void> {
  await control.kill();
  await worker.closed();
  control = await start(new URL(control.url).port);
  await letWorkerIn();
}

/** Reports the start of every session, and repeats unacknowledged reports after a reconnect. */
async function letWorkerIn(): Promise<void> {
  await worker.join();
  const begin = (assign: { placement: { sessionId: string; epoch: number } }) => {
    const name = nameOf('session.started', assign.placement.sessionId);
    if (acknowledged.has(name)) return;
    worker.started(assign.placement).then(
      () => acknowledge(name),
      () => {},
    );
  };
  const perform = async () => {
    for (;;) begin(await worker.next('assign'));
  };
  for (const assign of worker.performing.values()) begin(assign);
  perform().catch(() => {});
}
