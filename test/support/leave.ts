import type { Room } from '@livekit/rtc-node';
import { delay, systemClock } from '#shared/clock.ts';

const LEAVE_MS = 5_000;

/** rtc-node's disconnect may never end, as in workers/runtime/leave-room.ts. */
export async function leave(room: Room): Promise<void> {
  const wait = new AbortController();
  const leaving = room.disconnect().finally(() => wait.abort());
  await Promise.race([leaving, delay(systemClock, LEAVE_MS, wait.signal).catch(() => {})]);
}
