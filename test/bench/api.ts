/* The API under load: the control plane as a process, simulated workers, and callers in processes of their own, over HTTP on loopback. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess } from '../support/control-process.ts';
import { copyDatabase } from '../support/postgres-databases.ts';
import { PostgresServer } from '../support/postgres.ts';
import type { Answers, Target } from './api-load.ts';
import { startPressure } from './machine.ts';
import { Child } from './rpc.ts';
import type { Row } from './rows.ts';

const KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const NORA = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
const PER_SECOND = 500;

type Side = Pick<Target, 'url'> & { run: string };
type Call = Pick<Target, 'method' | 'path' | 'status'>;
type Measured = { service: Answers; floor: Answers; pressure: number | null };

const POST: Call = { method: 'POST', path: '/v1/sessions', status: 201 };

export const apiOnSqlite = (): Promise<Row[]> => measure('SQLite', {}, { hasGoals: true });

export async function apiOnPostgres(): Promise<Row[]> {
  const server = await PostgresServer.open();
  try {
    const env = { DATABASE_URL: await copyDatabase(server.url) };
    return await measure('PostgreSQL, which syncs nothing here', env, { hasGoals: false });
  } finally {
    await server.close();
  }
}

async function measure(
  database: string,
  env: Record<string, string>,
  { hasGoals }: { hasGoals: boolean },
): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
  const children = ['api-load.ts', 'api-floor.ts', 'api-workers.ts'].map((file) => new Child(file));
  const [load, floorProcess, workers] = children as [Child, Child, Child];
  const control = await startControlProcess({
    DATA_DIR: dataDir,
    TROUPE_API_KEY: KEY,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000000',
    // As it usually is; nobody reads it.
    LOG_LEVEL: 'info',
    ...env,
  });
  try {
    await Promise.all(children.map(({ ready }) => ready));
    await workers.ask('join', {
      url: control.url,
      token: WORKER_TOKEN,
      avatarId: NORA,
      workers: 4,
      slots: 2_000,
      performMs: 1_000,
    });
    const service = { url: control.url, run: 'service' };
    const floor = { url: await floorProcess.ask<string>('listen'), run: 'floor' };
    const api = new Callers(load, service, floor);
    return await rowsOf(api, database, hasGoals);
  } finally {
    await control.kill();
    for (const child of children) child.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

class Callers {
  readonly #load: Child;
  readonly #service: Side;
  readonly #floor: Side;

  constructor(load: Child, service: Side, floor: Side) {
    this.#load = load;
    this.#service = service;
    this.#floor = floor;
  }

  /** In turns, so that both have the same machine. */
  async ask(verb: 'closed' | 'open', call: Call, more: object, rounds = 3): Promise<Measured> {
    const service: Answers[] = [];
    const floor: Answers[] = [];
    const endPressure = await startPressure();
    for (let round = 0; round < rounds; round++) {
      floor.push(await this.#ask(verb, this.#floor, call, more));
      service.push(await this.#ask(verb, this.#service, call, more));
    }
    return { service: merge(service), floor: merge(floor), pressure: await endPressure() };
  }

  #ask(verb: string, side: Side, call: Call, more: object): Promise<Answers> {
    return this.#load.ask<Answers>(verb, { key: KEY, ...side, ...call, ...more });
  }
}

async function rowsOf(api: Callers, database: string, hasGoals: boolean): Promise<Row[]> {
  // What is slow only at first is not what a service is judged by: it is compiled for some 20,000 sessions.
  const warm = await api.ask('closed', POST, { callers: 8, seconds: 10 }, 1);
  const { id } = JSON.parse(warm.service.firstBody) as { id: string };

  const one = await api.ask('closed', POST, { callers: 1, seconds: 3 });
  const many = await api.ask('closed', POST, { callers: 16, seconds: 3 });
  const steady = await api.ask('open', POST, { perSecond: PER_SECOND, seconds: 4 });
  const byId = { method: 'GET', path: `/v1/sessions/${id}`, status: 200 } as const;
  const single = await api.ask('closed', byId, { callers: 1, seconds: 2 });
  const list = { method: 'GET', path: '/v1/sessions', status: 200 } as const;
  const listed = await api.ask('closed', list, { callers: 1, seconds: 2 });

  const row = (what: string, measured: Measured, goal = '-', isMet = true): Row => ({
    what: `${what}, ${database}`,
    whose: 'service',
    avatar: `${figures(measured.service)} = ${ratio(measured, 0.5).toFixed(2)}x, ${ratio(measured, 0.99).toFixed(2)}x`,
    floor: figures(measured.floor),
    goal: hasGoals ? goal : '-',
    isMet: !hasGoals || isMet,
    pressure: measured.pressure,
  });
  return [
    row('POST /v1/sessions, one caller', one, 'p50 <= 3x floor', ratio(one, 0.5) <= 3),
    row(
      `POST /v1/sessions at ${PER_SECOND} a second`,
      steady,
      'p99 <= 5x floor',
      ratio(steady, 0.99) <= 5 && steady.service.failed === 0,
    ),
    // As many as the machine can: it is busy by itself, which says nothing against the figure.
    { ...row('POST /v1/sessions, 16 callers', many), pressure: null },
    row('GET /v1/sessions/{id}, one caller', single),
    row('GET /v1/sessions, one caller', listed),
  ];
}

const ratio = ({ service, floor }: Measured, at: number) =>
  quantile(service, at) / quantile(floor, at);

const merge = (all: Answers[]): Answers => ({
  ms: all.flatMap(({ ms }) => ms),
  failed: all.reduce((sum, { failed }) => sum + failed, 0),
  seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
  firstBody: all[0]?.firstBody ?? '',
  begun: [],
});

function figures(answers: Answers): string {
  const [p50, p99] = [0.5, 0.99].map((at) => quantile(answers, at).toFixed(2));
  const perSecond = Math.round(answers.ms.length / answers.seconds);
  const failed = answers.failed > 0 ? `, ${answers.failed} FAILED` : '';
  return `p50 ${p50} ms, p99 ${p99} ms, ${perSecond}/s${failed}`;
}

function quantile({ ms }: Answers, at: number): number {
  const sorted = ms.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}
