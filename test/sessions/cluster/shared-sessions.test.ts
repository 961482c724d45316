import { describe, expect, test } from 'vitest';
import type { Homes } from '../../../src/cluster/homes.ts';
import type { Nodes } from '../../../src/cluster/nodes.ts';
import type { Sessions } from '../../../src/sessions/sessions.ts';
import { SharedSessions } from '../../../src/sessions/cluster/shared-sessions.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

/** A session that goes on, as the records say, and lives nowhere; `home`: where Redis says that it does. */
function shared(home: string | null): SharedSessions {
  const sessions = {
    has: () => false,
    find: async () => ({ id: 'session-1', status: 'ongoing' }),
    end: async () => ({ id: 'session-1', status: 'ongoing' }),
  } as unknown as Sessions;
  const nodes = {
    self: 'node-a',
    ask: async () => null,
    onAsked: () => {},
    onTold: () => {},
    onGone: () => {},
    onForgotten: () => {},
  } as unknown as Nodes;
  const homes = { of: async () => home } as unknown as Homes;
  return new SharedSessions({ sessions, nodes, homes, clock: new TestClock(), log: quietLog });
}

describe('the end of a session that another control plane is about to take up', () => {
  test.each([null, 'node-b'])('is not said to be done: its home is %s', async (home) => {
    await expect(shared(home).end('account-1', 'session-1')).rejects.toMatchObject({
      fault: 'at_capacity',
    });
  });
});
