import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  type ControlPlane,
} from '../support/fleet/control-plane.ts';
import { settle } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

describe('a connected worker', () => {
  test('that performs sessions and stops beating is silent within 2 s, and its sessions continue elsewhere at once', async () => {
    const worker = await plane.worker().join();
    await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    worker.say({ type: 'beat', performing: 1 });
    await worker.atRest();
    const spare = await plane.worker().join();

    plane.clock.advance(2_000);

    expect(await worker.closed()).toBe(CLOSE.silent.code);
    expect((await spare.next('assign')).placement).toEqual({ ...placement, epoch: 2 });
  });

  test.each([true, false])(
    'that falls silent keeps its session only if another control plane has its newer connection: %s',
    async (isElsewhere) => {
      const otherPlane = await startControlPlane();
      const search = vi.spyOn(plane.fleet, 'isConnected');
      search.mockImplementation((workerId) => otherPlane.fleet.isConnected(workerId));
      const worker = await plane.worker().join();
      const { session } = await plane.creation.open(ACCOUNT, request());
      const { placement } = await worker.next('assign');
      await worker.started(placement);
      worker.say({ type: 'beat', performing: 1 });
      await worker.atRest();
      const spare = await plane.worker().join();
      const { workerId, secret } = worker;
      if (isElsewhere) await otherPlane.worker({ workerId, secret: secret! }).join();

      plane.clock.advance(2_000);
      expect(await worker.closed()).toBe(CLOSE.silent.code);
      await until(() => search.mock.settledResults[0]?.type === 'fulfilled');
      // Its absence cannot be awaited, but its arrival can.
      if (isElsewhere) await settle();
      else await spare.next('assign');
      await spare.atRest();

      expect(spare.performing.size).toBe(isElsewhere ? 0 : 1);
      expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({
        status: 'ongoing',
        workerId: isElsewhere ? workerId : spare.workerId,
      });
      await otherPlane.close();
    },
  );

  test('that reconnects after a pause keeps its session when no other slot was free', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    worker.say({ type: 'beat', performing: 1 });
    await worker.atRest();
    plane.clock.advance(2_000);
    await worker.closed();

    await worker.join();
    await worker.started(placement);

    expect(worker.performing.size).toBe(1);
    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({
      status: 'ongoing',
      epoch: 1,
    });
  });

  test('that performs sessions and beats stays connected', async () => {
    const worker = await plane.worker().join();

    for (let beat = 0; beat < 10; beat += 1) {
      worker.say({ type: 'beat', performing: 1 });
      await worker.atRest();
      plane.clock.advance(1_400);
    }

    expect(worker.closeCode).toBeNull();
  });

  test('without sessions need not beat', async () => {
    const worker = await plane.worker().join();
    worker.say({ type: 'beat', performing: 1 });
    worker.say({ type: 'beat', performing: 0 });
    await worker.atRest();

    await plane.stayFor(5_000);

    expect(worker.closeCode).toBeNull();
  });

  test('is asked for beats only if it is an avatar worker', async () => {
    const face = await plane.worker().join();
    const talk = await plane.worker({ kind: 'agent' }).join();

    const firstMessages = [face, talk].map(({ messages: [first] }) => first);

    expect(firstMessages).toMatchObject([{ beatEveryMs: 500 }, { type: 'registered' }]);
    expect(firstMessages[1]).not.toHaveProperty('beatEveryMs');
  });

  test('loses a session whose picture is stalled', async () => {
    const worker = await plane.worker({ slots: 2 }).join();
    await plane.creation.open(
      ACCOUNT,
      request({ room: { url: 'wss://rooms.example', token: '1' } }),
    );
    await plane.creation.open(
      ACCOUNT,
      request({ room: { url: 'wss://rooms.example', token: '2' } }),
    );
    const { placement } = await worker.next('assign');
    const otherAssignment = await worker.next('assign');
    const spare = await plane.worker({ slots: 2 }).join();

    worker.say({ type: 'beat', performing: 2, stalled: [placement] });

    expect(await worker.next('drop')).toEqual({ type: 'drop', placement });
    expect((await spare.next('assign')).placement).toEqual({ ...placement, epoch: 2 });
    await spare.atRest();
    expect([...worker.performing.keys()]).toEqual([otherAssignment.placement.sessionId]);
    expect(spare.performing.size).toBe(1);
  });
});
