import { expect, test } from 'vitest';
import type { ClusterBus } from '../../../src/cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from '../../../src/sessions/cluster/messages.ts';
import type { OwnerLookup } from '../../../src/sessions/cluster/owner-lookup.ts';
import { RoutedReports } from '../../../src/sessions/cluster/routed-reports.ts';
import type { WorkerReports } from '../../../src/sessions/reports/worker-reports.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';

test('sessions that are to move off a worker are asked here and at all other control planes', () => {
  const calls: unknown[] = [];
  const notices = new Map<string, (notice: never) => void>();
  const reports = { moveAway: (...args: unknown[]) => calls.push(args) };
  const bus = {
    publish: async (...args: unknown[]) => void calls.push(args),
    onRequest: () => {},
    onNotice: (type: string, listener: (notice: never) => void) => notices.set(type, listener),
  };
  const routed = new RoutedReports({
    reports: reports as unknown as WorkerReports,
    owners: {} as OwnerLookup,
    bus: bus as unknown as ClusterBus<SessionRequests, SessionNotices>,
    log: quietLog,
  });
  const notice = { workerId: 'worker-a', sessionIds: ['session-1'] };

  routed.moveAway(notice.workerId, notice.sessionIds);
  notices.get('move_away')!(notice as never);

  const ownCall = ['worker-a', ['session-1']];
  expect(calls).toEqual([ownCall, [null, 'move_away', notice], ownCall]);
});
