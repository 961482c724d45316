import type { Quality } from '#protocol/qualities.ts';
import type { TimelineEntry } from '#protocol/timeline.ts';
import type { TypedEvents } from '#shared/typed-events.ts';
import type { SessionRecord } from '../records/sessions/sessions.ts';

/** `session.started` and `session.ended` are emitted once each, after the record is saved. */
export type SessionEventMap = {
  'session.started': { session: SessionRecord };
  'session.ended': { session: SessionRecord };
  /** The worker no longer performs the session. Any number of times. */
  'session.lost': { session: SessionRecord };
  /** The worker reconnected and still performs the session. */
  'session.returned': { session: SessionRecord };
  /** After a loss, another worker shows the face again. */
  'session.recovered': { session: SessionRecord; afterMs: number };
  /** Moved on purpose: another worker shows the face. */
  'session.handed_over': { session: SessionRecord };
  /** Its worker shows it at another quality. `at`: milliseconds since the epoch. */
  'session.quality_changed': { session: SessionRecord; quality: Quality; at: number };
  /** Any of the changes above that leaves the session live, of any control plane. */
  'session.changed': { session: SessionRecord };
  /** An entry for the session's timeline. */
  'session.timeline': { sessionId: string; callId: string | null; entry: TimelineEntry };
};

export type SessionEvents = TypedEvents<SessionEventMap>;
