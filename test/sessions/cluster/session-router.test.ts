import { describe, expect, test } from 'vitest';
import type { SessionOwnership } from '../../../src/cluster/session-ownership.ts';
import type { ClusterBus } from '../../../src/cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from '../../../src/sessions/cluster/messages.ts';
import type { Sessions } from '../../../src/sessions/sessions.ts';
import { SessionRouter } from '../../../src/sessions/cluster/session-router.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

describe('sessions that are to move off a worker', () => {
  test('are asked here and at all other control planes', () => {
    const asked: unknown[] = [];
    const notices = new Map<string, (notice: never) => void>();
    const sessions = { moveAway: (...given: unknown[]) => asked.push(given) };
    const bus = {
      self: 'node-a',
      publish: async (...given: unknown[]) => void asked.push(given),
      onRequest: () => {},
      onNotice: (type: string, listener: (notice: never) => void) => notices.set(type, listener),
      onGone: () => {},
      onForgotten: () => {},
    };
    const router = new SessionRouter({
      sessions: sessions as unknown as Sessions,
      bus: bus as unknown as ClusterBus<SessionRequests, SessionNotices>,
      ownership: {} as SessionOwnership,
      clock: new TestClock(),
      log: quietLog,
    });
    const notice = { workerId: 'worker-a', sessionIds: ['session-1'] };

    router.moveAway(notice.workerId, notice.sessionIds);
    notices.get('move_away')!(notice as never);

    const here = ['worker-a', ['session-1']];
    expect(asked).toEqual([here, [null, 'move_away', notice], here]);
  });
});

/** A session that is live in the records only. `owner`: as Redis names it. */
function routerWith(owner: string | null): SessionRouter {
  const sessions = {
    has: () => false,
    find: async () => ({ id: 'session-1', status: 'ongoing' }),
    end: async () => ({ id: 'session-1', status: 'ongoing' }),
  } as unknown as Sessions;
  const bus = {
    self: 'node-a',
    request: async () => null,
    onRequest: () => {},
    onNotice: () => {},
    onGone: () => {},
    onForgotten: () => {},
  } as unknown as ClusterBus<SessionRequests, SessionNotices>;
  const ownership = { ownerOf: async () => owner } as unknown as SessionOwnership;
  return new SessionRouter({ sessions, bus, ownership, clock: new TestClock(), log: quietLog });
}

describe('ending a session that another control plane is about to take over', () => {
  test.each([null, 'node-b'])('fails with at_capacity when its owner is %s', async (owner) => {
    await expect(routerWith(owner).end('account-1', 'session-1')).rejects.toMatchObject({
      fault: 'at_capacity',
    });
  });
});
