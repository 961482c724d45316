import type { TimelineEntry } from '#protocol/timeline.ts';
import type { TypedEvents } from '#shared/typed-events.ts';
import type { SessionRecord } from '../records/sessions/sessions.ts';

/** Begin and end are told after the record is saved, once each for a session. */
export type SessionEventMap = {
  'session.started': { session: SessionRecord };
  'session.ended': { session: SessionRecord };
  /** Its worker does not perform it any more; any number of times. */
  'session.lost': { session: SessionRecord };
  /** Its worker, which may have been lost, is back and performs it where it was. */
  'session.returned': { session: SessionRecord };
  /** Its face is back, on another worker. */
  'session.recovered': { session: SessionRecord; afterMs: number };
  /** Something for its flight record. */
  'session.noted': { sessionId: string; entry: TimelineEntry };
};

export type SessionEvents = TypedEvents<SessionEventMap>;
