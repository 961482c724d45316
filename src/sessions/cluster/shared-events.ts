import type { Log } from '#shared/log.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { SessionEventMap, SessionEvents } from '../session-events.ts';

export type SharedEventsParts = {
  /** Of the sessions that live here. */
  events: SessionEvents;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  records: Pick<SessionRecords, 'findAny'>;
  log: Log;
};

/** Beginnings and ends of the sessions of all control planes, for whoever follows one. */
export function eventsOfAll({ events, bus, records, log }: SharedEventsParts): SessionEvents {
  const all = new TypedEvents<SessionEventMap>((err) => log.error({ err }, 'listener failed'));
  for (const name of ['session.started', 'session.ended'] as const) {
    events.on(name, ({ session }) => {
      all.emit(name, { session });
      bus
        .publish(null, 'session_changed', { name, sessionId: session.id })
        .catch((err: unknown) => log.warn({ err }, 'others not told of a session'));
    });
  }
  bus.onNotice('session_changed', ({ name, sessionId }) => {
    records
      .findAny(sessionId)
      .then((session) => session && all.emit(name, { session }))
      .catch((err: unknown) => log.error({ err }, 'change of a session not read'));
  });
  return all;
}
