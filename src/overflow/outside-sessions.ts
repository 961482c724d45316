/*
 * Changes sessions at outside services. Each step of `advance-outside.ts` is saved over the state
 * that it was made from; its report reaches the session here before, so that a crash in between
 * repeats it.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { TypedEvents } from '#shared/typed-events.ts';
import { overflowWorkerId } from '#protocol/worker/worker-id.ts';
import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import type { Placement } from '../fleet/fleet.ts';
import type { OutsideSession } from '../records/overflow/outside-session.ts';
import type { OutsideSessionRecords } from '../records/overflow/outside-sessions.ts';
import type { OverflowTarget } from '../records/overflow/overflows.ts';
import { advanceOutside, type OutsideEvent, type OutsideReport } from './advance-outside.ts';
import { costOf, exhaustionOf, limitMsOf, periodStart } from './budget.ts';
import { ANSWER_WITHIN_MS } from './outside-service.ts';

/** `result`: what became of a session that found no slot here. */
export type OverflowEvents = TypedEvents<{
  'overflow.result': { pool: string; result: 'placed' | 'refused' | 'unanswered' | 'lost' };
}>;

/** The sessions here, at whichever control plane owns them. */
export type ReportedSessions = {
  handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict>;
};

type OutsideSessionsParts = {
  records: Pick<OutsideSessionRecords, 'find' | 'reserve' | 'save'>;
  events: OverflowEvents;
  clock: Clock;
  log: Log;
};

/** Until one is claimed by another look. Longer than a request. */
const CLAIM_MS = ANSWER_WITHIN_MS + 2_000;
/** A slot that is still reserved by then has no session. */
const ABANDONED_MS = 60_000;
const WAITING_MS = 500;
const SHOWING_MS = 2_000;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export class OutsideSessions {
  readonly #parts: OutsideSessionsParts;
  #reported: ReportedSessions | null = null;

  constructor(parts: OutsideSessionsParts) {
    this.#parts = parts;
  }

  /** Call it once, when the sessions here are recovered. */
  reportTo(sessions: ReportedSessions): void {
    this.#reported = sessions;
  }

  /** Null if it does not fit the limits, or the overflow has changed. */
  reserve(
    { sessionId, epoch }: Placement,
    { apiKey: _apiKey, ...overflow }: OverflowTarget,
  ): Promise<OutsideSession | null> {
    const { records, clock } = this.#parts;
    const { pool, period, priceMicros } = overflow;
    const now = clock.now();
    const limitMs = limitMsOf(overflow);
    const session: OutsideSession = {
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
    };
    return records.reserve(overflow, periodStart(period, now), (use) =>
      exhaustionOf(overflow, use) ? null : session,
    );
  }

  /** Null if another control plane looks at it, or has changed it. */
  async claim(session: OutsideSession): Promise<OutsideSession | null> {
    const { records, clock } = this.#parts;
    const claimed = { ...session, dueAt: clock.now() + CLAIM_MS };
    return (await records.save(claimed)) ? { ...claimed, version: session.version + 1 } : null;
  }

  /** Returns a claim without an answer. */
  async release(claimed: OutsideSession): Promise<void> {
    const { records, clock } = this.#parts;
    await records.save({ ...claimed, dueAt: clock.now() });
  }

  /** Returns the session after the event; null if there is none. Rejects if it was not saved. */
  async apply(placement: Placement, event: OutsideEvent): Promise<OutsideSession | null> {
    const { records, clock } = this.#parts;
    for (;;) {
      const stored = await records.find(placement);
      if (!stored || stored.state.type === 'closed') return stored;
      const { session, report } = advanceOutside(stored, event);
      const isWanted = !report || (await this.#deliver(session, report));
      const changed = isWanted ? session : advanceOutside(session, { type: 'released' }).session;
      const isAsked = event.type === 'asked';
      const dueAt = clock.now() + (isAsked ? CLAIM_MS : pauseOf(changed));
      if (await records.save({ ...changed, dueAt })) return { ...changed, dueAt };
      // Changed meanwhile, for example freed by the session that the report has ended.
    }
  }

  /** False: the session here is no longer placed there. */
  async #deliver(session: OutsideSession, report: OutsideReport): Promise<boolean> {
    const { events, log } = this.#parts;
    const { sessionId, epoch, pool, endReason } = session;
    if (!this.#reported) throw new Error('reported before the sessions were recovered');
    if (report.type === 'lost') {
      log.warn({ sessionId, epoch, pool, endReason }, 'session lost at an outside service');
      events.emit('overflow.result', { pool, result: 'lost' });
    }
    const workerId = overflowWorkerId(pool);
    const verdict = await this.#reported.handle(
      { sessionId, epoch, workerId },
      workerReport(report, workerId),
    );
    return verdict === 'recorded';
  }
}

/** Equal for repeated requests to the provider. */
export const nameOf = ({ sessionId, epoch }: Placement): string => `${sessionId}-${epoch}`;

function workerReport(report: OutsideReport, workerId: string): WorkerReport {
  switch (report.type) {
    case 'started':
      return { type: 'started', agoMs: 0 };
    case 'ended':
      return { type: 'ended', agoMs: 0, reason: report.reason };
    case 'lost':
      return { type: 'gave_up', workerId, isSilent: report.isSilent };
  }
}

function pauseOf({ state, failures }: OutsideSession): number {
  if (failures > 0) return Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** (failures - 1));
  switch (state.type) {
    case 'reserved':
      return ABANDONED_MS;
    case 'creating':
      return RETRY_MS;
    case 'waiting':
      return WAITING_MS;
    case 'showing':
      return SHOWING_MS;
    case 'ending':
      // Without an id it is looked for until the request can no longer arrive.
      return state.outsideId === null ? RETRY_MS : 0;
    case 'closed':
      return 0;
  }
}
