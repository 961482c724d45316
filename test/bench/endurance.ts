/*
 * Many sessions in sequence, to find leaks. The first half warms up; the second half is compared
 * with it.
 */
import { readdirSync } from 'node:fs';
import { startControlService } from '../stage/control-service.ts';
import { newOperatorKey } from '../support/api/operator-key.ts';
import type { RunningService } from '../support/processes/service.ts';
import type { Answers } from './api/api-load.ts';
import { auditOf, type Audit } from './fleet-audit.ts';
import { collectGarbage } from './collect-garbage.ts';
import { pssMb } from './machine.ts';
import { Child } from './rpc.ts';
import type { Measure } from './bench.ts';
import { pause } from './pause.ts';
import { row, type Row } from './report/row.ts';
import { ADMIN_PASSWORD } from './stage.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

const NORA = FIRST_AVATAR.id;
const SIMULATED = { warmUp: 5_000, measured: 5_000, perSecond: 150 };
const REAL = { warmUp: 100, measured: 100, atOnce: 4 };
/** Bound relative to the warm process. */
const MOST_GROWTH = 1.1;
const POLL_MS = 50;

/** Total memory and heap size after garbage collection. */
type State = { mb: number; heapMb: number; files: number };
/**
 * Workers without media, in rooms of a real media server: memory of the control plane per session.
 */
export async function simulatedSessions(): Promise<Row[]> {
  const service = await startControlService({
    TROUPE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    LOG_LEVEL: 'silent',
  });
  const { address: url, pid } = service;
  const pool = new Child(new URL('./api/api-workers.ts', import.meta.url));
  /** Load generators in their own processes, so that their connections end with them. */
  const perform = async (sessions: number) => {
    const load = new Child(new URL('./api/api-load.ts', import.meta.url));
    await load.ready;
    const { failed } = await load.ask<Answers>('open', {
      url,
      key: service.apiKey,
      method: 'POST',
      path: '/v1/sessions',
      status: 201,
      hasOwnRooms: true,
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
    const target = { url, token: service.workerToken, avatarId: NORA, performMs: 100 };
    await pool.ask('join', { ...target, workers: 40, slots: 10 });
    const operatorKey = await newOperatorKey(url, ADMIN_PASSWORD);
    const warmUp = perform(SIMULATED.warmUp);
    // Measured midway as well, otherwise zero rooms at the end would prove nothing.
    await pause((SIMULATED.warmUp / SIMULATED.perSecond) * 500);
    const { rooms: roomsMeanwhile } = await auditOf(url, operatorKey);
    const failedFirst = await warmUp;
    const warm = await stateOf(pid);
    const failed = failedFirst + (await perform(SIMULATED.measured));
    const end = await stateOf(pid);
    const audit = await auditOf(url, operatorKey);
    return [
      ...grown(
        `control plane, ${SIMULATED.measured} simulated sessions after ${SIMULATED.warmUp}`,
        {
          warm,
          end,
        },
      ),
      // Without rooms midway, zero rooms at the end would prove nothing.
      row({
        what: `rooms in the middle of ${SIMULATED.warmUp} simulated sessions`,
        unit: 'rooms',
        values: roomsMeanwhile ?? Number.NaN,
        goal: { of: 'worst', atLeast: 1 },
        calmBy: 'always',
      }),
      leftoverRow(`${SIMULATED.warmUp + SIMULATED.measured} simulated sessions`, audit),
      row({
        what: `not opened of ${SIMULATED.warmUp + SIMULATED.measured} simulated sessions`,
        unit: 'sessions',
        values: failed,
        calmBy: 'always',
      }),
    ];
  } finally {
    pool.kill();
    await service.close();
  }
}

/** Real media in rooms of the service. Only the worker joins each room. */
export const realSessions: Measure = async ({ service }) => {
  const perform = async (sessions: number) => {
    let begun = 0;
    const inTurn = async () => {
      while (begun++ < sessions) await performOne(service);
    };
    await Promise.all(Array.from({ length: REAL.atOnce }, inTurn));
    await pause(5_000);
  };
  // In sequence, because all inspectors use one port.
  const states = async () => ({
    worker: await stateOf(await service.pid('worker')),
    control: await stateOf(await service.pid('control')),
  });
  await perform(REAL.warmUp);
  const warm = await states();
  await perform(REAL.measured);
  const end = await states();
  const audit = await auditOf(
    service.address,
    await newOperatorKey(service.address, ADMIN_PASSWORD),
  );
  const subject = `${REAL.measured} sessions with real media after ${REAL.warmUp}`;
  return [
    ...grown(`avatar worker, ${subject}`, { warm: warm.worker, end: end.worker }),
    ...grown(`control plane, ${subject}`, { warm: warm.control, end: end.control }),
    leftoverRow(`${REAL.warmUp + REAL.measured} sessions with real media`, audit),
  ];
};

/** Waits until the avatar has joined the room and left it again. */
async function performOne(service: RunningService): Promise<void> {
  const opened = await service.api('/v1/sessions', { method: 'POST', body: { avatar_id: NORA } });
  if (opened.status !== 201) throw new Error(`POST answered ${opened.status}`);
  const { id } = (await opened.json()) as { id: string };
  const become = async (status: string) => {
    for (;;) {
      const session = (await (await service.api(`/v1/sessions/${id}`)).json()) as {
        status: { type: string };
      };
      if (session.status.type === status) return;
      await pause(POLL_MS);
    }
  };
  await become('ongoing');
  await service.api(`/v1/sessions/${id}/end`, { method: 'POST' });
  await become('completed');
}

/** Open files include sockets. */
async function stateOf(pid: number): Promise<State> {
  const files = readdirSync(`/proc/${pid}/fd`).length;
  const heapMb = await collectGarbage(pid);
  return { mb: await pssMb(pid), heapMb, files };
}

/** `warm` takes the place of the floor. */
const grown = (subject: string, { warm, end }: { warm: State; end: State }): Row[] => [
  row({
    what: `memory of the ${subject}`,
    unit: 'MB',
    values: end.mb,
    floor: warm.mb,
    goal: { of: 'ratio', atMost: MOST_GROWTH },
    note: `heap ${end.heapMb.toFixed(1)} MB, before ${warm.heapMb.toFixed(1)} MB`,
    calmBy: 'always',
  }),
  row({
    what: `open files of the ${subject}`,
    unit: 'files',
    values: end.files,
    floor: warm.files,
    goal: { of: 'worst', atMost: warm.files },
    calmBy: 'always',
  }),
];

const leftoverRow = (subject: string, { agrees, leases, sessions, rows, rooms }: Audit): Row =>
  row({
    what: `left behind by ${subject}`,
    unit: '',
    values: leases + sessions + rows + (rooms ?? Number.NaN) + (agrees ? 0 : 1),
    goal: { of: 'worst', atMost: 0 },
    note: `${leases} slots, ${sessions} sessions, ${rows} rows, ${rooms ?? 'unknown'} rooms, audit ${agrees ? 'consistent' : 'INCONSISTENT'}`,
    calmBy: 'always',
  });
