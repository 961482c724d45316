/*
 * The outside services as a fleet. Each is a worker that every control plane is connected to, and
 * that outlives them: its slots are counted in the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { Order } from '#protocol/worker/gateway-messages.ts';
import { overflowWorkerId } from '#protocol/worker/worker-id.ts';
import type {
  Assignment,
  Job,
  Lease,
  Placement,
  Refusal,
  Requirements,
  SessionFleet,
  WorkerStatus,
} from '../fleet/fleet.ts';
import type { OutsideSession } from '../records/overflow/outside-session.ts';
import type { OutsideSessionRecords } from '../records/overflow/outside-sessions.ts';
import type { OverflowTarget } from '../records/overflow/overflows.ts';
import { exhaustionOf, periodStart } from './budget.ts';
import type { OutsideAnswer, OutsideService } from './outside-service.ts';
import { nameOf, type OutsideSessions, type OverflowEvents } from './outside-sessions.ts';
import type { OverflowPools } from './overflow-pools.ts';

type OutsideFleetParts = {
  records: Pick<OutsideSessionRecords, 'open' | 'use'>;
  sessions: Pick<OutsideSessions, 'apply' | 'reserve'>;
  service: Pick<OutsideService, 'create'>;
  pools: Pick<OverflowPools, 'target' | 'isResting' | 'failed' | 'succeeded' | 'known'>;
  events: OverflowEvents;
  /** Looks at the open sessions soon. */
  wake: () => void;
  clock: Clock;
  log: Log;
};

export class OutsideFleet implements Omit<SessionFleet, 'line' | 'refusal' | 'counts' | 'cordon'> {
  readonly #parts: OutsideFleetParts;

  constructor(parts: OutsideFleetParts) {
    this.#parts = parts;
  }

  /** The service that would perform it, had it a slot. Null: only workers of the pool can. */
  targetFor(requirements: Requirements): OverflowTarget | null {
    const { kind, transport, hasSpeechSource, needsFrames, avatarId, bundleHash, pool } =
      requirements;
    if (kind !== 'avatar' || transport !== 'mediaserver') return null;
    if (hasSpeechSource || needsFrames) return null;
    const target = this.#parts.pools.target(pool);
    // A custom avatar is known there only under a name of its own.
    const isKnown = bundleHash === null || Object.hasOwn(target?.avatars ?? {}, avatarId);
    return target && isKnown && target.maxSessions > 0 ? target : null;
  }

  async reserve(placement: Placement, requirements: Requirements): Promise<Lease | null> {
    const { sessions, pools } = this.#parts;
    const target = this.targetFor(requirements);
    if (!target || pools.isResting(target.pool, requirements.avatarId)) return null;
    const reserved = await sessions.reserve(placement, target);
    return reserved && leaseOf(reserved);
  }

  /** Null: the limits are not the reason. */
  async refusal(requirements: Requirements): Promise<Refusal | null> {
    const { records, clock } = this.#parts;
    const target = this.targetFor(requirements);
    if (!target) return null;
    const start = periodStart(target.period, clock.now());
    return exhaustionOf(target, await records.use(target.pool, start));
  }

  /** The records hold it. */
  async hold(): Promise<void> {}

  async free(placement: Placement): Promise<void> {
    const { sessions, wake } = this.#parts;
    await sessions.apply(placement, { type: 'released' });
    wake();
  }

  async leases(): Promise<Lease[]> {
    return (await this.#parts.records.open()).filter(isPerformed).map(leaseOf);
  }

  async assign(lease: Lease, job: Job): Promise<Assignment> {
    const { sessions, service, pools, clock, wake } = this.#parts;
    const session = await sessions.apply(lease, { type: 'asked', at: clock.now() });
    const target = session && pools.target(session.pool);
    if (!target || session.state.type !== 'creating') return 'declined';
    const answer = await service.create(target, {
      name: nameOf(lease),
      avatarId: target.avatars[job.avatarId] ?? job.avatarId,
      room: job.room,
      maxMinutes: session.limitMs / 60_000,
    });
    try {
      return await this.#settle(lease, { answer, pool: target.pool, avatarId: job.avatarId });
    } finally {
      wake();
    }
  }

  /**
   * It obeys no other order: it falls silent when its successor joins the room with the same
   * identity.
   */
  async send(_workerId: string, order: Order): Promise<void> {
    if (order.type === 'end' || order.type === 'drop') await this.free(order.placement);
  }

  async workers(): Promise<WorkerStatus[]> {
    const { records, pools } = this.#parts;
    const open = await records.open();
    // Another control plane may have set an overflow a moment ago.
    const names = new Set([
      ...pools.known.map(({ overflow }) => overflow.pool),
      ...open.map(({ pool }) => pool),
    ]);
    return [...names].map((pool) => {
      const sessions = open.filter((each) => each.pool === pool && isPerformed(each));
      return statusOf(pool, sessions, pools.target(pool)?.maxSessions ?? sessions.length);
    });
  }

  async #settle(
    lease: Lease,
    { answer, pool, avatarId }: { answer: OutsideAnswer; pool: string; avatarId: string },
  ): Promise<Assignment> {
    const { sessions, pools, events, clock, log } = this.#parts;
    const at = clock.now();
    switch (answer.type) {
      case 'seen': {
        const { sessionId, epoch } = lease;
        pools.succeeded(pool);
        events.emit('overflow.result', { pool, result: 'placed' });
        const outsideId = answer.session.id;
        log.info({ sessionId, epoch, pool, outsideId }, 'session placed outside');
        await sessions.apply(lease, { type: 'seen', at, session: answer.session });
        return 'accepted';
      }
      case 'refused':
        pools.failed(pool, answer.problem, answer.isUnknown ? avatarId : null);
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
  }
}

/** A session that is to end no longer has a place here. */
const isPerformed = ({ state }: OutsideSession): boolean => state.type !== 'ending';

const leaseOf = ({ sessionId, epoch, pool }: OutsideSession): Lease => ({
  sessionId,
  epoch,
  workerId: overflowWorkerId(pool),
});

const statusOf = (pool: string, sessions: OutsideSession[], slots: number): WorkerStatus => ({
  facts: {
    workerId: overflowWorkerId(pool),
    kind: 'avatar',
    slots,
    transports: ['mediaserver'],
    avatars: [],
    abilities: [],
    pool,
    version: SOFTWARE_VERSION,
  },
  load: { performing: sessions.length, lateFrames: 0, draining: false },
  state: 'ready',
  isCordoned: false,
  // A slot that was only reserved cannot be claimed for its session.
  performing: sessions.filter(({ state }) => state.type !== 'reserved'),
  taken: sessions.length,
  since: 0,
});
