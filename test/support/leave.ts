import type { Room } from '@livekit/rtc-node';
import { delay, systemClock } from '#shared/clock.ts';

const LEAVE_MS = 5_000;

/** As workers/runtime/leave-room.ts: rtc-node's disconnect may never end, and a test would wait for it in vain. */
export async function leave(room: Room): Promise<void> {
  const wait = new AbortController();
  const leaving = room.disconnect().finally(() => wait.abort());
  await Promise.race([leaving, delay(systemClock, LEAVE_MS, wait.signal).catch(() => {})]);
}
