import { decodeJwt } from 'jose';

type Seat = { transport: string; roomUrl: string; roomToken: string };

/**
 * Identifies a participant of a room: the media server lets a second one replace the first. Null
 * for a room of another kind, and for tokens that a media server would refuse.
 */
export function seatOf({ transport, roomUrl, roomToken }: Seat): string | null {
  if (transport !== 'mediaserver') return null;
  try {
    const { sub, room } = claimsOf(roomToken);
    if (sub === undefined || typeof room !== 'string') return null;
    return JSON.stringify([new URL(roomUrl).host, room, sub]);
  } catch {
    return null;
  }
}

/** Whether the session's token is for the room of this name, on whichever media server. */
export function isInRoom({ transport, roomToken }: Omit<Seat, 'roomUrl'>, name: string): boolean {
  if (transport !== 'mediaserver') return false;
  try {
    return claimsOf(roomToken).room === name;
  } catch {
    return false;
  }
}

function claimsOf(roomToken: string): { sub: string | undefined; room: unknown } {
  const { sub, video } = decodeJwt<{ video?: { room?: unknown } }>(roomToken);
  return { sub, room: video?.room };
}
