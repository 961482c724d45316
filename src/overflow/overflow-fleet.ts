/*
 * A fleet whose full pools overflow to outside services. To the sessions, such a service is a
 * worker that is always connected: it is assigned sessions, and ends them. Everything else is the
 * fleet's own. The app closes that fleet.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type {
  Assignment,
  Fleet,
  Job,
  Lease,
  Placement,
  Requirements,
  WorkerStatus,
} from '../fleet/fleet.ts';
import type { OutsideSession } from '../records/overflow/outside-session.ts';
import type { OutsideSessionRecords } from '../records/overflow/outside-sessions.ts';
import type { OverflowTarget } from '../records/overflow/overflows.ts';
import { isOverflowWorker, overflowWorkerId } from '#protocol/worker/worker-id.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { costOf, exhaustionOf, limitMsOf, periodStart, type Exhaustion } from './budget.ts';
import type { OutsideService } from './outside-service.ts';
import {
  ABANDONED_MS,
  nameOf,
  type OutsideSessions,
  type OverflowEvents,
} from './outside-sessions.ts';
import type { OverflowPools } from './overflow-pools.ts';

type OverflowFleetParts = {
  fleet: Fleet;
  records: Pick<OutsideSessionRecords, 'reserve' | 'open' | 'use'>;
  sessions: Pick<OutsideSessions, 'apply'>;
  service: Pick<OutsideService, 'create'>;
  pools: Pick<OverflowPools, 'target' | 'isResting' | 'failed' | 'succeeded' | 'known'>;
  events: OverflowEvents;
  /** Where others reach a room of ours. */
  publicUrl: (roomUrl: string) => string;
  /** Looks at the open sessions soon. */
  wake: () => void;
  clock: Clock;
  log: Log;
};

export function overflowFleet(parts: OverflowFleetParts): Fleet {
  const { fleet, records, sessions, wake } = parts;
  const release = async (placement: Placement) => {
    await sessions.apply(placement, { type: 'released' });
    wake();
  };

  return {
    join: (worker) => fleet.join(worker),
    leave: (worker) => fleet.leave(worker),
    report: (workerId, load) => fleet.report(workerId, load),
    drain: (workerId) => fleet.drain(workerId),
    cordon: (workerIds) => fleet.cordon(workerIds),
    counts: (kind) => fleet.counts(kind),
    countsByPool: (kind) => fleet.countsByPool(kind),
    close: () => fleet.close(),
    coolDown: (workerId) => fleet.coolDown(workerId),

    async reserve(placement, requirements, options) {
      const target = targetFor(parts, requirements);
      if (!target) return fleet.reserve(placement, requirements, options);
      const own = await fleet.reserve(placement, requirements, { ...options, waitMs: 0 });
      if (own || options.signal?.aborted) return own;
      const isResting = parts.pools.isResting(target.pool, requirements.avatarId);
      const outside = isResting ? null : await reserveOutside(parts, placement, target);
      return outside ?? fleet.reserve(placement, requirements, options);
    },
    async refusal(requirements) {
      const target = targetFor(parts, requirements);
      const isUsed = target !== null && target.maxSessions > 0;
      return (isUsed && (await exhaustionAt(parts, target))) || fleet.refusal(requirements);
    },

    // The records hold it.
    hold: async (lease) => (isOverflowWorker(lease.workerId) ? undefined : fleet.hold(lease)),
    free: (lease) => (isOverflowWorker(lease.workerId) ? release(lease) : fleet.free(lease)),
    assign: (lease, job) =>
      isOverflowWorker(lease.workerId)
        ? assignOutside(parts, lease, job)
        : fleet.assign(lease, job),
    async send(workerId, order) {
      if (!isOverflowWorker(workerId)) return fleet.send(workerId, order);
      // It obeys no other order. It falls silent when its successor joins the room with the same identity.
      if (order.type === 'end' || order.type === 'drop') await release(order.placement);
    },
    ask: async (workerId, question) =>
      isOverflowWorker(workerId) ? null : fleet.ask(workerId, question),
    isConnected: async (workerId) => isOverflowWorker(workerId) || fleet.isConnected(workerId),

    async workers() {
      const open = await records.open();
      return [...(await fleet.workers()), ...workersOf(parts, open)];
    },
    async leases() {
      const open = await records.open();
      return [...(await fleet.leases()), ...open.filter(isPerformed).map(leaseOf)];
    },
  };
}

/** Null: only workers of the pool can perform it. */
function targetFor(
  { pools }: OverflowFleetParts,
  { kind, transport, hasSpeechSource, avatarId, bundleHash, pool }: Requirements,
): OverflowTarget | null {
  if (kind !== 'avatar' || transport !== 'mediaserver' || hasSpeechSource) return null;
  const target = pools.target(pool);
  // A custom avatar is known there only under a name of its own.
  const isKnown = bundleHash === null || Object.hasOwn(target?.avatars ?? {}, avatarId);
  return isKnown ? target : null;
}

async function exhaustionAt(
  { records, clock }: OverflowFleetParts,
  target: OverflowTarget,
): Promise<Exhaustion | null> {
  const start = periodStart(target.period, clock.now());
  return exhaustionOf(target, await records.use(target.pool, start));
}

async function reserveOutside(
  { records, clock }: OverflowFleetParts,
  { sessionId, epoch }: Placement,
  target: OverflowTarget,
): Promise<Lease | null> {
  const { apiKey: _apiKey, ...known } = target;
  const { pool, priceMicros } = known;
  if (target.maxSessions === 0) return null;
  const now = clock.now();
  const limitMs = limitMsOf(target);
  const reserved = await records.reserve(known, periodStart(target.period, now), (use) =>
    exhaustionOf(target, use)
      ? null
      : {
          sessionId,
          epoch,
          pool,
          state: { type: 'reserved' },
          priceMicros,
          limitMs,
          costMicros: costOf(limitMs, priceMicros),
          reservedAt: now,
          heardAt: now,
          lengthMs: 0,
          endReason: null,
          dueAt: now + ABANDONED_MS,
          failures: 0,
          version: 0,
        },
  );
  return reserved && leaseOf(reserved);
}

async function assignOutside(
  parts: OverflowFleetParts,
  lease: Lease,
  job: Job,
): Promise<Assignment> {
  const { sessions, service, pools, events, publicUrl, wake, clock, log } = parts;
  const { sessionId, epoch } = lease;
  const asked = await sessions.apply(lease, { type: 'asked', at: clock.now() });
  const target = asked && pools.target(asked.pool);
  if (!target || asked.state.type !== 'creating') return 'declined';
  const { pool } = target;
  const answer = await service.create(target, {
    name: nameOf(lease),
    avatarId: target.avatars[job.avatarId] ?? job.avatarId,
    room: { url: publicUrl(job.room.url), token: job.room.token },
    maxMinutes: asked.limitMs / 60_000,
  });
  const at = clock.now();
  try {
    switch (answer.type) {
      case 'seen':
        pools.succeeded(pool);
        events.emit('overflow.result', { pool, result: 'placed' });
        log.info(
          { sessionId, epoch, pool, outsideId: answer.session.id },
          'session placed outside',
        );
        await sessions.apply(lease, { type: 'seen', at, session: answer.session });
        return 'accepted';
      case 'refused':
        pools.failed(pool, answer.problem, answer.isUnknown ? job.avatarId : null);
        events.emit('overflow.result', { pool, result: 'refused' });
        await sessions.apply(lease, { type: 'refused' });
        return 'declined';
      case 'absent':
      case 'silent':
        if (answer.type === 'silent') pools.failed(pool, answer.problem);
        events.emit('overflow.result', { pool, result: 'unanswered' });
        await sessions.apply(lease, { type: 'silent', at });
        // It may have the session: the watch finds out.
        return 'gone';
    }
  } finally {
    wake();
  }
}

/** A session that is to end no longer has a place here. */
const isPerformed = ({ state }: OutsideSession): boolean => state.type !== 'ending';

const leaseOf = ({ sessionId, epoch, pool }: OutsideSession): Lease => ({
  sessionId,
  epoch,
  workerId: overflowWorkerId(pool),
});

function workersOf({ pools }: OverflowFleetParts, open: OutsideSession[]): WorkerStatus[] {
  // Another control plane may have set an overflow a moment ago.
  const names = new Set([
    ...pools.known.map(({ overflow }) => overflow.pool),
    ...open.map(({ pool }) => pool),
  ]);
  return [...names].map((pool) => {
    const here = open.filter((each) => each.pool === pool && isPerformed(each));
    return {
      facts: {
        workerId: overflowWorkerId(pool),
        kind: 'avatar',
        slots: pools.target(pool)?.maxSessions ?? here.length,
        transports: ['mediaserver'],
        avatars: [],
        abilities: [],
        pool,
        version: SOFTWARE_VERSION,
      },
      load: { performing: here.length, lateFrames: 0, draining: false },
      state: 'ready',
      isCordoned: false,
      // A slot that was only reserved cannot be claimed for its session.
      performing: here.filter(({ state }) => state.type !== 'reserved'),
      taken: here.length,
      since: 0,
    };
  });
}
