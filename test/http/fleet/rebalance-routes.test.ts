import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { refuseEntries } from '../../support/records/refused-entries.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';

let service: BuiltApp;
let operator: { 'x-api-key': string };
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  operator = (await makeAccount(service, 'free', 'operator')).headers;
});
afterEach(() => service.close());

const rebalance = (payload: object) =>
  service.call('POST', '/v1/fleet/rebalance', { headers: operator, payload });

/** A worker with ongoing sessions, each a second younger than the one before. */
async function busy(sessions: number): Promise<{ worker: SimulatedWorker; ids: string[] }> {
  const worker = await service.join({ slots: 4 });
  const ids: string[] = [];
  for (let i = 0; i < sessions; i += 1) {
    await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const { placement } = await worker.next('assign');
    await worker.started(placement);
    ids.push(placement.sessionId);
    service.clock.advance(1_000);
  }
  return { worker, ids };
}

async function report(worker: SimulatedWorker, lateFrames: number): Promise<void> {
  const { size: performing } = worker.performing;
  worker.say({ type: 'load', performing, lateFrames, draining: false });
  await worker.atRest();
}

async function overload(worker: SimulatedWorker): Promise<void> {
  await report(worker, 0.5);
  service.clock.advance(4_000);
  await report(worker, 0.5);
}

const released = (worker: SimulatedWorker) =>
  worker.messages.flatMap((message) =>
    message.type === 'release' ? [message.placement.sessionId] : [],
  );

describe('rebalancing', () => {
  test('moves the longest half of the sessions off an overloaded worker', async () => {
    const { worker, ids } = await busy(3);
    const otherWorker = await service.join({ slots: 4 });
    await overload(worker);

    const reply = await rebalance({});
    for (const id of ids.slice(0, 2)) {
      await worker.next('release');
      worker.say({ type: 'released', placement: { sessionId: id, epoch: 1 } });
    }

    expect(reply.statusCode).toBe(202);
    expect(reply.json()).toEqual({
      data: [{ worker_id: worker.workerId, sessions: ids.slice(0, 2) }],
    });
    const moved = [await otherWorker.next('assign'), await otherWorker.next('assign')];
    expect(moved.map(({ placement }) => placement.sessionId).toSorted()).toEqual(
      ids.slice(0, 2).toSorted(),
    );
    expect(released(worker)).not.toContain(ids[2]);
  });

  test('moves as many sessions of one worker as asked', async () => {
    const { worker, ids } = await busy(3);
    await service.join({ slots: 4 });
    await overload(worker);

    const reply = await rebalance({ worker_id: worker.workerId, sessions: 1 });
    await worker.next('release');

    expect(reply.json().data).toEqual([{ worker_id: worker.workerId, sessions: [ids[0]] }]);
    expect(released(worker)).toEqual([ids[0]]);
  });

  test('leaves sessions where they are while there is no slot elsewhere', async () => {
    const { worker, ids } = await busy(1);
    await overload(worker);

    expect((await rebalance({})).json().data[0].sessions).toEqual(ids);
    await worker.atRest();
    service.clock.advance(5_000);
    await worker.atRest();

    expect(released(worker)).toEqual([]);
    const { status } = (await service.call('GET', `/v1/sessions/${ids[0]}`)).json();
    expect(status.type).toBe('ongoing');
  });

  test('moves nothing off a worker that accepts sessions', async () => {
    const { worker } = await busy(1);

    expect((await rebalance({})).json()).toEqual({ data: [] });
    expect((await rebalance({ worker_id: worker.workerId })).statusCode).toBe(409);
    expect((await rebalance({ worker_id: 'nobody' })).statusCode).toBe(404);
    expect((await rebalance({ sessions: 0 })).statusCode).toBe(422);
  });

  test('moves no session if its audit entry cannot be written', async () => {
    const { worker } = await busy(1);
    await service.join({ slots: 4 });
    await overload(worker);
    const database = service.place.open();
    const allow = await refuseEntries(database);

    const { statusCode } = await rebalance({}).finally(allow);
    await database.destroy();
    await worker.atRest();

    expect(statusCode).toBe(500);
    expect(released(worker)).toEqual([]);
  });
});
