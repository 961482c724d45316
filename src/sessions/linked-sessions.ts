import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { SessionRecord, SessionRecords } from '../records/sessions/sessions.ts';
import type { SessionEvents } from './session-events.ts';

export type LinkedSessionsParts = {
  /** Of the sessions that live here. */
  events: SessionEvents;
  records: Pick<SessionRecords, 'ofCall'>;
  /** Wherever it lives. */
  sessions: { endAnywhere(id: string, reason: EndReason, at: number): Promise<void> };
  log: Log;
};

/**
 * The face and the conversation of a call are completed in one transaction, by whichever of them ended: from here on the other one is told so
 * too, and leaves its slot and its room. When this process dies in between, the audit finds a session without a row.
 */
export function endTogether({ events, records, sessions, log }: LinkedSessionsParts): void {
  const tellPartner = async ({ id, callId, endReason, endedAt }: SessionRecord) => {
    if (callId === null || endReason === null || endedAt === null) return;
    for (const partner of await records.ofCall(callId))
      if (partner.id !== id) await sessions.endAnywhere(partner.id, endReason, endedAt);
  };
  events.on('session.ended', ({ session }) => {
    tellPartner(session).catch((err: unknown) =>
      log.error({ sessionId: session.id, err }, 'other half of a call not told of its end'),
    );
  });
}
