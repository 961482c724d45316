import type { Room } from '@livekit/rtc-node';
import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { forgetRoom } from './forget-room.ts';

/**
 * rtc-node 0.13.35 waits without end when the signalling socket no longer delivers
 * (livekit/rust-sdks issues 1334 and 1407). A session must not: its slot and its worker's drain
 * wait for it.
 */
const LEAVE_MS = 5_000;
/**
 * Limit for joining, and for a pending `connect` before leaving: it cannot be cancelled and may
 * never settle.
 */
export const CONNECT_MS = 15_000;

type LeaveParts = {
  room: Room;
  /** Null if the room was never joined. */
  connecting: Promise<void> | null;
  clock: Clock;
  log: Log;
};

/**
 * Disconnects, once connected, and releases all that the SDK holds of the room. Never rejects.
 * False when the media server did not answer.
 */
export async function leaveRoom({ room, connecting, clock, log }: LeaveParts): Promise<boolean> {
  try {
    const connected = connecting?.catch(() => {}) ?? Promise.resolve();
    await inTime(clock, CONNECT_MS, connected, late(CONNECT_MS));
    await inTime(clock, LEAVE_MS, room.disconnect(), late(LEAVE_MS));
    return true;
  } catch (err) {
    log.warn({ err }, 'room left without an answer');
    return false;
  } finally {
    forgetRoom(room);
  }
}

const late = (ms: number) => () => new Error(`the media server did not answer within ${ms} ms`);
