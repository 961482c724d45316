import Type, { type Static } from 'typebox';
import { LogLevel } from '#protocol/worker/gateway-messages.ts';
import { QUALITIES, QUALITY_NAMES } from '#protocol/qualities.ts';
import { WORKER_STATES, type WorkerStatus } from '../../fleet/fleet.ts';
import { inAll, type PoolDemand, type Demand } from '../../fleet/demand.ts';
import type { DrainForecast } from '../../sessions/workers/drain-forecasts.ts';
import type { Relief } from '../../sessions/workers/rebalancing.ts';
import type { ReconciliationReport, Finding } from '../../sessions/reconciliation/reconciler.ts';
import { DIFFERENCES, type Difference } from '../../sessions/reconciliation/diff.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, Time } from '../resource/schema-parts.ts';

/** OpenAPI fields of every fleet route. */
export const fleetDoc = {
  tags: ['Fleet'],
  security: [{ operatorKey: [] }, { operatorBearerKey: [] }],
};

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const MaybeTime = Type.Union([Time, Type.Null()]);
const Maybe = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const qualities = Object.entries(QUALITIES)
  .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
  .join(' ');

export const WorkerBody = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['avatar', 'agent'], { type: 'string' }),
    pool: Type.String({ description: 'WORKER_POOL of the worker.' }),
    version: Type.String({ description: 'Software version.' }),
    host: Maybe('Name of its machine; in Kubernetes, of its pod. Null: an older worker.'),
    state: Type.Enum([...WORKER_STATES], {
      type: 'string',
      description:
        '`ready`: accepts sessions. `late`: its frames are late. `resting`: declined a session a moment ago. `cordoned`: takes no new sessions until it is resumed. `draining`: takes no new sessions and stops after its last one.',
    }),
    cordoned: Type.Boolean({
      description: 'Takes no new sessions until it is resumed; also while it is late or draining.',
    }),
    slots: Count('Sessions that it can perform at once.'),
    taken: Count('Slots in use.'),
    late_share: Type.Number({
      description:
        'Share of frames that were late in the last seconds, or left out for want of CPU time; 0 to 1.',
    }),
    frame_rate: Type.Union([Type.Number(), Type.Null()], {
      description: 'Frames per second per session; null while no session runs.',
    }),
    quality: Type.Enum([...QUALITY_NAMES], {
      type: 'string',
      description: `What it shows; below \`full\` while it has too little CPU time. ${qualities}`,
    }),
    since: { ...Time, description: 'When it connected.' },
    drain: Type.Union(
      [
        Type.Object({
          sessions: Count('Sessions that it still performs.'),
          done_by: {
            ...MaybeTime,
            description:
              'When it will be empty at the latest: by the limits of its sessions, and by its own, after which it hands over what is left. Null: a session has no limit.',
          },
        }),
        Type.Null(),
      ],
      { description: 'The forecast of a draining worker; else null.' },
    ),
  },
  { $id: 'Worker' },
);

export const WorkerList = Type.Object(
  { data: Type.Array(named(WorkerBody)) },
  { $id: 'WorkerList' },
);

export const PressureQuery = Type.Object({
  pool: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only this pool.' }),
  ),
});

const pressureFields = {
  wanted_workers: Count('Number of workers needed.'),
  free_slots: Count('Free slots.'),
  warm_slots: Count('Free slots to keep in each pool (WARM_SLOTS).'),
  queue_depth: Count('Requests waiting for a slot.'),
  queue_oldest_seconds: Type.Number({ description: 'Age of the oldest waiting request.' }),
};

const pressures = {
  ...pressureFields,
  agents: Type.Object(pressureFields, {
    description:
      'The same figures for agent workers, which run the conversations of managed agents.',
  }),
};

export const PressureBody = Type.Object(
  {
    ...pressures,
    pools: Type.Array(Type.Object({ pool: Type.String(), ...pressures }), {
      description:
        'Figures per pool: every pool with a worker or a waiting request, or the requested pool. The top-level fields are their sums.',
    }),
  },
  { $id: 'FleetPressure' },
);

const FindingBody = Type.Object({
  kind: Type.Enum(Object.keys(DIFFERENCES) as Difference['kind'][], {
    type: 'string',
    description: Object.entries(DIFFERENCES)
      .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
      .join(' '),
  }),
  session_id: Maybe('The session concerned.'),
  worker_id: Maybe('The worker concerned.'),
  room: Maybe('The room concerned.'),
  since: { ...Time, description: 'When the difference was first seen.' },
  repaired: Type.Boolean(),
});

export const AuditBody = Type.Object(
  {
    agrees: Type.Boolean({ description: 'True if there are no differences.' }),
    leases: Count('Reserved slots.'),
    sessions: Count('Sessions running in this process.'),
    rows: Count('Sessions not completed in the database.'),
    performed: Count('Sessions that workers report as running.'),
    rooms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Open rooms of this service; null if the media server did not answer.',
    }),
    differences: Type.Array(FindingBody),
  },
  { $id: 'FleetAudit' },
);

export const LogLevelRequest = closed(Type.Object({ level: LogLevel }, { $id: 'LogLevelRequest' }));

export const RebalanceRequest = closed(
  Type.Object(
    {
      worker_id: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'Only this worker, which must be late, resting, cordoned or draining. Default: all late ones.',
        }),
      ),
      sessions: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'How many sessions of each worker. Default: half of them, rounded up.',
        }),
      ),
    },
    { $id: 'RebalanceRequest' },
  ),
);

export const RebalanceBody = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        worker_id: Type.String(),
        sessions: Type.Array(Type.String(), {
          description: 'Ids of the sessions, the longest first.',
        }),
      }),
    ),
  },
  { $id: 'Rebalance' },
);

export const fleetSchemas = [
  WorkerBody,
  WorkerList,
  PressureBody,
  AuditBody,
  LogLevelRequest,
  RebalanceRequest,
  RebalanceBody,
];

export const toWorkerBody = (
  worker: WorkerStatus,
  forecast: DrainForecast | null,
): Static<typeof WorkerBody> => ({
  id: worker.facts.workerId,
  kind: worker.facts.kind,
  pool: worker.facts.pool,
  version: worker.facts.version,
  host: worker.facts.host ?? null,
  state: worker.state,
  cordoned: worker.isCordoned,
  slots: worker.facts.slots,
  taken: worker.taken,
  late_share: worker.load.lateFrames,
  frame_rate: worker.load.frameRate ?? null,
  quality: worker.load.quality ?? 'full',
  since: isoTime(worker.since),
  drain: forecast && { sessions: forecast.sessions, done_by: timeOrNull(forecast.doneBy) },
});

export const toPressureBody = (pools: PoolDemand[]): Static<typeof PressureBody> => ({
  ...toFields(inAll(pools.map(({ avatar }) => avatar))),
  agents: toFields(inAll(pools.map(({ agent }) => agent))),
  pools: pools.map(({ pool, avatar, agent }) => ({
    pool,
    ...toFields(avatar),
    agents: toFields(agent),
  })),
});

const toFields = (demand: Demand) => ({
  wanted_workers: demand.wantedWorkers,
  free_slots: demand.freeSlots,
  warm_slots: demand.warmSlots,
  queue_depth: demand.queueDepth,
  queue_oldest_seconds: demand.queueOldestSeconds,
});

export const toRebalanceBody = (plan: Relief[]): Static<typeof RebalanceBody> => ({
  data: plan.map(({ workerId, sessionIds }) => ({
    worker_id: workerId,
    sessions: sessionIds,
  })),
});

export const toAuditBody = ({
  findings,
  ...counts
}: ReconciliationReport): Static<typeof AuditBody> => ({
  agrees: findings.length === 0,
  ...counts,
  differences: findings.map(toFindingBody),
});

function toFindingBody(finding: Finding): Static<typeof FindingBody> {
  const { kind, since, isRepaired: repaired } = finding;
  const lease = 'lease' in finding ? finding.lease : null;
  const sessionId = 'sessionId' in finding ? finding.sessionId : null;
  const workerId = 'workerId' in finding ? finding.workerId : null;
  return {
    kind,
    session_id: lease?.sessionId ?? sessionId,
    worker_id: lease?.workerId ?? workerId,
    room: 'room' in finding ? finding.room : null,
    since: isoTime(since),
    repaired,
  };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
