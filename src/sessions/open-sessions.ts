import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { TraceIds } from '#shared/tracing/trace-ids.ts';
import type { Tracer } from '#shared/tracing/tracer.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { Cluster } from '../cluster/open-cluster.ts';
import type { SessionFleet } from '../fleet/fleet.ts';
import type { Records } from '../records/open-records.ts';
import type { SessionRecords } from '../records/sessions/sessions.ts';
import type { SessionNotices, SessionRequests } from './cluster/messages.ts';
import { SessionRouter } from './cluster/session-router.ts';
import { FleetSampler } from './workers/fleet-sampler.ts';
import type { FleetHistory } from '../records/history/fleet-history.ts';
import { eventsOfAll } from './cluster/shared-events.ts';
import { endTogether } from './linked-sessions.ts';
import type { JobSources } from './placement/job.ts';
import { Canary } from './canary/canary.ts';
import { Cordons } from './workers/cordons.ts';
import { DrainForecasts } from './workers/drain-forecasts.ts';
import { Rebalancing } from './workers/rebalancing.ts';
import { Reconciler } from './reconciliation/reconciler.ts';
import type { SessionEventMap } from './session-events.ts';
import type { RoomMakers } from './creation/session-room.ts';
import { usualTimes } from './session-times.ts';
import { placementTraceparent, traceSessions } from './session-traces.ts';
import { Sessions, type SessionTimes } from './sessions.ts';
import { Timelines } from './timelines.ts';

type SessionsOptions = RoomMakers & {
  records: SessionRecords;
  timelineRecords: Records['timelines'];
  canaries: Records['canaries'];
  cordonRecords: Records['cordons'];
  fleetHistory: FleetHistory;
  auditLog: Records['auditLog'];
  fleet: SessionFleet;
  jobSources: JobSources;
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
  const { records, timelineRecords, canaries, auditLog, fleet, rooms, botrooms, jobSources } =
    options;
  const { cluster, times, tracing, clock, log } = options;
  const { startMs } = { ...usualTimes, ...times };
  const ownEvents = new TypedEvents<SessionEventMap>((err) =>
    log.error({ err }, 'listener failed'),
  );
  const timelines = new Timelines({ events: ownEvents, records: timelineRecords, clock, log });
  const canary = new Canary({ records: canaries, auditLog, events: ownEvents, clock, log });
  const own = new Sessions({
    records,
    fleet,
    ownership: cluster?.ownership,
    rooms,
    botrooms,
    jobSources: { ...jobSources, ...(tracing && { traceparent: placementTraceparent }) },
    canary,
    events: ownEvents,
    clock,
    log,
    times,
  });
  const sessions = cluster ? new SessionRouter({ ...cluster, sessions: own, clock, log }) : own;
  if (tracing) traceSessions({ events: ownEvents, ...tracing });
  for (const name of CHANGES) {
    ownEvents.on(name, ({ session }) => ownEvents.emit('session.changed', { session }));
  }
  endTogether({ events: ownEvents, records, sessions, log });
  const cordons = new Cordons({
    records: options.cordonRecords,
    fleet,
    bus: cluster?.bus ?? null,
    clock,
    log,
  });
  const sampler = new FleetSampler({ fleet, history: options.fleetHistory, clock, log });
  const reconciler = new Reconciler({ sessions, records, fleet, rooms, clock, log });
  let stopWatching: (() => void) | undefined;

  return {
    /** The sessions of all control planes. */
    sessions,
    /** Events of the sessions that this control plane owns. */
    ownEvents,
    /** Events of the sessions of all control planes. */
    events: cluster
      ? eventsOfAll({ bus: cluster.bus, events: ownEvents, records, log })
      : ownEvents,
    timelines,
    reconciler,
    canary,
    cordons,
    drains: new DrainForecasts({ records, clock, startMs }),
    rebalancing: new Rebalancing({ sessions, records, fleet, log }),
    async start() {
      await canary.start();
      await cordons.start();
      await own.recover();
      reconciler.start();
      if (cluster) stopWatching = cluster.redis.onBack(() => reconciler.runSoon());
      sampler.start();
    },
    async close() {
      stopWatching?.();
      await sampler.close();
      await reconciler.close();
      await own.close();
      await timelines.close();
      await cordons.close();
      await canary.close();
    },
  };
}
