import type { EndReason } from '#protocol/end-reasons.ts';
import type { EndedBy } from '../../records/audit/audit-log.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** A session around its end. Both are equal if it had already ended. */
export type EndedSession = { before: SessionRecord; after: SessionRecord };

/** Ends sessions at whichever control plane owns them. */
export interface SessionEnding {
  /**
   * Ends the session for its caller; a completed one stays as it is. Null when the account has no
   * such session. `by`: for the audit log.
   */
  end(accountId: string, id: string, by?: EndedBy): Promise<EndedSession | null>;
  /** Ends the live session of a record that is already completed. */
  endCompleted(id: string, reason: EndReason, at: number): Promise<void>;
}

type OwnEndingParts = {
  live: Pick<LiveSessions, 'get'>;
  records: Pick<SessionRecords, 'find'>;
};

/** Ends the sessions that this control plane owns. */
export class OwnEnding implements SessionEnding {
  readonly #parts: OwnEndingParts;

  constructor(parts: OwnEndingParts) {
    this.#parts = parts;
  }

  async end(accountId: string, id: string, by?: EndedBy): Promise<EndedSession | null> {
    const { live, records } = this.#parts;
    const session = await records.find(accountId, id);
    if (!session) return null;
    await live.get(id)?.end('ended_by_client', { by });
    const currentSession = await records.find(accountId, id);
    return currentSession && { before: session, after: currentSession };
  }

  async endCompleted(id: string, reason: EndReason, at: number): Promise<void> {
    await this.#parts.live.get(id)?.end(reason, { at });
  }
}
