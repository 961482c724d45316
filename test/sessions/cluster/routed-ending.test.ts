import { describe, expect, test } from 'vitest';
import type { ClusterBus } from '../../../src/cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from '../../../src/sessions/cluster/messages.ts';
import { OwnerLookup } from '../../../src/sessions/cluster/owner-lookup.ts';
import { RoutedEnding } from '../../../src/sessions/cluster/routed-ending.ts';
import type { SessionRecord } from '../../../src/records/sessions/sessions.ts';
import { OwnEnding } from '../../../src/sessions/ending/session-ending.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

/** A session that is live in the records only. `owner`: as Redis names it. */
function endingWith(owner: string | null): RoutedEnding {
  const records = { find: async () => ({ id: 'session-1', status: 'ongoing' }) as SessionRecord };
  const live = { get: () => undefined, has: () => false };
  const bus = {
    self: 'node-a',
    request: async () => null,
    onRequest: () => {},
    onNotice: () => {},
  } as unknown as ClusterBus<SessionRequests, SessionNotices>;
  const ownership = { ownerOf: async () => owner };
  const owners = new OwnerLookup({ live, bus, ownership, clock: new TestClock() });
  const ending = new OwnEnding({ live, records });
  return new RoutedEnding({ ending, live, records, owners, bus, log: quietLog });
}

describe('ending a session that another control plane is about to take over', () => {
  test.each([null, 'node-b'])('fails with at_capacity when its owner is %s', async (owner) => {
    await expect(endingWith(owner).end('account-1', 'session-1')).rejects.toMatchObject({
      fault: 'at_capacity',
    });
  });
});
