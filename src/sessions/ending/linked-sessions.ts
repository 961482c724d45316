import type { Log } from '#shared/log.ts';
import { linkedEnd } from '../../records/sessions/linked-end.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import type { SessionEvents } from '../session-events.ts';
import type { SessionEnding } from './session-ending.ts';

type LinkedSessionsParts = {
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  records: Pick<SessionRecords, 'ofCall'>;
  ending: Pick<SessionEnding, 'endCompleted'>;
  log: Log;
};

/**
 * The records complete both sessions of a call in one transaction. This ends the live session of
 * the other one, so that its worker leaves the room and its slot is free. If the process dies in
 * between, the reconciler finds a session without a row.
 */
export function endTogether({ events, records, ending, log }: LinkedSessionsParts): void {
  const endLinked = async (ended: SessionRecord) => {
    if (ended.callId === null) return;
    for (const otherSession of await records.ofCall(ended.callId)) {
      const end = linkedEnd(ended, otherSession);
      if (end) await ending.endCompleted(otherSession.id, end.endReason, end.endedAt);
    }
  };
  events.on('session.ended', ({ session }) => {
    endLinked(session).catch((err: unknown) =>
      log.error({ sessionId: session.id, err }, 'linked session not ended'),
    );
  });
}
