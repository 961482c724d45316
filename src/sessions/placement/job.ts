import { DEFAULT_POOL, type Job, type Requirements } from '../../fleet/fleet.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';

export const requirementsOf = ({
  kind,
  transport,
  avatarId,
  bundleHash,
  pool,
}: Pick<
  SessionRecord,
  'kind' | 'transport' | 'avatarId' | 'bundleHash' | 'pool'
>): Requirements => ({
  kind,
  transport,
  avatarId,
  bundleHash,
  pool: pool ?? DEFAULT_POOL,
});

/** `unanswered`: seconds heard of each open speech segment; null when no stream was heard. */
export function jobOf(session: SessionRecord, unanswered: number[] | null): Job {
  const { kind, callId, transport, avatarId, bundleHash, video, signals } = session;
  return {
    transport,
    room: { url: session.roomUrl, token: session.renewedToken ?? session.roomToken },
    avatarId,
    ...(bundleHash !== null && { bundle: bundleHash }),
    video,
    ...(signals.length > 0 && { signals }),
    ...(unanswered !== null && { unanswered }),
    ...(kind === 'agent' && callId !== null && { callId }),
  };
}
