import type { EndReason } from '#protocol/end-reasons.ts';
import { stateFieldsOf, type SessionRecord, type SessionStateFields } from './session-row.ts';

type CompletedFields = SessionStateFields & { endedAt: number; endReason: EndReason };

/**
 * The two sessions of a call end together: at one moment, for one reason. Returns how
 * `otherSession` ends when `ended` has ended; null when they are not linked.
 *
 * A conversation without length had no user. Its avatar session has none either, and costs nothing.
 */
export function linkedEnd(
  ended: SessionRecord,
  otherSession: SessionRecord,
): CompletedFields | null {
  const { id, callId, endedAt: at, endReason } = ended;
  if (callId === null || otherSession.callId !== callId || otherSession.id === id) return null;
  if (at === null || endReason === null) return null;
  const startedAt = otherSession.startedAt ?? at;
  const hadUser = ended.kind !== 'agent' || ended.startedAt !== at;
  const endedAt = hadUser ? Math.max(startedAt, at) : startedAt;
  return { ...stateFieldsOf(ended), status: 'completed', startedAt, endedAt, endReason };
}
