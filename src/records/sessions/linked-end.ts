import type { EndReason } from '#protocol/end-reasons.ts';
import { stateFieldsOf, type SessionRecord, type SessionStateFields } from './session-row.ts';

type CompletedFields = SessionStateFields & { endedAt: number; endReason: EndReason };

/**
 * The two sessions of a call end together: at one moment, for one reason. Returns how `other` ends
 * when `ended` has ended; null when they are not linked.
 *
 * A conversation without length had no user. Its avatar session has none either, and costs nothing.
 */
export function linkedEnd(ended: SessionRecord, other: SessionRecord): CompletedFields | null {
  const { id, callId, endedAt: at, endReason } = ended;
  if (callId === null || other.callId !== callId || other.id === id) return null;
  if (at === null || endReason === null) return null;
  const startedAt = other.startedAt ?? at;
  const hadUser = ended.kind !== 'agent' || ended.startedAt !== at;
  const endedAt = hadUser ? Math.max(startedAt, at) : startedAt;
  return { ...stateFieldsOf(ended), status: 'completed', startedAt, endedAt, endReason };
}
