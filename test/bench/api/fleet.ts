/*
 * The control plane with a growing fleet: simulated workers of ten slots, which speak the protocol
 * and report load like real ones, and sessions that arrive at a steady rate and last for a while.
 * Each size has its own control plane and Redis. Records are in SQLite or PostgreSQL.
 */
import { hasRedis, RedisServer } from '../../support/records/redis.ts';
import type { Answers } from './api-load.ts';
import { startLoad } from './load-meter.ts';
import { cpuSeconds, pssMb } from '../machine.ts';
import { pause } from '../pause.ts';
import {
  KEY,
  NORA,
  WORKER_TOKEN,
  withLoadedControl,
  type LoadedControl,
} from './loaded-control.ts';
import { onPostgres, onSqlite, type Records } from './records.ts';
import { quantile, row, type Row } from '../report/row.ts';
import { machineMs, type Child } from '../rpc.ts';

const SLOTS = 10;
const LOAD_EVERY_MS = 5_000;
const MOST_P99_MS = 100;

type Size = {
  workers: number;
  /** Duration of arrivals. */
  seconds: number;
  /** Length of a session, short enough that warm slots remain. */
  performMs: number;
};

/** A hundred thousand sessions in less than eight minutes. */
const PER_SECOND = 220;
const GROWTH: Size[] = [
  { workers: 100, seconds: 50, performMs: 3_000 },
  { workers: 1_000, seconds: 150, performMs: 10_000 },
  { workers: 10_000, seconds: 255, performMs: 30_000 },
];
/** A quick run that checks the bench itself. */
const SMALL: Size[] = [{ workers: 100, seconds: 5, performMs: 3_000 }];

export const fleet = (): Promise<Row[]> => onSqlite((records) => measureAll(GROWTH, records));
export const fleetOnPostgres = (): Promise<Row[]> =>
  onPostgres((records) => measureAll(GROWTH, records));
export const smallFleet = (): Promise<Row[]> => onSqlite((records) => measureAll(SMALL, records));
export const smallFleetOnPostgres = (): Promise<Row[]> =>
  onPostgres((records) => measureAll(SMALL, records));

async function measureAll(sizes: Size[], records: Records): Promise<Row[]> {
  if (!hasRedis) throw new Error('the fleet bench needs redis-server on the PATH');
  const rows: Row[] = [];
  for (const size of sizes) {
    const redis = await RedisServer.open();
    try {
      const env = { REDIS_URL: redis.url };
      const measured = withLoadedControl(records, env, (loaded) => measure(loaded, redis, size));
      rows.push(...(await measured));
    } finally {
      await redis.close();
    }
  }
  return rows;
}

async function measure(loaded: LoadedControl, redis: RedisServer, size: Size): Promise<Row[]> {
  const { control, pool, load, database } = loaded;
  const { workers, seconds, performMs } = size;
  const sessions = PER_SECOND * seconds;
  const target = {
    url: control.url,
    token: WORKER_TOKEN,
    avatarId: NORA,
    slots: SLOTS,
    loadEveryMs: LOAD_EVERY_MS,
  };
  // Warm-up: V8 compiles the hot code.
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

  const endLoad = startLoad();
  const cpuBefore = await cpuSeconds(control.pid);
  const running = post(load, control.url, 'load', { perSecond: PER_SECOND, seconds });
  // From here on the number of live sessions is constant.
  await pause(performMs + 1_000);
  const full = await memory();
  const answers = await running;
  const cpuMs = ((await cpuSeconds(control.pid)) - cpuBefore) * 1_000;
  const loadMeanwhile = endLoad();
  await pause(1_000);
  const assigned = new Map(await pool.ask<[string, number][]>('takeAssigned'));

  const live = PER_SECOND * (performMs / 1_000);
  const { assignMs, perSecondDone } = assignmentsOf(answers, assigned);
  const sized = `${workers.toLocaleString('en')} workers, ${database}`;
  const delayRows = (subject: string, ms: number[], atMost?: number): Row[] => [
    row({ what: `${subject}, ${sized}`, unit: 'ms', values: ms, load: loadMeanwhile }),
    row({
      what: `${subject}, 99th percentile, ${sized}`,
      unit: 'ms',
      values: quantile(ms, 0.99),
      ...(atMost !== undefined && { goal: { of: 'median', atMost } }),
      load: loadMeanwhile,
    }),
  ];
  const countRow = (subject: string, values: number, goal?: { of: 'worst'; atMost: number }) =>
    row({
      what: `${subject}, ${sized}`,
      unit: 'sessions',
      values,
      ...(goal && { goal }),
      calmBy: 'always',
    });
  const memoryOf = (subject: string, unit: string, values: number) =>
    row({ what: `${subject}, ${sized}`, unit, values, calmBy: 'always' });
  return [
    ...delayRows("from the request to the worker's assignment", assignMs, MOST_P99_MS),
    countRow(`never assigned of ${sessions.toLocaleString('en')}`, sessions - assignMs.length, {
      of: 'worst',
      atMost: 0,
    }),
    row({
      what: `assigned in a second, ${sized}`,
      unit: '/s',
      values: perSecondDone,
      better: 'higher',
      note: `${PER_SECOND} a second arrive`,
      load: loadMeanwhile,
    }),
    ...delayRows('the answer to the request', answers.ms),
    countRow('requests that failed', answers.failed),
    row({
      what: `processor of a session, ${sized}`,
      unit: 'ms',
      values: cpuMs / sessions,
      note: 'including worker messages',
      load: loadMeanwhile,
    }),
    memoryOf('control plane, each worker', 'kB', kb(joined.control, empty.control, workers)),
    memoryOf('Redis, each worker', 'kB', kb(joined.redis, empty.redis, workers)),
    memoryOf('control plane, each live session', 'kB', kb(full.control, joined.control, live)),
    memoryOf('Redis, each live session', 'kB', kb(full.redis, joined.redis, live)),
    row({
      what: `workers that came in a second, ${sized}`,
      unit: '/s',
      values: joinedPerSecond,
      better: 'higher',
    }),
  ];
}

/** Duration of each assignment, and assignments per second. */
function assignmentsOf({ begun }: Answers, assigned: Map<string, number>) {
  const times = begun.flatMap(([id, at]) => {
    const assignedAt = assigned.get(id);
    return assignedAt === undefined ? [] : [{ at, assignedAt }];
  });
  const firstAt = times.reduce((least, { at }) => Math.min(least, at), Infinity);
  const lastAt = times.reduce((most, { assignedAt }) => Math.max(most, assignedAt), 0);
  return {
    assignMs: times.map(({ at, assignedAt }) => assignedAt - at),
    perSecondDone: times.length / ((lastAt - firstAt) / 1_000),
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

/** Memory growth divided by the count. */
const kb = (afterMb: number, beforeMb: number, count: number): number =>
  ((afterMb - beforeMb) * 1_024) / count;
