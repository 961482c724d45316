import type { Log } from '#shared/log.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';
import type { SessionRecord, SessionWatcher } from '../records/sessions/sessions.ts';
import { qualityChanged, sessionChanged } from './events.ts';

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

type QualityChange = { session: SessionRecord; quality: string; at: number };

/** Adds an event to the outbox when a session's picture changes its quality. One after another. */
export function publishQuality(outbox: Outbox, log: Log): (change: QualityChange) => void {
  const queue = new SerialQueue();
  return ({ session, quality, at }) => {
    queue
      .run(() => outbox.publish(qualityChanged(session, quality, at)))
      .catch((err: unknown) => log.error({ sessionId: session.id, err }, 'event not stored'));
  };
}
