import { decodeJwt } from 'jose';

type Seat = { transport: string; roomUrl: string; roomToken: string };

/**
 * Identifies a participant of a room: the media server lets a second one replace the first. Null
 * for a room of another kind, and for tokens that a media server would refuse.
 */
export function seatOf({ transport, roomUrl, roomToken }: Seat): string | null {
  if (transport !== 'mediaserver') return null;
  try {
    const { sub, video } = decodeJwt<{ video?: { room?: unknown } }>(roomToken);
    const room = video?.room;
    if (sub === undefined || typeof room !== 'string') return null;
    return JSON.stringify([new URL(roomUrl).host, room, sub]);
  } catch {
    return null;
  }
}
