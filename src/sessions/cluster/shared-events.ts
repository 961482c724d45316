import type { Log } from '#shared/log.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { SessionEventMap, SessionEvents } from '../session-events.ts';

type SharedEventsParts = {
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  records: Pick<SessionRecords, 'findAny'>;
  log: Log;
};

/** The events of all control planes that event streams show. */
export function eventsOfAll({ events, bus, records, log }: SharedEventsParts): SessionEvents {
  const allEvents = new TypedEvents<SessionEventMap>((err) =>
    log.error({ err }, 'listener failed'),
  );
  for (const name of ['session.started', 'session.ended', 'session.changed'] as const) {
    events.on(name, ({ session }) => {
      allEvents.emit(name, { session });
      bus
        .publish(null, 'session_changed', { name, sessionId: session.id })
        .catch((err: unknown) => log.warn({ err }, 'session event not published'));
    });
  }
  bus.onNotice('session_changed', ({ name, sessionId }) => {
    records
      .findAny(sessionId)
      .then((session) => session && allEvents.emit(name, { session }))
      .catch((err: unknown) => log.error({ err }, 'session of a published event not read'));
  });
  return allEvents;
}
