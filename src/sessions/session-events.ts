import type { TypedEvents } from '#shared/typed-events.ts';
import type { SessionRecord } from '../records/sessions.ts';

/** Told after the record is saved, once each for a session. */
export type SessionEventMap = {
  'session.started': { session: SessionRecord };
  'session.ended': { session: SessionRecord };
};

export type SessionEvents = TypedEvents<SessionEventMap>;
