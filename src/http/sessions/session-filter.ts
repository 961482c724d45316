import type { SessionFilter } from '../../records/sessions/sessions.ts';
import type { SessionQuery } from './session-schemas.ts';
import { readSpan } from '../resource/time-span.ts';

/** Throws a Fault for contradictory or invalid filters. */
export async function readSessionFilter(
  { status, avatar_id: avatarId, transport, end_reason: endReason, q, ...query }: SessionQuery,
  findAvatar: (id: string) => Promise<{ id: string }>,
): Promise<SessionFilter> {
  const span = readSpan(query);
  return {
    ...(status !== undefined && { status }),
    ...(avatarId !== undefined && { avatarId: (await findAvatar(avatarId)).id }),
    ...(transport !== undefined && { transport }),
    ...(endReason !== undefined && { endReason }),
    ...(q !== undefined && { idPrefix: q.toLowerCase() }),
    ...span,
  };
}
