/*
 * How the control plane bears a growing fleet: simulated workers of ten slots, which speak the protocol and say their load as real ones do, and
 * sessions that arrive at a steady rate, answered or not, and go on for a while. Each size has a control plane and a Redis of its own; the
 * records are in SQLite.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess, type ControlProcess } from '../support/control-process.ts';
import { hasRedis, RedisServer } from '../support/redis.ts';
import type { Answers } from './api-load.ts';
import { cpuSeconds, pssMb, startPressure } from './machine.ts';
import { Child, machineMs } from './rpc.ts';
import { pause, type Row } from './rows.ts';

const KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const NORA = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
const SLOTS = 10;
const LOAD_EVERY_MS = 5_000;
const MOST_P99_MS = 100;

type Size = {
  workers: number;
  /** How long sessions arrive. */
  seconds: number;
  /** How long each goes on: never so long that there would be no warm slot. */
  performMs: number;
};

/** A hundred thousand sessions in less than eight minutes. */
const PER_SECOND = 220;
const GROWTH: Size[] = [
  { workers: 100, seconds: 50, performMs: 3_000 },
  { workers: 1_000, seconds: 150, performMs: 10_000 },
  { workers: 10_000, seconds: 255, performMs: 30_000 },
];
/** To see that it works. */
const SMALL: Size[] = [{ workers: 100, seconds: 5, performMs: 3_000 }];

export const fleet = (): Promise<Row[]> => measureAll(GROWTH);
export const smallFleet = (): Promise<Row[]> => measureAll(SMALL);

type Place = { control: ControlProcess; redis: RedisServer; load: Child; pool: Child };

async function measureAll(sizes: Size[]): Promise<Row[]> {
  if (!hasRedis) throw new Error('the fleet is measured with redis-server on the PATH');
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await inPlace((place) => measure(place, size))));
  return rows;
}

async function inPlace(measure: (place: Place) => Promise<Row[]>): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
  const redis = await RedisServer.open();
  const [load, pool] = [new Child('api-load.ts'), new Child('api-workers.ts')];
  let control: ControlProcess | null = null;
  try {
    control = await startControlProcess({
      DATA_DIR: dataDir,
      REDIS_URL: redis.url,
      TROUPE_API_KEY: KEY,
      WORKER_TOKEN,
      REQUESTS_PER_MINUTE: '1000000000',
    });
    await Promise.all([load.ready, pool.ready]);
    return await measure({ control, redis, load, pool });
  } finally {
    load.kill();
    pool.kill();
    await control?.kill();
    await redis.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(place: Place, size: Size): Promise<Row[]> {
  const { control, redis, pool, load } = place;
  const { workers, seconds, performMs } = size;
  const sessions = PER_SECOND * seconds;
  const target = {
    url: control.url,
    token: WORKER_TOKEN,
    avatarId: NORA,
    slots: SLOTS,
    loadEveryMs: LOAD_EVERY_MS,
  };
  // What is slow only at first is not what a fleet is judged by.
  await pool.ask('join', { ...target, workers: 20, performMs: 100 });
  await post(load, control.url, 'warm', { perSecond: 50, seconds: 2 });
  await pause(1_000);
  await pool.ask('leaveAll');

  const memory = async () => ({
    control: await pssMb(control.pid),
    redis: await pssMb(redis.pid),
  });
  const empty = await memory();
  const from = machineMs();
  await pool.ask('join', { ...target, workers, performMs });
  const joinedPerSecond = workers / ((machineMs() - from) / 1_000);
  await pause(2 * LOAD_EVERY_MS);
  const joined = await memory();

  const endPressure = await startPressure();
  const cpuBefore = await cpuSeconds(control.pid);
  const running = post(load, control.url, 'load', { perSecond: PER_SECOND, seconds });
  // From now on as many live as ever will at one time.
  await pause(performMs + 1_000);
  const full = await memory();
  const answers = await running;
  const cpuMs = ((await cpuSeconds(control.pid)) - cpuBefore) * 1_000;
  const pressure = await endPressure();
  await pause(1_000);
  const assigned = new Map(await pool.ask<[string, number][]>('takeAssigned'));

  const live = PER_SECOND * (performMs / 1_000);
  const { assignMs, perSecondDone } = assignmentsOf(answers, assigned);
  const p99 = quantile(assignMs, 0.99);
  const [all, what] = [
    sessions.toLocaleString('en'),
    `${workers.toLocaleString('en')} workers of ${SLOTS} slots`,
  ];
  const row = { whose: 'service', floor: '-', goal: '-', isMet: true, pressure } as const;
  return [
    {
      ...row,
      what: `from the request to the worker's assignment: ${what}, ${all} sessions at ${PER_SECOND} a second`,
      avatar: `p50 ${quantile(assignMs, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${assignMs.length.toLocaleString('en')} assigned at ${perSecondDone.toFixed(1)} a second`,
      goal: `p99 < ${MOST_P99_MS} ms, every one`,
      isMet: p99 < MOST_P99_MS && assignMs.length === sessions,
    },
    {
      ...row,
      what: `its answer: ${what}`,
      avatar: `p50 ${quantile(answers.ms, 0.5).toFixed(1)} ms, p99 ${quantile(answers.ms, 0.99).toFixed(1)} ms, ${answers.failed} failed; ${(cpuMs / sessions).toFixed(2)} ms of a core a session, with all that workers say meanwhile`,
    },
    {
      ...row,
      what: `memory of the control plane and of Redis: ${what}, ${live.toLocaleString('en')} sessions at once`,
      avatar: `${kb(joined.control, empty.control, workers)} + ${kb(joined.redis, empty.redis, workers)} kB a worker, ${kb(full.control, joined.control, live)} + ${kb(full.redis, joined.redis, live)} kB a session; ${joinedPerSecond.toFixed(0)} workers a second came`,
      pressure: null,
    },
  ];
}

/** How long each assignment took that came, and how many came in a second. */
function assignmentsOf({ begun }: Answers, assigned: Map<string, number>) {
  const times = begun.flatMap(([id, at]) => {
    const assignedAt = assigned.get(id);
    return assignedAt === undefined ? [] : [{ at, assignedAt }];
  });
  const first = times.reduce((least, { at }) => Math.min(least, at), Infinity);
  const last = times.reduce((most, { assignedAt }) => Math.max(most, assignedAt), 0);
  return {
    assignMs: times.map(({ at, assignedAt }) => assignedAt - at),
    perSecondDone: times.length / ((last - first) / 1_000),
  };
}

const post = (load: Child, url: string, run: string, rate: object): Promise<Answers> =>
  load.ask('open', {
    url,
    key: KEY,
    method: 'POST',
    path: '/v1/sessions',
    status: 201,
    run,
    ...rate,
  });

function quantile(values: number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

/** What each of so many added to so many megabytes. */
const kb = (after: number, before: number, count: number): string =>
  (((after - before) * 1_024) / count).toFixed(1);
