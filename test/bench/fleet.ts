/*
 * How the control plane bears a growing fleet: simulated workers of ten slots, sessions that arrive at a steady rate and go on for a while.
 * Each size has a control plane of its own, with its records in SQLite.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess } from '../support/control-process.ts';
import type { Answers } from './api-load.ts';
import { pssMb, startPressure } from './machine.ts';
import { Child, machineMs } from './rpc.ts';
import { pause, type Row } from './rows.ts';

const KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const NORA = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
const SIZES = [100, 1_000, 10_000];
const SLOTS = 10;
const PER_SECOND = 80;
const SECONDS = 20;
/** A hundred workers are nearly full by then: a warm slot is still there. */
const PERFORM_MS = 11_000;
const MOST_P99_MS = 100;

type Load = { answers: Answers; assignMs: number[]; sessionKb: number };

export async function fleet(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workers of SIZES) rows.push(...(await measure(workers)));
  return rows;
}

async function measure(workers: number): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
  const control = await startControlProcess({
    DATA_DIR: dataDir,
    TROUPE_API_KEY: KEY,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000000',
  });
  const [load, pool] = [new Child('api-load.ts'), new Child('api-workers.ts')];
  try {
    await Promise.all([load.ready, pool.ready]);
    const target = { url: control.url, token: WORKER_TOKEN, avatarId: NORA, performMs: PERFORM_MS };
    // What is slow only at first is not what a fleet is judged by.
    await pool.ask('join', { ...target, workers: 20, slots: SLOTS, performMs: 100 });
    await post(load, control.url, 'warm', { perSecond: 50, seconds: 2 });
    await pool.ask('takeAssigned');

    const memoryBefore = await pssMb(control.pid);
    const from = machineMs();
    await pool.ask('join', { ...target, workers, slots: SLOTS });
    const joinedPerSecond = workers / ((machineMs() - from) / 1_000);
    await pause(5_000);
    const workerKb = ((await pssMb(control.pid)) - memoryBefore) * (1_024 / workers);

    const endPressure = await startPressure();
    const { answers, assignMs, sessionKb } = await loadOf(load, pool, control);
    const pressure = await endPressure();
    const p99 = quantile(assignMs, 0.99);
    const what = `${workers.toLocaleString('en')} workers, ${PER_SECOND} sessions a second`;
    const row = { whose: 'service', floor: '-', goal: '-', isMet: true, pressure } as const;
    return [
      {
        ...row,
        what: `from the request to the worker's assignment: ${what}`,
        avatar: `p50 ${quantile(assignMs, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${assignMs.length} of ${PER_SECOND * SECONDS}`,
        goal: `p99 < ${MOST_P99_MS} ms, every one`,
        isMet: p99 < MOST_P99_MS && assignMs.length === PER_SECOND * SECONDS,
      },
      {
        ...row,
        what: `its answer: ${what}`,
        avatar: `p50 ${quantile(answers.ms, 0.5).toFixed(1)} ms, p99 ${quantile(answers.ms, 0.99).toFixed(1)} ms, ${answers.failed} failed`,
      },
      {
        ...row,
        what: `memory of the control plane, ${workers.toLocaleString('en')} workers`,
        avatar: `${workerKb.toFixed(0)} kB a worker, ${sessionKb.toFixed(0)} kB a session; ${joinedPerSecond.toFixed(0)} workers a second came`,
        pressure: null,
      },
    ];
  } finally {
    await control.kill();
    load.kill();
    pool.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function loadOf(
  load: Child,
  pool: Child,
  control: { url: string; pid: number },
): Promise<Load> {
  const before = await pssMb(control.pid);
  const running = post(load, control.url, 'load', { perSecond: PER_SECOND, seconds: SECONDS });
  // As many live as will at any time.
  await pause(PERFORM_MS);
  const live = PER_SECOND * (PERFORM_MS / 1_000);
  const sessionKb = ((await pssMb(control.pid)) - before) * (1_024 / live);
  const answers = await running;
  await pause(1_000);
  const assigned = new Map(await pool.ask<[string, number][]>('takeAssigned'));
  const assignMs = answers.begun.flatMap(([id, at]) => {
    const assignedAt = assigned.get(id);
    return assignedAt === undefined ? [] : [assignedAt - at];
  });
  return { answers, assignMs, sessionKb };
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
