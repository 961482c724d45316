import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { TraceIds } from '#shared/tracing/trace-ids.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { BotroomRooms } from '../botrooms/botroom-rooms.ts';
import type { Cluster } from '../cluster/open-cluster.ts';
import type { SessionFleet } from '../fleet/fleet.ts';
import type { Records } from '../records/open-records.ts';
import type { SessionRecords } from '../records/sessions/sessions.ts';
import type { Rooms } from '../rooms/rooms.ts';
import { Canary } from './canary/canary.ts';
import type { SessionNotices, SessionRequests } from './cluster/messages.ts';
import { SharedSeats } from './cluster/shared-seats.ts';
import { shareSessions } from './cluster/share-sessions.ts';
import { SessionRooms } from './creation/session-rooms.ts';
import { endTogether } from './ending/linked-sessions.ts';
import { openOwnSessions } from './own-sessions.ts';
import type { JobSources } from './placement/job.ts';
import { SessionSlots } from './placement/slots.ts';
import { Reconciler } from './reconciliation/reconciler.ts';
import type { SessionEventMap } from './session-events.ts';
import { usualTimes, type SessionTimes } from './session-times.ts';
import { placementTraceparent, traceSessions } from './session-traces.ts';
import { Timelines } from './timelines.ts';
import { Cordons } from './workers/cordons.ts';
import { DrainForecasts } from './workers/drain-forecasts.ts';
import { FleetSampler } from './workers/fleet-sampler.ts';
import { Rebalancing } from './workers/rebalancing.ts';

type SessionsOptions = {
  records: Pick<Records, 'timelines' | 'canaries' | 'cordons' | 'fleetHistory' | 'auditLog'> & {
    sessions: SessionRecords;
  };
  fleet: SessionFleet;
  media: Omit<JobSources, 'traceparent'> & { rooms: Rooms; botrooms: BotroomRooms };
  /** Null: this control plane is the only one. */
  cluster: Cluster<SessionRequests, SessionNotices> | null;
  times: Partial<SessionTimes>;
  /** Null: nothing is traced. */
  tracing: { tracer: Tracer; traceIds: TraceIds } | null;
  clock: Clock;
  log: Log;
};

/** Changes of live sessions. */
const CHANGES = [
  'session.lost',
  'session.returned',
  'session.recovered',
  'session.handed_over',
  'session.quality_changed',
] as const;

export function openSessions(options: SessionsOptions) {
  const { fleet, media, cluster, tracing, clock, log } = options;
  const { sessions: records, auditLog, ...stores } = options.records;
  const times = { ...usualTimes, ...options.times };
  const ownEvents = new TypedEvents<SessionEventMap>((err) =>
    log.error({ err }, 'listener failed'),
  );
  const shared = { records, fleet, events: ownEvents, clock, log };
  const timelines = new Timelines({ ...shared, records: stores.timelines });
  const canary = new Canary({ ...shared, records: stores.canaries, auditLog });
  const jobSources = { ...media, ...(tracing && { traceparent: placementTraceparent }) };
  const ownSessions = openOwnSessions({
    parts: {
      ...shared,
      ownership: cluster?.ownership,
      seats: cluster ? new SharedSeats({ ...cluster, ...shared }) : undefined,
      jobSources,
      times,
    },
    slots: new SessionSlots({ ...shared, canary, reserveMs: times.reserveMs }),
    rooms: new SessionRooms({ ...media, ...shared }),
  });
  const { live, recovery } = ownSessions;
  const { reports, ending, pictures, places, events } = cluster
    ? shareSessions({ ...cluster, ...shared, own: ownSessions })
    : { ...ownSessions, places: live, events: ownEvents };
  if (tracing) traceSessions({ ...shared, ...tracing });
  for (const name of CHANGES) {
    ownEvents.on(name, ({ session }) => ownEvents.emit('session.changed', { session }));
  }
  endTogether({ ...shared, ending });
  const bus = cluster?.bus ?? null;
  const cordons = new Cordons({ ...shared, records: stores.cordons, bus });
  const sampler = new FleetSampler({ ...shared, history: stores.fleetHistory });
  const reconciler = new Reconciler({ ...shared, live, recovery, places, rooms: media.rooms });
  let stopWatching: (() => void) | undefined;

  return {
    sessionCreation: ownSessions.creation,
    /** Ends sessions of all control planes. */
    sessionEnding: ending,
    /** Changes pictures of sessions of all control planes. */
    sessionPictures: pictures,
    /** For the sessions of all control planes. */
    workerReports: reports,
    /** Events of the sessions of all control planes. */
    events,
    /** Events of the sessions that this control plane owns. */
    ownEvents,
    timelines,
    reconciler,
    canary,
    cordons,
    drains: new DrainForecasts({ ...shared, startMs: times.startMs }),
    rebalancing: new Rebalancing({ ...shared, reports }),
    async start() {
      await canary.start();
      await cordons.start();
      await recovery.recover();
      reconciler.start();
      if (cluster) stopWatching = cluster.redis.onBack(() => reconciler.runSoon());
      sampler.start();
    },
    async close() {
      stopWatching?.();
      await sampler.close();
      await reconciler.close();
      await ownSessions.close();
      await timelines.close();
      await cordons.close();
      await canary.close();
    },
  };
}
