/*
 * Sessions one after the other for a long time: what grows with each of them would end a service. A first half warms up, and the second one is
 * held against it.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess } from '../support/control-process.ts';
import type { RunningService } from '../support/service.ts';
import type { Answers } from './api-load.ts';
import { collectGarbage } from './collect-garbage.ts';
import { pssMb } from './machine.ts';
import { Child } from './rpc.ts';
import { pause, type Measure, type Row } from './rows.ts';
import { ADMIN_PASSWORD } from './stage.ts';

const KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const NORA = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
const SIMULATED = { first: 5_000, more: 5_000, perSecond: 150 };
const REAL = { first: 100, more: 100, atOnce: 4 };
/** Of what there was when all was warm. */
const MOST_GROWTH = 1.1;
const POLL_MS = 50;

/** Once its garbage is collected: all of its memory, and what its heap holds. */
type State = { mb: number; heapMb: number; files: number };
type Audit = {
  agrees: boolean;
  leases: number;
  sessions: number;
  rows: number;
  rooms: number | null;
};

/** With workers without media: what the control plane keeps of each session. */
export async function simulatedSessions(): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
  const control = await startControlProcess({
    DATA_DIR: dataDir,
    TROUPE_API_KEY: KEY,
    TROUPE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000000',
  });
  const pool = new Child('api-workers.ts');
  /** By callers of its own: what they keep open ends with them. */
  const perform = async (sessions: number, run: string) => {
    const load = new Child('api-load.ts');
    await load.ready;
    const { failed } = await load.ask<Answers>('open', {
      url: control.url,
      key: KEY,
      method: 'POST',
      path: '/v1/sessions',
      status: 201,
      run,
      perSecond: SIMULATED.perSecond,
      seconds: sessions / SIMULATED.perSecond,
    });
    load.kill();
    await pause(3_000);
    await pool.ask('takeAssigned');
    return failed;
  };
  try {
    await pool.ready;
    const target = { url: control.url, token: WORKER_TOKEN, avatarId: NORA, performMs: 100 };
    await pool.ask('join', { ...target, workers: 40, slots: 10 });
    const failedFirst = await perform(SIMULATED.first, 'first');
    const before = await stateOf(control.pid);
    const failed = failedFirst + (await perform(SIMULATED.more, 'more'));
    const after = await stateOf(control.pid);
    const audit = await auditOf(control.url);
    return [
      grown(`control plane, ${SIMULATED.more} simulated sessions after ${SIMULATED.first}`, {
        before,
        after,
      }),
      left(`${SIMULATED.first + SIMULATED.more} simulated sessions, ${failed} not opened`, audit),
    ];
  } finally {
    await control.kill();
    pool.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** With real media: rooms of the service's own, each seen by its worker only. */
export const realSessions: Measure = async ({ service }) => {
  const perform = async (sessions: number) => {
    let begun = 0;
    const inTurn = async () => {
      while (begun++ < sessions) await performOne(service);
    };
    await Promise.all(Array.from({ length: REAL.atOnce }, inTurn));
    await pause(5_000);
  };
  // One after the other: there is one port for inspectors.
  const states = async () => ({
    worker: await stateOf(await service.pid('worker')),
    control: await stateOf(await service.pid('control')),
  });
  await perform(REAL.first);
  const before = await states();
  await perform(REAL.more);
  const after = await states();
  const audit = await auditOf(service.address);
  const what = `${REAL.more} sessions with real media after ${REAL.first}`;
  return [
    grown(`avatar worker, ${what}`, { before: before.worker, after: after.worker }),
    grown(`control plane, ${what}`, { before: before.control, after: after.control }),
    left(`${REAL.first + REAL.more} sessions with real media`, audit),
  ];
};

/** Asked for by an operator of its own. */
async function auditOf(url: string): Promise<Audit> {
  const post = async (path: string, body: object) => {
    const headers = {
      authorization: `Bearer ${ADMIN_PASSWORD}`,
      'content-type': 'application/json',
    };
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await reply.json()) as { id: string; key: string };
  };
  const { id } = await post('/admin/accounts', { name: 'operator', plan: 'unlimited' });
  const { key } = await post(`/admin/accounts/${id}/keys`, { name: 'audit', scope: 'operator' });
  const reply = await fetch(`${url}/v1/fleet/audit`, { headers: { 'x-api-key': key } });
  return (await reply.json()) as Audit;
}

/** Until its face is in its room, and is out of it again. */
async function performOne(service: RunningService): Promise<void> {
  const opened = await service.api('/v1/sessions', { method: 'POST', body: { avatar_id: NORA } });
  if (opened.status !== 201) throw new Error(`POST answered ${opened.status}`);
  const { id } = (await opened.json()) as { id: string };
  const become = async (wanted: string) => {
    for (;;) {
      const session = (await (await service.api(`/v1/sessions/${id}`)).json()) as {
        status: { type: string };
      };
      if (session.status.type === wanted) return;
      await pause(POLL_MS);
    }
  };
  await become('ongoing');
  await service.api(`/v1/sessions/${id}/end`, { method: 'POST' });
  await become('completed');
}

/** Sockets are among a process's open files. */
async function stateOf(pid: number): Promise<State> {
  const files = readdirSync(`/proc/${pid}/fd`).length;
  const heapMb = await collectGarbage(pid);
  return { mb: await pssMb(pid), heapMb, files };
}

const grown = (what: string, { before, after }: { before: State; after: State }): Row => ({
  what: `memory and open files of the ${what}`,
  avatar: toldOf(after),
  floor: toldOf(before),
  goal: `<= ${MOST_GROWTH}x, no more files`,
  isMet: after.mb <= before.mb * MOST_GROWTH && after.files <= before.files,
  pressure: null,
});

const toldOf = ({ mb, heapMb, files }: State): string =>
  `${mb.toFixed(0)} MB, of which the heap holds ${heapMb.toFixed(1)} MB; ${files} files`;

const left = (what: string, { agrees, leases, sessions, rows, rooms }: Audit): Row => ({
  what: `left behind by ${what}`,
  avatar: `${leases} slots, ${sessions} sessions, ${rows} rows, ${rooms ?? 0} rooms, the audit ${agrees ? 'agrees' : 'DIFFERS'}`,
  floor: '-',
  goal: 'nothing',
  isMet: agrees && leases + sessions + rows + (rooms ?? 0) === 0,
  pressure: null,
});
