import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, NORA, roomToken } from '../support/api/build-app.ts';
import { WORKER_TOKEN } from '../support/fleet/control-plane.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { newPlace, type Place } from '../support/records/database.ts';
import { SimulatedWorker } from '../support/simulated-worker.ts';
import { until } from '../support/until.ts';

const CREATES = 200;
const CALLERS = 16;
/**
 * Acknowledged creates and starts at each kill. Consecutive numbers of creates kill it during its
 * recovery.
 */
const KILLS = [
  { creates: 60, starts: 30 },
  { creates: 61, starts: 0 },
  { creates: 140, starts: 61 },
  { creates: CREATES, starts: 0 },
];

let place: Place;
let control: ControlProcess;
let worker: SimulatedWorker;
/** Resolved while the control plane answers. */
let isUp: Promise<void>;
/** Sessions whose start was acknowledged to the worker. */
let begun: Set<string>;

beforeEach(async () => {
  place = await newPlace();
  control = await start();
  const slots = CREATES + CALLERS;
  worker = new SimulatedWorker({ url: control.url, token: WORKER_TOKEN, avatars: [NORA], slots });
  begun = new Set();
  isUp = letWorkerIn();
});
afterEach(async () => {
  await control.kill();
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
  test('has every session that it acknowledged, and each of them once', async () => {
    const kills = [...KILLS];
    const createdIds: string[] = [];
    const numbers = Array.from({ length: CREATES }, (_, number) => number).values();
    const call = async () => {
      for (const number of numbers) {
        createdIds.push(await create(number));
        const [nextKill] = kills;
        if (!nextKill || createdIds.length < nextKill.creates) continue;
        kills.shift();
        isUp = isUp.then(() => killAndStart(nextKill.starts));
      }
    };

    await Promise.all(Array.from({ length: CALLERS }, call));
    await isUp;

    const sessions = await list();
    expect(kills).toEqual([]);
    expect(sessions.map(({ id }) => id).sort()).toEqual(createdIds.sort());
    expect(new Set(createdIds).size).toBe(CREATES);
    for (const { id, status } of sessions) if (begun.has(id)) expect(status.type).toBe('ongoing');
    if (!place.env.DATABASE_URL) expect(checkFile()).toBe('ok');
  });
});

type Session = { id: string; status: { type: string } };
type Page = { data: Session[]; next_cursor?: string };

/** Creates one session like a client: repeats the request with its key until it is answered. */
async function create(number: number): Promise<string> {
  const body = JSON.stringify({
    avatar_id: NORA,
    url: 'wss://media.their.example',
    token: await tokenOf(number),
  });
  for (;;) {
    const startup = isUp;
    await startup;
    try {
      const reply = await ask('/v1/sessions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `create-${number}` },
        body,
      });
      return ((await reply.json()) as Session).id;
    } catch (error) {
      if (isUp === startup) throw error;
    }
  }
}

const tokenOf = (number: number): Promise<string> =>
  roomToken(
    { roomJoin: true, room: `room-${number}` },
    { exp: Math.floor(Date.now() / 1000) + 3600 },
  );

async function list(): Promise<Session[]> {
  const sessions: Session[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '50', ...(cursor && { cursor }) });
    const page = (await (await ask(`/v1/sessions?${query}`)).json()) as Page;
    sessions.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return sessions;
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('x-api-key', API_KEY);
  const reply = await fetch(`${control.url}${path}`, { ...init, headers });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply;
}

async function killAndStart(starts: number): Promise<void> {
  await until(() => begun.size >= starts);
  await control.kill();
  await worker.closed();
  control = await start(new URL(control.url).port);
  await letWorkerIn();
}

/** Accepts every session and reports its start at once. */
async function letWorkerIn(): Promise<void> {
  await worker.join();
  const perform = async () => {
    for (;;) {
      const { placement } = await worker.next('assign');
      const remember = () => begun.add(placement.sessionId);
      worker.started(placement).then(remember, () => {});
    }
  };
  perform().catch(() => {});
}

/** SQLite only: the PostgreSQL file is not ours to check. */
function checkFile(): unknown {
  const file = new DatabaseSync(path.join(place.dataDir, 'troupe.sqlite'));
  const { integrity_check } = file.prepare('pragma integrity_check').get() ?? {};
  file.close();
  return integrity_check;
}
