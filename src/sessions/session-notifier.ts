import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { readTimelineEvent, type TimelineEvent } from '#protocol/timeline.ts';
import type { SessionRecord } from '../records/sessions/sessions.ts';
import type { SessionEvents } from './session-events.ts';

/** What a worker says for the flight record, whatever it may be. */
export type AgedTimelineEvent = { kind: string; agoMs: number };

export type SessionNotifierParts = {
  events: SessionEvents;
  clock: Clock;
  log: Log;
  record: () => SessionRecord;
};

/** What is told of one session: to whoever listens, for its flight record, and in the log. */
export class SessionNotifier {
  readonly #parts: SessionNotifierParts;
  /** Time of the worker's latest note. Messages arrive with different delays; a note is never dated before an earlier one. */
  #toldUntil = 0;

  constructor(parts: SessionNotifierParts) {
    this.#parts = parts;
  }

  /** It happens here and now. */
  note(happening: TimelineEvent): void {
    const at = this.#parts.clock.now();
    // Its worker can say nothing of the session before this.
    if (happening.kind === 'assigned') this.#toldUntil = at;
    this.#emit(happening, at);
  }

  /** Its worker said it. `at`, in milliseconds since the epoch: never before what the same worker said earlier. */
  told(happening: TimelineEvent, at: number): void {
    this.#toldUntil = Math.max(this.#toldUntil, at);
    this.#emit(happening, this.#toldUntil);
  }

  /** Skips kinds of notes that only a newer worker knows. `heardAt`: when the message arrived, in milliseconds since the epoch. */
  toldAll(happenings: AgedTimelineEvent[], heardAt: number): void {
    const { epoch } = this.#parts.record();
    for (const said of happenings) {
      const happening = readTimelineEvent(said, epoch);
      if (happening) this.told(happening, Math.round(heardAt - said.agoMs));
    }
  }

  /** It began, or is over, as its record says. */
  announce(): void {
    const { log, events } = this.#parts;
    const session = this.#parts.record();
    const { id: sessionId, epoch, workerId, endReason } = session;
    if (session.status === 'completed') {
      const at = session.endedAt ?? this.#parts.clock.now();
      this.#emit({ kind: 'ended', reason: endReason ?? 'removed' }, at);
      log.info({ sessionId, epoch, workerId, endReason }, 'session ended');
      events.emit('session.ended', { session });
    } else {
      log.info({ sessionId, epoch, workerId }, 'session started');
      events.emit('session.started', { session });
    }
  }
  /** Nothing happens before the request, whatever a worker's clock says. */
  #emit(happening: TimelineEvent, at: number): void {
    const { id: sessionId, createdAt } = this.#parts.record();
    const entry = { at: Math.max(createdAt, at), ...happening };
    this.#parts.events.emit('session.noted', { sessionId, entry });
  }
}
