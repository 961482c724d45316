import type { Outbox } from '../records/outbox.ts';
import type { SessionRecord, SessionWatcher } from '../records/sessions/sessions.ts';
import { sessionChanged } from './events.ts';

/**
 * Adds an event to the outbox when a session starts or ends. `toBody` gives a session's API body.
 */
export const publishSessionEvents =
  (outbox: Outbox, toBody: (session: SessionRecord) => Record<string, unknown>): SessionWatcher =>
  async (trx, session, change) => {
    if (session.kind === 'agent') return;
    if (!(await outbox.isWanted(trx, session.accountId, `session.${change}`))) return;
    const at = change === 'started' ? session.startedAt : session.endedAt;
    const event = sessionChanged(change, session, toBody(session), at ?? session.createdAt);
    await outbox.add(trx, event);
  };
