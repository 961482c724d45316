import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { isQuality } from '#protocol/qualities.ts';
import { readTimelineEvent, type TimelineEvent } from '#protocol/timeline.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { SessionEvents } from '../session-events.ts';

/** A timeline event as a worker reports it. Its kind may be unknown to this version. */
export type AgedTimelineEvent = { kind: string; agoMs: number };

type SessionNotifierParts = {
  events: SessionEvents;
  clock: Clock;
  log: Log;
  record: { readonly current: SessionRecord };
};

/** Announces one session's events to listeners, its timeline and the log. */
export class SessionNotifier {
  readonly #parts: SessionNotifierParts;
  /**
   * Time of the worker's latest timeline event. Messages arrive with different delays; no event is
   * dated before an earlier one.
   */
  #reportedUntil = 0;

  constructor(parts: SessionNotifierParts) {
    this.#parts = parts;
  }

  /** Records an event of the control plane, now. */
  record(event: TimelineEvent): void {
    const at = this.#parts.clock.now();
    // A worker reports nothing about the session before it is assigned.
    if (event.kind === 'assigned') this.#reportedUntil = at;
    this.#emit(event, at);
  }

  /** Records an event that the worker reported. `at`: milliseconds since the epoch. */
  recordReported(event: TimelineEvent, at: number): void {
    this.#reportedUntil = Math.max(this.#reportedUntil, at);
    this.#emit(event, this.#reportedUntil);
  }

  /** Skips kinds that only a newer version knows. `heardAt`: when the message arrived. */
  recordAllReported(reported: AgedTimelineEvent[], heardAt: number): void {
    const { epoch } = this.#parts.record.current;
    for (const reportedEvent of reported) {
      const event = readTimelineEvent(reportedEvent, epoch);
      if (!event) continue;
      this.recordReported(event, Math.round(heardAt - reportedEvent.agoMs));
      if (event.kind === 'quality') this.#announceQuality(event.quality);
    }
  }

  /** Announces the start or the end, according to the record. */
  announce(): void {
    const { log, events, record, clock } = this.#parts;
    const session = record.current;
    const { id: sessionId, epoch, workerId, endReason, endDetail } = session;
    if (session.status === 'completed') {
      const at = session.endedAt ?? clock.now();
      const detail = endDetail === null ? {} : { detail: endDetail };
      this.#emit({ kind: 'ended', reason: endReason ?? 'removed', ...detail }, at);
      log.info({ sessionId, epoch, workerId, endReason, endDetail }, 'session ended');
      events.emit('session.ended', { session });
    } else {
      log.info({ sessionId, epoch, workerId }, 'session started');
      events.emit('session.started', { session });
    }
  }

  /** A newer worker may know more qualities. */
  #announceQuality(quality: string): void {
    const { events, log, record } = this.#parts;
    const session = record.current;
    log.info({ sessionId: session.id, workerId: session.workerId, quality }, 'quality changed');
    if (!isQuality(quality)) return;
    events.emit('session.quality_changed', { session, quality, at: this.#reportedUntil });
  }

  /** No event is dated before the request, whatever the worker's clock says. */
  #emit(event: TimelineEvent, at: number): void {
    const { events, record } = this.#parts;
    const { id: sessionId, callId, createdAt } = record.current;
    events.emit('session.timeline', {
      sessionId,
      callId,
      entry: { at: Math.max(createdAt, at), ...event },
    });
  }
}
