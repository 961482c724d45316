import type { Outgoing } from '#shared/network/address-policy.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { requestOutgoing } from '../egress/outgoing-request.ts';
import type { SessionFleet } from '../fleet/fleet.ts';
import type { OutsideSessionRecords } from '../records/overflow/outside-sessions.ts';
import type { OverflowRecords } from '../records/overflow/overflows.ts';
import { OutsideFleet } from './outside-fleet.ts';
import { OutsideService } from './outside-service.ts';
import { OutsideSessions, type OverflowEvents, type ReportedSessions } from './outside-sessions.ts';
import { OutsideWatch } from './outside-watch.ts';
import { overflowFleet } from './overflow-fleet.ts';
import { OverflowPools } from './overflow-pools.ts';

type OverflowOptions = {
  fleet: SessionFleet;
  records: { overflows: OverflowRecords; outsideSessions: OutsideSessionRecords };
  outgoing: Outgoing;
  /** The media server's addresses; null without one of our own. */
  mediaServer: { url: string; publicUrl: string } | null;
  clock: Clock;
  log: Log;
};

export type Overflows = ReturnType<typeof openOverflow>;

export function openOverflow({
  fleet,
  records,
  outgoing,
  mediaServer,
  clock,
  log,
}: OverflowOptions) {
  const { outsideSessions } = records;
  const events: OverflowEvents = new TypedEvents((err) => log.error({ err }, 'listener failed'));
  const pools = new OverflowPools({ ...records, clock, log });
  const service = new OutsideService({
    request: requestOutgoing(outgoing),
    publicUrl: (url) => (url === mediaServer?.url ? mediaServer.publicUrl : url),
    clock,
  });
  const sessions = new OutsideSessions({ records: outsideSessions, events, clock, log });
  const shared = { records: outsideSessions, sessions, service, pools, clock, log };
  const watch = new OutsideWatch(shared);
  const outside = new OutsideFleet({
    ...shared,
    events,
    wake: () => watch.wake(),
  });
  return {
    /** The fleet, for sessions. */
    fleet: overflowFleet(fleet, outside),
    pools,
    events,
    /** Call it when the sessions are recovered. */
    async start(reported: ReportedSessions) {
      sessions.reportTo(reported);
      await pools.refresh();
      watch.wake();
    },
    /** Sessions stay open: the next start, or another control plane, resumes the watch. */
    async close() {
      service.close();
      await watch.close();
    },
  };
}
