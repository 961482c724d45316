import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Placement } from '#protocol/placement.ts';
import type { AvatarFile, Fleet, Lease } from '../../src/fleet/fleet.ts';
import { ableToDraw } from '../../src/fleet/placement.ts';
import { FakeConnection } from '../support/fleet/fake-connection.ts';
import { job, reserve, requirements } from '../support/fleet/fleet-requests.ts';
import type { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';
import { offersContract } from './offers.contract.ts';
import { waitingLineContract } from './waiting-line.contract.ts';

/** Behaviour of every fleet, with one or several control planes. */
export function fleetContract(open: () => Promise<{ fleet: Fleet; clock: TestClock }>) {
  offersContract(open);
  waitingLineContract(open);

  test('gives the last slot to one session only', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));

    const leases = await Promise.all([reserve(fleet, 'session-1'), reserve(fleet, 'session-2')]);

    expect(leases.filter(Boolean)).toHaveLength(1);
    await fleet.close();
  });

  test('offers no slot of a worker that left but keeps its leases', async () => {
    const { fleet } = await open();
    const worker = new FakeConnection('worker-a', 2);
    await fleet.join(worker);
    await reserve(fleet, 'session-1');
    await fleet.leave(worker);

    expect(await reserve(fleet, 'session-2')).toBeNull();
    expect(await fleet.counts()).toMatchObject({ workers: 0, slots: 0, leases: 1 });
    await fleet.close();
  });

  test('ignores a late disconnect of a replaced connection', async () => {
    const { fleet } = await open();
    const older = new FakeConnection('worker-a', 1);
    await fleet.join(older);
    await fleet.join(new FakeConnection('worker-a', 1));
    await fleet.leave(older);

    expect(await reserve(fleet, 'session-1')).toMatchObject({ workerId: 'worker-a' });
    await fleet.close();
  });

  test('reports a worker as connected until its newest connection leaves', async () => {
    const { fleet } = await open();
    const [older, newer] = [new FakeConnection('worker-a', 1), new FakeConnection('worker-a', 1)];

    const wasConnected = await fleet.isConnected('worker-a');
    await fleet.join(older);
    await fleet.join(newer);
    await fleet.leave(older);
    const between = await fleet.isConnected('worker-a');
    await fleet.leave(newer);

    expect([wasConnected, between, await fleet.isConnected('worker-a')]).toEqual([
      false,
      true,
      false,
    ]);
    await fleet.close();
  });

  test('gives the slot of a new worker to a waiting request', async () => {
    const { fleet } = await open();
    const lease = fleet.reserve({ sessionId: 'session-1', epoch: 1 }, requirements, {
      account: 'account-1',
      waitMs: 2_000,
    });

    await fleet.join(new FakeConnection('worker-a', 1));

    expect(await lease).toEqual({ sessionId: 'session-1', epoch: 1, workerId: 'worker-a' });
    await fleet.close();
  });

  test('gives a freed slot to a waiting request', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));
    const firstLease = (await reserve(fleet, 'session-1')) as Lease;
    const secondLease = fleet.reserve({ sessionId: 'session-2', epoch: 1 }, requirements, {
      account: 'account-1',
      waitMs: 2_000,
    });

    await fleet.free(firstLease);

    expect(await secondLease).toMatchObject({ sessionId: 'session-2' });
    await fleet.close();
  });

  test('ignores the release of an older lease', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));
    const firstLease = (await reserve(fleet, 'session-1', 1)) as Lease;
    await fleet.free(firstLease);
    await reserve(fleet, 'session-1', 2);

    await fleet.free(firstLease);

    expect(await fleet.counts()).toMatchObject({ leases: 1, free: 0 });
    await fleet.close();
  });

  test('holds the slot of a session that a reconnected worker performs', async () => {
    const { fleet } = await open();
    await fleet.hold({ sessionId: 'session-1', epoch: 3, workerId: 'worker-a' });
    await fleet.join(new FakeConnection('worker-a', 1));

    expect(await reserve(fleet, 'session-2')).toBeNull();
    await fleet.close();
  });

  test('takes one slot when held twice', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 2));
    const lease = { sessionId: 'session-1', epoch: 3, workerId: 'worker-a' };
    await fleet.hold(lease);
    await fleet.hold({ ...lease });

    expect(await reserve(fleet, 'session-2')).not.toBeNull();
    await fleet.close();
  });

  test('never returns to an older epoch', async () => {
    const { fleet } = await open();
    await fleet.hold({ sessionId: 'session-1', epoch: 3, workerId: 'worker-a' });

    const older = fleet.hold({ sessionId: 'session-1', epoch: 2, workerId: 'worker-b' });

    await expect(older).rejects.toThrow('newer lease');
    await fleet.close();
  });

  test('keeps the slot of a worker whose connection broke during an assignment', async () => {
    const { fleet } = await open();
    const worker = new FakeConnection('worker-a', 1);
    worker.answer = 'gone';
    await fleet.join(worker);
    const lease = (await reserve(fleet, 'session-1')) as Lease;

    expect(await fleet.assign(lease, job)).toBe('gone');
    expect(await fleet.counts()).toMatchObject({ leases: 1 });
    await fleet.close();
  });

  test('frees the slot when the assigned worker is not connected', async () => {
    const { fleet } = await open();
    const worker = new FakeConnection('worker-a', 1);
    await fleet.join(worker);
    const lease = (await reserve(fleet, 'session-1')) as Lease;
    await fleet.leave(worker);

    expect(await fleet.assign(lease, job)).toBe('declined');
    expect(await fleet.counts()).toMatchObject({ leases: 0 });
    await fleet.close();
  });

  test('sends end and drain to the worker', async () => {
    const { fleet } = await open();
    const worker = new FakeConnection('worker-a', 1);
    await fleet.join(worker);
    const lease = (await reserve(fleet, 'session-1')) as Lease;

    const { sessionId, epoch, workerId } = lease;
    const placement = { sessionId, epoch };
    await fleet.send(workerId, { type: 'end', placement, reason: 'ended_by_client' });
    expect(await fleet.drain('worker-a')).toBe(true);
    expect(await fleet.drain('worker-b')).toBe(false);

    expect(worker.orders).toEqual(['end session-1 ended_by_client', 'drain']);
    await fleet.close();
  });

  test('gets a still from a connected worker only', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 1));
    const lease = (await reserve(fleet, 'session-1')) as Lease;

    const { sessionId, epoch, workerId } = lease;
    const question = { type: 'take_still', placement: { sessionId, epoch } } as const;
    const still = await fleet.ask(workerId, question);

    expect(Buffer.from(still ?? '', 'base64').toString()).toBe('still of session-1 1');
    expect(await fleet.ask('worker-b', question)).toBeNull();
    await fleet.close();
  });

  test('knows what a worker performs until the number of its sessions changes', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 2));
    const performing = async (count: number, sessions?: Placement[]) => {
      const load = { performing: count, lateFrames: 0, draining: false };
      fleet.report('worker-a', { ...load, ...(sessions && { sessions }) });
      await until(async () => (await fleet.workers())[0]?.load.performing === count);
      return (await fleet.workers())[0]?.performing;
    };
    const firstPlacement = { sessionId: 'session-1', epoch: 1 };

    expect(await performing(0)).toBeNull();
    expect(await performing(1, [firstPlacement])).toEqual([firstPlacement]);
    expect(await performing(1)).toEqual([firstPlacement]);
    // A list that is older than a session lacks it.
    expect(await performing(2)).toBeNull();
    expect(await performing(1)).toBeNull();
    await fleet.close();
  });

  test('learns that the abilities of a worker have changed', async () => {
    const { fleet } = await open();
    const worker = new FakeConnection('agent-a', 2, 'default', 'agent');
    await fleet.join(worker);
    await reserve(fleet, 'session-1');

    worker.facts = { ...worker.facts, abilities: ['hears:en'] };
    await fleet.changed(worker);
    await fleet.changed(new FakeConnection('absent', 2));

    expect((await fleet.workers()).map(({ facts }) => facts.abilities)).toEqual([['hears:en']]);
    expect(await fleet.counts('agent')).toMatchObject({ workers: 1, slots: 2 });
    await fleet.close();
  });

  test('asks the worker with the fewest sessions that has the avatar for a contact sheet', async () => {
    const { fleet } = await open();
    await fleet.join(new FakeConnection('worker-a', 2));
    await fleet.join(new FakeConnection('worker-b', 2));
    await fleet.join(new FakeConnection('agent-c', 2, 'default', 'agent'));
    fleet.report('worker-a', { performing: 1, lateFrames: 0, draining: false });

    const mira = { avatarId: 'mira', bundleHash: null };
    const artistsOf = async (avatar: AvatarFile, pool = 'default') =>
      ableToDraw(await fleet.workers(), avatar, pool);
    // The report reaches Redis in the background.
    await until(async () => (await artistsOf(mira))[0] === 'worker-b');
    const sheet = await fleet.ask('worker-b', { type: 'draw_sheet', avatarId: 'mira' });

    expect(sheet?.tiles).toEqual(['mira', 'worker-b']);
    expect(await artistsOf(mira, 'another pool')).toEqual([]);
    expect(await artistsOf({ ...mira, avatarId: 'otto' })).toEqual([]);
    expect(await artistsOf({ ...mira, bundleHash: 'a'.repeat(64) })).toEqual([]);
    await fleet.close();
  });

  test('ends all waits on close', async () => {
    const { fleet, clock } = await open();
    const lease = fleet.reserve({ sessionId: 'session-1', epoch: 1 }, requirements, {
      account: 'account-1',
      waitMs: 2_000,
    });

    await fleet.close();

    expect(await lease).toBeNull();
    expect(clock.waiting).toBe(0);
  });

  test('never leases a slot twice, in any order of events', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('reserve' as const), session: fc.nat(8) }),
      fc.record({ do: fc.constant('free' as const), session: fc.nat(8) }),
      fc.record({ do: fc.constant('join' as const), worker: fc.nat(2) }),
      fc.record({ do: fc.constant('leave' as const), worker: fc.nat(2) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.nat(3_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { fleet, clock } = await open();
        const workers = [1, 2, 3].map((slots) => new FakeConnection(`worker-${slots}`, slots));
        const heldLeases = new Map<string, Lease>();
        const requests: Promise<unknown>[] = [];
        let epoch = 0;
        for (const step of steps) {
          const sessionId = 'session' in step ? `session-${step.session}` : '';
          const worker = 'worker' in step ? workers[step.worker] : undefined;
          if (step.do === 'reserve' && !heldLeases.has(sessionId)) {
            const placement = { sessionId, epoch: (epoch += 1) };
            const wait = async () => {
              const lease = await fleet.reserve(placement, requirements, {
                account: 'account-1',
                waitMs: 2_000,
              });
              // Two requests of one session: the newer lease counts.
              if (lease && (heldLeases.get(sessionId)?.epoch ?? 0) < lease.epoch)
                heldLeases.set(sessionId, lease);
            };
            requests.push(wait());
          }
          const lease = heldLeases.get(sessionId);
          if (step.do === 'free' && lease) {
            heldLeases.delete(sessionId);
            await fleet.free(lease);
          }
          if (step.do === 'join' && worker) await fleet.join(worker);
          if (step.do === 'leave' && worker) await fleet.leave(worker);
          if (step.do === 'pass') clock.advance(step.ms);
          await Promise.resolve();

          for (const { facts } of workers) {
            const leases = [...heldLeases.values()].filter(
              ({ workerId }) => workerId === facts.workerId,
            );
            expect(leases.length).toBeLessThanOrEqual(facts.slots);
          }
        }
        await fleet.close();
        await Promise.all(requests);
        expect(clock.waiting).toBe(0);
      }),
    );
  });
}
