import { describe, expect, test } from 'vitest';
import type { SessionOwnership } from '../../../src/cluster/session-ownership.ts';
import type { ClusterBus } from '../../../src/cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from '../../../src/sessions/cluster/messages.ts';
import type { Sessions } from '../../../src/sessions/sessions.ts';
import { SessionRouter } from '../../../src/sessions/cluster/session-router.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

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
