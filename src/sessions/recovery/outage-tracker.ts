/* Announces when the face of one live session is away, and for how long. */
import type { Clock } from '#shared/clock.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { SessionEvents } from '../session-events.ts';
import type { SessionNotifier } from '../live/session-notifier.ts';
import { advanceOutage, type Away, type Outage } from './outage.ts';

type OutageTrackerParts = {
  clock: Clock;
  notifier: Pick<SessionNotifier, 'record' | 'recordReported'>;
  events: SessionEvents;
};

export class OutageTracker {
  readonly #parts: OutageTrackerParts;
  #outage: Outage = { type: 'none' };
  /** Workers repeat `started` until it is acknowledged; each epoch has one first frame. */
  #shownEpoch = 0;

  constructor(parts: OutageTrackerParts) {
    this.#parts = parts;
  }

  lost(session: SessionRecord): void {
    const { notifier, events } = this.#parts;
    const { epoch, workerId } = session;
    if (workerId !== null) notifier.record({ kind: 'lost', epoch, workerId });
    this.#begin('lost', workerId);
    events.emit('session.lost', { session });
  }

  /** The worker fell silent, or another one takes over without a release. */
  handsOver({ workerId }: SessionRecord): void {
    this.#begin('handed_over', workerId);
  }

  /** The worker reconnected with its session. */
  returned(session: SessionRecord): void {
    this.#outage = advanceOutage(this.#outage, { type: 'returned' });
    this.#parts.events.emit('session.returned', { session });
  }

  /** The first frame, at `at` in milliseconds since the epoch. */
  shown(session: SessionRecord, at: number): void {
    const { notifier, events } = this.#parts;
    const { epoch, workerId } = session;
    if (epoch > this.#shownEpoch) notifier.recordReported({ kind: 'first_frame', epoch }, at);
    this.#shownEpoch = Math.max(epoch, this.#shownEpoch);
    const outage = this.#outage;
    this.#outage = advanceOutage(outage, { type: 'shown' });
    if (outage.type === 'none') return;
    const { type: cause, workerId: fromWorkerId } = outage;
    const gapMs = this.#gap(outage, at);
    const toWorkerId = workerId ?? '';
    const moved = { kind: 'moved', epoch, cause, fromWorkerId, toWorkerId, gapMs } as const;
    notifier.recordReported(moved, at);
    if (cause === 'failover') events.emit('session.recovered', { session, afterMs: gapMs });
    else events.emit('session.handed_over', { session });
  }

  #begin(type: 'lost' | 'handed_over', workerId: string | null): void {
    const at = this.#parts.clock.elapsed();
    this.#outage = advanceOutage(this.#outage, { type, workerId: workerId ?? '', at });
  }

  #gap({ since }: Away, shownAt: number): number {
    const { clock } = this.#parts;
    // The report may arrive long after the frame.
    const reportAgeMs = clock.now() - shownAt;
    return Math.max(0, clock.elapsed() - since - reportAgeMs);
  }
}
