import type { Room } from '@livekit/rtc-node';
import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { forgetRoom } from './forget-room.ts';

/**
 * rtc-node 0.13.35 waits without end when the signalling socket no longer delivers (livekit/rust-sdks issues 1334 and 1407). A session must not:
 * its slot and its worker's drain wait for it.
 */
const LEAVE_MS = 5_000;

/** Disconnects and releases all that the SDK holds of the room. False when the media server did not answer. */
export async function leaveRoom(room: Room, clock: Clock, log: Log): Promise<boolean> {
  try {
    const late = () => new Error(`the media server did not answer within ${LEAVE_MS} ms`);
    await inTime(clock, LEAVE_MS, room.disconnect(), late);
    return true;
  } catch (err) {
    log.warn({ err }, 'room left without an answer');
    return false;
  } finally {
    forgetRoom(room);
  }
}
