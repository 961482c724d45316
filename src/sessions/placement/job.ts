import { DEFAULT_POOL, type Job, type Requirements } from '../../fleet/fleet.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { RoomAddress } from '../../rooms/given-rooms.ts';

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

/** Where workers join the room of this URL, which a caller brought. */
export type RoomAddressOf = (url: string) => RoomAddress;

/** `unanswered`: seconds heard of each open speech segment; null when no stream was heard. */
export function jobOf(
  session: SessionRecord,
  unanswered: number[] | null,
  roomAddressOf: RoomAddressOf,
): Job {
  const { kind, callId, transport, avatarId, bundleHash, video, signals, roomUrl } = session;
  // Both sessions of a call are in the room that was made for its face.
  const isBuiltIn = session.builtInRoom !== null || callId !== null;
  return {
    transport,
    room: {
      ...(isBuiltIn ? { url: roomUrl } : roomAddressOf(roomUrl)),
      token: session.renewedToken ?? session.roomToken,
    },
    avatarId,
    ...(bundleHash !== null && { bundle: bundleHash }),
    video,
    ...(signals.length > 0 && { signals }),
    ...(unanswered !== null && { unanswered }),
    ...(kind === 'agent' && callId !== null && { callId }),
  };
}
