import Type, { type Static } from 'typebox';
import { WORKER_STATES, type WorkerStatus } from '../../fleet/fleet.ts';
import { inAll, type PoolDemand, type Demand } from '../../fleet/demand.ts';
import type { WorkerTokenRecord } from '../../records/worker-tokens.ts';
import type { ReconciliationReport, Finding } from '../../sessions/reconciliation/reconciler.ts';
import { DIFFERENCES, type Difference } from '../../sessions/reconciliation/diff.ts';
import { isoTime, named, pageOf, Text, Time } from './common.ts';

/** What the document says of each route of the fleet. */
export const fleetDoc = { tags: ['Fleet'], security: [{ operatorKey: [] }] };

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const MaybeTime = Type.Union([Time, Type.Null()]);
const Maybe = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const WorkerBody = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['avatar', 'agent'], { type: 'string' }),
    pool: Type.String({ description: 'Its WORKER_POOL.' }),
    version: Type.String({ description: 'Of its software.' }),
    state: Type.Enum([...WORKER_STATES], {
      type: 'string',
      description:
        '`ready`: it is offered sessions. `late`: its frames do not keep time. `resting`: it declined a session a moment ago. `draining`: it takes nothing new.',
    }),
    slots: Count('How many sessions it performs at once.'),
    taken: Count('How many of them are taken.'),
    late_share: Type.Number({ description: 'Of its frames in the last seconds, 0 to 1.' }),
    frame_rate: Type.Union([Type.Number(), Type.Null()], {
      description: 'Frames a second of each of its sessions; null while it shows none.',
    }),
    since: { ...Time, description: 'When it connected.' },
  },
  { $id: 'Worker' },
);

export const WorkerList = Type.Object(
  { data: Type.Array(named(WorkerBody)) },
  { $id: 'WorkerList' },
);

export const PressureQuery = Type.Object({
  pool: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only of it.' })),
});

const pressureFields = {
  wanted_workers: Count('How many workers there should be.'),
  free_slots: Count('Slots that a session would get at once.'),
  warm_slots: Count('How many of each pool shall be free: WARM_SLOTS.'),
  queue_depth: Count('Requests that wait for a slot.'),
  queue_oldest_seconds: Type.Number({ description: 'How long one of them waits already.' }),
};

const pressures = {
  ...pressureFields,
  agents: Type.Object(pressureFields, {
    description: 'The same of agent workers, which hold the conversations of managed agents.',
  }),
};

export const PressureBody = Type.Object(
  {
    ...pressures,
    pools: Type.Array(Type.Object({ pool: Type.String(), ...pressures }), {
      description:
        'Each pool by itself: those that have a worker or somebody who waits for one, or the one that was asked for. What stands outside is their sum.',
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
  session_id: Maybe('The session that it is about.'),
  worker_id: Maybe('The worker that it is about.'),
  room: Maybe('The room that it is about.'),
  since: { ...Time, description: 'When it was seen for the first time.' },
  repaired: Type.Boolean(),
});

export const AuditBody = Type.Object(
  {
    agrees: Type.Boolean({ description: 'There is no difference.' }),
    leases: Count('Slots that are held.'),
    sessions: Count('Sessions that go on in this process.'),
    rows: Count('Sessions that the records have as not completed.'),
    performed: Count('Sessions that workers say they perform.'),
    rooms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Rooms of ours that are open; null when the media server did not answer.',
    }),
    differences: Type.Array(FindingBody),
  },
  { $id: 'FleetAudit' },
);

export const WorkerTokenRequest = Type.Object(
  { name: Text(1, 100) },
  { $id: 'WorkerTokenRequest' },
);

const tokenFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  created_at: Time,
  last_used_at: Type.Union([Time, Type.Null()], { description: 'To the minute.' }),
  revoked_at: MaybeTime,
};

export const WorkerTokenBody = Type.Object(tokenFields, { $id: 'WorkerToken' });

export const MadeWorkerToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'Shown this once.' }) },
  { $id: 'MadeWorkerToken' },
);

export const WorkerTokenPage = pageOf(named(WorkerTokenBody), 'WorkerTokenPage');

export const fleetSchemas = [
  WorkerBody,
  WorkerList,
  PressureBody,
  AuditBody,
  WorkerTokenRequest,
  WorkerTokenBody,
  MadeWorkerToken,
  WorkerTokenPage,
];

export const toWorkerBody = (worker: WorkerStatus): Static<typeof WorkerBody> => ({
  id: worker.facts.workerId,
  kind: worker.facts.kind,
  pool: worker.facts.pool,
  version: worker.facts.version,
  state: worker.state,
  slots: worker.facts.slots,
  taken: worker.taken,
  late_share: worker.load.lateFrames,
  frame_rate: worker.load.frameRate ?? null,
  since: isoTime(worker.since),
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

export const toAuditBody = ({
  findings,
  ...counts
}: ReconciliationReport): Static<typeof AuditBody> => ({
  agrees: findings.length === 0,
  ...counts,
  differences: findings.map(toFindingBody),
});

export const toWorkerTokenBody = (token: WorkerTokenRecord): Static<typeof WorkerTokenBody> => ({
  id: token.id,
  name: token.name,
  created_at: isoTime(token.createdAt),
  last_used_at: timeOrNull(token.lastUsedAt),
  revoked_at: timeOrNull(token.revokedAt),
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
