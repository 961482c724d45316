import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { readHappening, type Happening } from '#shared/timeline.ts';
import type { SessionRecord } from '../records/sessions.ts';
import type { SessionEvents } from './session-events.ts';

/** What a worker says for the flight record, whatever it may be. */
export type AgedHappening = { kind: string; agoMs: number };

export type SessionNewsParts = {
  events: SessionEvents;
  clock: Clock;
  log: Log;
  record: () => SessionRecord;
};

/** What is told of one session: to whoever listens, for its flight record, and in the log. */
export class SessionNews {
  readonly #parts: SessionNewsParts;

  constructor(parts: SessionNewsParts) {
    this.#parts = parts;
  }

  /** `at`, in milliseconds since the epoch: never before the request, whatever a worker's clock says. */
  note(happening: Happening, at = this.#parts.clock.now()): void {
    const { id: sessionId, createdAt } = this.#parts.record();
    const entry = { at: Math.max(createdAt, at), ...happening };
    this.#parts.events.emit('session.noted', { sessionId, entry });
  }

  /** What its worker said, of which it may know more kinds than we do. */
  noteAll(happenings: AgedHappening[]): void {
    const now = this.#parts.clock.now();
    const { epoch } = this.#parts.record();
    for (const said of happenings) {
      const happening = readHappening(said, epoch);
      if (happening) this.note(happening, Math.round(now - said.agoMs));
    }
  }

  /** It began, or is over, as its record says. */
  announce(): void {
    const { log, events } = this.#parts;
    const session = this.#parts.record();
    const { id: sessionId, epoch, workerId, endReason } = session;
    if (session.status === 'completed') {
      this.note({ kind: 'ended', reason: endReason ?? 'removed' }, session.endedAt ?? undefined);
      log.info({ sessionId, epoch, workerId, endReason }, 'session ended');
      events.emit('session.ended', { session });
    } else {
      log.info({ sessionId, epoch, workerId }, 'session started');
      events.emit('session.started', { session });
    }
  }
}
