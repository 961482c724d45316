/* Ends the sessions of all control planes, each at its owner. */
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import { NodeGone, type ClusterBus } from '../../cluster/cluster-bus.ts';
import type { EndedBy } from '../../records/audit/audit-log.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { EndedSession, SessionEnding } from '../ending/session-ending.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { beingTakenOver } from '../being-taken-over.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import type { OwnerLookup } from './owner-lookup.ts';

type RoutedEndingParts = {
  /** For the sessions that this control plane owns. */
  ending: SessionEnding;
  live: Pick<LiveSessions, 'get'>;
  records: Pick<SessionRecords, 'find'>;
  owners: OwnerLookup;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  log: Log;
};

export class RoutedEnding implements SessionEnding {
  readonly #parts: RoutedEndingParts;

  constructor(parts: RoutedEndingParts) {
    this.#parts = parts;
    const { ending, live, bus, log } = parts;
    bus.onRequest('end', async ({ sessionId, by }) => {
      await live.get(sessionId)?.end('ended_by_client', { by });
      return null;
    });
    bus.onNotice('linked_ended', ({ sessionId, reason, at }) => {
      ending
        .endCompleted(sessionId, reason, at)
        .catch((err: unknown) => log.warn({ err }, 'linked session not ended'));
    });
  }

  async end(accountId: string, id: string, by?: EndedBy): Promise<EndedSession | null> {
    const { ending, records, owners, bus } = this.#parts;
    const session = await records.find(accountId, id);
    if (!session) return null;
    if (session.status === 'completed') return { before: session, after: session };
    const owner = await owners.of(id);
    try {
      if (owner === null) await ending.end(accountId, id, by);
      else await bus.request(owner, 'end', { sessionId: id, by });
    } catch (error) {
      owners.forget(id);
      if (!(error instanceof NodeGone)) throw error;
      throw beingTakenOver();
    }
    const currentSession = await records.find(accountId, id);
    if (currentSession?.status === 'completed') return { before: session, after: currentSession };
    // The owner no longer has the session, and no other control plane has taken it over yet.
    owners.forget(id);
    throw beingTakenOver();
  }

  async endCompleted(id: string, reason: EndReason, at: number): Promise<void> {
    const { ending, owners, bus } = this.#parts;
    const owner = await owners.of(id);
    if (owner === null) return ending.endCompleted(id, reason, at);
    await bus.publish(owner, 'linked_ended', { sessionId: id, reason, at });
  }
}
